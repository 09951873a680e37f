"""Why ``autograd.grad(..., allow_unused=True)`` gave None: where the way to that input is cut."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FrameType
from typing import Any

from ...tensor import Tensor
from ..paths.path import path
from ..program.program import Program
from ..source.lookup import value_of
from ..source.syntax import is_call
from ..source.variables import parameters_of


def unused_gradient(thing: ast.expr, frame: FrameType) -> Iterator[str]:
    """Sentences on an expression that is None, if it is one of the gradients of such a call."""
    program = Program.of(frame, thing.lineno)
    call, at = asked_for(thing, program, frame)
    if not is_call(call, {"grad"}) or len(call.args) < 2 or at is None:
        return
    y = value_of(call.args[0], frame, None)
    inputs = things_in(call.args[1], frame)
    x = inputs[at] if at < len(inputs) else None
    if isinstance(y, Tensor) and isinstance(x, Tensor):
        yield from path(y, x, program)


def asked_for(
    thing: ast.expr, program: Program, frame: FrameType
) -> tuple[ast.expr | None, int | None]:
    """The call that gave an expression, and which of its results that is, as far as is known."""
    match thing:
        case ast.Name(name) if step := program.step(name):
            if is_call(step.value, {"grad"}):
                several = value_of(thing, frame, None)
                return step.value, first_none(several) if several is not None else 0
            return asked_for(step.value, program, frame)
        case ast.Subscript(ast.Call() as call, ast.Constant(int(at))):
            return call, at
        case ast.Subscript(ast.Name() as whole, ast.Constant(int(at))):
            return asked_for(whole, program, frame)[0], at
        case ast.Call(_, [*given]):  # a loop goes through it: zip(parameters, grads)
            for each in given:
                call, at = asked_for(each, program, frame)
                if is_call(call, {"grad"}):
                    return call, at
    return None, None


def first_none(several: Any) -> int | None:
    """Which of some gradients is None; the first one ends a loop over them."""
    found = [each is None for each in several] if isinstance(several, list | tuple) else []
    return found.index(True) if True in found else None


def things_in(inputs: ast.expr, frame: FrameType) -> list[Any]:
    """The tensors that a call asked for."""
    match inputs:
        case ast.List(parts) | ast.Tuple(parts):
            return [value_of(each, frame, None) for each in parts]
        case ast.Call(ast.Name("list" | "tuple"), [inner]):
            return things_in(inner, frame)
        case ast.Call(ast.Attribute(owner, "parameters"), []):
            return [each for _, each in parameters_of(value_of(owner, frame, None))]
    known = value_of(inputs, frame, None)
    return [*known] if isinstance(known, list | tuple) else [known]
