"""Products of vectors and matrices; those of batches of matrices are in :mod:`.more.batches`."""

from __future__ import annotations

import numpy as np

from ..autograd.grad_mode import state
from ..dtypes import cpp_name
from ..messages import message
from ..tensor import Tensor
from .promotion import dtype_name, no_kernel, raw, raw_tensor
from .rule import Rule, operation
from .shape import reshape, unsqueeze, unsqueezed
from .transpose import t


def is_turned(x) -> bool:
    """Whether a matrix lies in memory column by column; its gradient then does, too."""
    down, right = x.strides
    return down == x.itemsize and right == down * len(x)


def by_right_factor(g, right, turned: bool):
    """The gradient of a left factor, which may be turned."""
    return t(right @ t(g)) if turned else g @ t(right)


def by_left_factor(g, left, turned: bool):
    """The gradient of a right factor, which may be turned."""
    return t(t(g) @ left) if turned else t(left) @ g


def product(kernel: str, x, y):
    """The raw product, without floating-point warnings; bools are not added up."""
    if x.dtype.kind == "b":
        raise no_kernel(kernel, x)
    return state.here.quiet(np.matmul, x, y)


@operation(lambda g, tensor: g * tensor, tensor=lambda g, self: g * self, symbol="·")
def dot(input: Tensor, tensor: Tensor):
    """The sum of products of two vectors of the same length and dtype: a 0-d tensor.

    Raises:
        RuntimeError: they are not vectors, or differ in length or dtype.

    >>> import minigrad as mg
    >>> mg.dot(mg.tensor([1.0, 2.0]), mg.tensor([3.0, 4.0]))
    tensor(11.)
    """
    x, y = raw(input), raw(tensor)
    if x.ndim != 1 or y.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {x.ndim}D and {y.ndim}D tensors")
    if x.dtype is not y.dtype:
        raise RuntimeError(message("dot-dtypes", x=dtype_name(x), y=dtype_name(y)))
    if x.shape != y.shape:
        raise RuntimeError(message("dot-sizes", x=x.size, y=y.size))
    return dot.rule.record(product("dot", x, y), input, tensor)


@operation(lambda g, vec: outer(g, vec), vec=lambda g, self: t(self) @ g, symbol="@")
def mv(input: Tensor, vec: Tensor):
    """A matrix (n, m) times a vector (m,): a vector (n,).

    Raises:
        RuntimeError: the shapes or dtypes do not fit.

    >>> import minigrad as mg
    >>> mg.mv(mg.tensor([[1.0, 2.0], [3.0, 4.0]]), mg.tensor([1.0, 10.0]))
    tensor([21., 43.])
    """
    x, y = raw(input), raw(vec)
    if x.ndim != 2 or y.ndim != 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got 1, {x.ndim}, {y.ndim}")
    if x.shape[1] != y.shape[0]:
        raise RuntimeError(message("mv-sizes", n=x.shape[0], m=x.shape[1], length=y.shape[0]))
    if x.dtype is not y.dtype:
        raise RuntimeError(message("mv-dtypes", x=dtype_name(x), y=dtype_name(y)))
    return mv.rule.record(product("addmv_impl_cpu", x, y), input, vec)


@operation(
    lambda g, mat2, self_turned: by_right_factor(g, mat2, self_turned),
    mat2=lambda g, self, mat2_turned: by_left_factor(g, self, mat2_turned),
    symbol="@",
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
    (n, m1), (m2, p) = x.shape, y.shape
    if m1 != m2:
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({n}x{m1} and {m2}x{p})")
    if x.dtype is not y.dtype:
        raise RuntimeError(message("mm-dtypes", x=cpp_name(x.dtype), y=cpp_name(y.dtype)))
    return mm.rule.record(product("addmm_impl_cpu_", x, y), input, mat2, is_turned(x), is_turned(y))


@operation()
def outer(input: Tensor, vec2: Tensor):
    """All products of an element of one vector and one of another: (n,) and (m,) give (n, m).

    >>> import minigrad as mg
    >>> mg.outer(mg.tensor([1.0, 2.0]), mg.tensor([3.0, 4.0]))
    tensor([[3., 4.],
            [6., 8.]])
    """
    for vector, name in ((input, "self"), (vec2, "vec2")):
        if vector.ndim != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {vector.ndim}-D")
    return reshape(input, -1, 1) * vec2


# -- matmul ----------------------------------------------------------------------------------------


SQUEEZED = Rule("squeeze_", unsqueezed, node="SqueezeBackward4")  # in place, so that it is no view


@operation(mm.rule)
def matmul(input, other):
    """``input @ other`` of vectors and matrices, by the one of the products above that fits."""
    x, y = raw_tensor(input, "matmul"), raw_tensor(other, "matmul", "other", 2)
    ndims = x.ndim, y.ndim
    if 0 in ndims:
        raise RuntimeError(message("matmul-of-numbers", x=x.ndim, y=y.ndim))
    if ndims == (1, 1):
        return dot(input, other)
    if ndims == (2, 1):
        return mv(input, other)
    if ndims == (1, 2):  # the vector counts as a row, and the product loses that dim again
        row = mm(unsqueeze(input, 0), other)
        result = SQUEEZED.record(raw(row)[0], row, dim=0, self_sym_sizes=raw(row).shape)
        if isinstance(result, Tensor):
            result._version_counter().wrote(None)
        return result
    return mm(input, other)
