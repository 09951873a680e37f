"""Reading at index tensors, of integers or bools: one ``IndexBackward0``, and a copy.

The views that other parts of an index select come first (:func:`..indexing.walk`).
"""

from __future__ import annotations

import numpy as np

from ...autograd.indexed_gradient import IndexedGradient
from ...autograd.saved import SavedSeveral
from ...messages import message
from ...tensor import Tensor
from ..indexing import dims_used, is_mask, plain_part
from ..promotion import raw
from ..rule import Rule
from ..template import save


def read(input, indices: tuple):
    """:func:`read_at`, where a program has given the indices."""
    check_bounds(input, indices)
    return read_at(input, indices)


def key_of(indices: tuple) -> tuple:
    """The index for NumPy, of integer arrays and masks (raw or Tensors), one for a dim, or None."""
    return tuple([slice(None) if index is None else raw(index) for index in indices])


def kept(indices: tuple):
    """Index tensors as a node saves them."""
    return SavedSeveral([save(i) if isinstance(i, Tensor) else i for i in indices])


def read_at(input, indices: tuple):
    """``input`` at integer tensors or masks, one for each dim or None: a copy."""
    x = raw(input)
    value = x[key_of(indices)].copy()  # NumPy gives dims of size 1 steps of its own
    return INDEX.record(value, input, indices=kept(indices), self_sym_sizes=x.shape)


def put_at(g, shape: tuple, indices: tuple):
    """Zeros of ``shape`` to which ``g`` is added at ``indices``: the adjoint of :func:`read_at`."""
    value = IndexedGradient(raw(g), shape, key_of(indices), repeats=True).dense()
    return PUT.record(value, None, g, indices=kept(indices), accumulate=True)


def scattered(g, self_sym_sizes, indices):
    """:func:`put_at`, of which a plain pass sends on only what is not zero."""
    if isinstance(g, Tensor):
        return put_at(g, self_sym_sizes, indices)
    return IndexedGradient(g, self_sym_sizes, key_of(indices), repeats=True)


# fmt: off
INDEX = Rule("index", scattered)
PUT = Rule("index_put", lambda g, accumulate: g, node="IndexPutImplBackward0",
             values=lambda g, indices: read_at(g, indices))  # into zeros, which nobody asks about
# fmt: on


def check_bounds(input, indices: tuple) -> None:
    """Refuse indices out of range, before anything is read or written."""
    shape, dim, place, read = raw(input).shape, 0, 0, []
    for index in indices:
        if index is None:
            dim += 1
            continue
        plain_part(index)
        if is_mask(index):
            mask = index._value.shape
            for i, (have, want) in enumerate(zip(mask, shape[dim:])):
                if have != want:
                    given = {"mask": list(mask), "i": i, "shape": list(shape), "dim": dim + i}
                    raise IndexError(message("mask-of-another-shape", **given))
            read.append((int(np.count_nonzero(index._value)),))
        else:  # PyTorch moves the dims with an index to the front, and counts them there
            check_range(index._value, -shape[dim], shape[dim], place)
            read.append(index._value.shape)
        dim, place = dim + dims_used(index), place + dims_used(index)
    try:
        np.broadcast_shapes(*read)
    except ValueError:
        shapes = ", ".join(str(list(places)) for places in read)
        raise IndexError(message("index-shapes", shapes=shapes)) from None


def check_range(index: np.ndarray, low: int, size: int, dim: int, error: type = IndexError) -> None:
    """Refuse an index that is not there; ``low`` is the lowest that is."""
    wrong = index[(index < low) | (index >= size)]
    if wrong.size and not size and error is IndexError:
        raise IndexError("index is out of bounds for dimension with size 0")
    if wrong.size:
        first = int(wrong.flat[0])
        raise error(f"index {first} is out of bounds for dimension {dim} with size {size}")
