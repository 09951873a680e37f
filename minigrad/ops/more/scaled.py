"""``input ± alpha × other``: sums and differences of which one part is scaled."""

from __future__ import annotations

import operator
from collections.abc import Callable

from ...tensor import Tensor
from .. import arithmetic
from ..arithmetic import refuse_bools, times_number
from ..promotion import NUMBERS, broadcast, meet, plain_number, raw, result_dtype
from ..rule import Rule, operation

# fmt: off
ADD_SCALED = Rule("add", broadcasts=True, symbol="+",
    self=lambda g: g,
    other=lambda g, alpha: times_number(g, alpha))
SUB_SCALED = Rule("sub", broadcasts=True, symbol="−",
    self=lambda g: g,
    other=lambda g, alpha: times_number(-g, alpha))
RSUB_TENSORS = Rule("rsub", broadcasts=True, symbol="−",
    self=lambda g, alpha: times_number(-g, alpha),
    other=lambda g: g)
RSUB = Rule("rsub", node="RsubBackward1", symbol="−",
    self=lambda g, alpha: -g if alpha == 1 else times_number(-g, alpha))
# fmt: on


@operation(arithmetic.add.rule)
def add(input, other, *, alpha=1):
    """``input + alpha × other``, elementwise with broadcasting.

    >>> import minigrad as mg
    >>> mg.add(mg.tensor([1.0, 2.0]), mg.tensor([10.0, 20.0]), alpha=2)
    tensor([21., 42.])
    """
    if alpha.__class__ is int and alpha == 1:
        return arithmetic.add(input, other)
    alpha = plain_number(alpha, "add", "alpha")
    value = combined(operator.add, "add", input, other, alpha)
    return ADD_SCALED.record(value, input, other, alpha)


@operation(arithmetic.sub.rule)
def sub(input, other, *, alpha=1):
    """``input − alpha × other``, elementwise with broadcasting.

    >>> import minigrad as mg
    >>> mg.sub(mg.tensor([1.0, 2.0]), 1)
    tensor([0., 1.])
    """
    if alpha.__class__ is int and alpha == 1:
        return arithmetic.sub(input, other)
    alpha = plain_number(alpha, "sub", "alpha")
    value = combined(operator.sub, "sub", input, other, alpha, refuse_bools)
    return SUB_SCALED.record(value, input, other, alpha)


@operation(RSUB)
def rsub(input, other, *, alpha=1):
    """``other − alpha × input``: what ``2 - x`` computes.

    >>> import minigrad as mg
    >>> mg.rsub(mg.tensor([1.0, 2.0]), 10)
    tensor([9., 8.])
    """
    alpha = plain_number(alpha, "rsub", "alpha")
    value = combined(operator.sub, "rsub", other, input, alpha, refuse_bools)
    if isinstance(other, Tensor):
        return RSUB_TENSORS.record(value, input, other, alpha)
    return RSUB.record(value, input, alpha)


def combined(compute: Callable, name: str, input, other, alpha, refuse: Callable | None = None):
    """The raw ``input ± alpha × other``."""
    if isinstance(alpha, float) and result_dtype(raw(input), raw(other)).kind != "f":
        raise RuntimeError(
            "For integral input tensors, argument alpha must not be a floating point number."
        )

    def scaled(x, y):
        product = y * alpha
        return compute(x, product if y.__class__ in NUMBERS else product.astype(y.dtype))

    x, y = meet(input, other, name, refuse=refuse)
    return broadcast(compute if alpha == 1 else scaled, x, y)
