"""Where a None came from that a tensor was meant by, also through the calls it was handed down."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from types import FrameType

from . import reader
from .called import function_called
from .no_tensor import made_of_nothing
from .program import Program
from .standing_for import is_call, value_of

KIND = re.compile(r"'(\w+)'")
Line = tuple[FrameType, ast.AST | None]  #: a frame of the reader's, and the expression it is in


def nothing_given(text: str, lines: Sequence[Line]) -> Iterator[str]:
    """What was None in the expression that failed, by what the error says, and who gave that.

    The ``lines`` are those that ran, the innermost first.
    """
    frame, expression = lines[0] if lines else (None, None)
    for thing in operands(expression, text) if frame is not None else ():
        found = [*came_from(thing, lines)]
        if value_of(thing, frame, default=0) is None:
            yield f"{ast.unparse(thing)} is None."
            yield from found
            return
        if found and is_call(thing):
            yield f"{ast.unparse(thing)} is None ({written(thing, frame)})."
            yield from found
            return


def operands(expression: ast.AST | None, text: str) -> list[ast.expr]:
    """The parts of an expression that were None, as far as the text of the error tells."""
    pair: list[ast.expr] = []
    match expression:
        case ast.BinOp(left, _, right) | ast.AugAssign(left, _, right):
            pair = [left, right]
        case ast.Compare(left, _, [right]):
            pair = [left, right]
        case ast.UnaryOp(_, operand):
            return [operand]
        case ast.Subscript(value) if "NoneType' object" in text:
            return [value]
        case ast.Call(_, given):
            return [each for each in given[:2] if not is_call(each)]
    kinds = KIND.findall(text)[-2:] if pair else []
    return [each for each, kind in zip(pair, kinds) if kind == "NoneType" and len(kinds) == 2]


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


def is_argument(thing: ast.expr, frame: FrameType) -> bool:
    """Whether this is a name of what a function was called with, and nothing else since."""
    code = frame.f_code
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    is_one = isinstance(thing, ast.Name) and thing.id in names
    return is_one and Program.of(frame).last(thing.id) < 0


def written(thing: ast.expr, frame: FrameType) -> str:
    """The line of an expression, in words."""
    return reader.spoken_line(frame.f_code.co_filename, thing.lineno)
