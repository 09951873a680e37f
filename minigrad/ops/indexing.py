"""Reading by index.

``x[i, 1:, None, ...]`` is a chain of views, as in PyTorch: one ``SelectBackward0`` for an int, a
``SliceBackward0`` for a slice, an ``UnsqueezeBackward0`` for None, ``AliasBackward0`` when nothing
was selected. Masks and integer arrays then read with one ``IndexBackward0``, which copies. Writing
(:mod:`.inplace`) is the same walk to a view, then a copy or fill into it.

The gradient of a slice is zero except in one place. A plain backward pass sends it as a
:class:`~minigrad.autograd.part.Part`, so that a loop over all ``x[i]`` takes linear time.
"""

from __future__ import annotations

import operator
import warnings

import numpy as np

from ..autograd.part import Part
from ..autograd.saved import SavedSeveral
from ..tensor import Tensor, wrap
from .dims import wrap_dim
from .rule import Rule, publish, raw, save
from .shape import shared, unsqueeze, view_of

END = 2**63 - 1  # how PyTorch writes the end of a slice that goes to the end

SELECT = Rule(
    "select",
    "SelectBackward0",
    {
        "self": lambda g, self_sym_sizes, dim, index: embed(
            g, self_sym_sizes, at(dim % len(self_sym_sizes), index)
        )
    },
    arguments=("dim", "index", "self_sym_sizes"),
)
SLICE = Rule(
    "slice",
    "SliceBackward0",
    {
        "self": lambda g, self_sym_sizes, dim, start, end, step: embed(
            g, self_sym_sizes, at(dim % len(self_sym_sizes), slice(start, end, step))
        )
    },
    arguments=("dim", "end", "self_sym_sizes", "start", "step"),
)
ALIAS = Rule("alias", "AliasBackward0", {"self": lambda g: g})
EMBED_SELECTED, EMBED = [
    Rule("embed", f"{name}BackwardBackward0", {"g": lambda g, key: g[key]}, arguments=("key",))
    for name in ("Select", "Slice")
]
INDEX = Rule(
    "index",
    "IndexBackward0",
    {"self": lambda g, self_sym_sizes, indices: scattered(g, self_sym_sizes, indices)},
    arguments=("self_sym_sizes",),
)
PUT = Rule(
    "index_put",
    "IndexPutBackward0",
    {"g": lambda g, indices: read_at(g, indices)},
)


def at(dim: int, key) -> tuple:
    """A NumPy index that applies ``key`` in dimension ``dim``."""
    return (slice(None),) * dim + (key,)


def embed(g, shape: tuple, key):
    """Zeros of ``shape`` with ``g`` in the place ``key``: the adjoint of reading a slice."""
    if not isinstance(g, Tensor):
        return Part(g, shape, key)
    zeros = np.zeros(shape, g._value.dtype)
    zeros[key] = g._value
    rule = EMBED_SELECTED if key and key[-1].__class__ is int else EMBED
    return rule.record(zeros, g, key=key)


# -- one dim ---------------------------------------------------------------------------------------


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
    size = x.shape[axis]
    if not -size <= index < size:
        raise IndexError(
            f"select(): index {index} out of range for tensor of size {list(x.shape)} "
            f"at dimension {axis}"
        )
    return view_of(SELECT, x[(*at(axis, index), ...)], input, dim, index, x.shape)


def slice_(input, dim: int = 0, start=None, end=None, step: int = 1):
    """``start:end:step`` in dimension ``dim``: a view."""
    x = shared(input)
    if x.ndim == 0:
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    if step <= 0:
        raise ValueError("step must be greater than zero")
    low, high = 0 if start is None else start, END if end is None else end
    view = x[at(wrap_dim(dim, x.ndim), slice(low, high, step))]
    return view_of(SLICE, view, input, dim, high, x.shape, low, step)


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
        raise IndexError(
            f"start out of range (expected to be in range of [{-size}, {size}], but got {start})"
        )
    start += size if start < 0 else 0
    if start + length > size:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({size}).")
    return slice_(input, dim, start, start + length)


def alias(input):
    """The whole of ``input`` as a view."""
    return view_of(ALIAS, shared(input)[...], input)


# -- integer arrays and masks ----------------------------------------------------------------------


def key_of(indices: tuple) -> tuple:
    """The index for NumPy, of integer arrays and masks, one for each dim or None; raw or Tensors.

    Bytes are masks, from the time before there were bools.
    """
    arrays = [None if index is None else raw(index) for index in indices]
    return tuple(
        [slice(None) if x is None else x.astype(bool) if x.dtype == np.uint8 else x for x in arrays]
    )


def kept(indices: tuple):
    """Index tensors as a node saves them."""
    return SavedSeveral([save(i) if isinstance(i, Tensor) else i for i in indices])


def read_at(input, indices: tuple):
    """``input`` at integer tensors or masks, one for each dim or None: a copy."""
    x = raw(input)
    value = np.ascontiguousarray(x[key_of(indices)])
    return INDEX.record(value, input, indices=kept(indices), self_sym_sizes=x.shape)


def put_at(g, shape: tuple, indices: tuple):
    """Zeros of ``shape`` to which ``g`` is added at ``indices``: the adjoint of :func:`read_at`."""
    value = Part(raw(g), shape, key_of(indices), repeats=True).dense()
    return PUT.record(value, g, indices=kept(indices))


def scattered(g, shape: tuple, indices: tuple):
    """:func:`put_at`, of which a plain pass sends on only what is not zero."""
    if isinstance(g, Tensor):
        return put_at(g, shape, indices)
    return Part(g, shape, key_of(indices), repeats=True)


def index_tensor(key) -> Tensor:
    """An index given as tensor, array, list or range, as a tensor.

    Raises:
        IndexError: it holds neither integers nor bools.
        TypeError: it holds no numbers at all.
    """
    if not isinstance(key, Tensor):
        array = np.asarray(key)
        if array.dtype.kind not in "biuf":
            raise TypeError(f"new(): invalid data type '{type(first(key)).__name__}'")
        key = wrap(array if array.dtype.kind in "b" else array.astype(np.int64))
    dtype = key._value.dtype
    if dtype == np.uint8:
        warnings.warn(BYTES_ARE_MASKS, UserWarning, stacklevel=4)
    elif dtype.kind != "b" and dtype not in (np.int32, np.int64):
        raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
    return key


BYTES_ARE_MASKS = (
    "indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead."
)


def first(key):
    """The first thing in nested sequences."""
    while isinstance(key, list | tuple) and key:
        key = key[0]
    return key


def is_mask(index: Tensor) -> bool:
    """Whether an index tensor says for each element if it is read."""
    return index._value.dtype.kind == "b" or index._value.dtype == np.uint8


# -- the walk --------------------------------------------------------------------------------------


def walk(input, key) -> tuple:
    """Apply the view part of an index.

    Returns:
        The view; and the tensors to index it with, one for each dim or None, if there are any.

    Raises:
        IndexError: too many indices, one out of range, or something that is no index.
    """
    keys = list(unpacked(key))
    ndim = raw(input).ndim
    keys = [index_tensor(k) if is_array(k) else bool(k) if is_flag(k) else k for k in keys]
    uses = sum(map(dims_used, keys))
    if uses > ndim:
        raise IndexError(too_many(ndim, keys))
    whole = not isinstance(key, tuple)  # `x[:]` is a slice although it selects everything
    result, dim, indices = input, 0, []
    for place, k in enumerate(keys):
        if k is None:
            result = unsqueeze(result, dim)
            dim += 1
        elif k is Ellipsis:
            dim += max(ndim - uses, 0)
            uses = ndim  # a second `...` stands for nothing
        elif isinstance(k, slice):
            result = sliced(result, dim, k, whole)
            dim += 1
        elif is_int(k):
            result = selected(result, dim, int(raw(k)), place)
        elif isinstance(k, bool):
            result = unsqueeze(result, dim)
            indices += [None] * (dim - len(indices)) + [wrap(np.arange(int(k)))]
            dim += 1
        else:
            indices += [None] * (dim - span(indices)) + [k]
            dim += dims_used(k)
    return result, tuple(indices) or None


def too_many(ndim: int, keys: list) -> str:
    """PyTorch's sentence for an index with more parts than there are dims."""
    if not ndim and isinstance(keys[0], slice):
        return "slice() cannot be applied to a 0-dim tensor."
    if not ndim and is_int(keys[0]):
        return (
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` "
            "in C++ to convert a 0-dim tensor to a number"
        )
    return f"too many indices for tensor of dimension {ndim}"


def unpacked(key) -> tuple:
    """The parts of an index. A list with anything but numbers in it counts as a tuple, for now."""
    if isinstance(key, tuple):
        return key
    nested = (slice, Tensor, list, tuple, type(None), type(Ellipsis))
    if isinstance(key, list) and len(key) < 32 and any(isinstance(k, nested) for k in key):
        warnings.warn(LISTS_ARE_TUPLES, UserWarning, stacklevel=4)
        return tuple(key)
    return (key,)


LISTS_ARE_TUPLES = (
    "Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed in "
    "pytorch 2.9; use x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be interpreted as "
    "tensor index, x[torch.tensor(seq)], which will result either in an error or a different result"
)


def is_array(key) -> bool:
    """Whether this part of an index reads several places; a 0-d integer tensor selects one."""
    if isinstance(key, Tensor):
        return key.ndim > 0 or key._value.dtype.kind == "f" or key._value.dtype == np.uint8
    return isinstance(key, np.ndarray | list | tuple | range | str)


def is_flag(key) -> bool:
    """Whether this part of an index is a 0-d mask, which counts like True or False."""
    return isinstance(key, Tensor) and key.ndim == 0 and key._value.dtype.kind == "b"


def is_int(key) -> bool:
    """Whether this part of an index selects one slice."""
    if isinstance(key, Tensor):
        return key.ndim == 0 and not is_mask(key)
    return isinstance(key, int | np.integer) and not isinstance(key, bool)


def dims_used(key) -> int:
    """How many dims of the input this part of an index stands for."""
    if key is None or key is Ellipsis or isinstance(key, bool):
        return 0
    if isinstance(key, slice) or is_int(key):
        return 1
    if not isinstance(key, Tensor):
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are "
            f"valid indices (got {type_name(key)})"
        )
    return key.ndim if is_mask(key) else 1


def type_name(value) -> str:
    """The name of a type as PyTorch gives it: with its module, if it has one."""
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def span(indices: list) -> int:
    """How many dims a list of index tensors stands for."""
    return sum(1 if index is None else dims_used(index) for index in indices)


def selected(input, dim: int, index: int, place: int = 0):
    """:func:`select` with the message of the index at this place among several."""
    x = shared(input)
    size = x.shape[dim]
    if not -size <= index < size:
        raise IndexError(f"index {index} is out of bounds for dimension {place} with size {size}")
    return view_of(SELECT, x[(*at(dim, index), ...)], input, dim, index, x.shape)


def sliced(input, dim: int, key: slice, whole: bool):
    """A slice of one dim; among other indices one that selects everything makes no node."""
    key.indices(0)  # refuses what is no slice of integers
    start, end, step = (None if p is None else int(p) for p in (key.start, key.stop, key.step))
    if not whole and not start and step in (None, 1):
        if end is None or end >= raw(input).shape[dim]:
            return input
    return slice_(input, dim, start, end, 1 if step is None else step)


def getitem(input, key):
    """``input[key]``: a view for ints, slices, None and ``...``; a copy for masks and arrays.

    Source: https://docs.pytorch.org/docs/2.13/tensor_view.html

    >>> import minigrad as mg
    >>> x = mg.arange(6).view(2, 3)
    >>> x[0, 1:], x[x > 3]
    (tensor([1, 2]), tensor([4, 5]))
    """
    if key.__class__ is int and raw(input).ndim:  # the commonest index takes the short way
        return selected(input, 0, key)
    result, indices = walk(input, key)
    if indices is not None:
        check_bounds(result, indices)
        return read_at(result, indices)
    return alias(input) if result is input else result


def check_bounds(input, indices: tuple) -> None:
    """Refuse indices out of range, before anything is read or written."""
    dim, shape = 0, raw(input).shape
    for index in indices:
        if index is not None and is_mask(index):
            check_mask(index._value.shape, shape, dim)
        elif index is not None:
            check_range(index._value, shape[dim], dim)
        dim += 1 if index is None else dims_used(index)
    try:
        np.broadcast_shapes(*[places(index) for index in indices if index is not None])
    except ValueError:
        shapes = ", ".join(str(list(places(i))) for i in indices if i is not None)
        raise IndexError(
            f"shape mismatch: indexing tensors could not be broadcast together with shapes {shapes}"
        ) from None


def places(index: Tensor) -> tuple:
    """The shape of what an index tensor reads."""
    return (int(index._value.astype(bool).sum()),) if is_mask(index) else index._value.shape


def check_mask(mask: tuple, shape: tuple, dim: int) -> None:
    """Refuse a mask of another shape than what it is to select from."""
    for i, (have, want) in enumerate(zip(mask, shape[dim:])):
        if have != want:
            raise IndexError(
                f"The shape of the mask {list(mask)} at index {i} does not match the shape of the "
                f"indexed tensor {list(shape)} at index {dim + i}"
            )


def check_range(index: np.ndarray, size: int, dim: int) -> None:
    """Refuse an index that is not there."""
    wrong = index[(index < -size) | (index >= size)]
    if wrong.size and not size:
        raise IndexError("index is out of bounds for dimension with size 0")
    if wrong.size:
        raise IndexError(
            f"index {int(wrong.flat[0])} is out of bounds for dimension {dim} with size {size}"
        )


for _operation, _rule in {select: SELECT, narrow: SLICE}.items():
    publish(_operation, _operation.__name__, _rule)
