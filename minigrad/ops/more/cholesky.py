"""The factor of Cholesky, a root of a positive-definite matrix."""

from __future__ import annotations

import numpy as np

from ...tensor import Tensor
from ..rule import Rule
from .batches import matrix_transpose
from .diagonals import diag_embed, diagonal, tril
from .systems import LinAlgError, by_columns, keeping, refuse_half, solve, square


def cholesky_gradient(g, upper: bool, result):
    """``L⁻ᵀ Φ(Lᵀ g) L⁻¹``, made symmetric: Φ is the lower triangle with half of the diagonal.

    Source: ``cholesky_backward`` in PyTorch's ``FunctionsManual.cpp``; Murray (2016),
    https://arxiv.org/abs/1602.07527.
    """
    L, g = map(matrix_transpose, (result, g)) if upper else (result, g)
    inner = tril(matrix_transpose(L) @ g)
    inner = inner - diag_embed(diagonal(inner, 0, -2, -1)) / 2
    both = solve(L, solve(matrix_transpose(L), inner), left=False)
    return (both + matrix_transpose(both)) / 2


CHOLESKY = Rule(
    "cholesky", cholesky_gradient, node="LinalgCholeskyExBackward0", kind=keeping("L"), symbol="√"
)


def cholesky(input: Tensor, *, upper: bool = False):
    """The lower triangular ``L`` with ``L @ L.mT`` equal to a matrix, or to each in a batch.

    Args:
        input: symmetric positive-definite matrices, (…, n, n); one triangle is read, the lower
            one unless ``upper``.
        upper: answer with the upper triangular ``L.mT``.

    Raises:
        LinAlgError: a matrix is not positive-definite.
        RuntimeError: the matrices are not square, or not of float32 or float64.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.linalg.cholesky.html

    >>> import minigrad as mg
    >>> mg.linalg.cholesky(mg.tensor([[4.0, 2.0], [2.0, 10.0]]))
    tensor([[2., 0.],
            [1., 3.]])
    """
    x = square(input, "cholesky")
    refuse_half("cholesky_cpu", x)
    read = x.swapaxes(-2, -1) if upper else x
    try:
        value = np.linalg.cholesky(read)
    except np.linalg.LinAlgError:
        raise not_positive(read) from None
    return CHOLESKY.record(by_columns(value.swapaxes(-2, -1) if upper else value), input, upper)


def not_positive(x: np.ndarray) -> LinAlgError:
    """The error for matrices of which one is not positive-definite; it names the first."""
    size = x.shape[-1]
    minors = [(i, k) for i in range(x.size // size**2) for k in range(1, size + 1)]
    which, order = next(
        (i, k) for i, k in minors if not has_root(x.reshape(-1, size, size)[i, :k, :k])
    )
    element = f"(Batch element {which}): " if x.ndim > 2 else ""
    return LinAlgError(
        f"linalg.cholesky: {element}The factorization could not be completed because the input is "
        f"not positive-definite (the leading minor of order {order} is not positive-definite)."
    )


def has_root(matrix: np.ndarray) -> bool:
    """Whether a matrix is positive-definite."""
    try:
        np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return False
    return True
