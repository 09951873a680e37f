"""Reading memory by strides: how the history of a view is made anew after its base was written.

Geometry is a triple (shape, strides, offset), the last two counted in elements of the base.
"""

from __future__ import annotations

import numpy as np

from ..autograd.views import as_view
from ..tensor import Tensor, wrap
from .rule import Rule, publish, raw


def restrided(x: np.ndarray, shape: tuple, strides: tuple, offset: int = 0) -> np.ndarray:
    """The memory of ``x`` read with another shape, other strides and an offset, all in bytes."""
    if 0 in shape:
        return np.empty(shape, x.dtype)
    buffer = x if x.flags.c_contiguous else memory_of(x)
    return np.ndarray(shape, x.dtype, buffer, offset, strides)


def memory_of(x: np.ndarray) -> np.ndarray:
    """The memory from the first to the last element of ``x``, as a 1-d view."""
    count = reach(x.shape, [step // x.itemsize for step in x.strides])
    return np.lib.stride_tricks.as_strided(x, (count,), (x.itemsize,))


def reach(shape, strides) -> int:
    """How many elements lie between the first and the last that a geometry reads, inclusive."""
    return 0 if 0 in shape else 1 + sum((n - 1) * step for n, step in zip(shape, strides))


def geometry(tensor: Tensor, of: Tensor | None = None) -> tuple:
    """Shape, strides in elements, and the offset in elements from the memory of ``of``."""
    x = tensor._array()
    offset = 0
    if of is not None:
        offset = (address(x) - address(of._array())) // x.itemsize
    return x.shape, tuple([step // x.itemsize for step in x.strides]), offset


def address(x: np.ndarray) -> int:
    """Where in memory the first element is."""
    return x.__array_interface__["data"][0]


def as_strided(input, size, stride, storage_offset: int = 0):
    """The memory of ``input`` with this shape, strides and offset, counted in elements: a view.

    >>> import minigrad as mg
    >>> mg.arange(6.0).as_strided((2, 2), (3, 1), 1)
    tensor([[1., 2.],
            [4., 5.]])
    """
    x = input._array() if isinstance(input, Tensor) else input
    size, stride = tuple(size), tuple(stride)
    y = restrided(x, size, tuple([s * x.itemsize for s in stride]), storage_offset * x.itemsize)
    if not isinstance(input, Tensor):
        return y
    result = AS_STRIDED.record(
        y,
        input,
        input_geometry=geometry(input),
        size=size,
        stride=stride,
        storage_offset=storage_offset,
    )
    return as_view(result, input)


def copy_with_geometry(g, target: tuple):
    """A copy of ``g`` whose memory is laid out as ``target`` says."""
    shape, strides, _ = target
    order = np.argsort([-step for step in strides], kind="stable")
    copy = np.empty([shape[i] for i in order], raw(g).dtype).transpose(np.argsort(order))
    if isinstance(g, Tensor):
        return wrap(copy).copy_(g)
    copy[...] = g
    return copy


def scatter_strided(g, input_geometry, size, stride, storage_offset):
    """The adjoint of :func:`as_strided`: ``g`` added up where its elements were read from."""
    return SCATTER_STRIDED.record(
        scattered(raw(g), input_geometry, size, stride, storage_offset),
        g,
        input_geometry=input_geometry,
        size=size,
        stride=stride,
        storage_offset=storage_offset,
    )


def scattered(g, input_geometry, size, stride, storage_offset) -> np.ndarray:
    """The raw sum, made in memory laid out as the input's was."""
    shape, strides, _ = input_geometry
    memory = np.zeros(max(reach(shape, strides), storage_offset + reach(size, stride)), g.dtype)
    places = np.full(size, storage_offset, np.intp)
    for axis, step in enumerate(stride):
        places += (np.arange(size[axis]) * step).reshape((-1,) + (1,) * (len(size) - axis - 1))
    np.add.at(memory, places, g)
    return restrided(memory, shape, tuple([step * g.itemsize for step in strides])).copy()


GEOMETRY = ("input_geometry", "size", "stride", "storage_offset")
AS_STRIDED = Rule(
    "as_strided",
    "AsStridedBackward0",
    {
        "self": lambda g, input_geometry, size, stride, storage_offset: scatter_strided(
            g, input_geometry, size, stride, storage_offset
        )
    },
    arguments=GEOMETRY,
)
SCATTER_STRIDED = Rule(
    "as_strided_scatter",
    "AsStridedBackwardBackward0",
    {
        "g": lambda g, input_geometry, size, stride, storage_offset: as_strided(
            copy_with_geometry(g, input_geometry), size, stride, storage_offset
        )
    },
    arguments=GEOMETRY,
)

publish(as_strided, "as_strided", AS_STRIDED)
