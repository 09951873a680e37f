"""Comparisons, tests and logic: not differentiable, so nothing is recorded."""

from __future__ import annotations

import operator
from collections.abc import Callable

from ..autograd.around import Around
from ..tensor import Tensor, wrap
from .promotion import broadcast, meet, refuse
from .rule import operation, publish


def bits(input, other, name: str) -> tuple:
    """Integers or bools of one dtype: floating values have no bits to combine."""
    values = meet(input, other, name)
    refuse("f", f"{name}_cpu", *values)
    return values


def of_two(name: str, compute: Callable, says: str, operands: Callable = meet) -> Callable:
    """Declare an operation of tensors and numbers whose result has no history."""

    def operation(input, other):
        value = broadcast(compute, *operands(input, other, name))
        if isinstance(input, Tensor) or isinstance(other, Tensor):
            return Around.cut(wrap(value), name, input, other)
        return value

    operation.__doc__ = f"{says}, elementwise with broadcasting; the result has no history."
    return publish(operation, name)


eq = of_two("eq", operator.eq, "Whether ``input == other``")
ne = of_two("ne", operator.ne, "Whether ``input != other``")
lt = of_two("lt", operator.lt, "Whether ``input < other``")
le = of_two("le", operator.le, "Whether ``input <= other``")
gt = of_two("gt", operator.gt, "Whether ``input > other``")
ge = of_two("ge", operator.ge, "Whether ``input >= other``")

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
