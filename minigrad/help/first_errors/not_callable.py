"""Tensors and numbers that are called as if they were functions: ``loss = loss(out, target)``."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from types import FrameType
from typing import Any

from ...tensor import Tensor
from ..program.program import Program
from ..program.statements import BINDS
from ..source.lookup import value_of
from ..source.syntax import is_call
from ..source.texts import assignments
from ..words.sentences import tell


def value_called(thing: ast.expr, frame: FrameType | None) -> Iterator[str]:
    """Why an expression that is called is no function, as far as the lines tell."""
    value = None if frame is None else value_of(thing, frame, None)
    if not isinstance(value, Tensor | float):
        return
    name, kind = ast.unparse(thing), "tensor" if isinstance(value, Tensor) else "number"
    known = dict(assigned(thing, frame))  # by line: a loop over cells may repeat them
    renamed = [line for line, made in known.items() if calls(made, name)]
    others = [line for line in known if line not in renamed]
    if renamed:
        yield tell("calls-its-own-result", name=name, kind=kind, line=renamed[-1])
        is_lost = others and name not in ({} if is_at_top(frame) else frame.f_locals)
        again = f"; and run {others[-1]} again, which makes what is called" if is_lost else ""
        yield f"Try: another name for the result there{again}."
    elif known and hasattr(builtins, name):
        yield tell("hides-pythons-own", name=name, kind=kind, line=[*known][-1])
        back = f", and `del {name}`, which brings Python's own back" if is_at_top(frame) else ""
        yield f"Try: another name for the {kind}{back}."
    elif isinstance(thing, ast.Attribute) and isinstance(
        value_of(thing.value, frame, None), Tensor
    ):
        yield f"{name} is a {kind}, and no method, so it is not called."
        yield f"Try: {name} without its brackets."
    elif isinstance(value, Tensor):
        line = f" ({[*known][-1]})" if known else ""
        yield f"{name} is a tensor{line}, and a tensor cannot be called."
        yield f"Try: `{name} * ...` or `{name} @ ...` for a product, {name}[...] for an element."


def assigned(thing: ast.expr, frame: FrameType) -> Iterator[tuple[str, ast.expr]]:
    """The lines that give something this name, or to an attribute of this name, and what."""
    if isinstance(thing, ast.Name):
        while thing.id not in frame.f_locals and not is_at_top(frame):
            if frame.f_back is None:
                return
            frame = frame.f_back
        program = Program.of(frame)
        for at in program.places.get(thing.id, []):
            if program.steps[at].kind is BINDS:
                yield program.steps[at].line, program.steps[at].value
        return
    for line, target, value in assignments(frame):
        if is_alike(target, thing):
            yield line, value


def is_at_top(frame: FrameType) -> bool:
    """Whether a frame runs no function, but the lines of a file or a cell."""
    return frame.f_code.co_name == "<module>"


def is_alike(target: ast.expr, thing: Any) -> bool:
    """Whether this is the same item, or an attribute of the same name."""
    if isinstance(target, ast.Attribute) and isinstance(thing, ast.Attribute):
        return target.attr == thing.attr
    return ast.unparse(target) == ast.unparse(thing)


def calls(value: ast.expr, name: str) -> bool:
    """Whether an expression calls what has this name."""
    return any(is_call(each) and ast.unparse(each.func) == name for each in ast.walk(value))
