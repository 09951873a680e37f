"""Products of batches of matrices.

``matmul`` reshapes its operands until one of ``mv``, ``mm`` and ``bmm`` fits, and their nodes are
what its graph consists of.
"""

from __future__ import annotations

import math

import numpy as np

from ...autograd.around import notes
from ...autograd.warn import warn_once
from ...messages import message
from ...tensor import Tensor
from ..broadcasting import expand
from ..linalg import mm, of_matrices, product
from ..promotion import broadcast_error, dtype_name, raw, raw_tensor
from ..rule import operation
from ..shape import contiguous, reshape, squeeze, unsafe_view, unsqueeze
from ..transpose import t, transpose
from .vectors import mv, with_vectors


def matrix_transpose(input):
    """``x.mT``: the last two dims exchanged; ``RuntimeError`` for a vector."""
    ndim = raw(input).ndim
    if ndim == 1:
        raise RuntimeError(message("mt-of-a-vector"))
    if not ndim:
        warn_once(message("t-of-a-number", name="mT"))
    return transpose(input, -2, -1) if ndim else input


Tensor.mT = property(matrix_transpose)


@operation(
    lambda g, mat2: bmm(g, matrix_transpose(mat2)),
    mat2=lambda g, self: bmm(matrix_transpose(self), g),
    symbol="@",
)
def bmm(input: Tensor, mat2: Tensor):
    """Products of matrices, one for each in a batch: (b, n, m) times (b, m, p) is (b, n, p).

    Raises:
        RuntimeError: the shapes or dtypes do not fit.

    >>> import minigrad as mg
    >>> mg.bmm(mg.ones(5, 2, 3), mg.ones(5, 3, 4)).shape
    torch.Size([5, 2, 4])
    """
    x, y = raw(input), raw(mat2)
    if x.ndim != 3 or y.ndim != 3:
        raise RuntimeError(f"{'batch1' if x.ndim != 3 else 'batch2'} must be a 3D tensor")
    if (x.shape[0], x.shape[2]) != y.shape[:2]:
        told = "Expected size for first two dimensions of batch2 tensor to be: "
        told += f"[{x.shape[0]}, {x.shape[2]}] but got: [{y.shape[0]}, {y.shape[1]}]."
        raise notes.known(RuntimeError(told))
    if x.dtype is not y.dtype and x.dtype.kind != "b":
        raise RuntimeError(f"expected scalar type {dtype_name(x)} but found {dtype_name(y)}")
    return bmm.rule.record(product("bmm", x, y), input, mat2)


@operation(mm.rule)
def matmul(input, other):
    """The product of vectors, matrices or batches of them, in the last two dims; ``input @ other``.

    A vector on the left counts as a row, on the right as a column, and loses that dim again. The
    dims before the last two broadcast.

    Raises:
        RuntimeError: the shapes or dtypes do not fit.

    >>> import minigrad as mg
    >>> mg.tensor([[1.0, 2.0], [3.0, 4.0]]) @ mg.tensor([1.0, 10.0])
    tensor([21., 43.])
    >>> (mg.ones(5, 2, 3) @ mg.ones(3, 4)).shape
    torch.Size([5, 2, 4])
    """
    x = input._value if input.__class__ is Tensor else raw_tensor(input, "matmul")
    y = other._value if other.__class__ is Tensor else raw_tensor(other, "matmul", "other", 2)
    if x.ndim == y.ndim == 2:
        return of_matrices(x, y, input, other)
    if max(x.ndim, y.ndim) <= 2 or 0 in (x.ndim, y.ndim):
        return with_vectors(input, other)
    left, right = without_batch_of_one(input, other)
    return folded(left, right) if should_fold(left, right) else batched(input, other)


def without_batch_of_one(input, other) -> tuple:
    """The operands; the one whose batch has size 1 as a matrix, if the other's is larger."""

    def needed(one, many):
        alone = one.ndim == many.ndim == 3 and one.shape[0] == 1 != many.shape[0]
        return squeeze(one, 0) if alone and isinstance(one, Tensor) and one.requires_grad else one

    return needed(input, other), needed(other, input)


def should_fold(input, other) -> bool:
    """Whether the batch can become rows of one matrix, so that ``mm`` or ``mv`` does the work.

    PyTorch does so whenever the smaller operand needs a gradient, for expanding it would make a
    large temporary in backward, and otherwise where it costs no copy.
    """
    left_is_larger = input.ndim >= other.ndim
    larger, smaller = (input, other) if left_is_larger else (other, input)
    if larger.ndim < 3 or smaller.ndim > 2:
        return False
    if isinstance(smaller, Tensor) and smaller.requires_grad:
        return True
    if input.ndim == 2:
        return False
    x = raw(larger) if left_is_larger else raw(larger).swapaxes(-2, -1)
    steps = [x.strides[i] == x.strides[i + 1] * x.shape[i + 1] for i in range(x.ndim - 2)]
    return x.size == 0 or all(steps)


def folded(input, other):
    """A batch times one matrix or vector: the rows of all its matrices under each other."""
    turned = input.ndim < other.ndim  # (a @ b)ᵀ = bᵀ @ aᵀ brings the batch to the left
    if turned:
        input, other = matrix_transpose(other), t(input) if input.ndim == 2 else input
    *batch, width = input.shape
    rows = reshape(input, math.prod(batch), width)
    if other.ndim == 1:
        return unsafe_view(mv(rows, other), tuple(batch))
    result = unsafe_view(mm(rows, other), (*batch, other.shape[1]))
    return contiguous(matrix_transpose(result)) if turned else result


def batched(input, other):
    """A batch times a batch: both expanded to a common batch shape, which becomes one dim."""
    row, column = input.ndim == 1, other.ndim == 1
    if column:
        other = unsqueeze(other, 1)
    (n, m1), (m2, p) = (1, *input.shape)[-2:], other.shape[-2:]
    stacks = input.shape[:-2], other.shape[:-2]
    try:
        batch = np.broadcast_shapes(*stacks)
    except ValueError:
        raise broadcast_error(*[np.empty(stack, bool) for stack in stacks]) from None
    count = math.prod(batch)
    left = reshape(expand(input, *batch, n, m1), count, n, m1)
    right = reshape(expand(other, *batch, m2, p), count, m2, p)
    result = bmm(left, right)
    if column:
        result = squeeze(result, -1)
    return unsafe_view(result, batch + (n,) * (not row) + (p,) * (not column))
