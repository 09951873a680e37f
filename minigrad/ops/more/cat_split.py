"""Tensors put together into one, and one taken apart into several."""

from __future__ import annotations

import itertools

import numpy as np

from ...autograd.around import notes
from ...autograd.thread_state import state
from ...autograd.views import SEVERAL, as_view
from ...tensor import Tensor
from ..broadcasting import sum as sum_
from ..dims import sizes, wrap_dim
from ..indexing import at
from ..promotion import cast as cast_value
from ..promotion import raw, result_dtype
from ..rule import Rule, operation
from ..shape import reshape
from ..strided import shared
from .any_number import JoinNode, SeveralNode, record
from .one_dim import narrow, select

# -- one from several ------------------------------------------------------------------------------


def cut(x, dim: int, sizes) -> list:
    """Pieces of ``x``, one after the other along ``dim``; None stands for an empty vector."""
    ends = itertools.accumulate(size or 0 for size in sizes)
    return [
        reshape(x, -1)[:0] if size is None else narrow(x, dim, end - size, size)
        for size, end in zip(sizes, ends)
    ]


def joinable(tensors, name: str) -> list:
    """The raw values in the dtype that they have in common.

    Raises:
        TypeError: something else than a list of tensors was given.
    """
    if not isinstance(tensors, tuple | list):
        wanted = f"must be tuple of Tensors, not {type(tensors).__name__}"
        raise TypeError(f"{name}(): argument 'tensors' (position 1) {wanted}")
    values = [raw(tensor) for tensor in tensors]
    in_a_formula = state.here.running is not None  # which computes with raw values
    for i, (tensor, value) in enumerate(zip(tensors, values)):
        of_numpy = isinstance(value, np.ndarray | np.generic)
        if not isinstance(tensor, Tensor) and not (of_numpy and in_a_formula):
            kind = f"{'numpy.' * of_numpy}{type(value).__name__}"
            told = f"expected Tensor as element {i} in argument 0, but got {kind}"
            raise notes.known(TypeError(told))
    dtype = result_dtype(*values) if values else None
    return [cast_value(value, dtype) for value in values]


@operation(tensors=lambda g, dim, sizes: cut(g, dim, sizes), kind=JoinNode)
def cat(tensors, dim: int = 0):
    """Tensors one after the other along a dim that they have; the other dims must agree.

    An empty vector may stand among tensors of any shape. The dtype is the one they promote to.

    >>> import minigrad as mg
    >>> mg.cat([mg.tensor([1, 2]), mg.tensor([3])])
    tensor([1, 2, 3])
    """
    values = joinable(tensors, "cat")
    if not values:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    for i, value in enumerate(values):
        if not value.ndim:
            raise RuntimeError(f"zero-dimensional tensor (at position {i}) cannot be concatenated")
    like = next((value for value in values if value.shape != (0,)), values[0])
    axis = wrap_dim(dim, like.ndim)
    kept = [value if value.shape != (0,) or like.ndim == 1 else None for value in values]
    for i, value in enumerate(kept):
        if value is not None:
            check_alike(value, like, axis, i)
    value = np.ascontiguousarray(np.concatenate([v for v in kept if v is not None], axis))
    pieces = tuple([None if value is None else value.shape[axis] for value in kept])
    return record(cat.rule, [value], tensors, dim=dim, sizes=pieces)[0]


def check_alike(value, like, axis: int, place: int) -> None:
    """Refuse a tensor that cannot stand in one row with another."""
    if value.ndim != like.ndim:
        numbers = f"{like.ndim} and {value.ndim}"
        raise RuntimeError(f"Tensors must have same number of dimensions: got {numbers}")
    for dim, (have, want) in enumerate(zip(value.shape, like.shape)):
        if dim != axis and have != want:
            raise RuntimeError(
                f"Sizes of tensors must match except in dimension {axis}. Expected size {want} "
                f"but got size {have} for tensor number {place} in the list."
            )


@operation(tensors=lambda g, dim: [select(g, dim, i) for i in range(g.shape[dim])], kind=JoinNode)
def stack(tensors, dim: int = 0):
    """Tensors of one shape along a new dim.

    >>> import minigrad as mg
    >>> mg.stack([mg.tensor([1, 2]), mg.tensor([3, 4])])
    tensor([[1, 2],
            [3, 4]])
    """
    values = joinable(tensors, "stack")
    if not values:
        raise RuntimeError("stack expects a non-empty TensorList")
    shapes = [list(value.shape) for value in values]
    for i, shape in enumerate(shapes):
        if shape != shapes[0]:
            got = f"{shapes[0]} at entry 0 and {shape} at entry {i}"
            raise RuntimeError(f"stack expects each tensor to be equal size, but got {got}")
    axis = wrap_dim(dim, values[0].ndim + 1)
    value = np.ascontiguousarray(np.stack(values, axis))
    return record(stack.rule, [value], tensors, dim=dim)[0]


# -- several from one ------------------------------------------------------------------------------


def filled(gradients: list) -> list:
    """Gradients of one shape, with zeros for those that did not come."""
    some = next(g for g in gradients if g is not None)
    zeros = np.zeros(some.shape, raw(some).dtype)
    return [zeros if g is None else g for g in gradients]


def joined(g: list, dim: int, self_sym_sizes: tuple, split_sizes):
    """The gradients of pieces one after the other, with zeros for those that did not come."""
    dtype = next(raw(piece).dtype for piece in g if piece is not None)
    zeros = pieces_of(np.zeros(self_sym_sizes, dtype), dim, split_sizes)
    return cat([zero if piece is None else piece for piece, zero in zip(g, zeros)], dim)


def joined_evenly(g: list, dim: int, self_sym_sizes: tuple, split_size: int):
    """:func:`joined`, of pieces of one size and a rest."""
    return joined(g, dim, self_sym_sizes, even_sizes(self_sym_sizes[dim], split_size))


SPLIT_WITH_SIZES = Rule("split", joined, node="SplitWithSizesBackward0", kind=SeveralNode)


def even_sizes(total: int, size: int) -> list[int]:
    """The sizes of pieces when ``total`` is cut into pieces of ``size`` and a rest.

    >>> even_sizes(7, 3)
    [3, 3, 1]
    """
    if size < 0:
        raise RuntimeError(f"split expects split_size be non-negative, but got split_size={size}")
    if size == 0 and total:
        allowed = "split_size can only be 0 if dimension size is 0"
        raise RuntimeError(f"{allowed}, but got dimension size of {total}")
    return [min(size, total - start) for start in range(0, total, size)] if total else [0]


def pieces_of(x: np.ndarray, dim: int, pieces) -> list[np.ndarray]:
    """Raw views of ``x``, one after the other along ``dim``."""
    ends = itertools.accumulate(pieces)
    return [x[at(dim % x.ndim, slice(end - size, end))] for size, end in zip(pieces, ends)]


def views_of(rule: Rule, values: list, input, **named) -> tuple:
    """Several views of one tensor, which refuse to be written in place while tracked."""
    results = record(rule, values, (input,), **named)
    if isinstance(input, Tensor):
        for result in results:
            as_view(result, input, SEVERAL)
    return tuple(results)


@operation(joined_evenly, kind=SeveralNode)
def split(input, split_size_or_sections=None, dim: int = 0, *, split_size=None) -> tuple:
    """Views of pieces along ``dim``: of one size with a rest, or of the given sizes.

    >>> import minigrad as mg
    >>> mg.arange(5).split(2)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """
    x = shared(input)
    size = split_size_or_sections if split_size is None else split_size
    if not x.ndim:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    total, named = x.shape[wrap_dim(dim, x.ndim)], {"dim": dim, "self_sym_sizes": x.shape}
    if not isinstance(size, tuple | list):
        views = pieces_of(x, dim, even_sizes(total, size))
        return views_of(split.rule, views, input, split_size=size, **named)
    pieces = sizes((size,))
    got = f"but got split_sizes={list(pieces)}"
    if any(piece < 0 for piece in pieces):
        wanted = "split_sizes have only non-negative entries"
        raise RuntimeError(f"split_with_sizes expects {wanted}, {got}")
    if sum(pieces) != total:
        wanted = f"to sum exactly to {total} (input tensor's size at dimension {dim})"
        raise RuntimeError(f"split_with_sizes expects split_sizes {wanted}, {got}")
    views = pieces_of(x, dim, pieces)
    return views_of(SPLIT_WITH_SIZES, views, input, split_sizes=pieces, **named)


@operation(split.rule)
def chunk(input, chunks: int, dim: int = 0) -> tuple:
    """Views of at most ``chunks`` pieces of equal size, the last perhaps smaller.

    >>> import minigrad as mg
    >>> mg.arange(5).chunk(2)
    (tensor([0, 1, 2]), tensor([3, 4]))
    """
    x = raw(input)
    if not x.ndim:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    total = x.shape[wrap_dim(dim, x.ndim)]
    return split(input, -(-total // chunks) if total else [0] * chunks, dim)


@operation(lambda g, dim: stack(filled(g), dim), kind=SeveralNode)
def unbind(input, dim: int = 0) -> tuple:
    """Views of the slices along ``dim``, which they lack: what a loop over a tensor runs through.

    >>> import minigrad as mg
    >>> mg.tensor([[1, 2], [3, 4]]).unbind()
    (tensor([1, 2]), tensor([3, 4]))
    """
    x = shared(input)
    if not x.ndim:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    axis = wrap_dim(dim, x.ndim)
    views = [x[(*at(axis, i), ...)] for i in range(x.shape[axis])]
    return views_of(unbind.rule, views, input, dim=dim)


# -- copies beside each other ----------------------------------------------------------------------


def summed_copies(g, repeats: tuple, self_sym_sizes: tuple):
    """The gradients of all copies, added up: of those in new dims, then of those side by side."""
    new, apart, copies = len(repeats) - len(self_sym_sizes), [], []
    for _ in range(new):
        g = sum_(g, 0)
    for count, size in zip(repeats[new:], self_sym_sizes):
        if count != 1:
            copies.append(len(apart))
            apart.append(count)
        apart.append(size)
    return sum_(reshape(g, apart), copies) if copies else g


@operation(summed_copies)
def repeat(input, *counts, repeats=None):
    """Copies of ``input`` beside each other: ``repeats`` says how many in each dim.

    >>> import minigrad as mg
    >>> mg.tensor([1, 2]).repeat(2, 2)
    tensor([[1, 2, 1, 2],
            [1, 2, 1, 2]])
    """
    x, repeats = raw(input), sizes(counts, repeats)
    if any(count < 0 for count in repeats):
        raise RuntimeError(f"cannot repeat {list(repeats)} times: a count is negative")
    if len(repeats) < x.ndim:
        least = "number of dimensions of tensor"
        raise RuntimeError(f"Number of dimensions of repeat dims can not be smaller than {least}")
    value = np.asarray(np.tile(x, repeats), order="C")
    return repeat.rule.record(value, input, repeats=repeats, self_sym_sizes=x.shape)
