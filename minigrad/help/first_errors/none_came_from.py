"""Where a None came from that a tensor was meant by, also through the calls it was handed down."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from types import FrameType, TracebackType
from typing import Any

from ...nn.layers import Sequential
from ...nn.module import Module
from ..program.failure import Line, is_argument
from ..program.program import Program
from ..source import reader
from ..source.called import function_called, is_in_a_library, parameters_taken
from ..source.lookup import value_of
from ..source.parsed import tree_of_code
from ..source.syntax import has_no_return, is_call, parents_in
from ..source.texts import definition_of
from .made_none import gives_nothing, made_of_nothing, returned_nothing, spoken

KIND = re.compile(r"'(\w+)'")


def nothing_given(
    text: str, lines: Sequence[Line], traceback: TracebackType | None = None
) -> Iterator[str]:
    """What was None in the expression that failed, by what the error says, and who gave that.

    The ``lines`` are those that ran, the innermost first.
    """
    frame, expression = lines[0] if lines else (None, None)
    if frame is None:
        return
    if said := [*in_a_sequential(expression, frame, traceback)]:
        yield from said
        return
    known = Program.of(frame).variables
    if "got <class 'NoneType'>" in text:
        yield from by_a_function(expression, known)
    for thing, is_told in operands(expression, text, frame, traceback):
        if value_of(thing, frame, default=0) is None:
            yield f"{ast.unparse(thing)} is None."
            yield from came_from(thing, lines)
            return
        if not is_call(thing) or not (is_told or gives_nothing(thing, known)):
            continue
        if found := [*came_from(thing, lines)]:
            yield f"{ast.unparse(thing)} is None ({written(thing, frame)})."
            yield from found
            return


def by_a_function(expression: ast.AST | None, variables: Mapping[str, Any]) -> Iterator[str]:
    """That a function of the reader's that stands in an expression returned None."""
    for each in ast.walk(expression or ast.Pass()):
        function = variables.get(each.id) if isinstance(each, ast.Name) else None
        if has_no_return(definition_of(function)[1]):
            yield f"{spoken(function)} returned None."
            yield from returned_nothing(function)
            return


def operands(
    expression: ast.AST | None, text: str, frame: FrameType, traceback: TracebackType | None
) -> Iterator[tuple[ast.expr, bool]]:
    """The parts of an expression that may have been None, and whether the error tells so."""
    kinds = KIND.findall(text)[-2:]
    match expression:
        case ast.Compare(_, [ast.In() | ast.NotIn()], [right]):
            yield right, True
        case (
            ast.BinOp(left, _, right)
            | ast.AugAssign(left, _, right)
            | ast.Compare(left, _, [right])
        ) if len(kinds) == 2:
            yield from ((e, True) for e, k in zip((left, right), kinds) if k == "NoneType")
        case ast.UnaryOp(_, operand):
            yield operand, True
        case ast.Subscript(value) if "NoneType' object" in text:
            yield value, True
        case ast.Call(function) if "not callable" in text:
            yield function, False
        case ast.For(_, whole):
            yield whole, is_known(whole, frame)
        case ast.ListComp() | ast.GeneratorExp() | ast.SetComp() | ast.DictComp():
            whole = expression.generators[0].iter
            yield whole, is_known(whole, frame)
        case ast.Call():
            around = parents_in(tree_of_code(frame.f_code)).get(expression)
            if getattr(around, "iter", None) is expression:  # from Python 3.12 on
                yield expression, is_known(expression, frame)
            nothing = {*map(id, none_inside(expression, frame, traceback))}
            yield from ((e, told or id(e) in nothing) for e, told in given(expression, frame))
        case ast.Tuple(ctx=ast.Store()) | ast.List(ctx=ast.Store()):
            around = parents_in(tree_of_code(frame.f_code)).get(expression)
            if isinstance(around, ast.Assign):
                yield around.value, True
        case ast.Name() | ast.Attribute():
            yield expression, True


def is_known(whole: ast.expr, frame: FrameType) -> bool:
    """Whether a call that a loop runs over can itself be to blame: it is the reader's own."""
    return is_call(whole) and function_called(whole, Program.of(frame).variables) is not None


def given(call: ast.Call, frame: FrameType) -> Iterator[tuple[ast.expr, bool]]:
    """What a call was given, the parts of lists too."""
    for each in arguments_of(call, value_of(call.func, frame, None)):
        several = value_of(each, frame, None)
        empty = [*map(id, several)] if type(several) in (list, tuple) else []
        if id(None) in empty:
            thing = ast.Subscript(each, ast.Constant(empty.index(id(None))), ast.Load())
            yield ast.fix_missing_locations(ast.copy_location(thing, each)), True
        for part in each.elts if isinstance(each, ast.List | ast.Tuple) else [each]:
            whole = part.value if isinstance(part, ast.Starred) else part
            yield getattr(whole, "elt", whole), False


def none_inside(
    call: ast.Call, frame: FrameType, traceback: TracebackType | None
) -> Iterator[ast.expr]:
    """What a call gave to a function of a library that was None there, the parts of lists too."""
    passed = [each.tb_frame for each in reader.passed(traceback)]
    if frame not in passed[:-1]:
        return
    called = passed[passed.index(frame) + 1]
    code, inside = called.f_code, called.f_locals
    count, others = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    taken = [inside.get(name) for name in code.co_varnames[:count] if name != "self"]
    if code.co_flags & inspect.CO_VARARGS:
        taken += inside.get(code.co_varnames[others], ())
    for each, value in zip(call.args, taken):
        parts = each.elts if isinstance(each, ast.List | ast.Tuple) else []
        if value is None:
            yield each
        elif isinstance(value, list | tuple) and len(value) == len(parts):
            yield from (part for part, own in zip(parts, value) if own is None)


def arguments_of(call: ast.Call, function: Any) -> Iterator[ast.expr]:
    """The arguments of a call, without those that may well be None, as their default shows."""
    run = type(function).forward if isinstance(function, Module) else function
    parameters = parameters_taken(run)
    names = [*parameters][isinstance(function, Module) :]
    optional = {name for name, each in parameters.items() if each.default is None}
    pairs = zip_longest(call.args, names[: len(call.args)])
    yield from (each for each, name in pairs if name not in optional)
    yield from (each.value for each in call.keywords if each.arg not in optional)


def came_from(thing: ast.expr, lines: Sequence[Line]) -> Iterator[str]:
    """Where a None came from: a line here, or a call that handed it down."""
    frame = lines[0][0]
    if not is_argument(thing, frame):
        yield from made_of_nothing(thing, frame)
        return
    outer, call = lines[1] if len(lines) > 1 else (None, None)
    called = function_called(call, Program.of(outer).variables) if is_call(call) else None
    if called is None or called[0].__code__ is not frame.f_code:
        return
    given = called[1].get(thing.id, ())
    if len(given) == 1:
        yield f"It was handed over as {ast.unparse(given[0])} ({written(given[0], outer)})."
        yield from came_from(given[0], lines[1:])
    elif not given and parameters_taken(called[0])[thing.id].default is None:
        own = spoken(called[0])
        yield f"{own} was called without {thing.id} ({written(call, outer)}), which is None then."


def written(thing: ast.expr, frame: FrameType) -> str:
    """The line of an expression, in words."""
    return reader.spoken_line(frame.f_code.co_filename, thing.lineno)


# -- modules one after another ---------------------------------------------------------------------


def in_a_sequential(
    call: ast.AST | None, frame: FrameType, traceback: TracebackType | None
) -> Iterator[str]:
    """That a Sequential holds None for a module, or that one of its modules returned None."""
    passed = (each.tb_frame for each in reader.passed(traceback))
    found = [each for each in passed if each.f_code is Sequential.forward.__code__]
    if not found or not is_call(call):
        return
    whole, module, came = (found[-1].f_locals.get(name) for name in ("self", "module", "input"))
    keys = [key for key, each in whole._modules.items() if each is module]
    name = ast.unparse(call.func) if value_of(call.func, frame, None) is whole else ""
    if len(keys) != 1:
        return
    at = [*whole._modules].index(keys[0])
    place = f"{name}[{at}]" if name else f"place {at} of the Sequential"
    if module is None:
        yield f"{place} is None, and a Sequential calls each of its modules."
        yield "Try: a module there, which a function that makes it has to return; or leave it out."
    elif came is None and at > 0:
        before = [*whole._modules.values()][at - 1]
        forward = type(before).forward
        place = f"{name}[{at - 1}]" if name else f"place {at - 1} of the Sequential"
        gives = f"{place}, {type(before).__name__}, returned None"
        yield f"{gives}, and {type(module).__name__} after it got that."
        if not is_in_a_library(forward.__code__.co_filename):
            yield from returned_nothing(forward)
