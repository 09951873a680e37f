"""Systems of linear equations: their solutions, and the inverses of matrices."""

from __future__ import annotations

import math

import numpy as np

from ...autograd.thread_state import state
from ...tensor import Tensor
from ..promotion import broadcast_error, dtype_name, raw, refuse
from ..rule import Rule, RuleNode, operation
from ..shape import unsqueeze
from .batches import matrix_transpose
from .var_norm import floating


class LinAlgError(RuntimeError):
    """A matrix has not the property that was asked for: it is singular, or not positive-definite.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.linalg.LinAlgError.html
    """


LinAlgError.__name__ = LinAlgError.__qualname__ = "_LinAlgError"  # as readers see it in tracebacks
LinAlgError.__module__ = "torch._C"


def keeping(name: str) -> type[RuleNode]:
    """The kind of nodes that keep their result, and show it under this name, as PyTorch does."""
    members = {"__slots__": (), "saved_names": lambda node: (name,)}
    members |= {f"_saved_{name}": property(lambda node: node._saved_result)}
    members |= {f"_raw_saved_{name}": property(lambda node: node._raw_saved_result)}
    return type("RuleNode", (RuleNode,), members)


# -- what is asked of matrices ---------------------------------------------------------------------


def matrices(value, name: str, argument: str = "A"):
    """The raw value, if it has rows and columns.

    Raises:
        RuntimeError: it is a vector or a number.
    """
    x = raw(value)
    if x.ndim < 2:
        wanted = f"The input tensor {argument} must have at least 2 dimensions."
        raise RuntimeError(f"linalg.{name}: {wanted}")
    return x


def square(value, name: str):
    """The raw value, if it is a floating point matrix with as many rows as columns, or several."""
    x = matrices(value, name)
    rows, columns = x.shape[-2:]
    if rows != columns:
        told = f"A must be batches of square matrices, but they are {rows} by {columns} matrices"
        raise RuntimeError(f"linalg.{name}: {told}")
    return floating(x, name)


def refuse_half(kernel: str, x) -> None:
    """Refuse float16, for which PyTorch has no such kernel either."""
    if x.dtype == np.float16:
        refuse("f", kernel, x)


def by_columns(x):
    """A raw value whose matrices lie in memory column by column, as LAPACK leaves them."""
    return np.ascontiguousarray(x.swapaxes(-2, -1)).swapaxes(-2, -1) if x.ndim > 1 else x


# -- elimination -----------------------------------------------------------------------------------


def pivots_of(matrices: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What Gaussian elimination divides by, column after column; and the sign of its exchanges.

    In each column it takes the largest element that is left. As in PyTorch it is the transpose
    that is eliminated, for which the determinant is the same.

    >>> pivots_of(np.array([[1.0, 2.0], [3.0, 4.0]]))
    (array([2., 1.]), array(-1.))
    """
    *batch, size, _ = matrices.shape
    rest = matrices.swapaxes(-2, -1).reshape(math.prod(batch), size, size).copy()
    each, sign = np.arange(len(rest)), np.ones(len(rest), rest.dtype)
    for k in range(size):
        best = k + np.abs(rest[:, k:, k]).argmax(1)
        sign[best != k] *= -1
        rest[each, k], rest[each, best] = rest[each, best], rest[each, k]
        pivot = rest[:, k, k, None]
        factors = rest[:, k + 1 :, k] * (1 / np.where(pivot == 0, 1, pivot))
        rest[:, k + 1 :, k:] -= factors[:, :, None] * rest[:, k, None, k:]
    return rest.diagonal(0, 1, 2).reshape(*batch, size), sign.reshape(batch)


def singular(x: np.ndarray, told: str) -> LinAlgError:
    """The error for matrices of which one cannot be inverted; ``told`` may name its pivot."""
    pivots = np.abs(pivots_of(x.swapaxes(-2, -1))[0]).reshape(-1, x.shape[-1])
    which = int(pivots.min(1).argmin())
    name, _, why = told.partition(": ")
    element = f"(Batch element {which}): " if x.ndim > 2 else ""
    return LinAlgError(f"{name}: {element}{why.format(pivot=pivots[which].argmin() + 1)}")


# -- inverses --------------------------------------------------------------------------------------


def inverse_gradient(g, result):
    """The gradient of an inverse: ``−A⁻ᵀ g A⁻ᵀ``."""
    turned = matrix_transpose(result)
    return -(turned @ (g @ turned))


INVERSE = Rule(
    "inverse", node="LinalgInvExBackward0", kind=keeping("inverse"), symbol="⁻¹", A=inverse_gradient
)
CANNOT_INVERT = (
    "linalg.inv: The diagonal element {pivot} is zero, the inversion could not be completed "
    "because the input matrix is singular."
)


def inv(A: Tensor):
    """The inverse of a square matrix, or of each in a batch: (…, n, n).

    Where the inverse is multiplied by something, :func:`solve` is faster and more accurate.

    Raises:
        LinAlgError: a matrix is singular.
        RuntimeError: the matrices are not square, or not of float32 or float64.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.linalg.inv.html

    >>> import minigrad as mg
    >>> mg.linalg.inv(mg.tensor([[2.0, 0.0], [0.0, 4.0]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """
    x = square(A, "inv")
    if x.dtype == np.float16:
        raise RuntimeError("linalg.inv: Low precision dtypes not supported. Got Half")
    try:
        value = state.here.quiet(np.linalg.inv, x)
    except np.linalg.LinAlgError:
        raise singular(x, CANNOT_INVERT) from None
    return INVERSE.record(by_columns(value), A)


@operation(INVERSE)
def inverse(input: Tensor):
    """The inverse of a square matrix, or of each in a batch: :func:`minigrad.linalg.inv`.

    >>> import minigrad as mg
    >>> mg.inverse(mg.tensor([[2.0, 0.0], [0.0, 4.0]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """
    return inv(input)


# -- solutions -------------------------------------------------------------------------------------


def is_vectors(A, B) -> bool:
    """Whether the right side is one vector, or one for each matrix, and no matrix."""
    x, y = raw(A), raw(B)
    return y.ndim == 1 or y.shape == x.shape[:-1]


def right_gradient(g, A, left: bool):
    """The gradient of the right side: the solution of the transposed system."""
    return solve(matrix_transpose(A), g, left=left)


def matrix_gradient(g, A, left: bool, result):
    """The gradient of the matrix: minus that of the right side, times the solution, as a matrix."""
    g, x = right_gradient(g, A, left), result
    if is_vectors(A, x):
        g, x = unsqueeze(g, -1), unsqueeze(x, -1)
    return -(g @ matrix_transpose(x)) if left else -(matrix_transpose(x) @ g)


SOLVE = Rule(
    "solve", node="LinalgSolveExBackward0", broadcasts=True, A=matrix_gradient, B=right_gradient
)
CANNOT_SOLVE = "torch.linalg.solve: The solver failed because the input matrix is singular."


def solve(A: Tensor, B: Tensor, *, left: bool = True):
    """The ``X`` for which ``A @ X = B``, or with ``left=False`` ``X @ A = B``.

    Args:
        A: a square matrix, or a batch of them: (…, n, n).
        B: the right side: a vector (n,), a vector for each matrix, or matrices (…, n, k), whose
            batch is broadcast; with ``left=False`` (…, k, n).
        left: whether ``A`` stands on the left.

    Raises:
        LinAlgError: a matrix is singular.
        RuntimeError: the shapes or dtypes do not fit.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.linalg.solve.html

    >>> import minigrad as mg
    >>> A = mg.tensor([[2.0, 0.0], [0.0, 4.0]], requires_grad=True)
    >>> mg.linalg.solve(A, mg.tensor([2.0, 2.0]))
    tensor([1.0000, 0.5000], grad_fn=<LinalgSolveExBackward0>)
    """
    x, y = raw(A), raw(B)
    floating(x, "solve")
    if x.dtype is not y.dtype:
        found = f"A of type {dtype_name(x)} and B of type {dtype_name(y)} instead"
        told = f"Expected A and B to have the same dtype, but found {found}"
        raise RuntimeError(f"linalg.solve: {told}")
    vectors = is_vectors(x, y)
    square(x, "solve")
    y = matrices(y[..., None] if vectors else y, "solve", "B")
    if y.shape[-2 if left else -1] != x.shape[-1]:
        equation = "AX = B" if left else "XA = B"
        sizes = " and ".join("{}x{}".format(*each.shape[-2:]) for each in (x, y))
        told = f"Incompatible shapes of A and B for the equation {equation} ({sizes})"
        raise RuntimeError(f"linalg.solve: {told}")
    refuse_half("lu_cpu", x)
    value = solved(x, y) if left else solved(x.swapaxes(-2, -1), y.swapaxes(-2, -1))
    value = value[..., 0] if vectors else value
    value = by_columns(value) if left else by_columns(value).swapaxes(-2, -1)
    return SOLVE.record(value, A, B, left=left)


def solved(x, y):
    """The solution for raw matrices; their batches are broadcast."""
    stacks = x.shape[:-2], y.shape[:-2]
    try:
        np.broadcast_shapes(*stacks)
    except ValueError:
        raise broadcast_error(*[np.empty(stack, bool) for stack in stacks]) from None
    try:
        return state.here.quiet(np.linalg.solve, x, y)
    except np.linalg.LinAlgError:
        raise singular(x, CANNOT_SOLVE) from None
