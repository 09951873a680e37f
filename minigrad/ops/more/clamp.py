"""``clamp``, ``clamp_min`` and ``clamp_max``: what is cut off below a bound and above another."""

from __future__ import annotations

import operator
from collections.abc import Callable

import numpy as np

from ...tensor import Tensor
from ..piecewise import where
from ..promotion import broadcast, cast, meet, number, raw, refuse, result_dtype
from ..rule import Rule, operation

# fmt: off
CLAMP = Rule("clamp", node="ClampBackward1",
    self=lambda g, self, min, max: where(between(self, min, max), g, 0.0))
CLAMP_TENSORS = Rule("clamp", broadcasts=True,
    self=lambda g, self, min, max: where(between(self, min, max), g, 0.0),
    min=lambda g, self, min, max: where(
        self < min if max is None else (self < min) & (min < max), g, 0.0),
    max=lambda g, self, min, max: where(
        self > max if min is None else (self > max) | (max < min), g, 0.0))
# Of one bound: a number, or a tensor.
CLAMP_MIN = (
    Rule("clamp_min", lambda g, self, min: kept(g, operator.ge, self, min)),
    Rule("clamp_min", node="ClampMinBackward1", broadcasts=True,
        self=lambda g, self, min: kept(g, operator.ge, self, min),
        min=lambda g, self, min: kept(g, operator.lt, self, min)))
CLAMP_MAX = (
    Rule("clamp_max", lambda g, self, max: kept(g, operator.le, self, max)),
    Rule("clamp_max", node="ClampMaxBackward1", broadcasts=True,
        self=lambda g, self, max: kept(g, operator.le, self, max),
        max=lambda g, self, max: kept(g, operator.gt, self, max)))
# fmt: on


def kept(g, holds: Callable, x, bound):
    """``g`` where ``holds(x, bound)``, else 0; compared in the dtype of the result."""
    if not isinstance(g, Tensor):
        x, bound = cast(x, g.dtype), cast(bound, g.dtype)
    return where(holds(x, bound), g, 0.0)


def between(x, low, high):
    """Which elements lie within the bounds, edges included; a bound may be None."""
    if low is None:
        return x <= high
    return x >= low if high is None else (x >= low) & (x <= high)


@operation(CLAMP)
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


@operation(CLAMP)
def clip(input, min=None, max=None):
    """NumPy's name of :func:`clamp`.

    >>> import minigrad as mg
    >>> mg.clip(mg.tensor([-2.0, 0.5, 3.0]), 0, 1)
    tensor([0.0000, 0.5000, 1.0000])
    """
    return clamp(input, min, max)


@operation(CLAMP_MIN[0])
def clamp_min(input, min):
    """``input`` cut off below ``min``, a number or a tensor; the derivative is 1 at the edge.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.Tensor.clamp_min.html

    >>> import minigrad as mg
    >>> mg.clamp_min(mg.tensor([-2.0, 0.5, 3.0]), 0)
    tensor([0.0000, 0.5000, 3.0000])
    """
    return with_one_bound(CLAMP_MIN, np.maximum, input, min)


@operation(CLAMP_MAX[0])
def clamp_max(input, max):
    """``input`` cut off above ``max``, a number or a tensor; the derivative is 1 at the edge.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.Tensor.clamp_max.html

    >>> import minigrad as mg
    >>> mg.clamp_max(mg.tensor([-2.0, 0.5, 3.0]), 1)
    tensor([-2.0000,  0.5000,  1.0000])
    """
    return with_one_bound(CLAMP_MAX, np.minimum, input, max)


def with_one_bound(rules: tuple, compute: Callable, input, bound):
    """``compute(input, bound)``, recorded with the rule for a number or that for a tensor."""
    rule, bound = rules[isinstance(bound, Tensor)], number(bound)
    return rule.record(broadcast(compute, *meet(input, bound, rule.name)), input, bound)


def cut_off(x, low, high):
    """A raw value cut off at its bounds, each of which may be None."""
    x = x if low is None else np.maximum(x, low)
    return x if high is None else np.minimum(x, high)


def refuse_bool_bounds(value, low, high, tensors: bool) -> None:
    """Bools are cut off by one tensor alone, which is a maximum or a minimum."""
    side = "_min" if high is None else "_max" if low is None else ""
    if not tensors or not side:
        refuse("b", "clamp_cpu" if tensors else f"clamp{side}_scalar_cpu", value)
