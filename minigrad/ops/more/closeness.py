"""Whether two tensors are equal, exactly or nearly; nothing is recorded."""

from __future__ import annotations

import numpy as np

from ... import dtypes
from ...autograd.thread_state import state
from ...tensor import Tensor, wrap
from ..promotion import broadcast, dtype_name, raw
from ..rule import edge_of, operation


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
