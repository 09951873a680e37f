"""Elementwise operations, of one operand and of two.

Most of a graph is made here, and most of the time of a small graph is spent here. So an operation
is one function: it begins with computing its value as below, and goes on as ``record`` does
(:mod:`.template`). What is rare is left to :mod:`.promotion`.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType

import numpy as np
from numpy import ndarray

from .. import dtypes
from ..autograd.around import Around
from ..autograd.thread_state import state
from ..tensor import Tensor, wrap
from .promotion import (  # noqa: F401  (names in the text)
    FLOAT_SCALARS,
    NUMBERS,
    UnsupportedOperand,
    broadcast_error,
    fit,
    meet,
    raw,
    raw_tensor,
)
from .rule import Rule, operation
from .template import compiled, text_of_record, written_when_called

UNARY = """
def operation(input):
    self = input  # as formulas call the first operand
    if not isinstance(self, Tensor):
        return unusual(self)
    a = self._value
    if a.__class__ not in FLOAT_SCALARS:
        if a.dtype.kind != "f":
            return unusual(self)
        a = a if a.ndim else a[()]  # NumPy computes faster with a scalar
    here = state.here
    value_ = here.quiet(compute, a)"""
FUNCTION = """
def operation(input, other):
    self = input  # as formulas call the first operand
    a = self._value if self.__class__ is Tensor else raw(self)"""
OPERATOR = "\ndef operation(self, other):\n    a = self._value"
BINARY = """
    if other.__class__ is Tensor:
        b = other._value
    elif other.__class__ in NUMBERS:
        b = other
    else:
        {else_}
    scalars = a.__class__ in FLOAT_SCALARS and (b.__class__ is a.__class__ or b.__class__ is float)
    if not scalars and not (  # nor arrays that fit as they are
        a.__class__ is ndarray
        and a.ndim
        and a.dtype.kind == "f"
        and (b.__class__ is float or b.__class__ is ndarray and b.dtype is a.dtype)
    ):
        if a.__class__ is ndarray and not a.ndim:
            a = a[()]  # NumPy computes faster with a scalar
        if b.__class__ is ndarray and not b.ndim:
            b = b[()]
        scalars = a.__class__ in FLOAT_SCALARS and b.__class__ in (a.__class__, float)
        if not scalars and not fit(a, b):
            if not isinstance(self, Tensor) and not isinstance(other, Tensor):  # in a formula
                return compute(raw_tensor(self, name), other)
            a, b = meet(self, other, name, floating, refuse)
    here = state.here
    try:
        value_ = here.quiet(compute, a, b)
    except ValueError:
        raise broadcast_error(a, b) from None"""


def of_one(input):
    """What stands in for an operation of one operand until it is first called."""
    return become()(input)  # noqa: F821


def of_two(input, other):
    """What stands in for an operation of two operands until it is first called."""
    return become()(input, other)  # noqa: F821


def elementwise(
    stand_in: FunctionType, rule: Rule, begin: str, names: dict, label: str = ""
) -> Callable:
    """An operation that begins like this, with names of its own, and records with this rule."""

    def write() -> Callable:
        meaning = {**globals(), **names, "NewNode": rule.node}
        return compiled(text_of_record(rule, begin), f"<{label or rule.name}>", meaning)

    return written_when_called(stand_in, write)


def unary(
    name: str,
    compute: Callable,
    gradient: Callable,
    *,
    node: str = "",
    symbol: str = "",
    integers: bool = False,
    refuse: Callable | None = None,
) -> Callable:
    """Declare an elementwise operation of one operand.

    Args:
        name: the operation's name; its node is ``<Name>Backward0`` unless ``node`` says otherwise.
        compute: the function of raw values, from NumPy or :mod:`operator`.
        gradient: the formula ``(g[, self][, result])``.
        symbol: how pictures show it.
        integers: whether an integer operand keeps its dtype instead of becoming floating.
        refuse: called with the raw operand when it is not floating; may raise.
    """
    rule = Rule(name, gradient, node=node, symbol=symbol, keeps_dtype=True)

    def unusual(input):  # of integers, and of the raw values in a formula
        x = raw_tensor(input, name)
        if x.dtype.kind != "f":
            if refuse is not None:
                refuse(x)
            x = x if integers else x.astype(dtypes.default_float())
        if not isinstance(input, Tensor):
            return compute(x)
        return Around.cut(wrap(state.here.quiet(compute, x)), name, input)

    names = {"compute": compute, "unusual": unusual}
    return operation(rule, name=name)(elementwise(of_one, rule, UNARY, names))


def binary(
    name: str,
    compute: Callable,
    *,
    self: Callable,
    other: Callable,
    node: str = "",
    symbol: str = "",
    floating: bool = False,
    refuse: Callable | None = None,
) -> Callable:
    """Declare an elementwise operation of two operands, one of which may be a Python number.

    Args:
        name, compute, node, symbol: as in :func:`unary`.
        self, other: the formulas ``(g, self, other)`` of the two operands, with ``_self`` or
            ``_other`` in place of what they do not need.
        floating: whether two integers give a floating result, as in a division.
        refuse: called with the raw operands when they are not both floating; may raise.
    """
    rule = Rule(name, self=self, other=other, node=node, symbol=symbol, broadcasts=True)
    names = {"name": name, "compute": compute, "floating": floating, "refuse": refuse}
    begin = FUNCTION + BINARY.replace("{else_}", "b = raw(other)")
    function = elementwise(of_two, rule, begin, names)
    names["unusual"] = special(function)
    begin = OPERATOR + BINARY.replace("{else_}", "return unusual(self, other)")
    function.operator = elementwise(of_two, rule, begin, names, f"{name} as operator")
    return operation(rule, name=name)(function)


def special(operation: Callable, takes_arrays: bool = False) -> Callable:
    """A special method: answers ``NotImplemented`` for operands the operation does not take.

    An array is such an operand, which leaves the computing to NumPy, unless ``takes_arrays``.
    """

    def method(self, other):
        if isinstance(other, ndarray):
            if not takes_arrays:  # NumPy computes it, or refuses
                return NotImplemented
            other = wrap(np.asarray(other))
        try:
            return operation(self, other)
        except UnsupportedOperand:
            return NotImplemented

    return method


TWO_TENSORS = {"input": "Tensor", "other": "Tensor"}
