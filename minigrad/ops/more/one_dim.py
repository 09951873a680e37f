"""One place in a dim, or a range of places: views that an index makes, too."""

from __future__ import annotations

import operator

from ...messages import message
from ..dims import out_of_range, wrap_dim
from ..indexing import SELECT, SLICE, at, slice_
from ..promotion import raw
from ..rule import operation
from ..strided import shared, view_of


@operation(SELECT)
def select(input, dim: int, index: int):
    """The slice at ``index`` in dimension ``dim``: a view with one dim less.

    Raises:
        IndexError: there is no such dim or index.

    >>> import minigrad as mg
    >>> mg.arange(6).view(2, 3).select(1, 0)
    tensor([0, 3])
    """
    x = shared(input)
    if x.ndim == 0:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    axis, index = wrap_dim(dim, x.ndim), operator.index(index)
    if not -x.shape[axis] <= index < x.shape[axis]:
        raise IndexError(message("select-index", index=index, shape=list(x.shape), dim=axis))
    return view_of(SELECT, x[(*at(axis, index), ...)], input, dim, index, x.shape)


@operation(SLICE)
def narrow(input, dim: int, start: int, length: int):
    """``length`` slices from ``start`` on in dimension ``dim``: a view.

    Raises:
        RuntimeError: there are not that many.

    >>> import minigrad as mg
    >>> mg.arange(5).narrow(0, 1, 3)
    tensor([1, 2, 3])
    """
    shape = raw(input).shape
    if not shape:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    size, start = shape[wrap_dim(dim, len(shape))], operator.index(start)
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    if not -size <= start <= size:
        raise out_of_range("start", start, -size, size)
    start += size if start < 0 else 0
    if start + length > size:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({size}).")
    return slice_(input, dim, start, start + length)
