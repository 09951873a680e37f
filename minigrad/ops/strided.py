"""Views: the memory of a tensor read with another shape, other strides, another offset.

Any view is such a geometry of its base. That is how the history of a view is made anew after its
base was written. A geometry is a triple (shape, strides, offset), counted in elements of the base.
"""

from __future__ import annotations

import numpy as np

from ..autograd.views import View, as_view
from ..tensor import Tensor, wrap
from .promotion import raw
from .rule import Rule


def view_of(rule: Rule, value, input, *args):
    """The result of a view operation, sharing memory, base and version counter with ``input``.

    ``args`` are the rule's arguments, in its order; a view saves nothing else.
    """
    if not isinstance(input, Tensor):
        return value
    return as_view(rule.record(value, input, *args), input)


def shared(input):
    """The raw value of ``input`` as an array that a view can look at."""
    return input._array() if isinstance(input, Tensor) else np.asanyarray(input)


def restrided(x: np.ndarray, shape: tuple, strides: tuple, offset: int = 0) -> np.ndarray:
    """The memory of ``x`` read with another shape, other strides and an offset, all in bytes."""
    if 0 in shape:
        return np.empty(shape, x.dtype)
    if not x.flags.c_contiguous:  # then a vector of the memory from its first to its last element
        count = reach(x.shape, steps(x))
        x = np.lib.stride_tricks.as_strided(x, (count,), (x.itemsize,))
    return np.ndarray(shape, x.dtype, x, offset, strides)


def reach(shape, strides) -> int:
    """How many elements lie between the first and the last that a geometry reads, inclusive."""
    return 0 if 0 in shape else 1 + sum((n - 1) * step for n, step in zip(shape, strides))


def reshaped(x: np.ndarray, shape: tuple) -> np.ndarray | None:
    """The memory of ``x`` in another shape with as many elements; None if it would take a copy."""
    if not x.size:
        return np.empty(shape, x.dtype)
    y = x.reshape(shape)
    return y if np.may_share_memory(x, y) else None


def steps(x: np.ndarray) -> tuple:
    """The strides, counted in elements."""
    return tuple([step // x.itemsize for step in x.strides])


def geometry(tensor, of: Tensor | None = None) -> tuple:
    """Shape, strides in elements, and the offset in elements from the memory of ``of``.

    A view that was given other memory, by its ``.data``, has its offset in that.
    """
    x = shared(tensor)
    memory = x if of is None else of._array()
    if memory is not x and not np.may_share_memory(x, memory):
        memory = x if x.base is None else x.base
    return x.shape, steps(x), (address(x) - address(memory)) // x.itemsize


def address(x: np.ndarray) -> int:
    """Where in memory the first element is."""
    return x.__array_interface__["data"][0]


def copy_with_geometry(g, target: tuple):
    """A copy of ``g`` whose memory is laid out as ``target`` says, gaps and all."""
    shape, strides, _ = target
    copy = as_strided(np.empty(reach(shape, strides), raw(g).dtype), shape, strides)
    if isinstance(g, Tensor):
        return wrap(copy).copy_(g)
    copy[...] = g
    return copy


def scatter_strided(g, input_geometry, size, stride, storage_offset):
    """The adjoint of :func:`as_strided`: ``g`` added up where its elements were read from."""
    return moved(g, (size, stride, storage_offset), input_geometry, input_geometry)


def moved(g, written, read, own):
    """``g`` added up in memory at one geometry, and read at another.

    Where elements of the geometry ``own`` share a place, each has its part of the sum, as in
    PyTorch: an expanded tensor adds the parts up again. Where nothing was written the answer is a
    constant.
    """
    if 0 in written[0] or 0 in read[0]:
        zeros = np.zeros(read[0], raw(g).dtype)
        return wrap(zeros) if isinstance(g, Tensor) else zeros
    count = max(offset + reach(shape, strides) for shape, strides, offset in (written, read))
    places = np.arange(count)
    memory = np.zeros(count, raw(g).dtype)
    np.add.at(memory, as_strided(places, *written), raw(g))
    owners = np.bincount(as_strided(places, *own).ravel(), minlength=count)
    if owners.max() > 1:
        memory /= np.maximum(owners, 1)
    return MOVED.record(as_strided(memory, *read).copy(), g, written=written, read=read, own=own)


MOVED = Rule(
    "as_strided_backward", grad_output=lambda g, written, read, own: moved(g, read, written, own)
)


AS_STRIDED = Rule("as_strided", scatter_strided)


def as_strided(input, size, stride, storage_offset: int = 0):
    """The memory of ``input`` with this geometry: a view."""
    x = shared(input)
    strides = tuple([step * x.itemsize for step in stride])
    y = restrided(x, size, strides, storage_offset * x.itemsize)
    return view_of(AS_STRIDED, y, input, geometry(input), size, stride, storage_offset)


def node_of_view(view: View, tensor: Tensor, base_edge):
    """The node that reads a view, which was written to or whose base was, from its base."""
    args = geometry(view.base), *geometry(tensor, of=view.base)
    return AS_STRIDED.new_node((base_edge,), args)


View.node_of = node_of_view
