"""Products with vectors: of two of them, and of a matrix and one."""

from __future__ import annotations

from ...messages import message
from ...tensor import Tensor
from ..linalg import mm, product
from ..promotion import dtype_name, raw
from ..rule import Rule, operation
from ..shape import reshape, unsqueeze, unsqueezed
from ..transpose import t

SQUEEZED = Rule("squeeze_", unsqueezed, node="SqueezeBackward4")  # in place, so that it is no view


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


def with_vectors(input, other):
    """``input @ other`` where one of them is a vector, and the other a vector or a matrix."""
    ndims = input.ndim, other.ndim
    if 0 in ndims:
        raise RuntimeError(message("matmul-of-numbers", x=input.ndim, y=other.ndim))
    if ndims == (1, 1):
        return dot(input, other)
    if ndims == (2, 1):
        return mv(input, other)
    row = mm(unsqueeze(input, 0), other)  # the vector counts as one; the product loses that dim
    result = SQUEEZED.record(raw(row)[0], row, dim=0, self_sym_sizes=raw(row).shape)
    if isinstance(result, Tensor):
        result._version_counter().wrote(None)
    return result
