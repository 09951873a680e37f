"""How operations make nan or inf of numbers: the conditions. Words stand in ``operations.toml``."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..words.sentences import table
from .bounds import can_hold, exponent_of
from .nodes import dimensions, kind_of
from .overflow import near, operand, puts
from .slopes import SLOPES, Slope, is_infinite, is_negative, is_outside, is_zero


@dataclass(frozen=True)
class Maker:
    """How an operation makes nan or inf of numbers, and what helps.

    ``bad`` picks the elements of its input at which it does; ``applies`` looks at the operation.
    """

    how: str
    do: str
    bad: Callable[[Any], Any]
    applies: Callable[[Any, Any], bool] = lambda node, given: True

    def can(self, node: Any, given: Any, like: Any) -> bool | None:
        """Whether it has made some here; None where its input is not known, but may be bad."""
        if not self.applies(node, given):
            return False
        if given is not None:
            return bool(self.bad(given.detach()).any())
        return None if can_hold(self.bad, operand(node), like) else False


def leaves_no_freedom(node: Any, given: Any) -> bool:
    """Whether a standard deviation divides by 0: there are as few numbers as its correction."""
    if given is None:
        return True
    sizes = [given.shape[dim] for dim in dimensions(node)] or given.shape
    return math.prod(sizes) <= (getattr(node, "_saved_correction", None) or 1)


def has_nothing(mean: Any, given: Any) -> bool:
    """Whether a mean is of no elements: its node knows how many there were."""
    sizes = getattr(mean, "_saved_self_sym_sizes", ()) if given is None else given.shape
    return 0 in ([sizes[dim] for dim in dimensions(mean)] or sizes)


def is_of_no_log(exp: Any, given: Any) -> bool:
    """Whether an exp is of more than a log and arithmetic, as in ``exp(p * log(x))``: a power."""
    return not any(kind_of(node) in ("Log", "LogSoftmax") for node in near(operand(exp)))


def may_be_masked(softmax: Any, given: Any) -> bool:
    """Whether some of the input of a softmax may have been set to -inf, or a mask of that added."""
    behind = near(operand(softmax))
    return given is not None or any(puts(node) or kind_of(node) == "Log" for node in behind)


def maker(
    kind: str, bad: Callable, applies: Callable = Maker.applies, case: str = "makes"
) -> Maker:
    """A maker with the words of the table."""
    words = table("graph/operations")[kind][case]
    return Maker(words["why"], words.get("do") or SLOPES[kind].do, bad, applies)


def of_a_slope(slope: Slope, kind: str = "") -> Maker:
    """An infinite slope, as it comes into question."""
    exp = MAKERS["Exp"]
    if kind == "Exp":
        return Maker(slope.why, slope.do, exp.bad, exp.applies)
    return Maker(slope.why, slope.do, slope.signs[-1][1])


ONLY_INF = maker("Softmax", is_infinite, may_be_masked)
OF_SCORES = maker("BinaryCrossEntropyWithLogits", is_infinite)
OUTSIDE = maker("Acos", is_outside)
ALONE = maker("Std", lambda given: given == given, leaves_no_freedom)
OF_NEGATIVE = maker("Log", lambda given: given < 0, case="negative")
POWER = maker("Log", is_zero, case="in_a_power")
MAKERS = {
    "Mean": maker("Mean", lambda given: given.new_ones(1).bool(), has_nothing),
    "Log": maker("Log", is_negative),
    "Div": maker("Div", is_zero),
    "Exp": maker("Exp", lambda given: given.exp().isinf(), is_of_no_log),
    "Sqrt": maker("Sqrt", is_negative),
    "Rsqrt": maker("Rsqrt", lambda given: given <= 0),
    "Reciprocal": maker("Reciprocal", is_zero),
    "Pow": maker("Pow", is_zero, lambda node, given: exponent_of(node) < 0),
    **dict.fromkeys(("Softmax", "LogSoftmax"), ONLY_INF),
    "BinaryCrossEntropyWithLogits": OF_SCORES,
    **dict.fromkeys(("Std", "Var"), ALONE),
    **dict.fromkeys(("Acos", "Asin"), OUTSIDE),
}
#: come into question where the first do not
OTHERS = {
    "Pow": maker("Pow", is_negative, lambda node, given: exponent_of(node) % 1 != 0, "root"),
    "Log": maker("Log", is_zero, case="of_0"),
}
