"""A result that each round of a loop adds to, and that a pass of each round goes through again."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from itertools import chain, takewhile
from typing import Any, NamedTuple

from ...autograd.caller import Place
from ...tensor import Tensor
from ..graph.history import nodes_behind
from ..source import reader
from ..source.syntax import LOOPS, is_at, is_call, own_parts, scope, statements_at, targets_of
from ..source.texts import Source, everywhere, texts
from ..source.variables import all_stepped, parameters_of, thing_at
from ..words.sentences import tell

STEPS = {"step", "zero_grad"}
RUNS_ONCE = ast.If | ast.Try | ast.With  #: for each time that the block around it runs


class Grown(NamedTuple):
    """What grows, as it is written, the line that makes it grow, and the loop around the pass."""

    name: str
    line: ast.Assign | ast.AugAssign
    loop: Any
    source: Source


def added_up(node: Any) -> str:
    """What to do where what is asked about holds the rounds before; empty where it does not."""
    for grown in grown_in_the_loop(node):
        added = added_to(grown)
        if added is None:
            return tell("detach-in-each-round", name=grown.name, line=spoken(grown, grown.line))
        name, loop, line = grown.name, spoken(grown, grown.loop), spoken(grown, grown.line)
        start = (starts_above(grown.loop, name) or [""])[-1]
        if grows_in_another(grown):
            where = start or f"`{name} = 0`"
            return tell("begin-in-each-round", name=name, start=where, loop=loop)
        if runs_at_times(grown.loop):
            where = reader.in_brackets(start and f"as in {start}")
            return tell("begin-below-the-pass", name=name, start=where, line=line)
        if not is_stepped(grown):
            return tell("once-below", name=name, loop=loop)
        part = added.id if isinstance(added, ast.Name) else "part"
        new = f"`{name} = {name} + {part}.detach()`"
        if part == "part":
            new = f"`part = {ast.unparse(added)}` and {new}"
        return tell("a-pass-of-the-part", new=new, part=part, name=name, line=line)
    return ""


def of_changed_rounds(root: str, leaf: str, writer: Place) -> str:
    """What to do where a pass begins at a sum over rounds, each of which changed a leaf."""
    number, frame = reader.line_number(writer), reader.frame()
    for source, tree in texts(frame):
        here = frame.f_lineno * (source.name == reader.file_name(frame.f_code.co_filename))
        parts = [*own_parts(scope(tree, number))]
        loops = [each for each in parts if isinstance(each, LOOPS) and is_at(each, number)]
        is_own = source.name == reader.file_name(writer[0].co_filename)
        ifs = [each for each in parts if isinstance(each, ast.If) and is_at(each, here)]
        for loop in loops if is_own else ():
            binds = [each for each in own_parts(loop) if root in targets_of(each)]
            anew = [each.lineno for each in binds if not reads(each, root)]
            if is_at(loop, here) and not all(any(is_at(e, n) for e in ifs) for n in anew):
                continue  # it begins anew in rounds without this pass, too
            for each in (each for each in binds if reads(each, root)):
                if part := added_to(Grown(root, each, loop, source)):
                    known = {"part": ast.unparse(part), "line": source.spoken(each.lineno)}
                    own = all_parameters(reader.variables())
                    return tell("of-changed-rounds", root=root, leaf=leaf, own=own, **known)
    return ""


def all_parameters(variables: dict[str, Any]) -> str:
    """How the parameters of the one net are listed that holds all that is stepped, if one does."""
    stepped = {*all_stepped(variables)}
    for name, thing in variables.items():
        if stepped and stepped <= {id(leaf) for _, leaf in parameters_of(thing)}:
            return f"[*{name}.parameters()]"
    return "parameters"


def grown_in_the_loop(node: Any) -> Iterator[Grown]:
    """What the failing line asks about, grows from round to round, and holds a node."""
    frame = reader.frame()
    number = 0 if frame is None else frame.f_lineno
    for source, tree in texts(frame):
        if source.name != reader.file_name(frame.f_code.co_filename):
            continue
        around = scope(tree, number)
        loops = [e for e in own_parts(around) if isinstance(e, LOOPS) and is_at(e, number)]
        for asked in (part for each in statements_at(tree, number) for part in ast.walk(each)):
            thing = thing_at(asked, reader.variables()) if loops and is_read(asked) else None
            if not isinstance(thing, Tensor) or node not in nodes_behind(thing):
                continue
            name, loop = ast.unparse(asked), max(loops, key=lambda each: each.lineno)
            binds = [each for each in own_parts(loop) if name in targets_of(each)]
            grows = [each for each in binds if reads(each, name)]
            if grows and grows == binds:
                yield Grown(name, grows[0], loop, source)


def is_read(part: ast.AST) -> bool:
    """Whether this is a name or an attribute whose value is asked for."""
    return isinstance(part, ast.Name | ast.Attribute) and isinstance(part.ctx, ast.Load)


def reads(statement: Any, name: str) -> bool:
    """Whether the new value of a name is made of the one before."""
    if isinstance(statement, ast.AugAssign):
        return True
    return any(is_read(each) and ast.unparse(each) == name for each in ast.walk(statement.value))


def added_to(grown: Grown) -> ast.expr | None:
    """``loss`` of ``total = total + loss``; None where it is no sum."""
    match grown.line:
        case ast.AugAssign(_, ast.Add(), value):
            return value
        case ast.Assign(_, ast.BinOp(left, ast.Add(), right)):
            if ast.unparse(left) == grown.name:
                return right
            if ast.unparse(right) == grown.name:
                return left
    return None


def grows_in_another(grown: Grown) -> bool:
    """Whether it grows in a loop that ends before the pass, inside of the loop around that."""
    inside = [each for each in own_parts(grown.loop) if isinstance(each, LOOPS)]
    return any(is_at(each, grown.line.lineno) for each in inside)


def runs_at_times(loop: ast.AST) -> bool:
    """Whether the failing line stands under an ``if`` in a loop."""
    number = reader.frame().f_lineno
    return any(isinstance(each, ast.If) and is_at(each, number) for each in own_parts(loop))


def starts_above(loop: ast.AST, name: str) -> list[str]:
    """The lines that begin a name anew above a loop, in the blocks around it that run once.

    Of cells also those before.
    """
    frame = reader.frame()
    top = [(source, each) for source, tree in texts(frame) for each in tree.body]
    parts = ((source, getattr(e, "body", ())) for source, e in everywhere(frame))
    inner = ([(source, each) for each in body] for source, body in parts if isinstance(body, list))
    blocks = ([*entered(block, loop)] for block in chain([top], inner))
    block = next((b for b in blocks if any(each is loop for _, each in b)), [])
    above = takewhile(lambda pair: pair[1] is not loop, block)
    binds = [(s, e) for s, e in above if isinstance(e, ast.Assign) and name in targets_of(e)]
    return [source.spoken(each.lineno) for source, each in binds if not reads(each, name)]


def entered(
    block: Iterable[tuple[Source, ast.stmt]], loop: ast.AST
) -> Iterator[tuple[Source, ast.stmt]]:
    """The statements of a block, and those of the block that leads to a loop by if, try or with."""
    for source, each in block:
        yield source, each
        for _, part in ast.iter_fields(each) if isinstance(each, RUNS_ONCE) else ():
            if isinstance(part, list) and any(loop in ast.walk(one) for one in part):
                yield from entered([(source, one) for one in part], loop)


def is_stepped(grown: Grown) -> bool:
    """Whether each round takes a step: by an optimizer, or by hand."""
    calls = any(is_call(each, STEPS) for each in own_parts(grown.loop))
    by_hand = (each for each in own_parts(grown.loop) if isinstance(each, ast.With))
    return calls or any("no_grad" in ast.unparse(each.items[0]) for each in by_hand)


def spoken(grown: Grown, statement: ast.stmt) -> str:
    """The line of a statement, in words."""
    return grown.source.spoken(statement.lineno)
