"""Logic on the bits of integers and bools: ``&``, ``|``, ``^`` and ``~``; nothing is recorded."""

from __future__ import annotations

import operator

from ...tensor import Tensor, wrap
from ..comparisons import of_two
from ..promotion import meet, refuse
from ..rule import operation


def bits(input, other, name: str) -> tuple:
    """Integers or bools of one dtype: floating values have no bits to combine."""
    values = meet(input, other, name)
    refuse("f", f"{name}_cpu", *values)
    return values


bitwise_and = of_two("bitwise_and", operator.and_, "``input & other`` of integers or bools", bits)
bitwise_or = of_two("bitwise_or", operator.or_, "``input | other`` of integers or bools", bits)
bitwise_xor = of_two("bitwise_xor", operator.xor, "``input ^ other`` of integers or bools", bits)


@operation()
def bitwise_not(input: Tensor):
    """The complement of integers or bools, elementwise.

    >>> import minigrad as mg
    >>> ~mg.tensor([True, False])
    tensor([False,  True])
    """
    refuse("f", "bitwise_not_cpu", input._value)
    return wrap(~input._value)


def inverted(self) -> Tensor:
    """``~self``: :func:`bitwise_not`, with a sentence of its own for floating values."""
    if self._value.dtype.kind == "f":
        kinds = "integer and Boolean-type tensors"
        raise TypeError(f"~ (operator.invert) is only implemented on {kinds}")
    return bitwise_not(self)


Tensor.__invert__ = inverted
