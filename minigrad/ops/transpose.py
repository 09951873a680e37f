"""The dims in another order (views), and the elements in another order (copies)."""

from __future__ import annotations

import numpy as np

from ..autograd.warn import warn_once
from ..messages import message
from ..tensor import Tensor
from .dims import sizes, wrap_dim
from .promotion import raw
from .rule import operation
from .strided import shared, view_of

# -- dims: views -----------------------------------------------------------------------------------


@operation(lambda g: t(g))
def t(input):
    """The transpose of a matrix: a view. A vector stays as it is.

    Raises:
        RuntimeError: the tensor has more than two dims.

    >>> import minigrad as mg
    >>> mg.ones(2, 3).t().shape
    torch.Size([3, 2])
    """
    if not isinstance(input, Tensor):
        return input.T
    x = shared(input)
    if x.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {x.ndim}D")
    return view_of(t.rule, x.T, input)


@operation(lambda g, dim0, dim1: transpose(g, dim0, dim1))
def transpose(input, dim0: int, dim1: int):
    """``input`` with two dims exchanged: a view.

    >>> import minigrad as mg
    >>> mg.ones(2, 3, 4).transpose(0, -1).shape
    torch.Size([4, 3, 2])
    """
    x = shared(input)
    a, b = wrap_dim(dim0, x.ndim), wrap_dim(dim1, x.ndim)
    return view_of(transpose.rule, x.swapaxes(a, b) if x.ndim else x[...], input, dim0, dim1)


@operation(lambda g, dims: permute(g, *inverse(dims)))
def permute(input, *order, dims=None):
    """``input`` with its dims in this order: a view.

    >>> import minigrad as mg
    >>> mg.ones(2, 3, 4).permute(2, 0, 1).shape
    torch.Size([4, 2, 3])
    """
    x, dims = shared(input), sizes(order, dims)
    if len(dims) != x.ndim:
        raise RuntimeError(message("permute-dims", ndim=x.ndim, count=len(dims)))
    order = [wrap_dim(dim, x.ndim) for dim in dims]
    if len(set(order)) != len(order):
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return view_of(permute.rule, x.transpose(order), input, dims)


def inverse(dims: tuple) -> tuple:
    """The order of dims that undoes ``dims``.

    >>> inverse((2, 0, 1))
    (1, 2, 0)
    """
    return tuple(np.argsort([dim % len(dims) for dim in dims]).tolist())


def reversed_dims(input):
    """``x.T``: the dims in reverse order, which for a matrix is its transpose."""
    ndim = raw(input).ndim
    if ndim != 2:
        warn_once(message("t-of-no-matrix") if ndim else message("t-of-a-number", name="T"))
    return permute(input, *range(ndim - 1, -1, -1))


Tensor.T = property(reversed_dims)
