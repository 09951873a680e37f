"""Results whose sign is known with the constants of their lines, as of an exp that gives 0."""

from __future__ import annotations

from typing import Any

from ..graph.bounds import bounds
from ..graph.computed_again import constant_of
from ..graph.nan_makers import maker
from ..graph.nodes import kind_of, next_of
from ..graph.overflow import near, operand
from ..graph.slopes import is_zero
from ..program.program import Program

OF_EXPS = maker("Log", is_zero, case="of_exps")


def never_positive(node: Any, program: Program) -> bool:
    """Whether no result of a node is above 0: a square, say, times a number below 0."""
    if node is None:
        return False
    if bounds(node)[1] <= 0:
        return True
    if kind_of(node) not in ("Mul", "Div") or len(next_of(node)) > 1:
        return False
    factor = constant_of(node, program)
    is_below_0 = isinstance(factor, int | float) and factor < 0
    return is_below_0 and bounds(next_of(node)[0])[0] >= 0


def above(node: Any) -> list[Any]:
    """The operands of an operation, of a quotient what is divided: what makes it 0."""
    return next_of(node)[:1] if kind_of(node) == "Div" else next_of(node)


def of_exps(log: Any, program: Program) -> list[Any]:
    """The exps in the input of a log, where none of them can overflow."""
    exps = [node for node in near(operand(log), above) if kind_of(node) == "Exp"]
    return exps if all(never_positive(operand(each), program) for each in exps) else []


def never_negative(node: Any, program: Program) -> bool:
    """Whether no result of a node is below 0: a probability, say, subtracted from 1."""
    if node is None:
        return False
    if bounds(node)[0] >= 0:
        return True
    if kind_of(node) not in ("Rsub", "Sub") or len(next_of(node)) > 1:
        return False
    start = constant_of(node, program)
    is_known = isinstance(start, int | float) and is_subtracted(node)
    return is_known and start >= bounds(next_of(node)[0])[1]


def is_subtracted(node: Any) -> bool:
    """Whether the operand with a history is what is subtracted."""
    return kind_of(node) == "Rsub" or node.next_functions[0][0] is None
