"""A plain number that ``max()`` or ``min()`` of Python has picked in the place of a tensor."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FrameType
from typing import Any

from ..program.program import Program
from ..source.called import function_called
from ..source.lookup import value_of
from ..source.texts import definition_of
from ..words.sentences import tell

BOUNDS = {"max": "min", "min": "max"}  #: what clamp() calls them


def picked_by_python(name: ast.Name, frame: FrameType, program: Program) -> Iterator[str]:
    """That ``max(x, 0)`` of Python has given its 0, where a name is that number; and what helps."""
    number = value_of(name, frame, None)
    found: dict[str, ast.Call] = {}
    for at in program.places.get(name.id, ()):
        step = program.steps[at]
        found |= dict(picks(step.value, step.line, number, program))
    if len(found) == 1:
        ((line, call),) = found.items()
        picks_by = call.func.id
        other = next(each for each in call.args if not isinstance(each, ast.Constant))
        clamped = f"torch.clamp({ast.unparse(other)}, {BOUNDS[picks_by]}={number:g})"
        yield tell("picked-by-python", function=picks_by, number=number, line=line)
        yield tell("clamp-it", clamped=clamped, written=ast.unparse(call))


def picks(
    tree: ast.AST, line: str, number: Any, program: Program
) -> Iterator[tuple[str, ast.Call]]:
    """Where an expression, or a function of the reader's that it calls, picks this number."""
    for each in ast.walk(tree):
        if not isinstance(each, ast.Call):
            continue
        if is_pick(each, number) and each.func.id not in program.variables:
            yield line, each
        elif called := function_called(each, program.variables):
            source, body = definition_of(called[0])
            for part in ast.walk(body):
                if is_pick(part, number) and part.func.id not in called[0].__globals__:
                    yield source.spoken(part.lineno), part


def is_pick(call: ast.AST, number: Any) -> bool:
    """Whether this is ``max(x, 0)`` or ``min(x, 0)``, in any order, for the number 0.

    >>> is_pick(ast.parse("max(0.0, d)", mode="eval").body, 0), is_pick(ast.Pass(), 0)
    (True, False)
    """
    match call:
        case ast.Call(ast.Name("max" | "min"), [one, other], []):
            given = [each for each in (one, other) if isinstance(each, ast.Constant)]
            return len(given) == 1 and given[0].value == number
    return False
