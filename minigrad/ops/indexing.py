"""Reading by index.

``x[i, 1:, None, ...]`` is a chain of views, as in PyTorch: one ``SelectBackward0`` for an int, a
``SliceBackward0`` for a slice, an ``UnsqueezeBackward0`` for None, ``AliasBackward0`` when nothing
was selected. Masks and integer arrays then read a copy (:mod:`.more.index_tensors`). Writing
(:mod:`.inplace`) is the same walk to a view, then a copy or fill into it.

The gradient of a slice is zero except in one place. A plain backward pass sends it as a
:class:`~minigrad.autograd.indexed_gradient.IndexedGradient`, so that a loop over all ``x[i]`` takes
linear time.
"""

from __future__ import annotations

import functools

import numpy as np

from ..autograd.around import Around
from ..autograd.indexed_gradient import IndexedGradient
from ..autograd.views import as_view
from ..messages import message
from ..tensor import Tensor, wrap
from .dims import wrap_dim
from .promotion import raw
from .rule import Rule
from .shape import unsqueeze
from .strided import shared, view_of

END = 2**63 - 1  # how PyTorch writes the end of a slice that goes to the end


def at(dim: int, key) -> tuple:
    """A NumPy index that applies ``key`` in dimension ``dim``."""
    return (slice(None),) * dim + (key,)


def embed(g, dim: int, index, self_sym_sizes: tuple):
    """Zeros of a shape with ``g`` at ``index`` in one dim: the adjoint of reading a slice."""
    key = at(dim % len(self_sym_sizes), index) if dim else index
    if not isinstance(g, Tensor):
        return IndexedGradient(g, self_sym_sizes, key)
    rule = EMBED if index.__class__ is slice else EMBED_SELECTED
    return rule.record(IndexedGradient(g._value, self_sym_sizes, key).dense(), g, key=key)


# fmt: off
SELECT = Rule("select", embed, keeps_dtype=True,
    arguments=("dim", "index", "self_sym_sizes"))  # index: a number
SLICE = Rule("slice", keeps_dtype=True, self=lambda g, dim, end, self_sym_sizes, start, step: (
    embed(g, dim, slice(start, end, step), self_sym_sizes)))
EMBED_SELECTED = Rule("select_backward", grad_output=lambda g, key: g[key])
EMBED = Rule("slice_backward", grad_output=lambda g, key: g[key])
# fmt: on
ALIAS = Rule("alias", lambda g: g)


# -- one dim ---------------------------------------------------------------------------------------


def slice_(input, dim: int, start: int, end: int, step: int = 1):
    """``start:end:step`` in dimension ``dim``: a view."""
    x = shared(input)
    if step <= 0:
        raise ValueError("step must be greater than zero")
    view = x[at(wrap_dim(dim, x.ndim), slice(start, end, step))]
    return view_of(SLICE, view, input, dim, end, x.shape, start, step)


# -- index tensors: integers and masks -------------------------------------------------------------


def is_mask(index) -> bool:
    """Whether this part of an index, raw or a Tensor, says for each element if it is read."""
    return raw(index).dtype.kind == "b"


def dims_used(part) -> int:
    """How many dims of the input this part of an index stands for.

    Raises:
        IndexError: it is no index.
    """
    if part is None or part is Ellipsis or isinstance(part, bool):
        return 0
    if isinstance(part, int | slice):
        return 1
    if isinstance(part, Tensor):
        return part.ndim if is_mask(part) else 1
    kind = type(part)
    module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    raise IndexError(message("no-index", kind=f"{module}{kind.__name__}"))


def span(indices) -> int:
    """How many dims a list of index tensors stands for; None is one that they leave alone."""
    return sum(1 if index is None else dims_used(index) for index in indices)


# -- the walk --------------------------------------------------------------------------------------


def parts_of(key) -> tuple:
    """The parts of an index.

    Raises:
        IndexError: it is a list of parts, which was a tuple once and will be an index tensor.
    """
    if isinstance(key, tuple):
        return key
    nested = (slice, Tensor, list, tuple, type(None), type(Ellipsis))
    if isinstance(key, list) and any(isinstance(part, nested) for part in key):
        raise IndexError("a list of indices is ambiguous; use x[tuple(seq)] instead of x[seq]")
    return (key,)


def plain_part(part):
    """A part of an index as int, bool, slice, None, ``...`` or an index tensor.

    Raises:
        IndexError: it holds neither integers nor bools.
        TypeError: it holds no numbers at all.
    """
    if isinstance(part, np.integer):
        return int(part)
    if isinstance(part, np.ndarray | list | tuple | range | str):
        array = np.asarray(part)
        if array.dtype.kind not in "biuf":
            while isinstance(part, list | tuple) and part:
                part = part[0]
            raise TypeError(f"new(): invalid data type '{type(part).__name__}'")
        part = wrap(array if array.dtype.kind == "b" else array.astype(np.int64))
    if not isinstance(part, Tensor):
        return part
    dtype = part._value.dtype
    if dtype == np.uint8:
        raise IndexError("a mask of bytes is an old way to write one of bools: use x[mask.bool()]")
    if not part.ndim and dtype.kind in "bi":  # selects one slice, or counts like True or False
        return part._value.item()
    if dtype.kind != "b" and dtype not in (np.int32, np.int64):
        raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
    return part


def walk(input, key) -> tuple:
    """Apply the view part of an index.

    Returns:
        The view; and the tensors to index it with, one for each dim or None, if there are any.

    Raises:
        IndexError: too many indices, one out of range, or something that is no index.
    """
    parts = list(map(plain_part, parts_of(key)))
    ndim, uses = raw(input).ndim, sum(map(dims_used, parts))
    if uses > ndim:
        raise IndexError(too_many(ndim, parts[0]))
    whole = isinstance(key, slice)  # `x[:]` is a slice although it selects everything
    result, dim, indices = input, 0, []
    for place, part in enumerate(parts):
        if part is None or isinstance(part, bool):
            result = unsqueeze(result, dim)
            if part is not None:
                indices += [None] * (dim - span(indices)) + [wrap(np.arange(int(part)))]
            dim += 1
        elif part is Ellipsis:
            dim += max(ndim - uses, 0)
            uses = ndim  # a second `...` stands for nothing
        elif isinstance(part, slice):
            result = sliced(result, dim, part, whole)
            dim += 1
        elif isinstance(part, int):
            result = selected(result, dim, part, place)
        else:
            indices += [None] * (dim - span(indices)) + [part]
            dim += dims_used(part)
    return result, tuple(indices) or None


def too_many(ndim: int, part) -> str:
    """PyTorch's sentence for an index with more parts than dims, the first of which is ``part``."""
    if not ndim and isinstance(part, slice):
        return "slice() cannot be applied to a 0-dim tensor."
    if not ndim and isinstance(part, int) and not isinstance(part, bool):
        return message("index-of-a-number")
    return f"too many indices for tensor of dimension {ndim}"


def selected(input, dim: int, index: int, place: int = 0):
    """The slice at one place, a view; an error names the ``place`` of the index among several."""
    x = input._value  # as an array whose memory the view shares
    if x.__class__ is not np.ndarray:
        x = shared(input)
    try:
        view = x[index, ...] if dim == 0 else x[(*at(dim, index), ...)]
    except IndexError:
        if not x.ndim:
            raise IndexError(too_many(0, index)) from None
        told = f"index {index} is out of bounds for dimension {place} with size {x.shape[dim]}"
        raise IndexError(told) from None
    return as_view(SELECT.record(view, input, dim, index, one_of(x.shape)), input)


# One tuple for all shapes that are equal: less for the garbage collector to look at.
one_of = functools.lru_cache(lambda shape: shape)


def sliced(input, dim: int, key: slice, whole: bool):
    """A slice of one dim; among other indices one that selects everything makes no node."""
    key.indices(0)  # refuses what is no slice of integers
    start = 0 if key.start is None else int(key.start)
    end = END if key.stop is None else int(key.stop)
    step = 1 if key.step is None else int(key.step)
    if start == 0 and step == 1 and end >= raw(input).shape[dim] and not whole:
        return input
    return slice_(input, dim, start, end, step)


def getitem(input, key):
    """``input[key]``: a view for ints, slices, None and ``...``; a copy for masks and arrays.

    Source: https://docs.pytorch.org/docs/2.13/tensor_view.html

    >>> import minigrad as mg
    >>> x = mg.arange(6).view(2, 3)
    >>> x[0, 1:], x[x > 3]
    (tensor([1, 2]), tensor([4, 5]))
    """
    if key.__class__ is int:  # the commonest index takes the short way
        return selected(input, 0, key)
    result, indices = walk(input, key)
    if indices is not None:
        return Around.load("ops.more.index_tensors").read(result, indices)
    return view_of(ALIAS, shared(input)[...], input) if result is input else result
