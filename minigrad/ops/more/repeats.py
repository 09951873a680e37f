"""Elements repeated: each several times in a row, and vectors over the grid that they span."""

from __future__ import annotations

import numpy as np

from ...autograd.around import Around
from ...autograd.warn import warn_once
from ...messages import message
from ...tensor import Tensor, wrap
from ..binding import as_declared
from ..broadcasting import expand
from ..dims import wrap_dim
from ..promotion import no_kernel, raw, raw_tensor
from ..rule import operation
from ..shape import VIEW, clone, reshape, unsqueeze, view
from .cat_split import joinable
from .gather_scatter import index_select
from .other_shapes import flatten

# -- in a row --------------------------------------------------------------------------------------


@operation(VIEW)
def repeat_interleave(input, repeats=None, dim: int | None = None, *, output_size=None):
    """Each element, or each slice along ``dim``, repeated in a row.

    Args:
        repeats: how often: one number for all, or an integer tensor with one for each. If it is
            missing, ``input`` is such a tensor, and the result its indices, each so often.
        dim: the dim to go along; None for the elements in reading order.
        output_size: how many there will be along ``dim``, if that is known.

    Raises:
        RuntimeError: a number of repeats is negative, or there are not as many as slices.
        NotImplementedError: the numbers of repeats are not whole numbers.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.repeat_interleave.html

    >>> import minigrad as mg
    >>> mg.repeat_interleave(mg.tensor([1, 2]), 3)
    tensor([1, 1, 1, 2, 2, 2])
    >>> mg.repeat_interleave(mg.tensor([[1, 2], [3, 4]]), mg.tensor([2, 1]), dim=0)
    tensor([[1, 2],
            [1, 2],
            [3, 4]])
    """
    x = raw_tensor(input, "repeat_interleave")
    if repeats is None:
        return Around.cut(wrap(indices_repeated(x, output_size)), "repeat_interleave", input)
    if dim is None:
        input, dim = flatten(input) if x.ndim else reshape(input, 1), 0
    if not isinstance(repeats, Tensor):
        repeats = as_declared(repeats, "int", "repeat_interleave", "repeats", 2)
        return copies_in_a_row(input, repeats, dim, output_size)
    counts, shape = raw(repeats), raw(input).shape
    if counts.ndim > 1:
        raise RuntimeError("repeats must be 0-dim or 1-dim tensor")
    if not shape:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    size = shape[wrap_dim(dim, len(shape))]
    if counts.size == 1:
        counts = np.broadcast_to(counts.reshape(1), size)
    elif counts.size != size:
        got = f"repeats.size(0) = {counts.size} and input.size({dim}) = {size}"
        raise RuntimeError(f"repeats must have the same size as input along dim, but got {got}")
    return index_select(input, dim, wrap(indices_repeated(counts, output_size)))


def copies_in_a_row(input, repeats: int, dim: int, output_size: int | None):
    """:func:`repeat_interleave` by one number: a new dim of copies, joined to the one before."""
    dim = wrap_dim(dim, raw(input).ndim)
    if repeats < 0:
        raise RuntimeError("Repeats must be non-negative")
    apart = unsqueeze(input, dim + 1)
    before, (size, _, *after) = apart.shape[:dim], apart.shape[dim:]
    if output_size not in (None, size * repeats):
        told = f"Invalid output_size, expected {size * repeats} but got {output_size}"
        raise RuntimeError(f"repeat_interleave: {told}")
    copies = expand(apart, *before, size, repeats, *after)
    return view(clone.rule.record(raw(copies).copy("C"), copies), *before, size * repeats, *after)


def indices_repeated(counts, output_size: int | None):
    """0, 1, 2 and so on, each as often as it says in its place."""
    if counts.ndim != 1:
        raise RuntimeError("repeat_interleave only accept 1D vector as repeat")
    if counts.dtype not in (np.int32, np.int64):
        raise no_kernel("repeat_interleave_cpu", counts)
    if (counts < 0).any():
        raise RuntimeError("repeats can not be negative")
    if output_size not in (None, counts.sum()):
        raise RuntimeError("allocated size does not match required size")
    return np.repeat(np.arange(counts.size, dtype=counts.dtype), counts)


# -- over a grid -----------------------------------------------------------------------------------


@operation(expand.rule)
def meshgrid(*tensors, indexing: str | None = None) -> tuple:
    """The coordinates of a grid: each vector expanded over the sizes of all, as a tuple of views.

    Args:
        tensors: vectors or 0-d tensors of one dtype; or one list of them.
        indexing: "ij", the default, for grids in which the first vector goes down the rows; "xy",
            as in NumPy, for those in which it goes along them.

    Raises:
        RuntimeError: there is no tensor, one is a matrix, or the dtypes differ.

    Warns:
        UserWarning: ``indexing`` is missing.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.meshgrid.html

    >>> import minigrad as mg
    >>> x, y = mg.meshgrid(mg.tensor([1, 2]), mg.tensor([3, 4, 5]), indexing="xy")
    >>> x
    tensor([[1, 2],
            [1, 2],
            [1, 2]])
    """
    if len(tensors) == 1 and isinstance(tensors[0], tuple | list):
        tensors = tensors[0]
    joinable(tensors, "meshgrid")  # else it says why not
    if indexing is None:
        warn_once(message("meshgrid-indexing"))
    values = [raw(tensor) for tensor in tensors]
    if not values:
        raise RuntimeError("meshgrid expects a non-empty TensorList")
    if any(value.dtype is not values[0].dtype for value in values):
        raise RuntimeError("meshgrid expects all tensors to have the same dtype")
    if indexing not in (None, "ij", "xy"):
        wanted = f'indexing must be one of "xy" or "ij", but received: {indexing}'
        raise RuntimeError(f"torch.meshgrid: {wanted}")
    if max(value.ndim for value in values) > 1:
        raise RuntimeError("torch.meshgrid: Expected 0D or 1D tensor in the tensor list")
    dims = list(range(len(values)))  # in which each tensor lies
    along = [1, 0, *dims[2:]] if indexing == "xy" and len(dims) > 1 else dims
    shape = [values[dim].size for dim in along]
    lines = [[-1 if d == dim else 1 for d in dims] for dim in along]
    return tuple([expand(view(x, line), shape) for x, line in zip(tensors, lines)])
