"""Parts of matrices that begin or end at a diagonal."""

from __future__ import annotations

import numpy as np

from .dims import wrap_dim
from .rule import Rule, publish, raw
from .shape import shared, view_of

DIAGONAL = Rule(
    "diagonal",
    "DiagonalBackward0",
    {
        "self": lambda g, self_sym_sizes, offset, dim1, dim2: onto_diagonal(
            g, self_sym_sizes, offset, dim1, dim2
        )
    },
    arguments=("dim1", "dim2", "offset", "self_sym_sizes"),
)
ONTO_DIAGONAL = Rule(
    "onto_diagonal",
    "DiagonalBackwardBackward0",
    {"g": lambda g, offset, dim1, dim2: diagonal(g, offset, dim1, dim2)},
    arguments=("dim1", "dim2", "offset"),
)
TRIL = Rule(
    "tril",
    "TrilBackward0",
    {"self": lambda g, diagonal: tril(g, diagonal)},
    arguments=("diagonal",),
)
TRIU = Rule(
    "triu",
    "TriuBackward0",
    {"self": lambda g, diagonal: triu(g, diagonal)},
    arguments=("diagonal",),
)


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
    y = diagonal_view(x, offset, dim1, dim2)
    return view_of(DIAGONAL, y, input, dim1, dim2, offset, x.shape)


def diagonal_view(x: np.ndarray, offset: int, dim1: int, dim2: int) -> np.ndarray:
    """The raw view, as writable as ``x`` is."""
    a, b = wrap_dim(dim1, x.ndim), wrap_dim(dim2, x.ndim)
    if a == b:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    y = x.diagonal(offset, a, b)
    y.flags.writeable = x.flags.writeable  # NumPy hands out diagonals read-only
    return y


def onto_diagonal(g, shape: tuple, offset: int, dim1: int, dim2: int):
    """Zeros of this shape with ``g`` on a diagonal: the adjoint of :func:`diagonal`."""
    zeros = np.zeros(shape, raw(g).dtype)
    diagonal_view(zeros, offset, dim1, dim2)[...] = raw(g)
    return ONTO_DIAGONAL.record(zeros, g, offset=offset, dim1=dim1, dim2=dim2)


def matrices(input, name: str) -> np.ndarray:
    """The raw value, if it has rows and columns."""
    x = raw(input)
    if x.ndim < 2:
        raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")
    return x


def tril(input, diagonal: int = 0):
    """The elements on and below a diagonal; the others are 0.

    >>> import minigrad as mg
    >>> mg.tril(mg.ones(2, 3))
    tensor([[1., 0., 0.],
            [1., 1., 0.]])
    """
    value = np.tril(matrices(input, "tril"), diagonal)
    return TRIL.record(value, input, diagonal=diagonal)


def triu(input, diagonal: int = 0):
    """The elements on and above a diagonal; the others are 0.

    >>> import minigrad as mg
    >>> mg.triu(mg.ones(2, 3), 1)
    tensor([[0., 1., 1.],
            [0., 0., 1.]])
    """
    value = np.triu(matrices(input, "triu"), diagonal)
    return TRIU.record(value, input, diagonal=diagonal)


publish(diagonal, "diagonal", DIAGONAL)
publish(tril, "tril", TRIL)
publish(triu, "triu", TRIU)
