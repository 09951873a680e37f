"""Where numbers belong in a row that is in order."""

from __future__ import annotations

import numpy as np

from ...autograd.around import Around
from ...autograd.warn import warn_once
from ...dtypes import int32
from ...messages import message
from ...tensor import Tensor, wrap
from ..promotion import cast, dtype_name, number, operand_value, raw, raw_tensor, result_dtype
from ..promotion import refuse as refuse_dtypes
from ..rule import operation


@operation()
def searchsorted(
    sorted_sequence,
    input,
    *,
    out_int32: bool = False,
    right: bool = False,
    side=None,
    sorter: Tensor | None = None,
):
    """Where in a row that is in order each element of ``input`` belongs, as int64.

    The answer is the number of elements of the row that come before it. nan comes last.

    Args:
        sorted_sequence: one row; or several in the last dim, one for each row of ``input``.
        input: a tensor; beside one row also a number.
        out_int32: answer in int32.
        right: put it behind elements that are equal to it; else it stands before them.
        side: the same in words, "left" or "right".
        sorter: the indices that bring ``sorted_sequence`` into order, as :func:`argsort` has them.

    Raises:
        RuntimeError: the shapes do not fit, an index of ``sorter`` is out of range, or ``side``
            and ``right`` contradict each other.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.searchsorted.html

    >>> import minigrad as mg
    >>> mg.searchsorted(mg.tensor([1, 3, 5]), mg.tensor([0, 3, 9]))
    tensor([0, 1, 3])
    """
    rows = raw_tensor(sorted_sequence, "searchsorted", "sorted_sequence")
    x = operand_value(number(input), "searchsorted", "input")
    if side not in (None, "left", "right"):
        raise refusal(f"side can only be 'left' or 'right' but got {side}")
    if right and side == "left":
        both = "side and right can't be set to opposites"
        raise refusal(f"{both}, got side of {side} while right was True")
    order = None if sorter is None else checked_sorter(raw(sorter), rows)
    shape = np.shape(x)
    if not shape and rows.ndim != 1:
        raise RuntimeError(message("search-of-number", ndim=rows.ndim))
    if not rows.ndim:
        raise refusal("boundaries tensor should have positive dimension, but got 0 dimension")
    if rows.ndim != 1 and rows.shape[:-1] != shape[:-1]:
        raise RuntimeError(message("search-shapes", rows=list(rows.shape), shape=list(shape)))
    for what, array in (("input value", x), ("boundary", rows), ("sorter", order)):
        if isinstance(array, np.ndarray) and not array.flags.c_contiguous:
            warn_once(message("not-contiguous", what=what))
    dtype = result_dtype(rows, x)
    rows, x = cast(rows, dtype), np.asarray(cast(x, dtype))
    refuse_dtypes("b", "searchsorted_out_cpu", x)
    rows = rows if order is None else np.take_along_axis(rows, order, -1)
    places = found(rows, x, "right" if right else side or "left")
    places = places.astype(int32.numpy) if out_int32 else places
    return Around.cut(wrap(places[()]), "searchsorted", sorted_sequence, input)


@operation()
def bucketize(input, boundaries: Tensor, *, out_int32: bool = False, right: bool = False):
    """The number of the bucket that each element falls into, as int64: :func:`searchsorted`.

    Args:
        input: a tensor or a number.
        boundaries: what parts the buckets, a vector in rising order.
        out_int32: answer in int32.
        right: count a boundary to the bucket behind it; else to the one before it.

    Raises:
        RuntimeError: ``boundaries`` is no vector.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.bucketize.html

    >>> import minigrad as mg
    >>> mg.bucketize(mg.tensor([0, 3, 9]), mg.tensor([1, 3, 5]))
    tensor([0, 1, 3])
    """
    ndim = raw(boundaries).ndim
    if ndim != 1:
        raise RuntimeError(f"boundaries tensor must be 1 dimension, but got dim({ndim})")
    return searchsorted(boundaries, input, out_int32=out_int32, right=right)


def found(rows: np.ndarray, x: np.ndarray, side: str) -> np.ndarray:
    """Where the raw elements belong: in one row, or each in that of its own."""
    if rows.ndim == 1:
        places = np.asarray(np.searchsorted(rows, x, side))
    else:
        places = np.zeros(x.shape, np.int64)
        for row in np.ndindex(rows.shape[:-1]):
            places[row] = np.searchsorted(rows[row], x[row], side)
    return np.where(x == x, places, rows.shape[-1])  # nan


def checked_sorter(order, rows) -> np.ndarray:
    """The indices that bring rows into order, if they are as many and lie in range."""
    if order.shape != rows.shape:
        sizes = f"boundary tensor {list(rows.shape)}and got sorter tensor {list(order.shape)}"
        raise refusal(f"boundary and sorter must have the same size, but got {sizes}")
    if order.dtype != np.int64:
        got = f"but got dtype {dtype_name(order)}"
        raise refusal(f"sorter must be a tensor of long dtype {got}")
    if order.size and not (0 <= order.min() and order.max() < order.shape[-1]):
        raise refusal("sorter index out of range")
    return order


def refusal(why: str) -> RuntimeError:
    """What PyTorch says of both operations under the name of one."""
    return RuntimeError(f"torch.searchsorted(): {why}")
