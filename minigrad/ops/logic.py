"""Comparisons, tests and logic: not differentiable, so nothing is recorded."""

from __future__ import annotations

import operator
from collections.abc import Callable

import numpy as np

from ..tensor import Tensor, wrap
from .rule import broadcast, meet, publish, raw


def elementwise(name: str, compute: Callable, says: str, *, as_truth: bool = False) -> Callable:
    """Declare an operation of tensors and numbers whose result has no history."""

    def operation(input, other):
        x, y = (raw(input), raw(other)) if as_truth else meet(input, other, name)
        value = broadcast(compute, x, y)
        return wrap(value) if isinstance(input, Tensor) or isinstance(other, Tensor) else value

    operation.__doc__ = f"{says}, elementwise with broadcasting; the result has no history."
    return publish(operation, name)


eq = elementwise("eq", operator.eq, "Whether ``input == other``")
ne = elementwise("ne", operator.ne, "Whether ``input != other``")
lt = elementwise("lt", operator.lt, "Whether ``input < other``")
le = elementwise("le", operator.le, "Whether ``input <= other``")
gt = elementwise("gt", operator.gt, "Whether ``input > other``")
ge = elementwise("ge", operator.ge, "Whether ``input >= other``")

logical_and = elementwise("logical_and", np.logical_and, "Whether both are true", as_truth=True)
logical_or = elementwise("logical_or", np.logical_or, "Whether one is true", as_truth=True)
logical_xor = elementwise(
    "logical_xor", np.logical_xor, "Whether exactly one is true", as_truth=True
)


def each(name: str, compute: Callable, says: str) -> Callable:
    """Declare a test of each element."""

    def test(input):
        value = compute(raw(input))
        return wrap(value) if isinstance(input, Tensor) else value

    test.__doc__ = f"Whether each element {says}: a bool tensor without history."
    return publish(test, name)


isnan = each("isnan", np.isnan, "is nan")
isinf = each("isinf", np.isinf, "is infinite")
isfinite = each("isfinite", np.isfinite, "is neither nan nor infinite")
logical_not = each("logical_not", np.logical_not, "is 0 or False")


def bitwise(name: str, compute: Callable, sign: str) -> Callable:
    """Declare a bitwise operation of integers or bools."""

    def operation(input, other):
        x, y = meet(input, other, name)
        for value in (x, y):
            refuse_floats(value, name)
        value = broadcast(compute, x, y)
        return wrap(value) if isinstance(input, Tensor) or isinstance(other, Tensor) else value

    operation.__doc__ = (
        f"``input {sign} other`` of integers or bools, elementwise; the result has no history."
    )
    return publish(operation, name)


def refuse_floats(value, name: str) -> None:
    """Floating values have no bits to combine."""
    dtype = np.asarray(value).dtype
    if dtype.kind == "f":
        kind = {2: "Half", 4: "Float", 8: "Double"}[dtype.itemsize]
        raise NotImplementedError(f"\"{name}_cpu\" not implemented for '{kind}'")


bitwise_and = bitwise("bitwise_and", operator.and_, "&")
bitwise_or = bitwise("bitwise_or", operator.or_, "|")
bitwise_xor = bitwise("bitwise_xor", operator.xor, "^")


def bitwise_not(input):
    """The complement of integers or bools, elementwise.

    >>> import minigrad as mg
    >>> ~mg.tensor([True, False])
    tensor([False,  True])
    """
    refuse_floats(input._value, "bitwise_not")
    return wrap(~input._value)


publish(bitwise_not, "bitwise_not")
