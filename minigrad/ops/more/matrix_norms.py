"""The norms of ``linalg``: of vectors, of matrices, and of either by the number of dims."""

from __future__ import annotations

import math

import numpy as np

from ...dtypes import numpy_dtype
from ...tensor import Tensor
from ..broadcasting import as_tuple
from ..dims import wrap_dim
from ..promotion import plain_number, raw
from .minmax import amax, amin
from .systems import matrices
from .var_norm import floating, length, norm_dtype


def vector_norm(input: Tensor, ord=2, dim=None, keepdim: bool = False, *, dtype=None):
    """The norm of all elements taken as one vector, or of the vectors along ``dim``.

    Args:
        ord: the order, a number: 2 for the length, 1 for the sum of the absolute values, ``inf``
            and ``-inf`` for the largest and the smallest of them, 0 for the number of elements that
            are not 0, any other p for (Σ|x|ᵖ)^(1/p).
        dim: a dim or several; None for all.
        keepdim: keep the reduced dims with size 1.
        dtype: compute in this floating dtype, which holds that of the elements.

    Raises:
        RuntimeError: the elements are not floating point numbers, or do not fit ``dtype``; or a
            norm of nothing is asked for that does not exist.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.linalg.vector_norm.html

    >>> import minigrad as mg
    >>> mg.linalg.vector_norm(mg.tensor([[3.0, 4.0], [-5.0, 12.0]]), dim=1)
    tensor([ 5., 13.])
    """
    order = plain_number(ord, "linalg_vector_norm", "ord", 2)
    return length(input, order, dim, keepdim, dtype_for(input, dtype, "vector_norm"))


def matrix_norm(input: Tensor, ord="fro", dim=(-2, -1), keepdim: bool = False, *, dtype=None):
    """The norm of a matrix, or of each in a batch.

    Args:
        ord: "fro" for the root of the sum of all squares, 1 and -1 for the largest and the smallest
            sum of absolute values in a column, ``inf`` and ``-inf`` for those in a row.
        dim: the two dims that are rows and columns.
        keepdim: keep them with size 1.
        dtype: compute in this floating dtype, which holds that of the elements.

    Raises:
        RuntimeError: there are no two dims, no such order, or no floating point numbers.
        NotImplementedError: the orders 2, -2 and "nuc", which need singular values.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.linalg.matrix_norm.html

    >>> import minigrad as mg
    >>> mg.linalg.matrix_norm(mg.tensor([[1.0, -2.0], [3.0, 4.0]]), 1)
    tensor(6.)
    """
    if ord not in ("fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf):
        raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
    ndim, named = matrices(input, "matrix_norm").ndim, as_tuple(dim)
    if len(named) != 2:
        got = " ".join(map(str, named))
        raise RuntimeError(f"linalg.matrix_norm: dim must be a 2-tuple. Got {got}")
    summed, compared = (wrap_dim(each, ndim) for each in named)
    if summed == compared:
        told = f"dims must be different. Got ({summed}, {compared})"
        raise RuntimeError(f"linalg.matrix_norm: {told}")
    dtype = dtype_for(input, dtype, "matrix_norm")
    if ord == "fro":
        return length(input, 2, (summed, compared), keepdim, dtype)
    if ord in ("nuc", 2, -2):
        told = "minigrad has no singular values, so no norms of the orders 2, -2 and 'nuc'"
        raise NotImplementedError(f"linalg.matrix_norm: {told}")
    if math.isinf(ord):
        summed, compared = compared, summed
    extreme = amax if ord > 0 else amin
    sums = length(input, 1.0, (summed,), keepdim, dtype)
    return extreme(sums, compared - (not keepdim and summed < compared), keepdim)


def norm(input: Tensor, ord=None, dim=None, keepdim: bool = False, *, dtype=None):
    """The norm of a vector or of a matrix.

    Args:
        ord: None for the root of the sum of all squares, whatever the dims; else the order, as
            :func:`vector_norm` and :func:`matrix_norm` know it.
        dim: one dim for vectors, two for matrices; None where the tensor itself is one of them.
        keepdim: keep the reduced dims with size 1.
        dtype: compute in this floating dtype, which holds that of the elements.

    Raises:
        RuntimeError: the number of dims does not fit, or what the two others raise.
        NotImplementedError: the orders 2, -2 and "nuc" of a matrix, which need singular values.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.linalg.norm.html

    >>> import minigrad as mg
    >>> mg.linalg.norm(mg.tensor([3.0, -4.0])), mg.linalg.norm(mg.eye(2), "fro")
    (tensor(5.), tensor(1.4142))
    """
    ndim, named = raw(input).ndim, as_tuple(dim)
    if named is not None and not isinstance(ord, str) and len(named) not in (1, 2):
        told = f"If dim is specified, it must be of length 1 or 2. Got {list(named)}"
        raise RuntimeError(f"linalg.norm: {told}")
    if named is None and ord is not None and ndim not in (1, 2):
        told = "If dim is not specified but ord is, the input must be 1D or 2D"
        raise RuntimeError(f"linalg.norm: {told}. Got {ndim}D.")
    dims = ndim if named is None else len(named)
    if isinstance(ord, str) or ord is not None and dims == 2:
        return matrix_norm(input, ord, named or (0, 1), keepdim, dtype=dtype)
    return vector_norm(input, 2.0 if ord is None else ord, dim, keepdim, dtype=dtype)


def dtype_for(input, dtype, name: str) -> np.dtype:
    """The dtype to compute the norm of floating point numbers in."""
    x = floating(raw(input), name)
    return x.dtype if dtype is None else norm_dtype(x, numpy_dtype(dtype), name)
