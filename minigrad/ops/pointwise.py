"""Elementwise operations: each a raw function and its derivative, as in a table of derivatives.

``g`` is the gradient of the result; the other parameters of a formula are what the node saves
(:mod:`.rule`). The local derivative, the factor that ``g`` is multiplied by, is written once more
in symbols and words for people to read; tests evaluate the symbols against the formulas. Source:
PyTorch 2.13 ``derivatives.yaml``, which also decides the sub-gradients at kinks.
"""

from __future__ import annotations

import math
import operator

import numpy as np

from ..autograd.grad_mode import OFF, state
from ..autograd.graph import Node
from ..dtypes import cpp_name
from ..tensor import Tensor, made_by, wrap
from .rule import (
    NUMBERS,
    Rule,
    UnsupportedOperand,
    binary,
    broadcast,
    cast,
    edge_of,
    meet,
    number,
    publish,
    raw,
    result_dtype,
    unary,
)

# -- arithmetic ------------------------------------------------------------------------------------

add_plain = binary(
    "add",
    operator.add,
    self=lambda g, _self, _other: g,
    other=lambda g, _self, _other: g,
    symbol="+",
    locals={
        "self": ("1", "a sum passes the gradient on unchanged"),
        "other": ("1", "a sum passes the gradient on unchanged"),
    },
)


def refuse_bools(x, y) -> None:
    """Bools are not subtracted."""
    bools = [np.asarray(value).dtype.kind == "b" for value in (x, y)]
    if all(bools):
        raise RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or "
            "`logical_xor()` operator "
            "instead."
        )
    if any(bools):
        raise RuntimeError(
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying "
            "to invert a mask, use "
            "the `~` or `logical_not()` operator instead."
        )


NEGATED_BOOL = RuntimeError(
    "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a "
    "mask, use the `~` or "
    "`logical_not()` operator instead."
)

sub_plain = binary(
    "sub",
    operator.sub,
    self=lambda g, _self, _other: g,
    other=lambda g, _self, _other: -g,
    symbol="−",
    refuse=refuse_bools,
    locals={
        "self": ("1", "passed on unchanged"),
        "other": ("-1", "what is subtracted counts negatively"),
    },
)
mul = binary(
    "mul",
    operator.mul,
    self=lambda g, _self, other: g * other,
    other=lambda g, self, _other: g * self,
    symbol="×",
    locals={"self": ("other", "the other factor"), "other": ("self", "the other factor")},
)
div = binary(
    "div",
    operator.truediv,
    self=lambda g, _self, other: g / other,
    other=lambda g, self, other: -g * ((self / other) / other),
    symbol="÷",
    floating=True,
    locals={
        "self": ("1 / other", "one over the divisor"),
        "other": ("-self / other**2", "minus the dividend over the square of the divisor"),
    },
)
neg = unary(
    "neg",
    operator.neg,
    lambda g: -g,
    symbol="−",
    local=("-1", "the sign turns around"),
    integers=True,
    bools=NEGATED_BOOL,
)
reciprocal = unary(
    "reciprocal",
    lambda x: 1 / x,
    lambda g, result: -g * (result * result),
    symbol="1/",
    local=("-result * result", "minus the square of the result"),
)


def scaled(rule_name: str, node_name: str, sign: int) -> Rule:
    """The rule of ``self ± alpha × other``."""
    return Rule(
        rule_name,
        node_name,
        {"self": lambda g: g, "other": lambda g, alpha: g * (sign * alpha)},
        arguments=("alpha",),
        symbol="+" if sign > 0 else "−",
    )


ADD_SCALED, SUB_SCALED = scaled("add", "AddBackward0", 1), scaled("sub", "SubBackward0", -1)


def check_alpha(alpha, *operands) -> None:
    """Refuse a fractional factor between integers."""
    if isinstance(alpha, float) and result_dtype(*map(raw, operands)).kind != "f":
        raise RuntimeError(
            "For integral input tensors, argument alpha must not be a floating point number."
        )


def add(input, other, *, alpha=1):
    """``input + alpha × other``, elementwise with broadcasting.

    >>> import minigrad as mg
    >>> mg.add(mg.tensor([1.0, 2.0]), mg.tensor([10.0, 20.0]), alpha=2)
    tensor([21., 42.])
    """
    if alpha == 1:
        return add_plain(input, other)
    check_alpha(alpha, input, other)
    x, y = meet(input, other, "add")
    return ADD_SCALED.record_broadcast(
        broadcast(operator.add, x, y * alpha), input, other, alpha=alpha
    )


def sub(input, other, *, alpha=1):
    """``input − alpha × other``, elementwise with broadcasting.

    >>> import minigrad as mg
    >>> mg.sub(mg.tensor([1.0, 2.0]), 1)
    tensor([0., 1.])
    """
    if alpha == 1:
        return sub_plain(input, other)
    check_alpha(alpha, input, other)
    x, y = meet(input, other, "sub", refuse=refuse_bools)
    return SUB_SCALED.record_broadcast(
        broadcast(operator.sub, x, y * alpha), input, other, alpha=alpha
    )


RSUB = Rule(
    "rsub",
    "RsubBackward1",
    {"self": lambda g: -g},
    symbol="−",
    locals={"self": ("-1", "what is subtracted counts negatively")},
)


def rsub(input, other, *, alpha=1):
    """``other − alpha × input``: what ``2 - x`` computes.

    >>> import minigrad as mg
    >>> mg.rsub(mg.tensor([1.0, 2.0]), 10)
    tensor([9., 8.])
    """
    if isinstance(other, Tensor):
        return sub(other, input, alpha=alpha)
    x, y = meet(input, other, "rsub", refuse=refuse_bools)
    return RSUB.record_broadcast(y - x, input)


publish(add, "add", add_plain.rule)
publish(sub, "sub", sub_plain.rule)
publish(rsub, "rsub", RSUB)

# -- powers ----------------------------------------------------------------------------------------

POW_NUMBER = Rule(
    "pow",
    "PowBackward0",
    {
        "self": lambda g, self, exponent: (
            zeros_like(g) if exponent == 0 else g * (exponent * self ** (exponent - 1))
        )
    },
    arguments=("exponent",),
    symbol="**",
    locals={
        "self": (
            "exponent * self ** (exponent - 1)",
            "the exponent comes down, and is one less above",
        )
    },
)
POW_TENSORS = Rule(
    "pow",
    "PowBackward1",
    {
        "self": lambda g, self, exponent: where(
            exponent == 0, 0.0, g * (exponent * self ** (exponent - 1))
        ),
        "exponent": lambda g, self, exponent, result: (
            g * where((self == 0) & (exponent >= 0), 0.0, result * log(self))
        ),
    },
    symbol="**",
    locals={
        "self": (
            "exponent * self ** (exponent - 1)",
            "the exponent comes down, and is one less above",
        ),
        "exponent": ("result * log(self)", "the result times the logarithm of the base"),
    },
)
POW_OF_NUMBER = Rule(
    "pow",
    "PowBackward2",
    {
        "exponent": lambda g, self, exponent, result: (
            g * where(exponent >= 0, 0.0, result * -np.inf)
            if self == 0
            else g * (result * log_of_number(self))
        )
    },
    arguments=("self",),
    symbol="**",
    locals={"exponent": ("result * log(self)", "the result times the logarithm of the base")},
)


def log_of_number(base) -> float:
    """The logarithm of a Python number; nan where there is none."""
    return math.log(base) if base > 0 else math.nan


def pow(input, exponent):
    """``input ** exponent``, elementwise; one of the two may be a number.

    Where both are 0 the result is 1 and both gradients are 0. Integers to negative integer powers
    raise.

    >>> import minigrad as mg
    >>> x = mg.tensor([2.0, 3.0], requires_grad=True)
    >>> mg.pow(x, 3).sum().backward()
    >>> x.grad
    tensor([12., 27.])
    """
    x, y = meet(input, exponent, "pow")
    if x.__class__ not in NUMBERS and x.dtype.kind in "iu" and np.any(np.less(y, 0)):
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    value = broadcast(np.power, x, y)
    if not isinstance(exponent, Tensor):
        return POW_NUMBER.record(value, input, self=input, exponent=number(exponent))
    if not isinstance(input, Tensor):
        return POW_OF_NUMBER.record_broadcast(
            value, exponent, self=number(input), exponent=exponent
        )
    return POW_TENSORS.record_broadcast(value, input, exponent, self=input, exponent=exponent)


publish(pow, "pow", POW_NUMBER)


def square(input):
    """``input ** 2``, elementwise.

    >>> import minigrad as mg
    >>> mg.square(mg.tensor([1.0, -3.0]))
    tensor([1., 9.])
    """
    return pow(input, 2)


publish(square, "square", POW_NUMBER)

# -- exponentials and logarithms -------------------------------------------------------------------

LN2 = math.log(2.0)
TIMES_NUMBER = Rule(
    "mul",
    "MulBackward1",
    {"self": lambda g, other: times_number(g, other)},
    arguments=("other",),
    symbol="×",
)


def times_number(g, other: float):
    """A gradient times a plain number, recorded as PyTorch's formulas record it."""
    return TIMES_NUMBER.record(raw(g) * other, g, other=other)


exp = unary("exp", np.exp, lambda g, result: g * result, local=("result", "the result itself"))
exp2 = unary(
    "exp2",
    np.exp2,
    lambda g, result: times_number(g * result, LN2),
    local=("result * LN2", "the result times ln 2"),
)
expm1 = unary(
    "expm1",
    np.expm1,
    lambda g, result: g * (result + 1),
    local=("result + 1", "the result plus one"),
)
log = unary("log", np.log, lambda g, self: g / self, local=("1 / self", "one over the input"))
log2 = unary(
    "log2",
    np.log2,
    lambda g, self: g / (self * LN2),
    local=("1 / (self * LN2)", "one over the input times ln 2"),
)
log10 = unary(
    "log10",
    np.log10,
    lambda g, self: g / (self * LN10),
    local=("1 / (self * LN10)", "one over the input times ln 10"),
)
LN10 = math.log(10.0)
log1p = unary(
    "log1p",
    np.log1p,
    lambda g, self: g / (self + 1),
    local=("1 / (self + 1)", "one over the input plus one"),
    node="Log1PBackward0",
)
sqrt = unary(
    "sqrt",
    np.sqrt,
    lambda g, result: g / (2 * result),
    symbol="√",
    local=("1 / (2 * result)", "one over twice the root"),
)
rsqrt = unary(
    "rsqrt",
    lambda x: 1 / np.sqrt(x),
    lambda g, result: -0.5 * g * result**3,
    symbol="1/√",
    local=("-0.5 * result**3", "minus half the cube of the result"),
)

# -- trigonometric and hyperbolic ------------------------------------------------------------------

sin = unary(
    "sin", np.sin, lambda g, self: g * cos(self), local=("cos(self)", "the cosine of the input")
)
cos = unary(
    "cos",
    np.cos,
    lambda g, self: g * -sin(self),
    local=("-sin(self)", "minus the sine of the input"),
)
tan = unary(
    "tan",
    np.tan,
    lambda g, result: g * (1 + result**2),
    local=("1 + result**2", "one plus the square of the result"),
)
asin = unary(
    "asin",
    np.arcsin,
    lambda g, self: g * rsqrt(-self * self + 1),
    local=("1 / sqrt(1 - self**2)", "one over √(1 − x²)"),
)
acos = unary(
    "acos",
    np.arccos,
    lambda g, self: g * -rsqrt(-self * self + 1),
    local=("-1 / sqrt(1 - self**2)", "minus one over √(1 − x²)"),
)
atan = unary(
    "atan",
    np.arctan,
    lambda g, self: g / (self * self + 1),
    local=("1 / (self**2 + 1)", "one over one plus x²"),
)
sinh = unary(
    "sinh",
    np.sinh,
    lambda g, self: g * cosh(self),
    local=("cosh(self)", "the hyperbolic cosine of the input"),
)
cosh = unary(
    "cosh",
    np.cosh,
    lambda g, self: g * sinh(self),
    local=("sinh(self)", "the hyperbolic sine of the input"),
)
tanh = unary(
    "tanh",
    np.tanh,
    lambda g, result: tanh_backward(g, result),
    local=("1 - result**2", "one minus the square of the result"),
)
sigmoid = unary(
    "sigmoid",
    lambda x: 1 / (1 + np.exp(-x)),
    lambda g, result: sigmoid_backward(g, result),
    symbol="σ",
    local=("(1 - result) * result", "the result times what is missing to one"),
)

TANH_BACKWARD = Rule(
    "tanh_backward",
    "TanhBackwardBackward0",
    {
        "grad_output": lambda g, output: tanh_backward(g, output),
        "output": lambda g, grad_output, output: g * (-2 * output * grad_output),
    },
)
SIGMOID_BACKWARD = Rule(
    "sigmoid_backward",
    "SigmoidBackwardBackward0",
    {
        "grad_output": lambda g, output: sigmoid_backward(g, output),
        "output": lambda g, grad_output, output: g * grad_output * (1 - 2 * output),
    },
)


def tanh_backward(g, result):
    """``g × (1 − result²)`` as one operation, so that towers of derivatives stay small."""
    t = raw(result)
    return TANH_BACKWARD.record(raw(g) * (1 - t * t), g, result, grad_output=g, output=result)


def sigmoid_backward(g, result):
    """``g × (1 − result) × result``, as one operation."""
    s = raw(result)
    return SIGMOID_BACKWARD.record(raw(g) * ((1 - s) * s), g, result, grad_output=g, output=result)


# -- kinks and steps: PyTorch's choice of sub-gradient ---------------------------------------------

abs = unary(
    "abs",
    np.abs,
    lambda g, self: g * sign(self),
    symbol="|·|",
    local=("sign(self)", "the sign; 0 at 0"),
    integers=True,
    bools=NotImplementedError("\"abs_cpu\" not implemented for 'Bool'"),
)
relu = unary(
    "relu",
    lambda x: np.maximum(x.dtype.type(0), x),  # in this order -0. stays, as in PyTorch
    lambda g, result: threshold_backward(g, result),
    local=("where(result <= 0, 0, 1)", "1 where the input is positive, else 0"),
    integers=True,
)
sign = unary(
    "sign",
    lambda x: x if x.dtype.kind == "b" else np.nan_to_num(np.sign(x), nan=0.0),
    lambda g: zeros_like(g),
    local=("0", "a step is flat"),
    integers=True,
)
floor = unary(
    "floor", np.floor, lambda g: zeros_like(g), local=("0", "a step is flat"), integers=True
)
ceil = unary("ceil", np.ceil, lambda g: zeros_like(g), local=("0", "a step is flat"), integers=True)
trunc = unary(
    "trunc", np.trunc, lambda g: zeros_like(g), local=("0", "a step is flat"), integers=True
)
round_plain = unary(
    "round", np.round, lambda g: zeros_like(g), local=("0", "a step is flat"), integers=True
)

maximum = binary(
    "maximum",
    np.maximum,
    self=lambda g, self, other: where(self < other, 0.0, where(self == other, g / 2, g)),
    other=lambda g, self, other: where(self > other, 0.0, where(self == other, g / 2, g)),
    locals={
        "self": (
            "where(self < other, 0, where(self == other, 0.5, 1))",
            "1 where it is the larger one, ½ each in a tie",
        ),
        "other": (
            "where(self > other, 0, where(self == other, 0.5, 1))",
            "1 where it is the larger one, ½ each in a tie",
        ),
    },
)
minimum = binary(
    "minimum",
    np.minimum,
    self=lambda g, self, other: where(self > other, 0.0, where(self == other, g / 2, g)),
    other=lambda g, self, other: where(self < other, 0.0, where(self == other, g / 2, g)),
    locals={
        "self": (
            "where(self > other, 0, where(self == other, 0.5, 1))",
            "1 where it is the smaller one, ½ each in a tie",
        ),
        "other": (
            "where(self < other, 0, where(self == other, 0.5, 1))",
            "1 where it is the smaller one, ½ each in a tie",
        ),
    },
)

WHERE = Rule(
    "where",
    "WhereBackward0",
    {
        "self": lambda g, condition: where(condition, g, 0.0),
        "other": lambda g, condition: where(condition, 0.0, g),
    },
)


def where(condition, input, other):
    """``input`` where ``condition`` holds, else ``other``; all three are broadcast.

    >>> import minigrad as mg
    >>> x = mg.tensor([-1.0, 2.0])
    >>> mg.where(x > 0, x, 0)
    tensor([0., 2.])
    """
    if not isinstance(condition, Tensor) and not isinstance(condition, np.ndarray | np.generic):
        raise UnsupportedOperand(
            "where(): argument 'condition' (position 1) must be Tensor, not "
            f"{type(condition).__name__}"
        )
    tensors = isinstance(input, Tensor) or isinstance(other, Tensor)
    x, y = (raw(v) if isinstance(v, Tensor) or not tensors else number(v) for v in (input, other))
    dtype = result_dtype(x, y)
    value = broadcast(np.where, raw(condition), cast(x, dtype), cast(y, dtype))[()]
    if not tensors:
        return wrap(value) if isinstance(condition, Tensor) else value
    return WHERE.record_broadcast(value, input, other, condition=condition)


publish(where, "where", WHERE)


THRESHOLD_BACKWARD = Rule(
    "threshold_backward",
    "ThresholdBackwardBackward0",
    {"grad_output": lambda g, self: threshold_backward(g, self), "self": lambda g: zeros_like(g)},
)


def threshold_backward(g, self):
    """``g`` where ``self`` is above 0, else 0; the path to ``self`` exists and carries 0."""
    value = kept_where(~np.less_equal(raw(self), 0), raw(g))
    return THRESHOLD_BACKWARD.record(value, g, self, self=self)


def kept_where(mask, g):
    """``g`` where the mask holds, else 0.

    It works on the bits: times 0, an infinity would become nan and -1 would become -0.; and
    ``np.where`` takes three times as long on a mask without a pattern.

    >>> kept_where(np.array([True, False]), np.array([2.0, np.inf]))
    array([2., 0.])
    """
    bits = np.dtype(f"i{g.itemsize}")
    return (g.view(bits) & -mask.astype(bits)).view(g.dtype)


def zeros_like(g):
    """Zeros in the shape and dtype of a gradient: the derivative of a step."""
    zeros = np.zeros_like(raw(g))[()]
    return wrap(zeros) if isinstance(g, Tensor) else zeros


CLAMP = Rule(
    "clamp",
    "ClampBackward1",
    {"self": lambda g, self, min, max: where(between(self, min, max), g, 0.0)},
    arguments=("min", "max"),
    locals={
        "self": (
            "where(between(self, min, max), 1, 0)",
            "1 inside the bounds and at them, 0 outside",
        )
    },
)


def between(x, low, high):
    """Which elements lie within the bounds, edges included; a bound may be None."""
    if low is None:
        return x <= high
    return x >= low if high is None else (x >= low) & (x <= high)


def clamp(input, min=None, max=None):
    """``input`` cut off below ``min`` and above ``max``; the derivative is 1 at the edges.

    >>> import minigrad as mg
    >>> mg.clamp(mg.tensor([-2.0, 0.5, 3.0]), 0, 1)
    tensor([0.0000, 0.5000, 1.0000])
    """
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if isinstance(min, Tensor) or isinstance(max, Tensor):
        return clamp_between_tensors(input, min, max)
    x = raw(input)
    value = x
    if min is not None:
        value = np.maximum(value, min)
    if max is not None:
        value = np.minimum(value, max)
    return CLAMP.record(
        np.asarray(value)[()] if x.ndim == 0 else value, input, self=input, min=min, max=max
    )


CLAMP_TENSORS = Rule(
    "clamp",
    "ClampBackward0",
    {
        "self": lambda g, self, min, max: where(between(self, min, max), g, 0.0),
        "min": lambda g, self, min, max: where(
            self < min if max is None else (self < min) & (min < max), g, 0.0
        ),
        "max": lambda g, self, min, max: where(
            self > max if min is None else (self > max) | (max < min), g, 0.0
        ),
    },
)


def clamp_between_tensors(input, min, max):
    """:func:`clamp` with bounds that are tensors and have gradients of their own."""
    value = raw(input)
    if min is not None:
        value = np.maximum(value, raw(min))
    if max is not None:
        value = np.minimum(value, raw(max))
    return CLAMP_TENSORS.record_broadcast(value, input, min, max, self=input, min=min, max=max)


publish(clamp, "clamp", CLAMP)

LERP_NUMBER = Rule(
    "lerp",
    "LerpBackward0",
    {"self": lambda g, weight: g * (1 - weight), "end": lambda g, weight: g * weight},
    arguments=("weight",),
    locals={"self": ("1 - weight", "one minus the weight"), "end": ("weight", "the weight")},
)
LERP_TENSOR = Rule(
    "lerp",
    "LerpBackward1",
    {
        "self": lambda g, weight: g * (1 - weight),
        "end": lambda g, weight: g * weight,
        "weight": lambda g, self, end: g * (end - self),
    },
    locals={
        "self": ("1 - weight", "one minus the weight"),
        "end": ("weight", "the weight"),
        "weight": ("end - self", "the way from start to end"),
    },
)


def lerp(input, end, weight):
    """``input + weight × (end − input)``, elementwise with broadcasting.

    >>> import minigrad as mg
    >>> mg.lerp(mg.tensor([0.0, 10.0]), mg.tensor([1.0, 20.0]), 0.5)
    tensor([ 0.5000, 15.0000])
    """
    x, y, w = raw(input), raw(end), raw(weight)
    if x.dtype is not y.dtype:
        raise RuntimeError(
            f"expected dtype {cpp_name(x.dtype)} for `end` but got dtype {cpp_name(y.dtype)}"
        )
    # From the nearer end, so that weights 0 and 1 give the ends exactly.
    value = broadcast(
        lambda: np.where(np.abs(w) < 0.5, x + w * (y - x), y - (y - x) * (1 - w)).astype(x.dtype)[
            ()
        ]
    )
    if not isinstance(weight, Tensor):
        return LERP_NUMBER.record_broadcast(value, input, end, weight=number(weight))
    if w.dtype is not x.dtype:
        raise RuntimeError(
            f"expected dtype {cpp_name(x.dtype)} for `weight` but got dtype {cpp_name(w.dtype)}"
        )
    return LERP_TENSOR.record_broadcast(
        value, input, end, weight, self=input, end=end, weight=weight
    )


publish(lerp, "lerp", LERP_TENSOR)


ADDCMUL = Rule(
    "addcmul",
    "AddcmulBackward0",
    {
        "self": lambda g: g,
        "tensor1": lambda g, tensor2, value: g * (tensor2 * value),
        "tensor2": lambda g, tensor1, value: g * (tensor1 * value),
    },
    arguments=("value",),
)
ADDCDIV = Rule(
    "addcdiv",
    "AddcdivBackward0",
    {
        "self": lambda g: g,
        "tensor1": lambda g, tensor2, value: g * (value / tensor2),
        "tensor2": lambda g, tensor1, tensor2, value: -g * (value * tensor1 / (tensor2 * tensor2)),
    },
    arguments=("value",),
)


def addcmul(input, tensor1, tensor2, *, value=1):
    """``input + value × tensor1 × tensor2``, elementwise with broadcasting.

    >>> import minigrad as mg
    >>> mg.addcmul(mg.ones(2), mg.tensor([1.0, 2.0]), mg.tensor([3.0, 4.0]), value=0.5)
    tensor([2.5000, 5.0000])
    """
    x, y, z = raw(input), raw(tensor1), raw(tensor2)
    result = broadcast(lambda x, y, z: x + value * y * z, x, y, z)
    return ADDCMUL.record_broadcast(
        result, input, tensor1, tensor2, tensor1=tensor1, tensor2=tensor2, value=value
    )


def addcdiv(input, tensor1, tensor2, *, value=1):
    """``input + value × tensor1 ÷ tensor2``, elementwise with broadcasting.

    >>> import minigrad as mg
    >>> mg.addcdiv(mg.ones(2), mg.tensor([1.0, 2.0]), mg.tensor([2.0, 4.0]))
    tensor([1.5000, 1.5000])
    """
    x, y, z = raw(input), raw(tensor1), raw(tensor2)
    if result_dtype(y, z).kind != "f":
        raise RuntimeError(
            "Integer division with addcdiv is no longer supported, and in a future  release "
            "addcdiv will perform a true "
            "division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as "
            "(input + value * "
            "torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as (input + "
            "value * tensor1 / "
            "tensor2) for float inputs. The future addcdiv behavior is just the latter "
            "implementation: (input + value * "
            "tensor1 / tensor2), for all dtypes."
        )
    result = broadcast(lambda x, y, z: x + value * (y / z), x, y, z)
    return ADDCDIV.record_broadcast(
        result, input, tensor1, tensor2, tensor1=tensor1, tensor2=tensor2, value=value
    )


publish(addcmul, "addcmul", ADDCMUL)
publish(addcdiv, "addcdiv", ADDCDIV)

SOFTPLUS = Rule(
    "softplus",
    "SoftplusBackward0",
    {
        "self": lambda g, self, beta, threshold: where(
            self * beta > threshold, g, g * sigmoid(self * beta)
        )
    },
    arguments=("beta", "threshold"),
    locals={
        "self": (
            "where(self * beta > threshold, 1, sigmoid(self * beta))",
            "the sigmoid of the input",
        )
    },
)


def softplus(input, beta=1, threshold=20):
    """``log(1 + exp(beta × input)) / beta``: a smooth relu, linear above ``threshold``.

    >>> import minigrad as mg
    >>> mg.nn.functional.softplus(mg.tensor([0.0, 30.0]))
    tensor([ 0.6931, 30.0000])
    """
    x = raw(input)
    value = state.quiet(
        lambda: np.where(x * beta > threshold, x, np.log1p(np.exp(x * beta)) / beta).astype(
            x.dtype
        )[()]
    )
    return SOFTPLUS.record(value, input, self=input, beta=beta, threshold=threshold)


# -- division with remainder -----------------------------------------------------------------------

REMAINDER_NUMBER = Rule(
    "remainder",
    "RemainderBackward0",
    {"self": lambda g: g},
    symbol="%",
    locals={"self": ("1", "passed on")},
)
REMAINDER_TENSOR = Rule(
    "remainder",
    "RemainderBackward1",
    {"self": lambda g: g, "other": lambda g, self, other: -g * floor_quotient(self, other)},
    symbol="%",
    locals={
        "self": ("1", "passed on"),
        "other": ("-floor(self / other)", "minus how often it fits"),
    },
)


FLOOR_QUOTIENT = Rule(
    "div",
    "DivBackward1",
    {"self": lambda g: zeros_like(g), "other": lambda g: zeros_like(g)},
    symbol="÷",
)


def floor_quotient(x, y):
    """``floor(x / y)``: how often ``y`` fits into ``x``. A step, with derivative 0."""
    return FLOOR_QUOTIENT.record_broadcast(broadcast(np.floor_divide, raw(x), raw(y)), x, y)


def remainder(input, other):
    """What is left of ``input`` after dividing by ``other``; has the sign of ``other``.

    >>> import minigrad as mg
    >>> mg.tensor([5.0, -5.0]) % 3
    tensor([2., 1.])
    """
    x, y = meet(input, other, "remainder")
    refuse_zero_divisor(x, y)
    value = broadcast(np.remainder, x, y)
    if value.dtype.kind == "f":  # a zero has the sign of what was divided, as in C
        value = np.where(value == 0, np.copysign(value, x), value)[()]
    if not isinstance(input, Tensor):
        return without_derivative("remainder", value, other)
    if not isinstance(other, Tensor):
        return REMAINDER_NUMBER.record_broadcast(value, input)
    return REMAINDER_TENSOR.record_broadcast(value, input, other, self=input, other=other)


def refuse_zero_divisor(x, y) -> None:
    """Integers are not divided by 0."""
    if (
        np.asarray(x).dtype.kind in "iu"
        and np.asarray(y).dtype.kind in "iu"
        and np.any(np.equal(y, 0))
    ):
        raise RuntimeError("ZeroDivisionError")


publish(remainder, "remainder", REMAINDER_NUMBER)


class NotImplementedNode(Node):
    """The history of a result whose derivative PyTorch does not implement: backward raises."""

    __slots__ = ("operation",)

    def name(self) -> str:
        return "torch::autograd::NotImplemented"

    def vjp(self, g, recorded):
        raise RuntimeError(f"derivative for aten::{self.operation} is not implemented")


NotImplementedNode.__name__ = NotImplementedNode.__qualname__ = "NotImplemented"


def floor_divide(input, other):
    """``floor(input / other)``, elementwise; recorded, but backward raises, as in PyTorch.

    >>> import minigrad as mg
    >>> mg.tensor([7.0, -7.0]) // 2
    tensor([ 3., -4.])
    """
    x, y = meet(input, other, "floor_divide")
    refuse_zero_divisor(x, y)
    value = broadcast(np.floor_divide, x, y)
    operands = [operand for operand in (input, other) if isinstance(operand, Tensor)]
    return without_derivative("floor_divide", value, *operands)


def without_derivative(name: str, value, *operands: Tensor) -> Tensor:
    """A result that is recorded as PyTorch does it: the node is there, and backward raises."""
    edges = tuple([edge_of(operand) for operand in operands])
    if not any(edges) or state.mode is OFF:
        return wrap(value)
    node = NotImplementedNode(edges)
    node.operation = name
    return made_by(node, value)


publish(floor_divide, "floor_divide")


def round(input, *, decimals: int = 0):
    """``input`` rounded to ``decimals`` places; halves go to the even neighbor.

    >>> import minigrad as mg
    >>> mg.round(mg.tensor([0.5, 1.5, 2.4]))
    tensor([0., 2., 2.])
    """
    if decimals == 0:
        return round_plain(input)
    x = raw(input)
    return ROUND_DECIMALS.record(np.round(x, decimals), input, decimals=decimals)


ROUND_DECIMALS = Rule(
    "round", "RoundBackward1", {"self": lambda g, decimals: zeros_like(g)}, arguments=("decimals",)
)
publish(round, "round", round_plain.rule)
