"""Reading and writing by index tensors and masks, under a name: ``gather``, ``scatter``, ``take`` …

Each kind of reading has a kind of writing as its derivative, and the other way round.
"""

from __future__ import annotations

import math

import numpy as np

from ...autograd.indexed_gradient import IndexedGradient
from ...dtypes import converted, cpp_name
from ...tensor import Tensor
from .. import indexing
from ..broadcasting import sum as sum_
from ..broadcasting import sum_to
from ..dims import wrap_dim
from ..promotion import RAW, broadcast, copied, dtype_name, raw
from ..rule import Rule, operation
from ..shape import reshape
from .index_put import written
from .index_tensors import check_range

INTEGERS = (np.int32, np.int64)


def zeros(shape: tuple, like) -> np.ndarray:
    """Raw zeros in the dtype of ``like``."""
    return np.zeros(shape, raw(like).dtype)


# -- along one dim: gather and scatter -------------------------------------------------------------


def along(x: np.ndarray, dim: int, index: np.ndarray, name: str) -> tuple:
    """The index for NumPy that takes ``index`` in one dim and each place's own position elsewhere.

    Raises:
        RuntimeError: the index has another number of dims, reaches too far, or holds no integers.
    """
    if index.dtype not in INTEGERS:
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index")
    axis, gathers = wrap_dim(dim, x.ndim), name == "gather"
    if max(index.ndim, 1) != max(x.ndim, 1):
        what = "input" if gathers else "self"
        raise RuntimeError(f"Index tensor must have the same number of dimensions as {what} tensor")
    for d, (n, size) in enumerate(zip(index.shape, x.shape)):
        if d != axis and n > size:
            start = f"Size does not match at dimension {d} expected" if gathers else "Expected"
            raise RuntimeError(f"{start} {too_large(index, x, axis)}")
    check_range(index, 0, x.shape[axis] if x.ndim else 1, axis, RuntimeError)
    grid = list(np.ogrid[tuple([slice(n) for n in index.shape])])
    return (*grid[:axis], index, *grid[axis + 1 :])


def too_large(index, x, dim: int) -> str:
    """The middle of PyTorch's sentences about an index that reaches too far."""
    shape = list(index.shape)
    return f"index {shape} to be no larger than self {list(x.shape)} apart from dimension {dim}"


@operation(lambda g, self, dim, index: scatter_add(zeros(self.shape, g), dim, index, g))
def gather(input, dim: int, index: Tensor, *, sparse_grad: bool = False):
    """Elements picked along ``dim``: for a matrix and ``dim`` 1, ``out[i, j] = x[i, index[i, j]]``.

    Args:
        dim: the dim in which ``index`` counts.
        index: int64, as many dims as ``input``; the result has its shape.

    >>> import minigrad as mg
    >>> mg.gather(mg.tensor([[1, 2], [3, 4]]), 1, mg.tensor([[0, 0], [1, 0]]))
    tensor([[1, 1],
            [4, 3]])
    """
    x, places = raw(input), raw(index)
    key = along(x, dim, places, "gather")
    value = np.asarray(np.atleast_1d(x)[key], order="C")[()]
    return gather.rule.record(value, input, dim=dim, index=index)


SCATTER_NUMBER = Rule(
    "scatter", lambda g, dim, index: scatter(g, dim, index, 0), node="ScatterBackward1"
)


@operation(
    lambda g, dim, index: scatter(g, dim, index, 0), src=lambda g, dim, index: gather(g, dim, index)
)
def scatter(input, dim: int, index: Tensor, src=None, *, value=None, reduce=None):
    """A copy of ``input`` with ``src`` (a tensor or a number) written where ``index`` says.

    For a matrix and ``dim`` 1, ``out[i, index[i, j]] = src[i, j]``. Where an index repeats, which
    write stays is not defined.

    >>> import minigrad as mg
    >>> mg.zeros(2, 2).scatter(1, mg.tensor([[1], [0]]), 5.0)
    tensor([[0., 5.],
            [5., 0.]])
    """
    if reduce is not None:
        raise NotImplementedError("scatter() with reduce= is not supported; see scatter_add()")
    return scattered(scatter.rule, input, dim, index, value if src is None else src)


@operation(lambda g: g, src=lambda g, dim, index: gather(g, dim, index))
def scatter_add(input, dim: int, index: Tensor, src: Tensor):
    """A copy of ``input`` with ``src`` added where ``index`` says; repeated places add up.

    For a matrix and ``dim`` 1, ``out[i, index[i, j]] += src[i, j]``.

    >>> import minigrad as mg
    >>> mg.zeros(3).scatter_add(0, mg.tensor([2, 2]), mg.tensor([1.0, 10.0]))
    tensor([ 0.,  0., 11.])
    """
    return scattered(scatter_add.rule, input, dim, index, src)


def scattered(rule: Rule, input, dim: int, index, src):
    """:func:`scatter` or, by its rule, :func:`scatter_add`."""
    x, places = raw(input), raw(index)
    key = along(x, dim, places, "scatter")
    if rule is scatter.rule and not isinstance(src, Tensor | np.ndarray):
        return SCATTER_NUMBER.record(written(x.copy(), key, src), input, dim=dim, index=index)
    src = as_large_as(src, places, x, dim)
    value = written(x.copy(), key, raw(src), add=rule is scatter_add.rule)
    return rule.record(value, input, src, dim=dim, index=index)


def as_large_as(src, index: np.ndarray, x: np.ndarray, dim: int):
    """The part of ``src`` that ``index`` reaches."""
    y = raw(src)
    if y.dtype is not x.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    if max(y.ndim, 1) != max(index.ndim, 1):
        raise RuntimeError("Index tensor must have the same number of dimensions as src tensor")
    if any(want > have for want, have in zip(index.shape, y.shape)):
        larger = f"{too_large(index, x, dim)} and to be no larger size than src {list(y.shape)}"
        raise RuntimeError(f"Expected {larger}")
    reached = tuple([slice(size) for size, _ in zip(index.shape, y.shape)])
    return indexing.walk(src, reached)[0]


# -- whole slices: index_select and index_add ------------------------------------------------------


def slices_at(x: np.ndarray, dim: int, index: np.ndarray) -> tuple:
    """The index for NumPy that takes whole slices of one dim."""
    return indexing.at(wrap_dim(dim, x.ndim), np.atleast_1d(index))


@operation(lambda g, dim, index, self_sym_sizes: index_add(zeros(self_sym_sizes, g), dim, index, g))
def index_select(input, dim: int, index: Tensor):
    """The slices along ``dim`` that ``index``, a vector of integers, names: a copy.

    >>> import minigrad as mg
    >>> mg.index_select(mg.tensor([[1, 2], [3, 4]]), 1, mg.tensor([1, 1]))
    tensor([[2, 2],
            [4, 4]])
    """
    x, places = raw(input), raw(index)
    size = x.shape[wrap_dim(dim, x.ndim)] if x.ndim else 1
    if places.ndim > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    if places.dtype not in INTEGERS:
        raise RuntimeError("index_select(): Expected dtype int32 or int64 for index")
    if not x.ndim and places.size != 1:
        count = f"{places.size} value(s)"
        raise RuntimeError(f"index_select(): Index to scalar can have only 1 value, got {count}")
    if places.size and not (0 <= places.min() and places.max() < size):
        raise IndexError("index out of range in self")
    value = np.ascontiguousarray(x[slices_at(x, dim, places)]) if x.ndim else copied(x)
    return index_select.rule.record(value, input, dim=dim, index=index, self_sym_sizes=x.shape)


def selected_source(g, alpha, dim, source, index):
    """The gradient of the slices that :func:`index_add` adds."""
    return reshape(index_select(g, dim, index), source.shape) * alpha


@operation(lambda g: g, source=selected_source)
def index_add(input, dim: int, index: Tensor, source: Tensor, *, alpha=1):
    """A copy of ``input`` with ``alpha`` times the slices of ``source`` added where ``index`` says.

    >>> import minigrad as mg
    >>> mg.zeros(3).index_add(0, mg.tensor([2, 2]), mg.tensor([1.0, 10.0]))
    tensor([ 0.,  0., 11.])
    """
    x, places = raw(input), raw(index)
    y = raw(source)
    check_index_add(x, wrap_dim(dim, x.ndim), places, y)
    added = y if alpha == 1 else y * x.dtype.type(alpha)
    value = written(x.copy(), slices_at(x, dim, places), added, add=True)
    return index_add.rule.record(value, input, source, dim=dim, index=index, alpha=alpha)


def check_index_add(x, axis: int, index, source) -> None:
    """Refuse what cannot be added slice by slice."""
    kind = dtype_name(index)
    if index.ndim > 1:
        got = f"dim: {index.ndim} with type: {kind} and size: {list(index.shape)}"
        raise IndexError(f"index_add_(): Index is supposed to be a vector, but got {got}")
    if index.dtype not in INTEGERS:
        raise RuntimeError(f"index_add_(): Expected dtype int32/int64 for index but got: {kind}")
    if x.dtype is not source.dtype:
        pair = f"self ({dtype_name(x)}) and source ({dtype_name(source)})"
        raise RuntimeError(f"index_add_(): {pair} must have the same scalar type")
    count = source.shape[axis] if source.ndim > axis else 1
    if index.size != count:
        equal = f"equal to source.size(dim): ({count}), for dim: {axis}"
        raise RuntimeError(f"index_add_(): Number of indices ({index.size}) should be {equal}")
    have, want = (v.shape[:axis] + v.shape[axis + 1 :] for v in (source, x))
    if x.ndim != source.ndim or have != want:
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. "
            f"Got self.shape = {list(x.shape)} source.shape = {list(source.shape)}"
        )
    check_range(index, 0, x.shape[axis] if x.ndim else 1, axis, RuntimeError)


# -- masks -----------------------------------------------------------------------------------------


def refuse_other_masks(mask) -> None:
    """Only bools say what is filled."""
    if mask.dtype.kind != "b":
        got = f"mask with dtype {cpp_name(mask.dtype)}"
        raise RuntimeError(f"masked_fill_ only supports boolean masks, but got {got}")


# fmt: off
MASKED_FILL_TENSOR = Rule("masked_fill", lambda g, mask: masked_fill(g, mask, 0),
                            value=lambda g, mask: sum_(masked_select(g, mask)),
                            node="MaskedFillBackward1", broadcasts=True)
# fmt: on


@operation(lambda g, mask: masked_fill(g, mask, 0), broadcasts=True)
def masked_fill(input, mask: Tensor, value):
    """A copy of ``input`` with ``value``, a number or 0-d tensor, wherever ``mask`` is true.

    >>> import minigrad as mg
    >>> mg.masked_fill(mg.tensor([1.0, 2.0]), mg.tensor([True, False]), 7)
    tensor([7., 2.])
    """
    x, chosen, v = raw(input), raw(mask), raw(value)
    refuse_other_masks(chosen)
    if np.ndim(v):
        value_tensor = f"value tensor, but got tensor with {np.ndim(v)} dimension(s)."
        raise RuntimeError(f"masked_fill_ only supports a 0-dimensional {value_tensor}")
    v = x.dtype.type(v) if isinstance(v, RAW) else converted(v, x.dtype)
    result = np.asarray(broadcast(np.where, chosen, v, x), order="C")[()]
    if isinstance(value, Tensor):
        return MASKED_FILL_TENSOR.record(result, input, value, mask=mask)
    return masked_fill.rule.record(result, input, mask=mask)


def onto_mask(g, self, mask):
    """Zeros like ``self`` with ``g`` where ``mask`` is true: the adjoint of masked_select."""
    out = zeros(np.broadcast_shapes(self.shape, mask.shape), g)
    out[np.broadcast_to(raw(mask), out.shape)] = raw(g)
    return sum_to(MASKED_SCATTER.record(out, None, g, mask=mask), self.shape)


MASKED_SCATTER = Rule(  # into zeros, which nobody asks about
    "masked_scatter",
    lambda g, mask: masked_fill(g, mask, 0),
    source=lambda g, mask: selected(SELECTED, g, mask),
)
SELECTED = Rule("masked_select", onto_mask, node="MaskedScatterBackwardBackward0")


def selected(rule: Rule, input, mask):
    """The elements where the mask is true, recorded with this rule."""
    chosen, x = broadcast(np.broadcast_arrays, raw(mask), raw(input))
    return rule.record(x[chosen], input, mask=mask)


@operation(onto_mask)
def masked_select(input, mask: Tensor):
    """The elements where ``mask`` is true, in reading order: a vector.

    >>> import minigrad as mg
    >>> mg.masked_select(mg.tensor([1.0, 2.0, 3.0]), mg.tensor([True, False, True]))
    tensor([1., 3.])
    """
    if raw(mask).dtype.kind != "b":
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    return selected(masked_select.rule, input, mask)


# -- all elements in reading order: take -----------------------------------------------------------


def put(g, self, index):
    """Zeros like ``self`` with ``g`` added at ``index``: the adjoint of :func:`take`."""
    out = IndexedGradient(raw(g), (math.prod(self.shape),), (raw(index),), repeats=True).dense()
    return PUT.record(out.reshape(self.shape), None, g, index=index)


PUT = Rule(  # into zeros, which nobody asks about
    "put", lambda g: g, source=lambda g, index: reshape(take(g, index), index.shape)
)


@operation(put)
def take(input, index: Tensor):
    """The elements at ``index``, counted in reading order; the result has the shape of ``index``.

    >>> import minigrad as mg
    >>> mg.take(mg.tensor([[1, 2], [3, 4]]), mg.tensor([3, 0]))
    tensor([4, 1])
    """
    x, places = raw(input), raw(index)
    if places.dtype != np.int64:
        kind = dtype_name(places)
        raise RuntimeError(f"take(): Expected a long tensor for index, but got {kind}")
    wrong = places[(places < -x.size) | (places >= x.size)]
    if wrong.size:
        place = f"index {wrong.flat[0]} on a tensor of {x.size} elements."
        raise IndexError(f"out of range: tried to access {place}")
    return take.rule.record(x.reshape(-1)[places], input, index=index)
