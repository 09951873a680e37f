"""Writing at several index tensors or a mask: the adjoint of reading there."""

from __future__ import annotations

import numpy as np

from ...autograd.thread_state import state
from ...tensor import Tensor, wrap
from ..broadcasting import sum_to, sums_to
from ..indexing import is_mask, span
from ..promotion import dtype_name, raw
from ..rule import operation
from .index_tensors import check_bounds, kept, key_of, read_at


def written(copy, key: tuple, y, add: bool = False) -> np.ndarray:
    """``copy`` with ``y`` written at ``key``, or added, where repeated places add up."""
    out = np.atleast_1d(copy)
    if add:
        state.here.quiet(np.add.at, out, key, y)
    else:
        out[key] = y
    return out.reshape(copy.shape)


def uncovered(g, indices: tuple, accumulate: bool):
    """``g``, with zeros where it was written over."""
    zero = raw(g).dtype.type(0)
    return g if accumulate else index_put(g, indices, wrap(zero) if isinstance(g, Tensor) else zero)


@operation(uncovered, values=lambda g, indices, shape: sum_to(read_at(g, indices), shape))
def index_put(input, indices: tuple, values: Tensor, accumulate: bool = False):
    """A copy of ``input`` with ``values`` at integer tensors or masks, written or added.

    Where a place is named twice, added values add up; which of two writes stays is not defined.

    >>> import minigrad as mg
    >>> mg.zeros(3).index_put((mg.tensor([0, 2]),), mg.tensor(5.0))
    tensor([5., 0., 5.])
    """
    x, y, key = raw(input), raw(values), key_of(indices)
    if isinstance(input, Tensor):
        if span(indices) > x.ndim:
            count = span(indices)
            raise IndexError(f"too many indices for tensor of dimension {x.ndim} (got {count})")
        check_bounds(input, indices)
    have, want = np.shape(y), np.asarray(x)[key].shape
    if not sums_to(want, have):
        shapes = f"{list(have)} cannot be broadcast to indexing result of shape {list(want)}"
        raise RuntimeError(f"shape mismatch: value tensor of shape {shapes}")
    if y.dtype is not x.dtype and not is_fill(indices, y):
        got = f"{dtype_name(x)} for the destination and {dtype_name(y)} for the source."
        raise RuntimeError(f"Index put requires the source and destination dtypes match, got {got}")
    value = written(np.array(x), key, y, accumulate)
    return index_put.rule.record(value, input, values, kept(indices), accumulate, have)


def is_fill(indices: tuple, value) -> bool:
    """Whether one value goes to all places of one mask: that fills, and filling casts."""
    arrays = [index for index in indices if index is not None]
    return np.size(value) == 1 and len(arrays) == 1 and is_mask(arrays[0])
