"""Parts of matrices that begin or end at a diagonal."""

from __future__ import annotations

import numpy as np

from ..dims import wrap_dim
from ..promotion import raw
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
