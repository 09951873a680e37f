"""Arithmetic: sums, products, quotients and what is made of them.

``g`` is the gradient of the result; the other parameters of a formula are what the node saves
(:mod:`.rule`). The local derivative, the factor that ``g`` is multiplied by, is written once more
in symbols and words for people to read. Source: PyTorch 2.13 ``derivatives.yaml``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

import numpy as np

from ..tensor import Tensor
from .elementwise import binary, unary
from .promotion import (
    NUMBERS,
    broadcast,
    meet,
    plain_number,
    raw,
    result_dtype,
)
from .rule import Rule, publish

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


# fmt: off
add_plain = binary("add", operator.add, self=lambda g, _self, _other: g,
                   other=lambda g, _self, _other: g, symbol="+")
sub_plain = binary("sub", operator.sub, self=lambda g, _self, _other: g,
                   other=lambda g, _self, _other: -g, symbol="−", refuse=refuse_bools)
mul = binary("mul", operator.mul, self=lambda g, _self, other: g * other,
             other=lambda g, self, _other: g * self, symbol="×")
div_plain = binary("div", operator.truediv, self=lambda g, _self, other: g / other,
                   other=lambda g, self, other: -g * ((self / other) / other), symbol="÷",
                   floating=True)
neg = unary("neg", operator.neg, lambda g: -g, symbol="−",
            integers=True, refuse=refuse_negated_bools)
reciprocal = unary("reciprocal", lambda x: 1 / x, lambda g, result: -g * (result * result),
                   symbol="1/")

# -- with a plain number ---------------------------------------------------------------------------

TIMES_NUMBER = Rule("mul", "MulBackward1", {"self": lambda g, other: times_number(g, other)},
                    arguments=("other",), symbol="×")
OVER_NUMBER = Rule("div", "DivBackward1", {"self": lambda g, other: over_number(g, other)},
                   arguments=("other",), symbol="÷")
ADD_SCALED = Rule("add", "AddBackward0", {
    "self": lambda g: g, "other": lambda g, alpha: times_number(g, alpha),
}, arguments=("alpha",), broadcasts=True, symbol="+")
SUB_SCALED = Rule("sub", "SubBackward0", {
    "self": lambda g: g, "other": lambda g, alpha: times_number(-g, alpha),
}, arguments=("alpha",), broadcasts=True, symbol="−")
RSUB_TENSORS = Rule("rsub", "RsubBackward0", {
    "self": lambda g, alpha: times_number(-g, alpha), "other": lambda g: g,
}, arguments=("alpha",), broadcasts=True, symbol="−")
RSUB = Rule("rsub", "RsubBackward1", {
    "self": lambda g, alpha: -g if alpha == 1 else times_number(-g, alpha),
}, arguments=("alpha",), symbol="−")
# fmt: on


def times_number(g, other: float):
    """A gradient times a plain number, recorded as PyTorch's formulas record it."""
    return TIMES_NUMBER.record(raw(g) * other, g, other)


def over_number(g, other: float):
    """A gradient divided by a plain number, recorded as PyTorch's formulas record it."""
    value = raw(g) / other
    return OVER_NUMBER.record(value, g, other) if isinstance(g, Tensor) else value


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
    return ADD_SCALED.record(value, input, other, alpha)


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
    return SUB_SCALED.record(value, input, other, alpha)


def rsub(input, other, *, alpha=1):
    """``other − alpha × input``: what ``2 - x`` computes.

    >>> import minigrad as mg
    >>> mg.rsub(mg.tensor([1.0, 2.0]), 10)
    tensor([9., 8.])
    """
    alpha = plain_number(alpha, "rsub", "alpha")
    value = combined(operator.sub, "rsub", other, input, alpha, refuse_bools)
    if isinstance(other, Tensor):
        return RSUB_TENSORS.record(value, input, other, alpha)
    return RSUB.record(value, input, alpha)


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
