"""Arithmetic: sums, products, quotients and what is made of them.

``g`` is the gradient of the result; the other parameters of a formula are what the node saves
(:mod:`.rule`). The local derivative, the factor that ``g`` is multiplied by, is written once more
in symbols and words for people to read. Source: PyTorch 2.13 ``derivatives.yaml``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

import numpy as np

from ..autograd.accumulate import AT_ONCE
from ..dtypes import cpp_name
from ..tensor import Tensor
from .elementwise import binary, unary
from .kernels import no_kernel, refuse
from .kinks import zeros_like
from .operands import NUMBERS, broadcast, cast, meet, number, plain_number, raw, result_dtype
from .rule import Rule, RuleNode, publish

INVERT = (
    " a bool tensor is not supported. If you are trying to invert a mask, "
    "use the `~` or `logical_not()` operator instead."
)


def refuse_negated_bools(x) -> None:
    """Bools are not negated."""
    if x.dtype.kind == "b":
        raise RuntimeError("Negation, the `-` operator, on" + INVERT)


def refuse_bools(x, y) -> None:
    """Bools are not subtracted."""
    bools = [np.asarray(value).dtype.kind == "b" for value in (x, y)]
    if all(bools):
        raise RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. "
            "Use the `^` or `logical_xor()` operator instead."
        )
    if any(bools):
        raise RuntimeError("Subtraction, the `-` operator, with" + INVERT)


PASSED_ON = ("1", "a sum passes the gradient on unchanged")
NEGATED = ("-1", "what is subtracted counts negatively")

# fmt: off
add_plain = binary("add", operator.add, self=lambda g, _self, _other: g,
                   other=lambda g, _self, _other: g, symbol="+", locals=(PASSED_ON, PASSED_ON))
sub_plain = binary("sub", operator.sub, self=lambda g, _self, _other: g,
                   other=lambda g, _self, _other: -g, symbol="−", refuse=refuse_bools,
                   locals=(("1", "passed on unchanged"), NEGATED))
mul = binary("mul", operator.mul, self=lambda g, _self, other: g * other,
             other=lambda g, self, _other: g * self, symbol="×",
             locals=(("other", "the other factor"), ("self", "the other factor")))
div_plain = binary("div", operator.truediv, self=lambda g, _self, other: g / other,
                   other=lambda g, self, other: -g * ((self / other) / other), symbol="÷",
                   floating=True, locals=(
                       ("1 / other", "one over the divisor"),
                       ("-self / other**2", "minus the dividend over the square of the divisor")))
neg = unary("neg", operator.neg, lambda g: -g, ("-1", "the sign turns around"), symbol="−",
            integers=True, refuse=refuse_negated_bools)
reciprocal = unary("reciprocal", lambda x: 1 / x, lambda g, result: -g * (result * result),
                   ("-result * result", "minus the square of the result"), symbol="1/")

# -- with a plain number ---------------------------------------------------------------------------

TIMES_NUMBER = Rule("mul", "MulBackward1", {"self": lambda g, other: times_number(g, other)},
                    arguments=("other",), symbol="×")
OVER_NUMBER = Rule("div", "DivBackward1", {"self": lambda g, other: over_number(g, other)},
                   arguments=("other",), symbol="÷")
ADD_SCALED = Rule("add", "AddBackward0", {
    "self": lambda g: g, "other": lambda g, alpha: times_number(g, alpha),
}, arguments=("alpha",), symbol="+")
SUB_SCALED = Rule("sub", "SubBackward0", {
    "self": lambda g: g, "other": lambda g, alpha: times_number(-g, alpha),
}, arguments=("alpha",), symbol="−")
RSUB_TENSORS = Rule("rsub", "RsubBackward0", {
    "self": lambda g, alpha: times_number(-g, alpha), "other": lambda g: g,
}, arguments=("alpha",), symbol="−")
RSUB = Rule("rsub", "RsubBackward1", {
    "self": lambda g, alpha: -g if alpha == 1 else times_number(-g, alpha),
}, arguments=("alpha",), symbol="−", locals={"self": ("-alpha", NEGATED[1])})
# fmt: on


def times_number(g, other: float):
    """A gradient times a plain number, recorded as PyTorch's formulas record it."""
    return TIMES_NUMBER.record(raw(g) * other, g, other=other)


def over_number(g, other: float):
    """A gradient divided by a plain number, recorded as PyTorch's formulas record it."""
    value = raw(g) / other
    return OVER_NUMBER.record(value, g, other=other) if isinstance(g, Tensor) else value


def add(input, other, *, alpha=1):
    """``input + alpha × other``, elementwise with broadcasting.

    >>> import minigrad as mg
    >>> mg.add(mg.tensor([1.0, 2.0]), mg.tensor([10.0, 20.0]), alpha=2)
    tensor([21., 42.])
    """
    if alpha.__class__ is int and alpha == 1:
        return add_plain(input, other)
    alpha = plain_number(alpha, "add", "alpha")
    value = combined(operator.add, "add", input, other, alpha)
    return ADD_SCALED.record_broadcast(value, input, other, alpha=alpha)


def sub(input, other, *, alpha=1):
    """``input − alpha × other``, elementwise with broadcasting.

    >>> import minigrad as mg
    >>> mg.sub(mg.tensor([1.0, 2.0]), 1)
    tensor([0., 1.])
    """
    if alpha.__class__ is int and alpha == 1:
        return sub_plain(input, other)
    alpha = plain_number(alpha, "sub", "alpha")
    value = combined(operator.sub, "sub", input, other, alpha, refuse_bools)
    return SUB_SCALED.record_broadcast(value, input, other, alpha=alpha)


def rsub(input, other, *, alpha=1):
    """``other − alpha × input``: what ``2 - x`` computes.

    >>> import minigrad as mg
    >>> mg.rsub(mg.tensor([1.0, 2.0]), 10)
    tensor([9., 8.])
    """
    alpha = plain_number(alpha, "rsub", "alpha")
    value = combined(operator.sub, "rsub", other, input, alpha, refuse_bools)
    if isinstance(other, Tensor):
        return RSUB_TENSORS.record_broadcast(value, input, other, alpha=alpha)
    return RSUB.record(value, input, alpha=alpha)


def combined(compute: Callable, name: str, input, other, alpha, refuse: Callable | None = None):
    """The raw ``input ± alpha × other``."""
    if isinstance(alpha, float) and result_dtype(raw(input), raw(other)).kind != "f":
        raise RuntimeError(
            "For integral input tensors, argument alpha must not be a floating point number."
        )

    def scaled(x, y):
        product = y * alpha
        return compute(x, product if y.__class__ in NUMBERS else product.astype(y.dtype))

    x, y = meet(input, other, name, refuse=refuse)
    return broadcast(compute if alpha == 1 else scaled, x, y)


for _operation, _rule in ((add, add_plain.rule), (sub, sub_plain.rule), (rsub, RSUB)):
    publish(_operation, _operation.__name__, _rule)

# -- of three --------------------------------------------------------------------------------------

BY_START, BY_END = ("1 - weight", "one minus the weight"), ("weight", "the weight")

# fmt: off
LERP_NUMBER = Rule("lerp", "LerpBackward0", {
    "self": lambda g, weight: times_number(g, 1 - weight),
    "end": lambda g, weight: times_number(g, weight),
}, arguments=("weight",), locals={"self": BY_START, "end": BY_END})
LERP_TENSOR = Rule("lerp", "LerpBackward1", {
    "self": lambda g, weight: g * (1 - weight),
    "end": lambda g, weight: g * weight,
    "weight": lambda g, self, end: g * (end - self),
}, locals={"self": BY_START, "end": BY_END, "weight": ("end - self", "the way from start to end")})
ADDCMUL = Rule("addcmul", "AddcmulBackward0", {
    "self": lambda g: g,
    "tensor1": lambda g, tensor2, value: g * times_number(tensor2, value),
    "tensor2": lambda g, tensor1, value: g * times_number(tensor1, value),
}, arguments=("value",))
ADDCDIV = Rule("addcdiv", "AddcdivBackward0", {
    "self": lambda g: g,
    "tensor1": lambda g, tensor2, value: g * (value / tensor2),
    "tensor2": lambda g, tensor1, tensor2, value: (
        -g * (times_number(tensor1, value) / (tensor2 * tensor2))),
}, arguments=("value",))
# fmt: on


def lerp(input, end: Tensor, weight):
    """``input + weight × (end − input)``, elementwise with broadcasting.

    >>> import minigrad as mg
    >>> mg.lerp(mg.tensor([0.0, 10.0]), mg.tensor([1.0, 20.0]), 0.5)
    tensor([ 0.5000, 15.0000])
    """
    x = raw(input)
    others = {"end": end, "weight": weight} if isinstance(weight, Tensor) else {"end": end}
    for name, operand in others.items():
        if raw(operand).dtype is not x.dtype:
            raise RuntimeError(
                f"expected dtype {cpp_name(x.dtype)} for `{name}` "
                f"but got dtype {cpp_name(raw(operand).dtype)}"
            )
    if x.dtype.kind != "f":
        raise no_kernel(f"lerp_kernel_{'tensor' if isinstance(weight, Tensor) else 'scalar'}", x)
    value = broadcast(between_ends, x, raw(end), raw(weight))
    if not isinstance(weight, Tensor):
        return LERP_NUMBER.record_broadcast(value, input, end, weight=number(weight))
    return LERP_TENSOR.record_broadcast(value, input, end, weight, self=input, **others)


def between_ends(x, y, weight):
    """The raw :func:`lerp`, from the nearer end, so that weights 0 and 1 give the ends exactly."""
    near = np.where(np.abs(weight) < 0.5, x + weight * (y - x), y - (y - x) * (1 - weight))
    return near.astype(x.dtype)[()]


def addcmul(input, tensor1: Tensor, tensor2: Tensor, *, value=1):
    """``input + value × tensor1 × tensor2``, elementwise with broadcasting.

    >>> import minigrad as mg
    >>> mg.addcmul(mg.ones(2), mg.tensor([1.0, 2.0]), mg.tensor([3.0, 4.0]), value=0.5)
    tensor([2.5000, 5.0000])
    """
    return of_three(ADDCMUL, lambda x, y, z, f: x + f * y * z, input, tensor1, tensor2, value)


def addcdiv(input, tensor1: Tensor, tensor2: Tensor, *, value=1):
    """``input + value × tensor1 ÷ tensor2``, elementwise with broadcasting.

    >>> import minigrad as mg
    >>> mg.addcdiv(mg.ones(2), mg.tensor([1.0, 2.0]), mg.tensor([2.0, 4.0]))
    tensor([1.5000, 1.5000])
    """
    if result_dtype(raw(tensor1), raw(tensor2)).kind != "f":
        raise RuntimeError(
            "Integer division with addcdiv is no longer supported, and in a future  release "
            "addcdiv will perform a true division of tensor1 and tensor2. The historic addcdiv "
            "behavior can be implemented as (input + value * torch.trunc(tensor1 / tensor2))"
            ".to(input.dtype) for integer inputs and as (input + value * tensor1 / tensor2) for "
            "float inputs. The future addcdiv behavior is just the latter implementation: "
            "(input + value * tensor1 / tensor2), for all dtypes."
        )
    return of_three(ADDCDIV, lambda x, y, z, f: x + f * (y / z), input, tensor1, tensor2, value)


def of_three(rule: Rule, compute: Callable, input, tensor1, tensor2, value):
    """The raw function of three tensors, recorded with this rule."""
    operands, value = (input, tensor1, tensor2), plain_number(value, rule.name, "value")
    dtype = result_dtype(*[raw(operand) for operand in operands])
    x, y, z, factor = (cast(raw(v), dtype) for v in (*operands, value))
    refuse("b", f"{rule.name}_cpu_out", x)
    result = broadcast(lambda x, y, z: compute(x, y, z, factor), x, y, z)
    named = {"tensor1": tensor1, "tensor2": tensor2, "value": value}
    return rule.record_broadcast(result, *operands, **named)


for _operation, _rule in ((lerp, LERP_TENSOR), (addcmul, ADDCMUL), (addcdiv, ADDCDIV)):
    publish(_operation, _operation.__name__, _rule)

# -- division with remainder -----------------------------------------------------------------------


class NotImplementedNode(RuleNode):
    """The history of a result whose derivative PyTorch does not implement: backward raises."""

    __slots__ = ()

    def __init__(self, edges, saved=()):  # without a creation number: it raises as soon as it can
        self.edges = edges
        self.saved = saved
        self.specs = self.extras = None
        self.sequence = AT_ONCE

    def name(self) -> str:
        return "torch::autograd::NotImplemented"

    def vjp(self, g, recorded):
        raise RuntimeError(f"derivative for aten::{self.rule.name} is not implemented")


# fmt: off
REMAINDER_NUMBER = Rule("remainder", "RemainderBackward0", {"self": lambda g: g}, symbol="%",
                        locals={"self": ("1", "passed on")})
REMAINDER_TENSOR = Rule("remainder", "RemainderBackward1", {
    "self": lambda g: g, "other": lambda g, self, other: -g * rounded(self, other, "floor"),
}, symbol="%", locals={"self": ("1", "passed on"),
                       "other": ("-floor(self / other)", "minus how often it fits")})
ROUNDED_QUOTIENT = Rule("div", "DivBackward2", {
    "self": lambda g, other, rounding_mode: zeros_like(g),
    "other": lambda g, self, other, rounding_mode: zeros_like(g),
}, arguments=("rounding_mode",), symbol="÷")
NO_REMAINDER, FLOOR_DIVIDE = (Rule(name, "NotImplemented", {}, kind=NotImplementedNode)
                              for name in ("remainder", "floor_divide"))
# fmt: on


def div(input, other, *, rounding_mode: str | None = None):
    """``input / other``, elementwise with broadcasting.

    Args:
        rounding_mode: ``"floor"`` rounds down, ``"trunc"`` towards 0: a step, with derivative 0.

    >>> import minigrad as mg
    >>> x = mg.tensor([7.0, -7.0])
    >>> mg.div(x, 2), mg.div(x, 2, rounding_mode="floor"), mg.div(x, 2, rounding_mode="trunc")
    (tensor([ 3.5000, -3.5000]), tensor([ 3., -4.]), tensor([ 3., -3.]))
    """
    if rounding_mode is None:
        return div_plain(input, other)
    if rounding_mode not in ROUNDINGS:
        raise RuntimeError(
            "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found "
            f"'{rounding_mode}'"
        )
    return rounded(input, other, rounding_mode)


def rounded(input, other, mode: str):
    """A quotient rounded in this way; the operands may be raw."""
    x, y = meet(input, other, "div") if isinstance(input, Tensor) else (input, other)
    refuse_zero_divisor(x, y)
    value, saved = broadcast(ROUNDINGS[mode], x, y), {"self": input, "other": other}
    return ROUNDED_QUOTIENT.record_broadcast(value, input, other, **saved, rounding_mode=mode)


def truncated(x, y):
    """The raw quotient of two values of one dtype, rounded towards 0."""
    if np.result_type(x, y).kind == "f":
        return np.trunc(x / y)
    down = np.floor_divide(x, y)
    return down + ((down < 0) & (down * y != x))


ROUNDINGS = {"floor": np.floor_divide, "trunc": truncated}


def remainder(input, other):
    """What is left of ``input`` after dividing by ``other``; has the sign of ``other``.

    >>> import minigrad as mg
    >>> mg.tensor([5.0, -5.0]) % 3
    tensor([2., 1.])
    """
    x, y = meet(input, other, "remainder")
    refuse("b", "remainder_cpu", x)
    refuse_zero_divisor(x, y)
    value = broadcast(np.remainder, x, y)
    if value.dtype.kind == "f":  # a zero has the sign of what was divided, as in C
        value = np.where(value == 0, np.copysign(value, x), value)[()]
    if not isinstance(input, Tensor):
        return NO_REMAINDER.record(value, other)
    if not isinstance(other, Tensor):
        return REMAINDER_NUMBER.record_broadcast(value, input)
    return REMAINDER_TENSOR.record_broadcast(value, input, other, self=input, other=other)


def floor_divide(input, other):
    """``floor(input / other)``, elementwise; recorded, but backward raises, as in PyTorch.

    >>> import minigrad as mg
    >>> mg.tensor([7.0, -7.0]) // 2
    tensor([ 3., -4.])
    """
    x, y = meet(input, other, "floor_divide")
    refuse("b", "div_floor_cpu", x)
    refuse_zero_divisor(x, y)
    value, operands = broadcast(np.floor_divide, x, y), (input, other)
    return FLOOR_DIVIDE.record(value, *[each for each in operands if isinstance(each, Tensor)])


def refuse_zero_divisor(x, y) -> None:
    """Integers are not divided by 0."""
    if all(np.asarray(value).dtype.kind in "iu" for value in (x, y)) and np.any(np.equal(y, 0)):
        raise RuntimeError("ZeroDivisionError")


publish(div, "div", div_plain.rule)
publish(remainder, "remainder", REMAINDER_NUMBER)
publish(floor_divide, "floor_divide")
