"""Variance and standard deviation."""

from __future__ import annotations

import math
import warnings

import numpy as np

from .dims import dims_of
from .kinks import where
from .reduction import as_tuple, mean, raw_value, reduced, reduced_count, with_dims
from .rule import Rule, publish

DEFAULT_CORRECTION = 1  # Bessel's: one degree of freedom goes into the mean


def var_gradient(g, x, dim, correction, keepdim):
    """The gradient of the variance: 2 (x − mean) / (n − correction).

    Source: ``var_backward`` in PyTorch's ``FunctionsManual.cpp``.
    """
    freedom = reduced_count(x.shape, dim) - (
        DEFAULT_CORRECTION if correction is None else correction
    )
    if freedom <= 0 and (dim is None or not x.shape):
        return where(x == mean(x), g * math.nan, g * math.inf)
    centred = x - mean(x, as_tuple(dim), True)
    scale = np.float64(2.0) / freedom  # inf where nothing is free
    return float(scale) * with_dims(g, x.shape, dim, keepdim) * centred


def std_gradient(g, x, dim, correction, keepdim, result):
    """The gradient of the standard deviation: through the variance; 0 where it is 0."""
    return var_gradient(where(result == 0, 0.0, g / (result * 2)), x, dim, correction, keepdim)


VAR = Rule(
    "var",
    "VarBackward0",
    {
        "self": lambda g, self, dim, correction, keepdim: var_gradient(
            g, self, dim, correction, keepdim
        )
    },
    arguments=("dim", "correction", "keepdim"),
)
STD = Rule(
    "std",
    "StdBackward0",
    {
        "self": lambda g, self, dim, correction, keepdim, result: std_gradient(
            g, self, dim, correction, keepdim, result
        )
    },
    arguments=("dim", "correction", "keepdim"),
)


def var(
    input,
    dim=None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    *,
    correction: float | None = None,
):
    """The variance of all elements, or over ``dim``.

    Args:
        dim: a dim or several; None for all. A bool in this place is ``unbiased``.
        unbiased: divide by n − 1 (the default) or by n.
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


def std(
    input,
    dim=None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    *,
    correction: float | None = None,
):
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
    n = reduced_count(x.shape, dim)
    freedom = n - (DEFAULT_CORRECTION if correction is None else correction)
    if freedom <= 0:
        warnings.warn(
            f"{rule.name}(): degrees of freedom is <= 0. Correction should be strictly less than "
            "the reduction factor (input numel divided by output numel).",
            UserWarning,
            stacklevel=3,
        )
    value = reduced(variance, x, dims_of(dim, x.ndim), n, max(freedom, 0), keepdim)
    if rule is STD:
        value = np.sqrt(value)
    return rule.record(
        value, input, self=input, dim=as_tuple(dim), correction=correction, keepdim=keepdim
    )


def variance(x, dims: tuple, n: int, freedom: float, keepdim: bool):
    """The squared distances from the mean of ``n``, added up over ``dims``, over ``freedom``."""
    centred = x - x.sum(axis=dims, keepdims=True) / x.dtype.type(n)
    return np.square(centred).sum(axis=dims, keepdims=keepdim) / x.dtype.type(freedom)


publish(var, "var", VAR)
publish(std, "std", STD)
