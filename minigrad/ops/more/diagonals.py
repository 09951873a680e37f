"""Diagonals, what is put on them, and the parts of matrices that begin or end at one."""

from __future__ import annotations

import numpy as np

from ..dims import wrap_dim
from ..promotion import raw, raw_tensor
from ..rule import Rule, operation
from ..strided import shared, view_of


def onto_diagonal(g, dim1: int, dim2: int, offset: int, self_sym_sizes: tuple):
    """Zeros of this shape with ``g`` on a diagonal: the adjoint of :func:`diagonal`."""
    zeros = np.zeros(self_sym_sizes, raw(g).dtype)
    diagonal(zeros, offset, dim1, dim2)[...] = raw(g)
    return ONTO_DIAGONAL.record(zeros, g, offset=offset, dim1=dim1, dim2=dim2)


ONTO_DIAGONAL = Rule(
    "diagonal_backward", grad_output=lambda g, dim1, dim2, offset: diagonal(g, offset, dim1, dim2)
)


@operation(onto_diagonal)
def diagonal(input, offset: int = 0, dim1: int = 0, dim2: int = 1):
    """The elements on a diagonal of two dims, as a view in which they are the last dim.

    Args:
        offset: which diagonal, counted from the main one to the upper right.
        dim1, dim2: rows and columns.

    >>> import minigrad as mg
    >>> mg.arange(9).view(3, 3).diagonal(1)
    tensor([1, 5])
    """
    x = shared(input)
    a, b = wrap_dim(dim1, x.ndim), wrap_dim(dim2, x.ndim)
    if a == b:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    y = x.diagonal(offset, a, b)
    y.flags.writeable = x.flags.writeable  # NumPy hands out diagonals read-only
    return view_of(diagonal.rule, y, input, dim1, dim2, offset, x.shape)


DIAGONAL_COPY = Rule("diagonal", onto_diagonal, node="DiagonalBackward0_copy")


@operation(lambda g, dim1, dim2, offset: diagonal(g, offset, dim1, dim2))
def diag_embed(input, offset: int = 0, dim1: int = -2, dim2: int = -1):
    """Matrices of zeros with the last dim of ``input`` on a diagonal: (…, n) gives (…, n, n).

    Args:
        offset: which diagonal, counted from the main one to the upper right; the matrices are as
            much larger.
        dim1, dim2: the dims of the result that are the rows and the columns.

    Raises:
        RuntimeError: ``dim1`` and ``dim2`` are the same.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.diag_embed.html

    >>> import minigrad as mg
    >>> mg.diag_embed(mg.tensor([1, 2]), offset=1)
    tensor([[0, 1, 0],
            [0, 0, 2],
            [0, 0, 0]])
    """
    x = raw_tensor(input, "diag_embed")
    a, b = wrap_dim(dim1, x.ndim + 1), wrap_dim(dim2, x.ndim + 1)
    if a == b:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    others, size = iter(x.shape[:-1]), x.shape[-1] + abs(offset)
    shape = tuple([size if dim in (a, b) else next(others) for dim in range(x.ndim + 1)])
    value = np.zeros(shape, x.dtype)
    diagonal(value, offset, a, b)[...] = x
    return diag_embed.rule.record(value, input, dim1=dim1, dim2=dim2, offset=offset)


@operation(DIAGONAL_COPY)
def diag(input, diagonal: int = 0):
    """A matrix with this vector on a diagonal; or, of a matrix, a copy of the diagonal.

    Args:
        diagonal: which one, counted from the main one to the upper right.

    Raises:
        RuntimeError: the tensor is neither a vector nor a matrix.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.diag.html

    >>> import minigrad as mg
    >>> mg.diag(mg.tensor([1, 2]))
    tensor([[1, 0],
            [0, 2]])
    >>> mg.diag(mg.tensor([[1, 2], [3, 4]]), 1)
    tensor([2])
    """
    x = raw_tensor(input, "diag")
    if x.ndim == 1:
        return diag_embed(input, diagonal)
    if x.ndim != 2:
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {x.ndim}D")
    return DIAGONAL_COPY.record(x.diagonal(diagonal).copy(), input, 0, 1, diagonal, x.shape)


def matrices(input, name: str) -> np.ndarray:
    """The raw value, if it has rows and columns."""
    x = raw(input)
    if x.ndim < 2:
        raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")
    return x


@operation(lambda g, diagonal: tril(g, diagonal))
def tril(input, diagonal: int = 0):
    """The elements on and below a diagonal; the others are 0.

    >>> import minigrad as mg
    >>> mg.tril(mg.ones(2, 3))
    tensor([[1., 0., 0.],
            [1., 1., 0.]])
    """
    value = np.ascontiguousarray(np.tril(matrices(input, "tril"), diagonal))
    return tril.rule.record(value, input, diagonal=diagonal)


@operation(lambda g, diagonal: triu(g, diagonal))
def triu(input, diagonal: int = 0):
    """The elements on and above a diagonal; the others are 0.

    >>> import minigrad as mg
    >>> mg.triu(mg.ones(2, 3), 1)
    tensor([[0., 1., 1.],
            [0., 0., 1.]])
    """
    value = np.ascontiguousarray(np.triu(matrices(input, "triu"), diagonal))
    return triu.rule.record(value, input, diagonal=diagonal)
