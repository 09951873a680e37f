"""Learning rates that are set where no optimizer reads them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ..program.program import Program
from ..source.reader import in_brackets
from ..source.syntax import LOOPS, is_call, name_called, names_in
from ..source.texts import Source, everywhere
from ..source.variables import groups_of, own_name
from ..words.sentences import say
from .steps_without_effect import line_that_makes

MOST = 3  #: lines that are named


def idle_rate(optimizer: Any, its: str, program: Program) -> Iterator[str]:
    """That a line sets ``optimizer.lr``, or a name whose number an optimizer was made with."""
    parts, groups = [*everywhere(program.frame)], groups_of(optimizer)
    if "lr" in vars(optimizer or object) and not any(sets_a_rate(each) for _, each in parts):
        yield from own_attribute(parts, its, groups[0]["lr"])
        return
    made = [each for _, each in parts if makes(each, its)]
    if len(groups) != 1 or len(made) != 1 or any(sets_a_rate(each) for _, each in parts):
        return
    name = next(iter(names_given(made[0].value)), "")
    rate, own = groups[0].get("lr"), program.variables.get(name)
    is_known = isinstance(rate, float) and "initial_lr" not in groups[0]  # which a schedule adds
    if not name or not is_known or own == rate:
        return
    inside = [
        (source, each)
        for source, loop in parts
        if isinstance(loop, LOOPS)
        for each in ast.walk(loop)
    ]
    lines = dict.fromkeys(s.spoken(each.lineno) for s, each in inside if changes(each, name))
    if len(lines) == 1 and not any(each is made[0] for _, each in inside):
        (line,), before = lines, in_brackets(line_that_makes(its, program))
        yield say("number-of-then", its=its, line=line, name=name, rate=rate, made=before)
        yield say("into-the-groups", its=its, name=name, line=line.partition(": `")[0])


def own_attribute(parts: list[tuple[Source, Any]], its: str, rate: float) -> Iterator[str]:
    """That a line sets ``optimizer.lr``, with the lines that read it."""
    is_own = [(s, e) for s, e in parts if isinstance(e, ast.Attribute) and e.attr == "lr"]
    is_own = [(source, each) for source, each in is_own if ast.unparse(each) == f"{its}.lr"]
    last = [e for _, e in parts if isinstance(e, ast.AugAssign)]  # by which it is to change
    first = [(s, e) for s, e in parts if e in last or isinstance(e, ast.Assign)]
    for source, each in sorted(first, key=lambda pair: pair[1] not in last):
        target = each.targets[0] if isinstance(each, ast.Assign) else each.target
        new = ast.unparse(each).removeprefix(f"{its}.lr ")
        if any(target is own for _, own in is_own):
            new = new.replace(f"{its}.lr", 'group["lr"]')
            read = [(s, e) for s, e in is_own if isinstance(e.ctx, ast.Load)]
            read = [(s, e) for s, e in read if e.lineno != each.lineno]
            lines = "; ".join(dict.fromkeys(s.spoken(e.lineno) for s, e in read[:MOST]))
            others = say("read-the-group", its=its, lines=lines) if lines else ""
            yield say("idle-rate", its=its, line=source.spoken(each.lineno), rate=rate)
            yield say("set-the-groups", its=its, new=new, others=others)
            return


def makes(statement: ast.AST, its: str) -> bool:
    """Whether a statement makes the optimizer of this name."""
    match statement:
        case ast.Assign([target], value) if is_call(value):
            return name_called(target) == own_name(its)
    return False


def names_given(call: ast.expr) -> list[str]:
    """The names that stand for the learning rate in the call that makes an optimizer."""
    given = [*getattr(call, "args", ())[1:2]]
    given += [each.value for each in getattr(call, "keywords", ()) if each.arg == "lr"]
    return [each.id for each in given if isinstance(each, ast.Name)]


def sets_a_rate(part: ast.AST) -> bool:
    """Whether a part of a program sets the rate of a group."""
    match part:
        case ast.Subscript(_, ast.Constant("lr"), ast.Store()):
            return True
        case ast.Call():
            return name_called(part.func) == "update" and "lr" in ast.unparse(part)
    return False


def changes(statement: ast.AST, name: str) -> bool:
    """Whether a statement gives a name another number, computed from it or of another kind."""
    match statement:
        case ast.AugAssign(ast.Name(target)):
            return target == name
        case ast.Assign([target]):
            return name in names_in(target, ast.Store)
    return False
