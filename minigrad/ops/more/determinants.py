"""Determinants, whose gradients are the cofactors."""

from __future__ import annotations

import numpy as np

from ...tensor import Tensor
from ..arithmetic import mul
from ..broadcasting import expand
from ..promotion import raw
from ..rule import Rule, operation
from ..shape import unsqueeze
from .batches import matrix_transpose
from .diagonals import diag_embed
from .systems import pivots_of, refuse_half, solve, square


def det_gradient(g, A, result):
    """``g × det A × A⁻ᵀ``, the cofactors; where there is no such inverse, from the minors.

    PyTorch's plain pass answers 0 there. Its recorded one computes differently where the
    determinant is almost 0, too, since only then its derivatives are accurate; so does this.
    """
    x, recorded = raw(A), isinstance(g, Tensor)
    close = 100 * np.finfo(x.dtype).eps if recorded else 0
    if (np.abs(raw(result)) <= close).any():
        return unsqueeze(unsqueeze(g, -1), -1) * cofactors(A)
    scaled = expand(unsqueeze(g * result, -1), x.shape[:-1])
    return solve(matrix_transpose(A), diag_embed(scaled))


def cofactors(A):
    """For each element the determinant of what its row and column leave, with its sign."""
    x, size = raw(A), A.shape[-1]
    others = np.array([[k for k in range(size) if k != i] for i in range(size)], np.int64)
    others = others.reshape(size, size - 1)
    minors = A[..., others[:, None, :, None], others[None, :, None, :]]
    sign = (-1.0) ** np.arange(size)
    return mul(det(minors), np.outer(sign, sign).astype(x.dtype))


@operation(Rule("det", node="LinalgDetBackward0", A=det_gradient))
def det(input: Tensor):
    """The determinant of a square matrix, or of each in a batch: (…, n, n) gives (…).

    Raises:
        RuntimeError: the matrices are not square, or not of float32 or float64.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.linalg.det.html

    >>> import minigrad as mg
    >>> A = mg.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    >>> mg.det(A)
    tensor(-2., grad_fn=<LinalgDetBackward0>)
    """
    x = square(input, "det")
    refuse_half("lu_cpu", x)
    pivots, sign = pivots_of(x)
    return det.rule.record((pivots.prod(-1) * sign)[()], input)


def linalg_det(A: Tensor):
    """The determinant of a square matrix, or of each in a batch: :func:`minigrad.det`.

    >>> import minigrad as mg
    >>> mg.linalg.det(mg.tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor(-2.)
    """
    return det(A)
