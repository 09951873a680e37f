"""Finite differences by a step so short that float32 leaves nothing of them but rounding."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import dtypes
from ...tensor import Tensor
from ..program.program import Program
from ..program.stepped import was_stepped
from ..source.texts import everywhere
from ..source.variables import held
from ..words.sentences import say

SHORT = 2e-5  #: the step is shorter
LONG_ENOUGH = "1e-3"


def rounded_differences(program: Program) -> Iterator[str]:
    """That ``(f(x + h) - f(x - h)) / (2 * h)`` is mostly rounding, and which step would do.

    Of a program that asks for gradients in float32, and trains nothing.
    """
    leaves = [e.thing for e in held(program.variables) if getattr(e.thing, "requires_grad", False)]
    leaves = [each for each in leaves if isinstance(each, Tensor) and each._edge is None]
    is_single = bool(leaves) and all(each.dtype is dtypes.float32 for each in leaves)
    if not is_single or any(was_stepped(leaf, program.frame) for leaf in leaves):
        return
    steps = {name: (value, line) for name, value, line in numbers(program)}
    for source, each in everywhere(program.frame):
        match each:
            case ast.BinOp(ast.BinOp(_, ast.Sub(), _), ast.Div(), by):
                known = [
                    steps[n.id] for n in ast.walk(by) if isinstance(n, ast.Name) and n.id in steps
                ]
                if len(known) == 1 and is_a_multiple(by) and 0 < known[0][0] < SHORT:
                    step, line = known[0]
                    yield say("rounded-differences", step=step, line=source.spoken(each.lineno))
                    yield f"Try: {LONG_ENOUGH} for {step:g} in {line}; or all of it in float64."
                    return


def numbers(program: Program) -> Iterator[tuple[str, float, str]]:
    """The names that a line, or a function for its argument, gives a number; with that line."""
    for source, each in everywhere(program.frame):
        match each:
            case ast.Assign([ast.Name(name)], ast.Constant(float() as value)):
                yield name, value, source.spoken(each.lineno)
            case ast.arguments(args=args, defaults=defaults) if defaults:
                for own, default in zip(args[-len(defaults) :], defaults, strict=True):
                    match default:
                        case ast.Constant(float() as value):
                            yield own.arg, value, source.spoken(default.lineno)


def is_a_multiple(by: ast.expr) -> bool:
    """Whether this is a name, or a number times one: ``2 * h``."""
    match by:
        case ast.BinOp(left, ast.Mult(), right):
            return {type(left), type(right)} <= {ast.Name, ast.Constant}
    return isinstance(by, ast.Name)
