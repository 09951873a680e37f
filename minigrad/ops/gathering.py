"""Reading and writing by index tensors and masks, under a name: ``gather``, ``scatter``, ``take`` …

Each kind of reading has a kind of writing as its derivative, and the other way round.
"""

from __future__ import annotations

import math

import numpy as np

from ..autograd.grad_mode import state
from ..dtypes import cpp_name
from ..tensor import Tensor, wrap
from . import casting
from .dims import wrap_dim
from .indexing import at, check_bounds, kept, key_of, narrow, put_at, read_at, span
from .reduction import dtype_name
from .reduction import sum as sum_
from .rule import Rule, broadcast, publish, raw, raw_only
from .shape import reshape

# -- along one dim: gather and scatter -------------------------------------------------------------

GATHER = Rule(
    "gather",
    "GatherBackward0",
    {"self": lambda g, self, dim, index: scatter_add(zeros(self.shape, g), dim, index, g)},
    arguments=("dim",),
)
SCATTER = Rule(
    "scatter",
    "ScatterBackward0",
    {
        "self": lambda g, dim, index: scatter(g, dim, index, 0),
        "src": lambda g, dim, index: gather(g, dim, index),
    },
    arguments=("dim",),
)
SCATTER_NUMBER = Rule(
    "scatter",
    "ScatterBackward1",
    {"self": lambda g, dim, index: scatter(g, dim, index, 0)},
    arguments=("dim",),
)
SCATTER_ADD = Rule(
    "scatter_add",
    "ScatterAddBackward0",
    {"self": lambda g: g, "src": lambda g, dim, index: gather(g, dim, index)},
    arguments=("dim",),
)


def zeros(shape: tuple, like) -> np.ndarray:
    """Raw zeros in the dtype of ``like``."""
    return np.zeros(shape, raw(like).dtype)


def tensor_value(value, name: str, argument: str, position: int):
    """The raw value of an argument that has to be a tensor."""
    return value._value if isinstance(value, Tensor) else raw_only(value, name, argument, position)


def along(x: np.ndarray, dim: int, index: np.ndarray, name: str) -> tuple:
    """The index for NumPy that takes ``index`` in one dim and each place's own position elsewhere.

    Raises:
        RuntimeError: the index has another number of dims, reaches too far, or holds no integers.
    """
    if index.dtype not in (np.int32, np.int64):
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index")
    axis = wrap_dim(dim, x.ndim)
    if max(index.ndim, 1) != max(x.ndim, 1):
        what = "input" if name == "gather" else "self"
        raise RuntimeError(f"Index tensor must have the same number of dimensions as {what} tensor")
    for d, (n, size) in enumerate(zip(index.shape, x.shape)):
        if d != axis and n > size:
            start = (
                f"Size does not match at dimension {d} expected" if name == "gather" else "Expected"
            )
            raise RuntimeError(
                f"{start} index {list(index.shape)} to be no larger than self {list(x.shape)} "
                f"apart from dimension {axis}"
            )
    size = x.shape[axis] if x.ndim else 1
    wrong = index[(index < 0) | (index >= size)]
    if wrong.size:
        raise RuntimeError(
            f"index {int(wrong.flat[0])} is out of bounds for dimension {axis} with size {size}"
        )
    grid = list(np.ogrid[tuple([slice(n) for n in index.shape])])
    return (*grid[:axis], index, *grid[axis + 1 :])


def gather(input, dim: int, index, *, sparse_grad: bool = False):
    """Elements picked along ``dim``: for a matrix and ``dim`` 1, ``out[i, j] = x[i, index[i, j]]``.

    Args:
        dim: the dim in which ``index`` counts.
        index: int64, as many dims as ``input``; the result has its shape.

    >>> import minigrad as mg
    >>> mg.gather(mg.tensor([[1, 2], [3, 4]]), 1, mg.tensor([[0, 0], [1, 0]]))
    tensor([[1, 1],
            [4, 3]])
    """
    x, places = raw(input), tensor_value(index, "gather", "index", 3)
    key = along(x, dim, places, "gather")
    value = (x if x.ndim else np.atleast_1d(x))[key]
    return GATHER.record(value, input, self=input, dim=dim, index=index)


def scatter(input, dim: int, index, src=None, *, value=None, reduce=None):
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
    src = value if src is None else src
    x, places = raw(input), tensor_value(index, "scatter", "index", 3)
    key = along(x, dim, places, "scatter")
    out = np.atleast_1d(x.copy())
    if not isinstance(src, Tensor | np.ndarray):
        out[key] = src
        return SCATTER_NUMBER.record(out.reshape(x.shape), input, dim=dim, index=index)
    src = as_large_as(src, places, x, dim)
    out[key] = raw(src)
    return SCATTER.record(out.reshape(x.shape), input, src, dim=dim, index=index)


def scatter_add(input, dim: int, index, src):
    """A copy of ``input`` with ``src`` added where ``index`` says; repeated places add up.

    For a matrix and ``dim`` 1, ``out[i, index[i, j]] += src[i, j]``.

    >>> import minigrad as mg
    >>> mg.zeros(3).scatter_add(0, mg.tensor([2, 2]), mg.tensor([1.0, 10.0]))
    tensor([ 0.,  0., 11.])
    """
    x, places = raw(input), tensor_value(index, "scatter_add", "index", 3)
    key = along(x, dim, places, "scatter")
    src = as_large_as(src, places, x, dim)
    out = np.atleast_1d(x.copy())
    state.quiet(np.add.at, out, key, raw(src))
    return SCATTER_ADD.record(out.reshape(x.shape), input, src, dim=dim, index=index)


def as_large_as(src, index: np.ndarray, x: np.ndarray, dim: int):
    """The part of ``src`` that ``index`` reaches."""
    y = tensor_value(src, "scatter_add", "src", 3)
    if y.dtype is not x.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    if max(y.ndim, 1) != max(index.ndim, 1):
        raise RuntimeError("Index tensor must have the same number of dimensions as src tensor")
    if any(want > have for want, have in zip(index.shape, y.shape)):
        raise RuntimeError(
            f"Expected index {list(index.shape)} to be no larger than self {list(x.shape)} apart "
            f"from dimension {dim} and to be no larger size than src {list(y.shape)}"
        )
    for axis, (want, have) in enumerate(zip(index.shape, y.shape)):
        if want < have:
            src = narrow(src, axis, 0, want)
    return src


# -- whole slices: index_select and index_add ------------------------------------------------------

INDEX_SELECT = Rule(
    "index_select",
    "IndexSelectBackward0",
    {
        "self": lambda g, self_sym_sizes, dim, index: index_add(
            zeros(self_sym_sizes, g), dim, index, g
        )
    },
    arguments=("dim", "self_sym_sizes"),
)
INDEX_ADD = Rule(
    "index_add",
    "IndexAddBackward0",
    {
        "self": lambda g: g,
        "source": lambda g, source, dim, index, alpha: (
            reshape(index_select(g, dim, index), *source.shape) * alpha
        ),
    },
    arguments=("alpha", "dim"),
)


def slices_at(x: np.ndarray, dim: int, index: np.ndarray) -> tuple:
    """The index for NumPy that takes whole slices of one dim."""
    return at(wrap_dim(dim, x.ndim), np.atleast_1d(index))


def index_select(input, dim: int, index):
    """The slices along ``dim`` that ``index``, a vector of integers, names: a copy.

    >>> import minigrad as mg
    >>> mg.index_select(mg.tensor([[1, 2], [3, 4]]), 1, mg.tensor([1, 1]))
    tensor([[2, 2],
            [4, 4]])
    """
    x, places = raw(input), tensor_value(index, "index_select", "index", 3)
    size = x.shape[wrap_dim(dim, x.ndim)] if x.ndim else 1
    if places.ndim > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    if places.dtype not in (np.int32, np.int64):
        raise RuntimeError("index_select(): Expected dtype int32 or int64 for index")
    if not x.ndim and places.size != 1:
        raise RuntimeError(
            f"index_select(): Index to scalar can have only 1 value, got {places.size} value(s)"
        )
    if places.size and not (0 <= places.min() and places.max() < size):
        raise IndexError("index out of range in self")
    value = np.ascontiguousarray(x[slices_at(x, dim, places)]) if x.ndim else x
    return INDEX_SELECT.record(value, input, dim=dim, index=index, self_sym_sizes=x.shape)


def index_add(input, dim: int, index, source, *, alpha=1):
    """A copy of ``input`` with ``alpha`` times the slices of ``source`` added where ``index`` says.

    >>> import minigrad as mg
    >>> mg.zeros(3).index_add(0, mg.tensor([2, 2]), mg.tensor([1.0, 10.0]))
    tensor([ 0.,  0., 11.])
    """
    x, places = raw(input), tensor_value(index, "index_add", "index", 3)
    y = tensor_value(source, "index_add", "source", 4)
    check_index_add(x, wrap_dim(dim, x.ndim), places, y)
    out = np.atleast_1d(x.copy())
    y = y if alpha == 1 else y * x.dtype.type(alpha)
    state.quiet(np.add.at, out, slices_at(x, dim, places), y)
    value = out.reshape(x.shape)
    return INDEX_ADD.record(value, input, source, source=source, dim=dim, index=index, alpha=alpha)


def check_index_add(x, axis: int, index, source) -> None:
    """Refuse what cannot be added slice by slice."""
    if index.ndim > 1:
        raise IndexError(
            "index_add_(): Index is supposed to be a vector, but got dim: "
            f"{index.ndim} with type: {dtype_name(index)} and size: {list(index.shape)}"
        )
    if index.dtype not in (np.int32, np.int64):
        raise RuntimeError(
            f"index_add_(): Expected dtype int32/int64 for index but got: {dtype_name(index)}"
        )
    if x.dtype is not source.dtype:
        raise RuntimeError(
            f"index_add_(): self ({dtype_name(x)}) and source ({dtype_name(source)}) must have the "
            "same scalar type"
        )
    count = source.shape[axis] if source.ndim > axis else 1
    if index.size != count:
        raise RuntimeError(
            f"index_add_(): Number of indices ({index.size}) should be equal to "
            f"source.size(dim): ({count}), for dim: {axis}"
        )
    if x.shape[:axis] + x.shape[axis + 1 :] != source.shape[:axis] + source.shape[axis + 1 :] or (
        x.ndim != source.ndim
    ):
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. "
            f"Got self.shape = {list(x.shape)} source.shape = {list(source.shape)}"
        )
    size = x.shape[axis] if x.ndim else 1
    wrong = index[(index < 0) | (index >= size)]
    if wrong.size:
        raise RuntimeError(
            f"index {int(wrong.flat[0])} is out of bounds for dimension {axis} with size {size}"
        )


# -- masks -----------------------------------------------------------------------------------------

MASKED_FILL_NUMBER = Rule(
    "masked_fill", "MaskedFillBackward0", {"self": lambda g, mask: masked_fill(g, mask, 0)}
)
MASKED_FILL_TENSOR = Rule(
    "masked_fill",
    "MaskedFillBackward1",
    {
        "self": lambda g, mask: masked_fill(g, mask, 0),
        "value": lambda g, mask: sum_(masked_select(g, mask)),
    },
)
MASKED_SELECT = Rule(
    "masked_select",
    "MaskedSelectBackward0",
    {"self": lambda g, self, mask: onto_mask(g, self.shape, mask)},
)


def masked_fill(input, mask, value):
    """A copy of ``input`` with ``value``, a number or 0-d tensor, wherever ``mask`` is true.

    >>> import minigrad as mg
    >>> mg.masked_fill(mg.tensor([1.0, 2.0]), mg.tensor([True, False]), 7)
    tensor([7., 2.])
    """
    x, chosen, v = raw(input), tensor_value(mask, "masked_fill", "mask", 2), raw(value)
    if chosen.dtype.kind != "b":
        raise RuntimeError(
            "masked_fill_ only supports boolean masks, but got mask with dtype "
            + cpp_name(chosen.dtype)
        )
    if np.ndim(v):
        raise RuntimeError(
            "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
            f"{np.ndim(v)} dimension(s)."
        )
    result = broadcast(np.where, chosen, x.dtype.type(v), x)[()]
    if isinstance(value, Tensor):
        return MASKED_FILL_TENSOR.record_broadcast(result, input, value, mask=mask)
    return MASKED_FILL_NUMBER.record_broadcast(result, input, mask=mask)


def masked_select(input, mask):
    """The elements where ``mask`` is true, in reading order: a vector.

    >>> import minigrad as mg
    >>> mg.masked_select(mg.tensor([1.0, 2.0, 3.0]), mg.tensor([True, False, True]))
    tensor([1., 3.])
    """
    x, chosen = raw(input), tensor_value(mask, "masked_select", "mask", 2)
    if chosen.dtype.kind != "b":
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    chosen, x = broadcast(np.broadcast_arrays, chosen, x)
    return MASKED_SELECT.record(x[chosen], input, self=input, mask=mask)


def onto_mask(g, shape: tuple, mask):
    """Zeros of a shape with ``g`` where ``mask`` is true: the adjoint of :func:`masked_select`."""
    together = np.broadcast_shapes(shape, mask.shape)
    chosen = wrap(np.broadcast_to(raw(mask), together))
    return casting.sum_to(put_at(g, together, (chosen,)), shape)


# -- all elements in reading order: take -----------------------------------------------------------

TAKE = Rule(
    "take",
    "TakeBackward0",
    {
        "self": lambda g, self, index: reshape(
            put_at(g, (math.prod(self.shape),), (index,)), *self.shape
        )
    },
)


def take(input, index):
    """The elements at ``index``, counted in reading order; the result has the shape of ``index``.

    >>> import minigrad as mg
    >>> mg.take(mg.tensor([[1, 2], [3, 4]]), mg.tensor([3, 0]))
    tensor([4, 1])
    """
    x, places = raw(input), tensor_value(index, "take", "index", 2)
    if places.dtype != np.int64:
        raise RuntimeError(
            f"take(): Expected a long tensor for index, but got {dtype_name(places)}"
        )
    wrong = places[(places < -x.size) | (places >= x.size)]
    if wrong.size:
        raise IndexError(
            f"out of range: tried to access index {int(wrong.flat[0])} on a tensor of {x.size} "
            "elements."
        )
    return TAKE.record(x.reshape(-1)[places], input, self=input, index=index)


# -- by several index tensors: index_put -----------------------------------------------------------

INDEX_PUT = Rule(
    "index_put",
    "IndexPutBackward0",
    {
        "self": lambda g, indices, accumulate: g if accumulate else cleared(g, indices),
        "values": lambda g, indices: read_at(g, indices),
    },
    arguments=("accumulate",),
)


def cleared(g, indices: tuple):
    """``g`` with zeros where it was written over."""
    zero = raw(g).dtype.type(0)
    return index_put(g, indices, wrap(zero) if isinstance(g, Tensor) else zero)


def index_put(input, indices: tuple, values, accumulate: bool = False):
    """A copy of ``input`` with ``values`` at integer tensors or masks, written or added.

    Where a place is named twice, added values add up; which of two writes stays is not defined.

    >>> import minigrad as mg
    >>> mg.zeros(3).index_put((mg.tensor([0, 2]),), mg.tensor(5.0))
    tensor([5., 0., 5.])
    """
    x, y, key = raw(input), tensor_value(values, "index_put", "values", 2), key_of(indices)
    if y.dtype is not x.dtype and not is_fill(indices, y):
        raise RuntimeError(
            "Index put requires the source and destination dtypes match, got "
            f"{dtype_name(x)} for the destination and {dtype_name(y)} for the source."
        )
    if isinstance(input, Tensor):
        check_indices(input, indices)
    out = np.array(x)
    have, want = np.shape(y), out[key].shape
    if not casting.sums_to(want, have):
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(have)} cannot be broadcast to indexing "
            f"result of shape {list(want)}"
        )
    if accumulate:
        state.quiet(np.add.at, out, key, y)
    else:
        out[key] = y
    return INDEX_PUT.record(
        out,
        input,
        values,
        specs=lambda operands, result: (None, (have, y.dtype)),
        indices=kept(indices),
        accumulate=accumulate,
    )


def is_fill(indices: tuple, value) -> bool:
    """Whether one value goes to all places of one mask: that fills, and filling casts."""
    arrays = [index for index in indices if index is not None]
    return np.size(value) == 1 and len(arrays) == 1 and raw(arrays[0]).dtype.kind == "b"


def check_indices(input, indices: tuple) -> None:
    """Refuse more indices than dims, or such as are out of range."""
    ndim, count = raw(input).ndim, span(indices)
    if count > ndim:
        raise IndexError(f"too many indices for tensor of dimension {ndim} (got {count})")
    check_bounds(input, indices)


for _operation, _rule in {
    gather: GATHER,
    scatter: SCATTER,
    scatter_add: SCATTER_ADD,
    index_select: INDEX_SELECT,
    index_add: INDEX_ADD,
    masked_fill: MASKED_FILL_NUMBER,
    masked_select: MASKED_SELECT,
    take: TAKE,
    index_put: INDEX_PUT,
}.items():
    publish(_operation, _operation.__name__, _rule)
