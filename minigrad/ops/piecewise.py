"""Kinks and steps, where PyTorch's ``derivatives.yaml`` chooses the sub-gradient."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from ..autograd.caller import warn_once
from ..dtypes import name_of
from ..tensor import Tensor, wrap
from .elementwise import binary, unary
from .memory_order import copied
from .promotion import broadcast, cast, number, raw, raw_tensor, refuse, result_dtype
from .rule import Rule, moving, operation, publish

# -- steps: flat wherever they have a derivative ---------------------------------------------------


def zeros_like(g):
    """Zeros in the shape and dtype of a gradient: the derivative of a step."""
    zeros = np.zeros_like(raw(g))[()]
    return wrap(zeros) if isinstance(g, Tensor) else zeros


def step(name: str, compute: Callable) -> Callable:
    """Declare an operation whose derivative is 0."""
    no_bools = None if name == "sign" else partial(refuse, "b", f"{name}_vml_cpu")
    return unary(name, compute, lambda g: zeros_like(g), integers=True, refuse=no_bools)


def raw_sign(x):
    """-1, 0 or 1; 0 of nan."""
    return copied(x) if x.dtype.kind == "b" else np.nan_to_num(np.sign(x), nan=0.0)


SGN = Rule("sgn", "SgnBackward0", {"self": lambda g, self, result: zeros_like(g)})


def sgn(x):
    """The sign in a derivative. It is a step too, but keeps what it read, as PyTorch's ``sgn``."""
    return SGN.record(raw_sign(raw(x)), x)


sign = step("sign", raw_sign)
floor, ceil, trunc = step("floor", np.floor), step("ceil", np.ceil), step("trunc", np.trunc)
round_plain = step("round", np.round)
ROUND_DECIMALS = moving("round", lambda g, decimals: zeros_like(g), node="RoundBackward1")


@operation(round_plain.rule)
def round(input, *, decimals: int = 0):
    """``input`` rounded to ``decimals`` places; halves go to the even neighbor.

    >>> import minigrad as mg
    >>> mg.round(mg.tensor([0.5, 1.5, 2.4]))
    tensor([0., 2., 2.])
    """
    if decimals == 0:
        return round_plain(input)
    refuse("biu", "round_cpu", raw(input))
    return ROUND_DECIMALS.record(np.round(raw(input), decimals), input, decimals)


# -- one or the other ------------------------------------------------------------------------------


MISSING = object()
BYTES_ARE_CONDITIONS = (
    "where received a uint8 condition tensor. This behavior is deprecated and will be removed in a "
    "future version of PyTorch. Use a boolean condition instead."
)


def check_condition(dtype: np.dtype) -> None:
    """Warn of bytes as conditions, and refuse other numbers."""
    if dtype != np.uint8:
        got = f"a tensor with dtype {name_of(dtype)}"
        raise RuntimeError(f"where expected condition to be a boolean tensor, but got {got}")
    warn_once(BYTES_ARE_CONDITIONS)


@operation(
    lambda g, condition: where(condition, g, 0.0),
    other=lambda g, condition: where(condition, 0.0, g),
    broadcasts=True,
)
def where(condition, input=MISSING, other=MISSING):
    """``input`` where ``condition`` holds, else ``other``; all three are broadcast.

    Of a condition alone, the indices of what is not 0, as ``nonzero(condition, as_tuple=True)``.

    >>> import minigrad as mg
    >>> x = mg.tensor([-1.0, 2.0])
    >>> mg.where(x > 0, x, 0)
    tensor([0., 2.])
    """
    mask = raw_tensor(condition, "where", "condition")
    if input is MISSING and other is MISSING:
        return condition.nonzero(as_tuple=True)
    if input is MISSING or other is MISSING:
        raise TypeError("where() received an invalid combination of arguments: input and other")
    if mask.dtype.kind != "b":
        check_condition(mask.dtype)
    tensors = isinstance(input, Tensor) or isinstance(other, Tensor)
    x, y = (raw(number(v) if tensors else v) for v in (input, other))
    dtype = result_dtype(x, y)
    value = broadcast(np.where, mask, cast(x, dtype), cast(y, dtype))[()]
    if not tensors:
        return wrap(value) if isinstance(condition, Tensor) else value
    return where.rule.record(value, input, other, condition)


def to_larger(g, x, y):
    """The part of ``g`` that ``x`` gets in ``maximum(x, y)``: half in a tie, all beside a nan."""
    if not isinstance(g, Tensor):  # compared in the dtype of the result, as Tensors are
        x, y = cast(x, g.dtype), cast(y, g.dtype)
    return where(x < y, 0.0, where(x == y, g / 2, g))


def refuse_bool_relu(x) -> None:
    """Bools have no relu."""
    if x.dtype.kind == "b":
        raise RuntimeError("Boolean inputs not supported for relu")


# fmt: off
maximum = binary("maximum", np.maximum, numbers=False,
                 self=lambda g, self, other: to_larger(g, self, other),
                 other=lambda g, self, other: to_larger(g, other, self))
minimum = binary("minimum", np.minimum, numbers=False,
                 self=lambda g, self, other: to_larger(g, other, self),
                 other=lambda g, self, other: to_larger(g, self, other))

# -- corners ---------------------------------------------------------------------------------------

abs = unary("abs", np.abs, lambda g, self: g * sgn(self),
            symbol="|·|", integers=True, refuse=partial(refuse, "b", "abs_cpu"))
relu = unary("relu", lambda x: np.maximum(x.dtype.type(0), x),  # in this order -0. stays
             lambda g, result: threshold_backward(g, result), integers=True,
             refuse=refuse_bool_relu)

THRESHOLD_BACKWARD = Rule("threshold_backward", "ThresholdBackwardBackward0", {
    "grad_output": lambda g, self: threshold_backward(g, self),
    "self": lambda g, self: zeros_like(g),  # what it asks for is saved for nobody, as in PyTorch
})
CLAMP = Rule("clamp", "ClampBackward1", {
    "self": lambda g, self, min, max: where(between(self, min, max), g, 0.0),
}, arguments=("min", "max"))
CLAMP_TENSORS = Rule("clamp", "ClampBackward0", {
    "self": lambda g, self, min, max: where(between(self, min, max), g, 0.0),
    "min": lambda g, self, min, max: where(
        self < min if max is None else (self < min) & (min < max), g, 0.0),
    "max": lambda g, self, min, max: where(
        self > max if min is None else (self > max) | (max < min), g, 0.0),
}, broadcasts=True)
# fmt: on


def threshold_backward(g, self):
    """``g`` where ``self`` is above 0, else 0; the path to ``self`` exists and carries 0."""
    value = kept_where(~np.less_equal(raw(self), 0), raw(g))
    return THRESHOLD_BACKWARD.record(value, g, self)


def kept_where(mask, g):
    """``g`` where the mask holds, else 0.

    It works on the bits: times 0, an infinity would become nan and -1 would become -0.; and
    ``np.where`` takes three times as long on a mask without a pattern.

    >>> kept_where(np.array([True, False]), np.array([2.0, np.inf]))
    array([2., 0.])
    """
    bits = np.dtype(f"i{g.itemsize}")
    return (g.view(bits) & -mask.astype(bits)).view(g.dtype)


def between(x, low, high):
    """Which elements lie within the bounds, edges included; a bound may be None."""
    if low is None:
        return x <= high
    return x >= low if high is None else (x >= low) & (x <= high)


def clamp(input, min=None, max=None):
    """``input`` cut off below ``min`` and above ``max``; the derivative is 1 at the edges.

    A bound may be a number, None, or a tensor, which then has a gradient of its own.

    >>> import minigrad as mg
    >>> mg.clamp(mg.tensor([-2.0, 0.5, 3.0]), 0, 1)
    tensor([0.0000, 0.5000, 1.0000])
    """
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if None not in (min, max) and isinstance(min, Tensor) != isinstance(max, Tensor):
        raise TypeError("clamp() takes two numbers or two tensors, not one of each")
    min, max = number(min), number(max)
    value, low, high = raw(input), raw(min), raw(max)
    tensors = isinstance(min, Tensor) or isinstance(max, Tensor)
    if tensors or value.dtype.kind != "f":
        dtype = result_dtype(*[v for v in (value, low, high) if v is not None])
        value, low, high = (v if v is None else cast(v, dtype) for v in (value, low, high))
        refuse_bool_bounds(value, low, high, tensors)
    value = broadcast(cut_off, value, low, high)
    if tensors:
        return CLAMP_TENSORS.record(value, input, min, max)
    return CLAMP.record(value, input, min, max)


def cut_off(x, low, high):
    """A raw value cut off at its bounds, each of which may be None."""
    x = x if low is None else np.maximum(x, low)
    return x if high is None else np.minimum(x, high)


def refuse_bool_bounds(value, low, high, tensors: bool) -> None:
    """Bools are cut off by one tensor alone, which is a maximum or a minimum."""
    side = "_min" if high is None else "_max" if low is None else ""
    if not tensors or not side:
        refuse("b", "clamp_cpu" if tensors else f"clamp{side}_scalar_cpu", value)


publish(clamp, "clamp", CLAMP)
