"""Results whose sign is known with the constants of their lines, as of an exp that gives 0."""

from __future__ import annotations

import math
from typing import Any

from ..graph.bounds import bounds
from ..graph.computed_again import constant_of
from ..graph.nan_makers import maker
from ..graph.nodes import kind_of, next_of
from ..graph.overflow import near, operand
from ..graph.slopes import is_zero
from ..program.program import Program

OF_EXPS = maker("Log", is_zero, case="of_exps")


def ends(node: Any, program: Program) -> tuple[float, float]:
    """What no result is below and above, also by a number: a square, say, times one below 0."""
    if node is None:
        return -math.inf, math.inf
    (low, high), inner = bounds(node), next_of(node)
    number = constant_of(node, program) if len(inner) == 1 else None
    if isinstance(number, int | float):
        least, most = bounds(inner[0])
        if kind_of(node) in ("Mul", "Div") and number < 0 <= least:
            high = min(high, 0.0)
        if kind_of(node) in ("Rsub", "Sub") and is_subtracted(node):
            low = max(low, number - most)
    return low, high


def above(node: Any) -> list[Any]:
    """The operands of an operation, of a quotient what is divided: what makes it 0."""
    return next_of(node)[:1] if kind_of(node) == "Div" else next_of(node)


def of_exps(log: Any, program: Program) -> list[Any]:
    """The exps in the input of a log, where none of them can overflow."""
    exps = [node for node in near(operand(log), above) if kind_of(node) == "Exp"]
    return exps if all(ends(operand(each), program)[1] <= 0 for each in exps) else []


def is_subtracted(node: Any) -> bool:
    """Whether the operand with a history is what is subtracted."""
    return kind_of(node) == "Rsub" or node.next_functions[0][0] is None
