"""The largest and the smallest: of all elements, along a dim, and where they stand.

Where several elements share the extreme, PyTorch has three answers to who gets the gradient: the
full ``max()`` and ``amax`` split it evenly, ``max(dim)`` gives it to the one it points at, and
``maximum`` of two tensors gives each half.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...autograd.around import Around
from ...tensor import Tensor, wrap
from .. import broadcasting
from ..binding import as_declared
from ..broadcasting import as_tuple, sum, with_dims
from ..dims import names_none, wrap_dim
from ..elementwise import TWO_TENSORS, binary
from ..piecewise import where
from ..promotion import cast, raw, raw_tensor
from ..reductions import along
from ..rule import Rule, operation
from .values_and_indices import select_along, selecting

# -- of two ---------------------------------------------------------------------------------------


def to_larger(g, x, y):
    """The part of ``g`` that ``x`` gets in ``maximum(x, y)``: half in a tie, all beside a nan."""
    if not isinstance(g, Tensor):  # compared in the dtype of the result, as Tensors are
        x, y = cast(x, g.dtype), cast(y, g.dtype)
    return where(x < y, 0.0, where(x == y, g / 2, g))


# fmt: off
maximum = binary("maximum", np.maximum,
                 self=lambda g, self, other: to_larger(g, self, other),
                 other=lambda g, self, other: to_larger(g, other, self))
minimum = binary("minimum", np.minimum,
                 self=lambda g, self, other: to_larger(g, other, self),
                 other=lambda g, self, other: to_larger(g, self, other))
# fmt: on
maximum.__annotations__ = minimum.__annotations__ = TWO_TENSORS


# -- of everything, or along one dim with its index ------------------------------------------------


def share_evenly(g, x, result):
    """The gradient of one extreme of everything: equal parts for all elements that reach it."""
    x, result = raw(x), raw(result)
    reached = np.isnan(x) if np.isnan(result) else x == result
    return where(reached, g / int(np.sum(reached)), 0.0)


def share_evenly_along(g, self, result, dim, keepdim):
    """The gradient of extremes along dims: equal parts for the elements that reach each of them."""
    reached = self == with_dims(result, self.shape, dim, keepdim)
    reached = broadcasting.cast(reached, raw(g).dtype)
    return with_dims(g, self.shape, dim, keepdim) / sum(reached, dim, True) * reached


def rules_of(name: str) -> tuple:
    """The rule of one extreme of everything, and that of extremes along a dim."""
    node = f"{name.capitalize()}Backward1"
    of_all = Rule(name, lambda g, self, result: share_evenly(g, self, result), node=node)
    return of_all, selecting(name, f"{name.capitalize()}Backward0", keepdim=True)


MAX, MIN = rules_of("max"), rules_of("min")


@operation(MAX[0])
def max(input, dim=None, keepdim: bool = False, *, other=None):
    """The largest element; or along ``dim``, a pair (values, indices).

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
    if isinstance(dim, Tensor) or other is not None:
        return maximum(input, dim if other is None else other)
    return extreme(MAX, np.max, np.argmax, input, dim, keepdim)


@operation(MIN[0])
def min(input, dim=None, keepdim: bool = False, *, other=None):
    """The smallest element; or along ``dim``, a pair (values, indices); as :func:`max`.

    >>> import minigrad as mg
    >>> mg.min(mg.tensor([3.0, 1.0, 2.0]))
    tensor(1.)
    """
    if isinstance(dim, Tensor) or other is not None:
        return minimum(input, dim if other is None else other)
    return extreme(MIN, np.min, np.argmin, input, dim, keepdim)


def needs_dim(name: str, dim, keepdim: bool) -> None:
    """Refuse to keep a dim where none is named, as all but sums and their kin do."""
    if dim is None and keepdim:
        raise TypeError(f'{name}() missing 1 required positional arguments: "dim"')


def extreme(rules: tuple, compute: Callable, locate: Callable, input, dim, keepdim: bool):
    """The extreme of all elements, or the pair of extremes along ``dim`` and their indices."""
    of_all, along = rules
    x = raw_tensor(input, of_all.name)
    needs_dim(of_all.name, dim, keepdim)
    if dim is None:
        refuse_nothing(x, of_all.name)
        return of_all.record(compute(x), input)
    dim = as_declared(dim, "int", of_all.name, "dim")
    check_sizes(x, (wrap_dim(dim, x.ndim),), of_all.name)
    return select_along(along, input, index_along(locate, x, dim), dim, keepdim)


def index_along(locate: Callable, x, dim: int):
    """Where the extreme stands along a dim, which is kept."""
    if not x.ndim:
        return np.int64(0)
    return np.ascontiguousarray(locate(x, axis=dim, keepdims=True))


NOTHING = "{}(): Expected reduction dim to be specified for input.numel() == 0."


def refuse_nothing(x, name: str) -> None:
    """Nothing has no extreme."""
    if not x.size:
        hint = "Specify the reduction dim with the 'dim' argument."
        raise RuntimeError(f"{NOTHING.format(name)} {hint}")


def check_sizes(x, dims: tuple, name: str) -> None:
    """Refuse a dim in which there is nothing to choose from."""
    for dim in dims:
        if x.ndim and not x.shape[wrap_dim(dim, x.ndim)]:
            raise IndexError(f"{name}(): Expected reduction dim {dim} to have non-zero size.")


# -- along several dims ----------------------------------------------------------------------------

# fmt: off
AMAX, AMIN = (Rule(name, node=node, self=share_evenly_along)
              for name, node in (("amax", "AmaxBackward0"), ("amin", "AminBackward0")))
# fmt: on


@operation(AMAX)
def amax(input, dim=(), keepdim: bool = False):
    """The largest elements over ``dim``: a dim, several, or () for all.

    The gradient goes in equal parts to all elements that reach the maximum.

    >>> import minigrad as mg
    >>> mg.amax(mg.tensor([[1.0, 4.0], [3.0, 2.0]]), 1)
    tensor([4., 3.])
    """
    return extreme_along(AMAX, np.max, input, dim, keepdim)


@operation(AMIN)
def amin(input, dim=(), keepdim: bool = False):
    """The smallest elements over ``dim``; as :func:`amax`.

    >>> import minigrad as mg
    >>> mg.amin(mg.tensor([[1.0, 4.0], [3.0, 2.0]]), (0, 1))
    tensor(1.)
    """
    return extreme_along(AMIN, np.min, input, dim, keepdim)


def extreme_along(rule: Rule, compute: Callable, input, dim, keepdim: bool):
    """The extremes over dims, recorded with this rule."""
    x = raw_tensor(input, rule.name)
    dim = () if dim is None else dim
    if names_none(dim):
        refuse_nothing(x, rule.name)
    check_sizes(x, as_tuple(dim), rule.name)
    return along(rule, compute, input, dim, keepdim)


# -- where they stand: an integer, which has no gradient -------------------------------------------


@operation()
def argmax(input, dim: int | None = None, keepdim: bool = False):
    """The index of the largest element in reading order, or its index along ``dim``.

    An int64 tensor without history; of several, the first. nan counts as largest.

    >>> import minigrad as mg
    >>> mg.argmax(mg.tensor([[1.0, 4.0], [3.0, 2.0]])), mg.argmax(mg.tensor([3.0, 5.0, 5.0]), 0)
    (tensor(1), tensor(1))
    """
    return position("argmax", np.argmax, input, dim, keepdim)


@operation()
def argmin(input, dim: int | None = None, keepdim: bool = False):
    """The index of the smallest element, or its index along ``dim``.

    >>> import minigrad as mg
    >>> mg.argmin(mg.tensor([[4.0, 1.0], [3.0, 2.0]]), 1)
    tensor([1, 1])
    """
    return position("argmin", np.argmin, input, dim, keepdim)


def position(name: str, locate: Callable, input, dim, keepdim: bool) -> Tensor:
    """The index of an extreme."""
    x = raw_tensor(input, name)
    if x.dtype.kind == "b":
        raise RuntimeError(f"{name}(): does not support bool input")
    if dim is None:
        if not x.size:
            raise IndexError(NOTHING.format(name))
        return Around.cut(wrap(locate(x, keepdims=keepdim)), name, input)
    axis = wrap_dim(dim, x.ndim)
    check_sizes(x, (axis,), name)
    found = index_along(locate, x, dim)
    found = found if keepdim or not x.ndim else found.squeeze(axis)[()]
    return Around.cut(wrap(found), name, input)
