"""Comparisons, tests and logic: not differentiable, so nothing is recorded."""

from __future__ import annotations

import operator
from collections.abc import Callable

import numpy as np

from .. import dtypes
from ..autograd.grad_mode import state
from ..tensor import Tensor, wrap
from .declare import operation
from .elementwise import TWO_TENSORS
from .kernels import dtype_name, refuse
from .operands import broadcast, meet, raw
from .rule import edge_of, publish


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


# -- whether two tensors are equal, exactly or nearly ----------------------------------------------


@operation()
def isclose(
    input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
):
    """Where |input − other| ≤ atol + rtol × |other|: a bool tensor; equal infinities are close.

    Args:
        equal_nan: whether nan is close to nan.

    Raises:
        RuntimeError: the dtypes differ, a tolerance is negative, or an operand is a view that may
            not be used any more.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.isclose.html

    >>> import minigrad as mg
    >>> mg.isclose(mg.tensor([1.0, 1.0]), mg.tensor([1.000001, 1.1]))
    tensor([ True, False])
    """
    close = closeness(input, other, rtol, atol, equal_nan)
    if rtol or atol:  # then PyTorch computes a distance, and that is recorded
        edge_of(other), edge_of(input)
    return close


def closeness(input, other, rtol, atol, equal_nan: bool) -> Tensor:
    """:func:`isclose` of values, whatever their history."""
    x, y = raw(input), raw(other)
    if x.dtype != y.dtype:
        raise RuntimeError(f"{dtype_name(x)} did not match {dtype_name(y)}")
    for name, given in (("rtol", rtol), ("atol", atol)):
        if given < 0:
            raise RuntimeError(f"{name} must be greater than or equal to zero, but got {given:g}")
    close = wrap(broadcast(np.equal, x, y))
    if equal_nan:
        close.bitwise_or_(wrap((x != x) & (y != y)))
    return close.bitwise_or_(wrap(state.here.quiet(within, x, y, rtol, atol)))


def within(x, y, rtol: float, atol: float):
    """Where the distance of raw values is finite and within the tolerances."""
    if x.dtype.kind != "f":
        x, y = x.astype(dtypes.default_float()), y.astype(dtypes.default_float())
    distance = np.abs(x - y)
    return np.isfinite(distance) & (distance <= atol + np.abs(rtol * y))


@operation()
def allclose(
    input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> bool:
    """Whether all elements are close, as :func:`isclose` says.

    >>> import minigrad as mg
    >>> mg.allclose(mg.tensor([0.1]) + mg.tensor([0.2]), mg.tensor([0.3]))
    True
    """
    return bool(closeness(input, other, rtol, atol, equal_nan)._value.all())


@operation()
def equal(input: Tensor, other: Tensor) -> bool:
    """Whether two tensors have the same shape and the same elements; nan equals nothing.

    >>> import minigrad as mg
    >>> mg.equal(mg.tensor([1, 2]), mg.tensor([1, 2])), mg.equal(mg.ones(2), mg.ones(1))
    (True, False)
    """
    x, y = raw(input), raw(other)
    return x.shape == y.shape and bool(np.all(x == y))
