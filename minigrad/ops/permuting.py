"""The dims in another order (views), and the elements in another order (copies)."""

from __future__ import annotations

import warnings

import numpy as np

from ..tensor import Tensor
from .dims import dims_of, sizes, wrap_dim
from .rule import Rule, publish, raw
from .shape import shared, view_of

# -- dims: views -----------------------------------------------------------------------------------

T_ = Rule("t", "TBackward0", {"self": lambda g: t(g)})
TRANSPOSE = Rule(
    "transpose",
    "TransposeBackward0",
    {"self": lambda g, dim0, dim1: transpose(g, dim0, dim1)},
    arguments=("dim0", "dim1"),
)
PERMUTE = Rule(
    "permute",
    "PermuteBackward0",
    {"self": lambda g, dims: permute(g, *inverse(dims))},
    arguments=("dims",),
)


def inverse(dims: tuple) -> tuple:
    """The order of dims that undoes ``dims``.

    >>> inverse((2, 0, 1))
    (1, 2, 0)
    """
    return tuple(np.argsort([dim % len(dims) for dim in dims]).tolist())


def t(input):
    """The transpose of a matrix: a view. A vector stays as it is.

    Raises:
        RuntimeError: the tensor has more than two dims.

    >>> import minigrad as mg
    >>> mg.ones(2, 3).t().shape
    torch.Size([3, 2])
    """
    x = shared(input)
    if x.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {x.ndim}D")
    return view_of(T_, x.T, input)


def transpose(input, dim0: int, dim1: int):
    """``input`` with two dims exchanged: a view.

    >>> import minigrad as mg
    >>> mg.ones(2, 3, 4).transpose(0, -1).shape
    torch.Size([4, 3, 2])
    """
    x = shared(input)
    a, b = wrap_dim(dim0, x.ndim), wrap_dim(dim1, x.ndim)
    return view_of(TRANSPOSE, x.swapaxes(a, b) if x.ndim else x[...], input, dim0, dim1)


def permute(input, *order, dims=None):
    """``input`` with its dims in this order: a view.

    >>> import minigrad as mg
    >>> mg.ones(2, 3, 4).permute(2, 0, 1).shape
    torch.Size([4, 2, 3])
    """
    x, dims = shared(input), sizes(order, dims)
    if len(dims) != x.ndim:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the "
            f"length of the desired ordering of dimensions i.e. input.dim() = {x.ndim} is not "
            f"equal to len(dims) = {len(dims)}"
        )
    order = [wrap_dim(dim, x.ndim) for dim in dims]
    if len(set(order)) != len(order):
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return view_of(PERMUTE, x.transpose(order), input, dims)


def movedim(input, source, destination):
    """``input`` with the dims ``source`` moved to ``destination``, the others in their order.

    >>> import minigrad as mg
    >>> mg.movedim(mg.ones(2, 3, 4), 0, -1).shape
    torch.Size([3, 4, 2])
    """
    ndim = raw(input).ndim
    pairs = [(d,) if isinstance(d, int) else tuple(d) for d in (source, destination)]
    if len(pairs[0]) != len(pairs[1]):
        raise RuntimeError(
            f"movedim: Invalid source or destination dims: source ({list(pairs[0])} dims) should "
            f"contain the same number of dims as destination ({list(pairs[1])} dims)"
        )
    sources, destinations = ([wrap_dim(d, ndim) for d in dims] for dims in pairs)
    for name, dims, given in zip(("source", "destination"), (sources, destinations), pairs):
        if len(set(dims)) != len(dims):
            raise RuntimeError(f"movedim: repeated dim in `{name}` ({list(given)})")
    order = [dim for dim in range(ndim) if dim not in sources]
    for place, dim in sorted(zip(destinations, sources)):
        order.insert(place, dim)
    return permute(input, *order)


NOT_A_MATRIX = (
    "The use of `x.{0}` on tensors of dimension other than {1} to reverse their shape is "
    "deprecated and it will throw an error in a future release. Consider `x.mT` to transpose "
    "batches of matrices or `x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the "
    "dimensions of a tensor."
)


def reversed_dims(input):
    """``x.T``: the dims in reverse order, which for a matrix is its transpose."""
    ndim = raw(input).ndim
    if ndim not in (0, 2):
        warnings.warn(NOT_A_MATRIX.format("T", 2), UserWarning, stacklevel=2)
    return permute(input, *range(ndim - 1, -1, -1))


def matrix_transpose(input):
    """``x.mT``: the last two dims exchanged.

    Raises:
        RuntimeError: there are fewer than two dims.
    """
    ndim = raw(input).ndim
    if ndim == 1:
        raise RuntimeError(
            f"tensor.mT is only supported on matrices or batches of matrices. Got {ndim}-D tensor."
        )
    return transpose(input, -2, -1) if ndim else permute(input)


Tensor.T, Tensor.mT = property(reversed_dims), property(matrix_transpose)

# -- elements: copies ------------------------------------------------------------------------------

FLIP = Rule("flip", "FlipBackward0", {"self": lambda g, dims: flip(g, *dims)}, arguments=("dims",))
ROLL = Rule(
    "roll",
    "RollBackward0",
    {
        "self": lambda g, shifts, dims: roll(
            g, tuple([-shift for shift in reversed(shifts)]), tuple(reversed(dims))
        )
    },
    arguments=("dims", "shifts"),
)


def flip(input, *axes, dims=None):
    """``input`` with the order of its elements reversed along ``dims``: a copy.

    >>> import minigrad as mg
    >>> mg.tensor([1, 2, 3]).flip(0)
    tensor([3, 2, 1])
    """
    x, dims = raw(input), sizes(axes, dims)
    axes = dims_of(dims, x.ndim) if dims else ()
    value = np.flip(x, axes).copy("K") if x.ndim else x
    return FLIP.record(value, input, dims=dims)


def roll(input, shifts, dims=None):
    """The elements moved along by ``shifts``; what falls off one end comes in at the other: a copy.

    Without ``dims`` the elements move in reading order.

    >>> import minigrad as mg
    >>> mg.roll(mg.tensor([1, 2, 3]), 1)
    tensor([3, 1, 2])
    """
    x = raw(input)
    shifts, dims = sizes((shifts,)), () if dims is None else sizes((dims,))
    if not shifts:
        raise RuntimeError("`shifts` required")
    if len(shifts) != len(dims) and (dims or len(shifts) > 1):
        raise RuntimeError(
            f"shifts and dimensions must align. shifts: {len(shifts)}, dims:{len(dims)}"
        )
    if dims and not x.ndim:
        raise IndexError(f"Dimension specified as {dims[0]} but tensor has no dimensions")
    axes = [wrap_dim(dim, x.ndim) for dim in dims]
    value = np.roll(x, shifts, axes) if dims and x.ndim else np.roll(x, shifts[0])
    value = np.ascontiguousarray(value) if x.ndim else value
    return ROLL.record(value, input, shifts=shifts, dims=dims)


for _operation, _rule in {
    t: T_,
    transpose: TRANSPOSE,
    permute: PERMUTE,
    movedim: PERMUTE,
    flip: FLIP,
    roll: ROLL,
}.items():
    publish(_operation, _operation.__name__, _rule)
