"""How far numbers lie from their mean (variance, standard deviation), or from 0 (norms)."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ...autograd.warn import warn
from ...dtypes import name_of, numpy_dtype
from .. import broadcasting
from ..arithmetic import times_number
from ..broadcasting import as_tuple, reduced, sum, with_dims
from ..dims import dims_of, wrap_dim
from ..piecewise import abs, sgn, where
from ..promotion import dtype_name, plain_number, raw, raw_tensor
from ..reductions import along, mean, reduced_count
from ..rule import Rule, operation

# -- variance and standard deviation ---------------------------------------------------------------


def degrees_of_freedom(shape: tuple, dim, correction: float | None) -> float:
    """How many elements there are, less the correction: 1 by default, which goes into the mean."""
    return reduced_count(shape, dim) - (1 if correction is None else correction)


def var_gradient(g, self, dim, correction, keepdim):
    """The gradient of the variance: 2 (x − mean) / (n − correction).

    Source: ``var_backward`` in PyTorch's ``FunctionsManual.cpp``.
    """
    freedom = degrees_of_freedom(self.shape, dim, correction)
    if dim is None or not self.shape:
        if freedom <= 0:
            return where(self == mean(self), g * math.nan, g * math.inf)
        return times_number(g, 2.0 / freedom) * (self - mean(self))
    scale = float(np.float64(2.0) / freedom)  # inf where nothing is free
    g = with_dims(g, self.shape, dim, keepdim)
    return times_number(g, scale) * (self - mean(self, as_tuple(dim), True))


def std_gradient(g, self, dim, correction, keepdim, result):
    """The gradient of the standard deviation: through the variance; 0 where it is 0."""
    through_root = where(result == 0, 0.0, g / times_number(result, 2))
    return var_gradient(through_root, self, dim, correction, keepdim)


@operation(var_gradient)
def var(input, dim=None, unbiased: bool | None = None, keepdim: bool = False, *, correction=None):
    """The variance of all elements, or over ``dim``.

    Args:
        dim: a dim or several; None for all. A bool in this place is ``unbiased``.
        unbiased: divide by n − 1 (True, the default) or by n (False).
        keepdim: keep the reduced dims with size 1.
        correction: divide by n − correction instead.

    Warns:
        UserWarning: n − correction is not positive; the result is then nan or inf.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.var.html

    >>> import minigrad as mg
    >>> mg.var(mg.tensor([1.0, 2.0, 6.0])), mg.var(mg.tensor([1.0, 3.0]), unbiased=False)
    (tensor(7.), tensor(1.))
    """
    return spread(var.rule, input, dim, unbiased, keepdim, correction)


@operation(std_gradient)
def std(input, dim=None, unbiased: bool | None = None, keepdim: bool = False, *, correction=None):
    """The standard deviation, the root of the variance; the arguments are those of :func:`var`.

    >>> import minigrad as mg
    >>> mg.std(mg.tensor([[1.0, 2.0], [3.0, 6.0]]), 0, correction=0)
    tensor([1., 2.])
    """
    return spread(std.rule, input, dim, unbiased, keepdim, correction)


def spread(rule: Rule, input, dim, unbiased, keepdim, correction):
    """The variance or standard deviation, recorded with this rule."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if unbiased is not None and correction is not None:
        both = "unbiased and correction say the same thing, so give one of them"
        raise TypeError(f"{rule.name}() received an invalid combination of arguments: {both}")
    x = raw_tensor(input, rule.name)
    if x.dtype.kind != "f":
        raise RuntimeError("std and var only support floating point and complex dtypes")
    if correction is None and (dim is not None or unbiased is not None):
        correction = int(unbiased is None or unbiased)
    freedom = degrees_of_freedom(x.shape, dim, correction)
    if freedom <= 0:
        warn(
            f"{rule.name}(): degrees of freedom is <= 0. Correction should be strictly less than "
            "the reduction factor (input numel divided by output numel)."
        )
    root = np.sqrt if rule is std.rule else np.positive
    value = reduced(variance, x, dims_of(dim, x.ndim), max(freedom, 0), keepdim, root)
    named = {"dim": as_tuple(dim), "correction": correction, "keepdim": keepdim}
    return rule.record(value, input, **named)


def variance(narrow, dims: tuple, freedom: float, keepdim: bool, root: Callable):
    """The squared distances from the mean, added up over ``dims``, over ``freedom``; or their root.

    It is computed in float64, as in PyTorch. The mean of equal elements is what they are: their sum
    may have been rounded.
    """
    x, count = narrow.astype(np.float64), reduced_count(narrow.shape, dims)
    first = x[tuple([slice(1) if dim in dims else slice(None) for dim in range(x.ndim)])]
    equal = (x == first).all(axis=dims, keepdims=True)
    centred = x - np.where(equal, first, x.sum(axis=dims, keepdims=True) / count)
    value = np.square(centred).sum(axis=dims, keepdims=keepdim) / freedom
    return root(value).astype(narrow.dtype)


# -- norms -----------------------------------------------------------------------------------------


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
        reached = broadcasting.cast((abs(x) == length) | (x != x), raw(g).dtype)
        return sgn(x) * (g / sum(reached, as_tuple(dim), True) * reached)
    if order < 1:
        return where(x == 0, 0.0, sgn(x) * abs(x) ** (order - 1)) * g * length ** (1 - order)
    power = x * abs(x) ** (order - 2) if order > 2 else sgn(x) * abs(x) ** (order - 1)
    return power * where(length == 0, 0.0, g / length ** (order - 1))


@operation(norm_gradient, node="LinalgVectorNormBackward0", symbol="‖·‖")
def norm(input, p="fro", dim=None, keepdim: bool = False, dtype=None):
    """The norm of all elements taken as one vector, or of the vectors along ``dim``.

    Args:
        p: the order: ``"fro"`` or 2 for the length, 1 for the sum of the absolute values, ``inf``
            and ``-inf`` for the largest and the smallest of them, 0 for the number of elements that
            are not 0, any other p for (Σ|x|ᵖ)^(1/p).
        dim: a dim or several; None for all.
        keepdim: keep the reduced dims with size 1.
        dtype: compute in this floating dtype, which holds that of the elements.

    Raises:
        RuntimeError: the elements are not floating point numbers, or do not fit ``dtype``; or a
            norm of nothing is asked for that does not exist.
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
    x = floating(raw_tensor(input, "norm"), "vector_norm")
    dtype = None if dtype is None else norm_dtype(x, numpy_dtype(dtype), "vector_norm")
    return length(input, order, dim, keepdim, dtype)


def length(input, order: float, dim, keepdim: bool, dtype: np.dtype | None = None):
    """The norm of floating point numbers, computed in a dtype that holds them."""
    x = raw(input)
    if order < 0 or order == math.inf:
        check_not_empty(x, dim, order)

    def compute(x, **how):
        return np.linalg.vector_norm(x.astype(dtype or x.dtype, copy=False), ord=order, **how)

    return along(norm.rule, compute, input, dim, keepdim, ord=order)


def floating(x, name: str):
    """The raw value, if its elements are floating point numbers."""
    if x.dtype.kind != "f":
        wanted = "Expected a floating point or complex tensor as input"
        raise RuntimeError(f"linalg.{name}: {wanted}. Got {dtype_name(x)}")
    return x


def norm_dtype(x, wanted: np.dtype, name: str) -> np.dtype:
    """The dtype to compute a norm in; ``RuntimeError`` where numbers would lose digits."""
    if wanted.kind != "f":
        why = f"dtype should be floating point or complex, but got {name_of(wanted)}"
    elif wanted.itemsize < x.dtype.itemsize:
        should = "should be convertible without narrowing to the specified dtype"
        why = f"the dtype of the input ({dtype_name(x)}) {should} ({name_of(wanted)})"
    else:
        return wanted
    raise RuntimeError(f"linalg.{name}: {why}")


def order_of(p) -> float:
    """The order of a norm given by number or by name."""
    if p is None:
        return 2.0
    if not isinstance(p, str):
        return plain_number(p, "norm", "p")
    if p == "fro":
        return 2
    if p == "nuc":
        raise NotImplementedError("norm(): minigrad has no singular values, so no nuclear norm")
    raise RuntimeError(f"linalg.matrix_norm: Order {p} not supported.")


def check_not_empty(x, dim, order: float) -> None:
    """Refuse the smallest or largest of nothing."""
    named = as_tuple(dim) or ()
    empty = [d for d in named if x.ndim and not x.shape[wrap_dim(d, x.ndim)]]
    if empty:
        nothing = f"the dimension {empty[0]}because this dimension is empty and the"
    elif not named and not x.size:
        nothing = "an empty tensor because the"
    else:
        return
    raise RuntimeError(
        f"linalg.vector_norm cannot compute the {order} norm on {nothing} operation does not have "
        "an identity"
    )
