"""Values that a line computes and nothing reads: ``g = g * 0.5`` of a gradient.

Python gives the name to another value, and what it stood for before stays as it was.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from ..source.syntax import FUNCTIONS, LOOPS, attributes_in, names_in, own_parts, parts_in
from ..source.texts import all_calls, everywhere
from ..words.sentences import say
from .dropped_values import GRAD, KEPT, dropped, first_said, is_of_a_gradient
from .program import Program

SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
COMPREHENSIONS = ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp
MANY = "parameters()"
#: how positive factors of a step are called
RATES = re.compile(
    r"(?i)^(lr|eta|alpha|gamma|beta\d?|mu|step|eps|momentum|decay|lam|kl)|(lr|rate|size|_weight)$"
)


def unread(program: Program) -> Iterator[str]:
    """That a value was computed in vain, though a gradient or a leaf was to change; why, and do."""

    def in_vain(block: Any, part: ast.Assign | ast.Expr) -> Iterator[str]:
        yield from never_read(block, part, program)
        yield from dropped(block, part, program) if is_of_a_gradient(part) else ()

    yield from first_said(in_vain, ast.Assign | ast.Expr, program)


def never_read(block: Any, part: ast.AST, program: Program) -> Iterator[str]:
    """The same of one assignment of a function, or of a loop outside of functions."""
    match part:
        case ast.Assign([ast.Name(name)], value) if RATES.search(name) or is_of_itself(name, value):
            if is_read(block, part, name, program):
                return
        case _:
            return
    old, new = origin(block, part, name, program), ast.unparse(value)
    if old is None:
        return
    if old != name:
        yield say("never-read", line="{line}", name=name, own=old)
        yield say("store-it", new=f"{old} = {new}")
    else:
        yield say("never-read-of-it", line="{line}", name=name)
        yield say("write-into-it", new=in_place(name, value))


def is_of_itself(name: str, value: ast.expr) -> bool:
    """Whether a name is given what is computed of it: of others nothing is said."""
    return isinstance(value, ast.BinOp | ast.Call) and name in names_in(value, ast.Load)


def in_place(name: str, value: ast.expr) -> str:
    """A line that writes a value into what a name stands for: ``w -= 0.1 * w.grad``."""
    match value:
        case ast.BinOp(ast.Name(own), operation, right) if own == name and type(operation) in SIGNS:
            return f"{name} {SIGNS[type(operation)]}= {ast.unparse(right)}"
    return f"{name}.copy_({ast.unparse(value)})"


def is_given(block: Any, name: str) -> bool:
    """Whether a function has an argument of this name, or binds an outer one."""
    given = {each.arg for each in parts_in(block.args, ast.arg)}
    return name in given or is_outer(block, name)


def is_read(block: Any, statement: ast.stmt, name: str, program: Program) -> bool:
    """Whether a line may read what a statement gives a name: below it, or in the next round."""
    around = [each for each in parts_in(block, LOOPS) if statement in parts_in(each)]
    is_local = isinstance(block, FUNCTIONS)
    if not is_local and not around or is_local and is_outer(block, name):
        return True
    anew = [each for each in around if is_bound_anew(each, statement, name)]
    again = [each for each in around if each not in anew]
    grads = attributes_in(block, GRAD)
    apart = {each.value for each in grads if isinstance(each.ctx, ast.Store)}
    apart |= bound_apart(block, statement, name)
    names = [each for each in parts_in(block, ast.Name) if each.id == name]
    reads = [each for each in names if isinstance(each.ctx, ast.Load) and each not in apart]
    own = parts_in(statement)
    inner = [each for each in parts_in(block, FUNCTIONS | ast.Lambda) if each is not block]
    if any(each not in own and each.lineno >= statement.lineno for each in reads):
        return True
    carried = [each for each in reads if not any(each in parts_in(loop) for loop in anew)]
    if any(each in parts_in(loop) for each in carried for loop in again):
        return True
    if any(each in parts_in(function) for each in reads for function in inner):
        return True
    others = () if is_local else everywhere(program.frame, ast.Name)
    return any(each.id == name and each not in names for _, each in others)


def bound_apart(block: Any, statement: ast.stmt, name: str) -> set[ast.AST]:
    """The parts of other loops and comprehensions, which give a name a value of their own."""
    apart: set[ast.AST] = set()
    for each in parts_in(block, ast.For | COMPREHENSIONS):
        of = each.generators if isinstance(each, COMPREHENSIONS) else [each]
        binds = any(name in names_in(part.target) for part in of)
        if binds and statement not in parts_in(each):
            apart |= {*parts_in(each)}
    return apart


def is_outer(function: Any, name: str) -> bool:
    """Whether a function binds a name of what is around it."""
    return any(name in each.names for each in parts_in(function, ast.Global | ast.Nonlocal))


def is_bound_anew(loop: Any, statement: ast.stmt, name: str) -> bool:
    """Whether each round of a loop gives a name another value before it reads it."""
    if isinstance(loop, ast.For) and name in names_in(loop.target):
        return True
    for each in loop.body:
        if each is statement:
            return False
        match each:
            case ast.Assign([ast.Name(own)], value) if own == name:
                return name not in names_in(value)
        if name in names_in(each):
            return isinstance(each, ast.For) and is_bound_anew(each, statement, name)
    return False


def origin(block: Any, statement: ast.Assign, name: str, program: Program) -> str | None:
    """What a name stood for that a statement computes another value of; None where none is meant.

    Of what a loop or a call gives that is the name itself, if a tensor is known to be meant.
    """
    value = statement.value
    if not is_of_itself(name, value):
        return None
    binds = [each for each in own_parts(block, ast.Assign) if name in names_in(each, ast.Store)]
    binds = [each for each in binds if name not in names_in(each.value, ast.Load)]
    loops = [each for each in own_parts(block, ast.For) if name in names_in(each.target)]
    if around := [each for each in loops if statement in parts_in(each)]:
        loops, binds = around[-1:], [each for each in binds if each in parts_in(around[-1])]
    is_argument = isinstance(block, FUNCTIONS) and is_given(block, name)
    if len(binds) + len(loops) + is_argument != 1:
        return None
    if binds:
        match binds[0]:
            case ast.Assign([ast.Name()], ast.Attribute(_, own) as old) if own in KEPT:
                return ast.unparse(old)
            case ast.Assign([ast.Name()], ast.Subscript(_, ast.Constant("lr")) as old):
                return ast.unparse(old)
        return None
    grads = [each for each in own_parts(block, ast.Assign) if attributes_in(each.value, GRAD)]
    of_grads = names_in(value) & {each for e in grads for each in names_in(e, ast.Store)}
    reads_grad = attributes_in(value, GRAD) or of_grads - {name}
    if loops:
        given = ast.unparse(loops[0].iter)
        things = program.variables.get(given)
        things = things if isinstance(things, list | tuple) else ()
        asks = any(getattr(each, "requires_grad", False) for each in things)
        return name if reads_grad or asks or MANY in given else None
    given = [thing for _, call in all_calls(program.frame, {block.name}) for thing in call.args]
    is_tensor = any(attributes_in(each, KEPT) for each in given)
    return name if reads_grad or is_tensor else None
