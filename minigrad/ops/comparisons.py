"""Comparisons, tests and logic: not differentiable, so nothing is recorded."""

from __future__ import annotations

import operator
from collections.abc import Callable

import numpy as np

from ..tensor import Tensor, wrap
from .elementwise import TWO_TENSORS
from .promotion import broadcast, meet, raw, refuse
from .rule import edge_of, operation, publish


def truths(input, other, name: str) -> tuple:
    """Operands of any dtype, each for itself true or not."""
    return raw(input), raw(other)


def bits(input, other, name: str) -> tuple:
    """Integers or bools of one dtype: floating values have no bits to combine."""
    values = meet(input, other, name)
    refuse("f", f"{name}_cpu", *values)
    return values


def of_two(name: str, compute: Callable, says: str, operands: Callable = meet) -> Callable:
    """Declare an operation of tensors and numbers whose result has no history."""

    def operation(input, other):
        value = broadcast(compute, *operands(input, other, name))
        return wrap(value) if isinstance(input, Tensor) or isinstance(other, Tensor) else value

    if operands is truths:
        operation.__annotations__ = TWO_TENSORS
    operation.__doc__ = f"{says}, elementwise with broadcasting; the result has no history."
    return publish(operation, name)


def of_one(name: str, compute: Callable, says: str, differentiable: bool = False) -> Callable:
    """Declare a test of each element.

    ``differentiable`` says that PyTorch computes it with operations that have a derivative, which
    a view that may not be used any more refuses.
    """

    def test(input: Tensor):
        if differentiable:
            edge_of(input)
        value = compute(raw(input))
        return wrap(value) if isinstance(input, Tensor) else value

    test.__doc__ = f"Whether each element {says}: a bool tensor without history."
    return publish(test, name)


eq = of_two("eq", operator.eq, "Whether ``input == other``")
ne = of_two("ne", operator.ne, "Whether ``input != other``")
lt = of_two("lt", operator.lt, "Whether ``input < other``")
le = of_two("le", operator.le, "Whether ``input <= other``")
gt = of_two("gt", operator.gt, "Whether ``input > other``")
ge = of_two("ge", operator.ge, "Whether ``input >= other``")

logical_and = of_two("logical_and", np.logical_and, "Whether both are true", truths)
logical_or = of_two("logical_or", np.logical_or, "Whether one is true", truths)
logical_xor = of_two("logical_xor", np.logical_xor, "Whether exactly one is true", truths)
logical_not = of_one("logical_not", np.logical_not, "is 0 or False")

isnan = of_one("isnan", np.isnan, "is nan")
isinf = of_one("isinf", np.isinf, "is infinite")
isfinite = of_one("isfinite", np.isfinite, "is neither nan nor infinite", differentiable=True)

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
