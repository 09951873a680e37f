"""Softmax and its logarithm.

Both subtract the largest element first, so that no exponential overflows; the result is the same.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import dtypes
from .. import broadcasting
from ..broadcasting import add_up, reduced, sum
from ..dims import wrap_dim
from ..elementary import exp
from ..promotion import no_kernel, raw, raw_tensor
from ..rule import Rule, operation

# fmt: off
SOFTMAX_BACKWARD = Rule("softmax_backward", node="SoftmaxBackwardDataBackward0",
    grad_output=lambda g, output, dim: softmax_backward(g, output, dim),
    output=lambda g, grad_output, output, dim: (
        grad_output * g
        - sum(output * g, dim, True) * grad_output
        - g * sum(output * grad_output, dim, True)))
LOG_SOFTMAX_BACKWARD = Rule("log_softmax_backward", node="LogSoftmaxBackwardDataBackward0",
    grad_output=lambda g, output, dim: g - sum(g * exp(output), dim, True),
    output=lambda g, grad_output, output, dim: -sum(grad_output, dim, True) * exp(output) * g)
# fmt: on


def softmax_backward(g, output, dim: int):
    """The gradient of softmax from its result, as one operation."""
    s = raw(output)
    part = s * raw(g)
    value = part - s * add_up(part, axes(s, dim), True)
    return SOFTMAX_BACKWARD.record(value, g, output, dim)


def log_softmax_backward(g, output, dim: int):
    """The gradient of log_softmax from its result, as one operation."""
    x, d = raw(output), raw(g)
    value = d - np.exp(x) * add_up(d, axes(x, dim), True)
    return LOG_SOFTMAX_BACKWARD.record(value, g, output, dim)


def axes(x, dim: int) -> tuple:
    """The axes NumPy reduces for ``dim``; of a 0-d value there is none."""
    return (dim,) if x.ndim else ()


@operation(lambda g, result, dim: softmax_backward(g, result, dim), keeps_dtype=True)
def softmax(input, dim: int, dtype=None):
    """exp(x) divided by the sum of exp(x) over ``dim``: positive numbers that add up to 1.

    Args:
        dim: the dim along which they add up to 1.
        dtype: convert to this floating dtype first.

    Raises:
        NotImplementedError: the elements are not floating point numbers.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.softmax.html

    >>> import minigrad as mg
    >>> mg.softmax(mg.tensor([0.0, 0.0, 0.0, 1000.0]), 0)
    tensor([0., 0., 0., 1.])
    """
    return normalized(softmax.rule, raw_softmax, input, dim, dtype)


@operation(lambda g, result, dim: log_softmax_backward(g, result, dim), keeps_dtype=True)
def log_softmax(input, dim: int, dtype=None):
    """The logarithm of :func:`softmax`, exact also where softmax itself would round to 0.

    >>> import minigrad as mg
    >>> mg.log_softmax(mg.tensor([0.0, 1000.0]), 0)
    tensor([-1000.,     0.])
    """
    return normalized(log_softmax.rule, raw_log_softmax, input, dim, dtype)


def normalized(rule: Rule, compute: Callable, input, dim: int, dtype):
    """Softmax or its logarithm, recorded with this rule."""
    x = raw_tensor(input, rule.name)
    if dtype is not None and dtypes.numpy_dtype(dtype) is not x.dtype:
        input = broadcasting.cast(input, dtypes.numpy_dtype(dtype))
        x = raw(input)
    axis = wrap_dim(dim, x.ndim)
    if x.dtype.kind != "f":
        kernel = rule.name if axis + 1 < x.ndim else f"{rule.name}_lastdim"
        raise no_kernel(f"{kernel}_kernel_impl", x)
    if axis == 1 == x.ndim - 1 and x.shape[1] <= SHORT:
        value = reduced(lambda: compute(x.T.copy(), (0,)).T)
    else:
        value = reduced(compute, x, axes(x, axis))
    return rule.record(value, input, dim=dim)


SHORT = 32  # rows up to this length are turned: NumPy computes with the columns twice as fast


def below_largest(x, axes):
    """The elements less the largest along ``axes``."""
    return x - np.maximum.reduce(x, axes, keepdims=True, initial=-np.inf)


# Forward it is NumPy's sum: behind other work a product with ones gained nothing there.
def raw_softmax(x, axes):
    """Softmax of raw values."""
    powers = np.exp(below_largest(x, axes))
    return powers / np.add.reduce(powers, axes, keepdims=True)


def raw_log_softmax(x, axes):
    """The logarithm of softmax of raw values."""
    y = below_largest(x, axes)
    return y - np.log(np.add.reduce(np.exp(y), axes, keepdims=True))
