"""A smooth relu."""

from __future__ import annotations

import numpy as np

from ...autograd.thread_state import state
from ..elementary import sigmoid, sigmoid_backward
from ..promotion import plain_number, raw, refuse
from ..rule import Rule

# fmt: off
SOFTPLUS = Rule("softplus",
    self=lambda g, self, beta, threshold: softplus_backward(g, self, beta, threshold))
SOFTPLUS_BACKWARD = Rule("softplus_backward",
    grad_output=lambda g, self, beta, threshold: softplus_backward(g, self, beta, threshold),
    self=lambda g, grad_output, self, beta, threshold: (
        sigmoid_backward(g * grad_output, sigmoid(self * beta))
        * (self * beta < threshold) * beta))
# fmt: on


def softplus_backward(g, self, beta, threshold):
    """``g × sigmoid(beta × self)``, or ``g`` above the threshold, as one operation."""
    x = raw(self) * beta
    value = np.where(x > threshold, raw(g), raw(g) * sigmoid(x))[()]
    return SOFTPLUS_BACKWARD.record(value, g, self, beta, threshold)


def softplus(input, beta=1, threshold=20):
    """``log(1 + exp(beta × input)) / beta``: a smooth relu, linear above ``threshold``.

    >>> import minigrad as mg
    >>> mg.nn.functional.softplus(mg.tensor([0.0, 30.0]))
    tensor([ 0.6931, 30.0000])
    """
    x, beta = raw(input), plain_number(beta, "softplus", "beta")
    threshold = plain_number(threshold, "softplus", "threshold")
    refuse("biu", "softplus_cpu", x)
    with_log = state.here.quiet(lambda: np.log1p(np.exp(x * beta)) / beta)
    value = np.where(x * beta > threshold, x, with_log).astype(x.dtype)[()]
    return SOFTPLUS.record(value, input, beta=beta, threshold=threshold)
