"""Arithmetic: sums, products, quotients and what is made of them.

``g`` is the gradient of the result; the other parameters of a formula are what the node saves, but
for those that begin with ``_``: they hold a place (:mod:`.rule`). The local derivative, the factor
that ``g`` is multiplied by, is written once more in symbols and words for people to read, in
``trace/derivatives.toml``. Source: PyTorch 2.13 ``derivatives.yaml``.
"""

from __future__ import annotations

import operator

import numpy as np

from ..messages import message
from .elementwise import binary, unary
from .promotion import raw
from .rule import Rule


def refuse_negated_bools(x) -> None:
    """Bools are not negated."""
    if x.dtype.kind == "b":
        raise RuntimeError(message("negated-bools", what="Negation, the `-` operator, on"))


def refuse_bools(x, y) -> None:
    """Bools are not subtracted."""
    bools = [np.asarray(value).dtype.kind == "b" for value in (x, y)]
    if all(bools):
        raise RuntimeError(message("subtracted-bools"))
    if any(bools):
        raise RuntimeError(message("negated-bools", what="Subtraction, the `-` operator, with"))


# fmt: off
add = binary("add", operator.add, self=lambda g, _self, _other: g,
             other=lambda g, _self, _other: g, symbol="+")
sub = binary("sub", operator.sub, self=lambda g, _self, _other: g,
             other=lambda g, _self, _other: -g, symbol="−", refuse=refuse_bools)
mul = binary("mul", operator.mul, self=lambda g, _self, other: g * other,
             other=lambda g, self, _other: g * self, symbol="×")
div = binary("div", operator.truediv, self=lambda g, _self, other: g / other,
             other=lambda g, self, other: -g * ((self / other) / other), symbol="÷",
             floating=True)
neg = unary("neg", operator.neg, lambda g: -g, symbol="−",
            integers=True, refuse=refuse_negated_bools)
reciprocal = unary("reciprocal", lambda x: 1 / x, lambda g, result: -g * (result * result),
                   symbol="1/")

# -- with a plain number ---------------------------------------------------------------------------

TIMES_NUMBER = Rule("mul", lambda g, other: times_number(g, other), node="MulBackward1", symbol="×")
OVER_NUMBER = Rule("div", lambda g, other: over_number(g, other), node="DivBackward1", symbol="÷")
# fmt: on


def times_number(g, other: float):
    """A gradient times a plain number, recorded as PyTorch's formulas record it."""
    return TIMES_NUMBER.record(raw(g) * other, g, other)


def over_number(g, other: float):
    """A gradient divided by a plain number, recorded as PyTorch's formulas record it."""
    return OVER_NUMBER.record(raw(g) / other, g, other)
