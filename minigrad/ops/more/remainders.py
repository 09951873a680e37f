"""Quotients that are rounded, and what is left: ``//``, ``%`` and ``div(rounding_mode=...)``."""

from __future__ import annotations

import numpy as np

from ...autograd.node import OFF_THE_HEAP
from ...tensor import Tensor
from .. import arithmetic
from ..piecewise import zeros_like
from ..promotion import broadcast, meet, refuse
from ..rule import Rule, RuleNode, operation
from .any_number import record


class NotImplementedNode(RuleNode):
    """The history of a result whose derivative PyTorch does not implement: backward raises."""

    __slots__ = ()

    def begin(self, edges, saved=()):  # without a creation number: it raises as soon as it can
        super().begin(edges, saved, OFF_THE_HEAP)

    def name(self) -> str:
        return "torch::autograd::NotImplemented"

    def vjp(self, g, recorded):
        raise RuntimeError(f"derivative for aten::{self.rule.name} is not implemented")


# fmt: off
REMAINDER_NUMBER = Rule("remainder", broadcasts=True, symbol="%", self=lambda g: g)
REMAINDER_TENSOR = Rule("remainder", node="RemainderBackward1", broadcasts=True, symbol="%",
    self=lambda g: g,
    other=lambda g, self, other: -g * rounded(self, other, "floor"))
ROUNDED_QUOTIENT = Rule("div", node="DivBackward2", broadcasts=True, symbol="÷",
    self=lambda g, other, rounding_mode: zeros_like(g),
    other=lambda g, self, other, rounding_mode: zeros_like(g))
NO_REMAINDER, FLOOR_DIVIDE = (Rule(name, node="NotImplemented", kind=NotImplementedNode)
                              for name in ("remainder", "floor_divide"))
# fmt: on


@operation(arithmetic.div.rule)
def div(input, other, *, rounding_mode: str | None = None):
    """``input / other``, elementwise with broadcasting.

    Args:
        rounding_mode: ``"floor"`` rounds down, ``"trunc"`` towards 0: a step, with derivative 0.

    >>> import minigrad as mg
    >>> x = mg.tensor([7.0, -7.0])
    >>> mg.div(x, 2), mg.div(x, 2, rounding_mode="floor"), mg.div(x, 2, rounding_mode="trunc")
    (tensor([ 3.5000, -3.5000]), tensor([ 3., -4.]), tensor([ 3., -3.]))
    """
    if rounding_mode is None:
        return arithmetic.div(input, other)
    if rounding_mode not in ROUNDINGS:
        raise RuntimeError(
            "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found "
            f"'{rounding_mode}'"
        )
    return rounded(input, other, rounding_mode)


def rounded(input, other, mode: str):
    """A quotient rounded in this way; the operands may be raw."""
    x, y = meet(input, other, "div") if isinstance(input, Tensor) else (input, other)
    refuse_zero_divisor(x, y)
    return ROUNDED_QUOTIENT.record(broadcast(ROUNDINGS[mode], x, y), input, other, mode)


def truncated(x, y):
    """The raw quotient of two values of one dtype, rounded towards 0."""
    if np.result_type(x, y).kind == "f":
        return np.trunc(x / y)
    down = np.floor_divide(x, y)
    return down + ((down < 0) & (down * y != x))


ROUNDINGS = {"floor": np.floor_divide, "trunc": truncated}


@operation(REMAINDER_NUMBER)
def remainder(input, other):
    """What is left of ``input`` after dividing by ``other``; has the sign of ``other``.

    >>> import minigrad as mg
    >>> mg.tensor([5.0, -5.0]) % 3
    tensor([2., 1.])
    """
    x, y = meet(input, other, "remainder")
    refuse("b", "remainder_cpu", x)
    refuse_zero_divisor(x, y)
    value = broadcast(np.remainder, x, y)
    if value.dtype.kind == "f":  # a zero has the sign of what was divided, as in C
        value = np.where(value == 0, np.copysign(value, x), value)[()]
    if not isinstance(input, Tensor):
        return record(NO_REMAINDER, [value], [other])[0]
    if not isinstance(other, Tensor):
        return REMAINDER_NUMBER.record(value, input)
    return REMAINDER_TENSOR.record(value, input, other)


@operation()
def floor_divide(input, other):
    """``floor(input / other)``, elementwise; recorded, but backward raises, as in PyTorch.

    >>> import minigrad as mg
    >>> mg.tensor([7.0, -7.0]) // 2
    tensor([ 3., -4.])
    """
    x, y = meet(input, other, "floor_divide")
    refuse("b", "div_floor_cpu", x)
    refuse_zero_divisor(x, y)
    operands = [operand for operand in (input, other) if isinstance(operand, Tensor)]
    return record(FLOOR_DIVIDE, [broadcast(np.floor_divide, x, y)], operands)[0]


def refuse_zero_divisor(x, y) -> None:
    """Integers are not divided by 0."""
    if all(np.asarray(value).dtype.kind in "iu" for value in (x, y)) and np.any(np.equal(y, 0)):
        raise RuntimeError("ZeroDivisionError")
