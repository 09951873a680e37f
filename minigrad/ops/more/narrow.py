"""A range of places in one dim."""

from __future__ import annotations

import operator

from ..dims import out_of_range, wrap_dim
from ..indexing import SLICE, slice_
from ..promotion import raw
from ..rule import operation


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
