"""Variance and standard deviation."""

from __future__ import annotations

import math
import warnings

import numpy as np

from .arithmetic import times_number
from .dims import dims_of
from .kinks import where
from .reduction import as_tuple, mean, raw_value, reduced, reduced_count, with_dims
from .rule import Rule, publish


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


ARGUMENTS = ("dim", "correction", "keepdim")
VAR = Rule("var", "VarBackward0", {"self": var_gradient}, arguments=ARGUMENTS)
STD = Rule("std", "StdBackward0", {"self": std_gradient}, arguments=ARGUMENTS)


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
    return spread(VAR, input, dim, unbiased, keepdim, correction)


def std(input, dim=None, unbiased: bool | None = None, keepdim: bool = False, *, correction=None):
    """The standard deviation, the root of the variance; the arguments are those of :func:`var`.

    >>> import minigrad as mg
    >>> mg.std(mg.tensor([[1.0, 2.0], [3.0, 6.0]]), 0, correction=0)
    tensor([1., 2.])
    """
    return spread(STD, input, dim, unbiased, keepdim, correction)


def spread(rule: Rule, input, dim, unbiased, keepdim, correction):
    """The variance or standard deviation, recorded with this rule."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if unbiased is not None and correction is not None:
        raise TypeError(
            f"{rule.name}() received an invalid combination of arguments: "
            "unbiased and correction say the same thing, so give one of them"
        )
    x = raw_value(input, rule.name)
    if x.dtype.kind != "f":
        raise RuntimeError("std and var only support floating point and complex dtypes")
    if correction is None and (dim is not None or unbiased is not None):
        correction = int(unbiased is None or unbiased)
    freedom = degrees_of_freedom(x.shape, dim, correction)
    if freedom <= 0:
        warnings.warn(
            f"{rule.name}(): degrees of freedom is <= 0. Correction should be strictly less than "
            "the reduction factor (input numel divided by output numel).",
            UserWarning,
            stacklevel=3,
        )
    value = reduced(variance, x, dims_of(dim, x.ndim), max(freedom, 0), keepdim)
    value = np.sqrt(value) if rule is STD else value
    named = {"dim": as_tuple(dim), "correction": correction, "keepdim": keepdim}
    return rule.record(value, input, self=input, **named)


def variance(x, dims: tuple, freedom: float, keepdim: bool):
    """The squared distances from the mean, added up over ``dims``, over ``freedom``.

    The mean of equal elements is what they are: their sum may have been rounded.
    """
    count = x.dtype.type(reduced_count(x.shape, dims))
    first = x[tuple([slice(1) if dim in dims else slice(None) for dim in range(x.ndim)])]
    equal = (x == first).all(axis=dims, keepdims=True)
    centred = x - np.where(equal, first, x.sum(axis=dims, keepdims=True) / count)
    return np.square(centred).sum(axis=dims, keepdims=keepdim) / x.dtype.type(freedom)


publish(var, "var", VAR)
publish(std, "std", STD)
