"""Powers, exponentials, logarithms, trigonometric and hyperbolic functions, in one table.

A line reads: the raw function, the formula of its derivative, and the local derivative, the factor
that ``g`` is multiplied by, once more in symbols and words; tests evaluate the symbols. The other
parameters of a formula are what the node saves (:mod:`.rule`).
"""

from __future__ import annotations

import math

import numpy as np

from ..tensor import Tensor
from .arithmetic import times_number
from .elementwise import unary
from .piecewise import zeros_like
from .promotion import broadcast, meet, number, raw, refuse
from .rule import Rule, operation

LN2, LN10 = math.log(2.0), math.log(10.0)

# fmt: off
exp = unary("exp", np.exp, lambda g, result: g * result)
exp2 = unary("exp2", np.exp2, lambda g, result: times_number(g * result, LN2))
expm1 = unary("expm1", np.expm1, lambda g, result: g * (result + 1))
log = unary("log", np.log, lambda g, self: g / self)
log2 = unary("log2", np.log2, lambda g, self: g / (self * LN2))
log10 = unary("log10", np.log10, lambda g, self: g / (self * LN10))
log1p = unary("log1p", np.log1p, lambda g, self: g / (self + 1), node="Log1PBackward0")

sqrt = unary("sqrt", np.sqrt, lambda g, result: g / (2 * result), symbol="√")
rsqrt = unary("rsqrt", lambda x: 1 / np.sqrt(x), lambda g, result: -0.5 * g * result**3,
              symbol="1/√")

sin = unary("sin", np.sin, lambda g, self: g * cos(self))
cos = unary("cos", np.cos, lambda g, self: g * -sin(self))
tan = unary("tan", np.tan, lambda g, result: g * (1 + result**2))
asin = unary("asin", np.arcsin, lambda g, self: g * rsqrt(-self * self + 1))
acos = unary("acos", np.arccos, lambda g, self: g * -rsqrt(-self * self + 1))
atan = unary("atan", np.arctan, lambda g, self: g / (self * self + 1))

sinh = unary("sinh", np.sinh, lambda g, self: g * cosh(self))
cosh = unary("cosh", np.cosh, lambda g, self: g * sinh(self))
tanh = unary("tanh", np.tanh, lambda g, result: tanh_backward(g, result))
sigmoid = unary("sigmoid", lambda x: 1 / (1 + np.exp(-x)),
                lambda g, result: sigmoid_backward(g, result), symbol="σ")

TANH_BACKWARD = Rule("tanh_backward",
    grad_output=lambda g, output: tanh_backward(g, output),
    output=lambda g, grad_output, output: g * (-2 * output * grad_output))
SIGMOID_BACKWARD = Rule("sigmoid_backward",
    grad_output=lambda g, output: sigmoid_backward(g, output),
    output=lambda g, grad_output, output: g * grad_output * (1 - 2 * output))
# fmt: on


def tanh_backward(g, result):
    """``g × (1 − result²)`` as one operation, so that towers of derivatives stay small."""
    d, t = raw(g), raw(result)
    s = t * t  # of an array the rest takes the memory: another one costs as much as to compute
    value = np.multiply(d, np.subtract(1, s, s), s) if s.ndim else d * (1 - s)
    return TANH_BACKWARD.record(value, g, result)


def sigmoid_backward(g, result):
    """``g × (1 − result) × result``, as one operation."""
    s = raw(result)
    return SIGMOID_BACKWARD.record(raw(g) * ((1 - s) * s), g, result)


# -- powers ----------------------------------------------------------------------------------------


def raw_power(x, y):
    """``x ** y`` of raw values; to the power of -½ it is PyTorch's ``rsqrt``, nan at -inf."""
    return 1 / np.sqrt(x) if y.__class__ is float and y == -0.5 else np.power(x, y)


def power(x, number: float):
    """``x ** number``, raw or recorded."""
    return x**number if isinstance(x, Tensor) else raw_power(x, number)


@operation(
    lambda g, self, exponent: (
        zeros_like(g) if exponent == 0 else g * (exponent * power(self, exponent - 1))
    ),
    symbol="**",
)
def pow(input, exponent):
    """``input ** exponent``, elementwise, for a number."""
    exponent = number(exponent)
    x, y = meet(input, exponent, "pow")
    if x.dtype.kind != "f":
        refuse("b", "pow", x)
        if exponent < 0:
            raise RuntimeError("Integers to negative integer powers are not allowed.")
    return pow.rule.record(broadcast(raw_power, x, y), input, exponent)


@operation(pow.rule)
def square(input: Tensor):
    """``input ** 2``, elementwise.

    >>> import minigrad as mg
    >>> mg.square(mg.tensor([1.0, -3.0]))
    tensor([1., 9.])
    """
    return pow(input, 2)
