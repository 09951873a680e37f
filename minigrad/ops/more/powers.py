"""Powers of which the exponent, or both, are tensors."""

from __future__ import annotations

import math

import numpy as np

from ...tensor import Tensor
from .. import elementary
from ..elementary import log, raw_power
from ..piecewise import where
from ..promotion import NUMBERS, broadcast, meet, number, refuse
from ..rule import Rule, operation

# fmt: off
POW_TENSORS = Rule("pow",
    lambda g, self, exponent: where(exponent == 0, 0.0, g * (exponent * self ** (exponent - 1))),
    exponent=lambda g, self, exponent, result: (
        g * where((self == 0) & (exponent >= 0), 0.0, result * log(self))),
    node="PowBackward1", broadcasts=True, symbol="**")
POW_OF_NUMBER = Rule("pow", node="PowBackward2", arguments=("self",), symbol="**",
    exponent=lambda g, self, exponent, result: (
        g * where(exponent >= 0, 0.0, result * -np.inf) if self == 0
        else g * (result * (math.log(self) if self > 0 else math.nan))))
# fmt: on


@operation(elementary.pow.rule)
def pow(input, exponent):
    """``input ** exponent``, elementwise; one of the two may be a number.

    Where both are 0 the result is 1 and both gradients are 0. An integer tensor is not raised to a
    negative number, but may be to a tensor: 1 and -1 keep their size, anything else becomes 0.

    Raises:
        RuntimeError: an integer or bool tensor to a negative whole number.
        NotImplementedError: both are bools.

    >>> import minigrad as mg
    >>> x = mg.tensor([2.0, 3.0], requires_grad=True)
    >>> mg.pow(x, 3).sum().backward()
    >>> x.grad
    tensor([12., 27.])
    """
    if not isinstance(exponent, Tensor):
        return elementary.pow(input, exponent)
    x, y = meet(input, exponent, "pow")
    floating = x.__class__ in NUMBERS or y.__class__ in NUMBERS or x.dtype.kind == "f"
    value = broadcast(raw_power if floating else integer_power, x, y)
    if isinstance(input, Tensor):
        return POW_TENSORS.record(value, input, exponent)
    if value.ndim:  # PyTorch makes it contiguous, however the exponent lies in memory
        value = np.ascontiguousarray(value)
    return POW_OF_NUMBER.record(value, exponent, number(input))


def integer_power(x, y):
    """``x ** y`` of raw integers; of what a negative power makes of ``x``, the whole part."""
    refuse("b", "pow", x)
    power = x ** np.where(y < 0, y & 1, y)
    return np.where((y < 0) & (np.abs(x) != 1), x.dtype.type(0), power)[()]
