"""The product of two matrices.

That of vectors and of batches, and ``@``, which chooses among them, are in :mod:`.more.batches`.
"""

from __future__ import annotations

import numpy as np
from numpy import ndarray

from ..autograd.around import notes
from ..autograd.thread_state import state
from ..dtypes import cpp_name
from ..messages import message
from ..tensor import Tensor
from .promotion import no_kernel, raw
from .rule import operation
from .transpose import t


def is_turned(x) -> bool:
    """Whether a matrix lies in memory column by column; its gradient then does, too."""
    down, right = x.strides
    return down == x.itemsize and right == down * len(x)


def by_right_factor(g, right, turned: bool):
    """The gradient of a left factor, which may be turned."""
    return t(times(right, t(g))) if turned else times(g, t(right))


def by_left_factor(g, left, turned: bool):
    """The gradient of a right factor, which may be turned."""
    return t(times(t(g), left)) if turned else times(t(left), g)


def times(x, y):
    """The product of two matrices in a formula; of raw ones by ``dot``: it begins sooner."""
    return x.dot(y) if x.__class__ is ndarray else x @ y


def product(kernel: str, x, y, compute=np.matmul):
    """The raw product, without floating-point warnings; bools are not added up."""
    if x.dtype.kind == "b":
        raise no_kernel(kernel, x)
    return state.here.quiet(compute, x, y)


@operation(
    lambda g, mat2, self_turned: by_right_factor(g, mat2, self_turned),
    mat2=lambda g, self, mat2_turned: by_left_factor(g, self, mat2_turned),
    symbol="@",
    keeps_dtype=True,
)
def mm(input: Tensor, mat2: Tensor):
    """The product of two matrices: (n, m) times (m, p) is (n, p).

    Raises:
        RuntimeError: the shapes or dtypes do not fit.

    >>> import minigrad as mg
    >>> mg.mm(mg.tensor([[1.0, 2.0]]), mg.tensor([[3.0], [4.0]]))
    tensor([[11.]])
    """
    x, y = raw(input), raw(mat2)
    if x.ndim != 2 or y.ndim != 2:
        raise RuntimeError(f"{'self' if x.ndim != 2 else 'mat2'} must be a matrix")
    return of_matrices(x, y, input, mat2)


def of_matrices(x, y, input, mat2):
    """The product of two operands, whose raw values are matrices."""
    (n, m1), (m2, p) = x.shape, y.shape
    if m1 != m2:
        raise notes.known(RuntimeError(message("mm-sizes", n=n, m1=m1, m2=m2, p=p)))
    if x.dtype is not y.dtype:
        told = message("mm-dtypes", x=cpp_name(x.dtype), y=cpp_name(y.dtype))
        raise notes.known(RuntimeError(told))
    value = product("addmm_impl_cpu_", x, y, ndarray.dot)
    return mm.rule.record(value, input, mat2, is_turned(x), is_turned(y))
