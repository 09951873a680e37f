"""The largest and the smallest: of all elements, along a dim, and where they stand.

Where several elements share the extreme, PyTorch has three answers to who gets the gradient: the
full ``max()`` and ``amax`` split it evenly, ``max(dim)`` gives it to the one it points at, and
``maximum`` of two tensors gives each half.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..tensor import Tensor, wrap
from . import casting
from .dims import axis_of, dims_of, wrap_dim
from .kinks import maximum, minimum, where
from .reduction import as_tuple, raw_value, reduced, sum, with_dims
from .rule import Rule, publish, raw
from .selecting import named_selection, select_along, selecting


def share_evenly(g, x, result):
    """The gradient of one extreme of everything: equal parts for all elements that reach it."""
    x, result = raw(x), raw(result)
    reached = np.isnan(x) if np.isnan(result) else x == result
    return where(reached, g / int(np.sum(reached)), 0.0)


def share_evenly_along(g, self, result, dim, keepdim):
    """The gradient of extremes along dims: equal parts for the elements that reach each of them."""
    reached = self == with_dims(result, self.shape, dim, keepdim)
    reached = casting.cast(reached, raw(g).dtype)
    return with_dims(g, self.shape, dim, keepdim) / sum(reached, dim, True) * reached


# -- of everything, or along one dim with its index ------------------------------------------------


def extreme(name: str, compute: Callable, locate: Callable, of_two: Callable) -> Callable:
    """Declare ``max`` or ``min``; ``of_two`` is what ``max(input, other)`` stands for."""
    gradient = {"self": lambda g, self, result: share_evenly(g, self, result)}
    rule = Rule(name, f"{name.capitalize()}Backward1", gradient)
    along = selecting(name, f"{name.capitalize()}Backward0", keepdim=True)
    returns = named_selection(name)

    def operation(input, dim=None, keepdim=False, *, other=None):
        if isinstance(dim, Tensor) or other is not None:
            return of_two(input, dim if other is None else other)
        x = raw_value(input, name)
        if dim is None:
            refuse_nothing(x, name, REMEDY)
            return rule.record(compute(x), input, self=input)
        check_sizes(x, (axis_of(dim, x.ndim, name),), name)
        return select_along(along, returns, input, index_along(locate, x, dim), dim, keepdim)

    return publish(operation, name, rule)


def index_along(locate: Callable, x, dim: int):
    """Where the extreme stands along a dim, which is kept."""
    if not x.ndim:
        return np.int64(0)
    axis = wrap_dim(dim, x.ndim)
    if not x.size:
        return np.zeros(tuple(1 if i == axis else n for i, n in enumerate(x.shape)), np.int64)
    return np.ascontiguousarray(locate(x, axis=axis, keepdims=True))


REMEDY = " Specify the reduction dim with the 'dim' argument."


def refuse_nothing(x, name: str, remedy: str = "", error: type[Exception] = RuntimeError) -> None:
    """Nothing has no extreme."""
    if not x.size:
        sentence = "Expected reduction dim to be specified for input.numel() == 0."
        raise error(f"{name}(): {sentence}{remedy}")


def check_sizes(x, dims: tuple, name: str) -> None:
    """Refuse a dim in which there is nothing to choose from."""
    for dim in dims:
        if x.ndim and not x.shape[wrap_dim(dim, x.ndim)]:
            raise IndexError(f"{name}(): Expected reduction dim {dim} to have non-zero size.")


max = extreme("max", np.max, np.argmax, maximum)
min = extreme("min", np.min, np.argmin, minimum)
max.__doc__ = """The largest element; or along ``dim``, a pair (values, indices).

    ``max(input, other)`` is :func:`maximum`. The gradient goes in equal parts to all elements that
    reach the maximum; along ``dim``, to the one whose index is returned. nan counts as largest.

    Raises:
        RuntimeError: there are no elements.
        IndexError: ``dim`` is out of range or of size 0.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.max.html

    >>> import minigrad as mg
    >>> x = mg.tensor([[1.0, 4.0], [4.0, 2.0]])
    >>> mg.max(x)
    tensor(4.)
    >>> mg.max(x, 1)
    torch.return_types.max(
    values=tensor([4., 4.]),
    indices=tensor([1, 0]))
    """
min.__doc__ = """The smallest element; or along ``dim``, a pair (values, indices); as :func:`max`.

    >>> import minigrad as mg
    >>> mg.min(mg.tensor([3.0, 1.0, 2.0]))
    tensor(1.)
    """

# -- along several dims ----------------------------------------------------------------------------


def extreme_along(name: str, compute: Callable) -> Callable:
    """Declare ``amax`` or ``amin``."""
    node = f"{name.capitalize()}Backward0"
    rule = Rule(name, node, {"self": share_evenly_along}, arguments=("dim", "keepdim"))

    def operation(input, dim=(), keepdim=False):
        x = raw_value(input, name)
        if dim in ((), []):
            refuse_nothing(x, name, REMEDY)
        check_sizes(x, as_tuple(dim), name)
        value = reduced(compute, x, axis=dims_of(dim, x.ndim), keepdims=keepdim)
        return rule.record(value, input, self=input, dim=as_tuple(dim), keepdim=keepdim)

    return publish(operation, name, rule)


amax = extreme_along("amax", np.max)
amin = extreme_along("amin", np.min)
amax.__doc__ = """The largest elements over ``dim``: a dim, several, or () for all.

    The gradient goes in equal parts to all elements that reach the maximum.

    >>> import minigrad as mg
    >>> mg.amax(mg.tensor([[1.0, 4.0], [3.0, 2.0]]), 1)
    tensor([4., 3.])
    """
amin.__doc__ = """The smallest elements over ``dim``; as :func:`amax`.

    >>> import minigrad as mg
    >>> mg.amin(mg.tensor([[1.0, 4.0], [3.0, 2.0]]), (0, 1))
    tensor(1.)
    """

# -- where they stand: an integer, which has no gradient -------------------------------------------


def position(name: str, locate: Callable) -> Callable:
    """Declare ``argmax`` or ``argmin``."""

    def operation(input, dim=None, keepdim=False):
        x = raw_value(input, name)
        if x.dtype.kind == "b":
            raise RuntimeError(f"{name}(): does not support bool input")
        if dim is None:
            refuse_nothing(x, name, error=IndexError)
            return wrap(locate(x, keepdims=keepdim))
        axis = axis_of(dim, x.ndim, name)
        check_sizes(x, (axis,), name)
        found = index_along(locate, x, dim)
        return wrap(found if keepdim or not x.ndim else found.squeeze(axis)[()])

    return publish(operation, name)


argmax = position("argmax", np.argmax)
argmin = position("argmin", np.argmin)
argmax.__doc__ = """The index of the largest element in reading order, or its index along ``dim``.

    An int64 tensor without history; of several, the first. nan counts as largest.

    >>> import minigrad as mg
    >>> mg.argmax(mg.tensor([[1.0, 4.0], [3.0, 2.0]])), mg.argmax(mg.tensor([3.0, 5.0, 5.0]), 0)
    (tensor(1), tensor(1))
    """
argmin.__doc__ = """The index of the smallest element, or its index along ``dim``.

    >>> import minigrad as mg
    >>> mg.argmin(mg.tensor([[4.0, 1.0], [3.0, 2.0]]), 1)
    tensor([1, 1])
    """
