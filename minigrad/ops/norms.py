"""The length of a vector, by any order."""

from __future__ import annotations

import math

import numpy as np

from . import casting
from .dims import wrap_dim
from .kernels import dtype_name
from .kinks import abs, sgn, where
from .operands import raw
from .reduction import along, as_tuple, raw_value, sum, with_dims
from .rule import Rule, publish


def norm_gradient(g, self, ord, result, dim, keepdim):
    """The gradient of the norm of this order; 0 where the norm is 0, whatever the order.

    Source: ``norm_backward`` in PyTorch's ``FunctionsManual.cpp``, case by case.
    """
    x, order = self, ord
    if order == 0:
        return None  # a count is flat, and has no gradient to send
    g = with_dims(g, x.shape, dim, keepdim)
    length = with_dims(result, x.shape, dim, keepdim)
    if order == 1:
        return sgn(x) * g
    if order == 2:
        return g * where(length == 0, 0.0, x / length)
    if math.isinf(order):
        reached = casting.cast((abs(x) == length) | (x != x), raw(g).dtype)
        return sgn(x) * (g / sum(reached, as_tuple(dim), True) * reached)
    if order < 1:
        return where(x == 0, 0.0, sgn(x) * abs(x) ** (order - 1)) * g * length ** (1 - order)
    power = x * abs(x) ** (order - 2) if order > 2 else sgn(x) * abs(x) ** (order - 1)
    return power * where(length == 0, 0.0, g / length ** (order - 1))


# fmt: off
NORM = Rule("norm", "LinalgVectorNormBackward0", {"self": norm_gradient},
            arguments=("ord", "dim", "keepdim"), symbol="‖·‖")
# fmt: on


def norm(input, p="fro", dim=None, keepdim: bool = False, dtype=None):
    """The norm of all elements taken as one vector, or of the vectors along ``dim``.

    Args:
        p: the order: ``"fro"`` or 2 for the length, 1 for the sum of the absolute values, ``inf``
            and ``-inf`` for the largest and the smallest of them, 0 for the number of elements that
            are not 0, any other p for (Σ|x|ᵖ)^(1/p).
        dim: a dim or several; None for all.
        keepdim: keep the reduced dims with size 1.
        dtype: convert to this floating dtype first.

    Raises:
        RuntimeError: the elements are not floating point numbers; or a norm of nothing is asked
            for that does not exist.
        NotImplementedError: the nuclear norm.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.norm.html

    >>> import minigrad as mg
    >>> x = mg.tensor([3.0, -4.0], requires_grad=True)
    >>> length = mg.norm(x)
    >>> length.backward()
    >>> length.item(), x.grad
    (5.0, tensor([ 0.6000, -0.8000]))
    """
    order = order_of(p)
    x = raw_value(input, "norm")
    if x.dtype.kind != "f":
        raise RuntimeError(
            "linalg.vector_norm: Expected a floating point or complex tensor as input. "
            f"Got {dtype_name(x)}"
        )
    if order < 0 or order == math.inf:
        check_not_empty(x, dim, order)
    if dtype is not None:
        input = casting.cast(input, dtype.numpy)
    return along(NORM, lambda x, **how: vector_norm(x, order, how), input, dim, keepdim, ord=order)


def order_of(p) -> float:
    """The order of a norm given by number or by name."""
    if p is None:
        return 2.0
    if p == "fro":
        return 2
    if p == "nuc":
        raise NotImplementedError("norm(): minigrad has no singular values, so no nuclear norm")
    if isinstance(p, str):
        raise RuntimeError(f"linalg.matrix_norm: Order {p} not supported.")
    return p


def check_not_empty(x, dim, order: float) -> None:
    """Refuse the smallest or largest of nothing."""
    empty = [d for d in as_tuple(dim) or () if x.ndim and not x.shape[wrap_dim(d, x.ndim)]]
    if empty:
        nothing = f"the dimension {empty[0]}because this dimension is empty and the"
    elif dim is None and not x.size:
        nothing = "an empty tensor because the"
    else:
        return
    raise RuntimeError(
        f"linalg.vector_norm cannot compute the {order} norm on {nothing} operation does not have "
        "an identity"
    )


def vector_norm(x, order: float, how: dict):
    """The norm of raw values, reduced how ``axis`` and ``keepdims`` say."""
    size = np.abs(x)
    if order == 0:
        return np.not_equal(x, 0).sum(dtype=x.dtype, **how)
    if order == 1:
        return size.sum(**how)
    if order == 2:
        return np.sqrt(np.square(size).sum(**how))
    if math.isinf(order):
        return size.max(**how) if order > 0 else size.min(**how)
    return (size**order).sum(**how) ** (1 / order)


publish(norm, "norm", NORM)
