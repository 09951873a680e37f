"""Elementwise operations: two short ways of recording, for one operand and for two.

Most of a graph is made here, and most of the time of a small graph is spent here; so what is
common is written out, and what is rare is left to :mod:`.rule` and :mod:`.promotion`.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

import numpy as np
from numpy import ndarray

from .. import dtypes
from ..autograd.grad_mode import OFF, WATCHED, state
from ..autograd.node import DEAD_END, Freed
from ..autograd.saved import SavedOutput
from ..tensor import Tensor, gradient_edge, made_by, wrap
from .promotion import (
    FLOAT_SCALARS,
    NUMBERS,
    UnsupportedOperand,
    broadcast_error,
    fit_together,
    meet,
    raw,
    raw_tensor,
)
from .rule import Rule, RuleNode, edge_of, notify, publish, save, specs_of


class ElementwiseNode(RuleNode):
    """The node of an operation of one or two operands: most of a graph consists of these.

    Its edges and what it saved are in slots rather than in tuples, because Python's collector of
    reference cycles has to look at every tuple.
    """

    __slots__ = ()
    in_slots = True


class UnaryNode(ElementwiseNode):
    """The node of an elementwise operation of one operand: it saves one value, or nothing."""

    __slots__ = ("to_self", "kept")

    @property
    def edges(self):
        return (self.to_self,)

    @property
    def saved(self):
        kept = self.kept
        return kept if kept.__class__ is Freed else () if kept is None else (kept,)

    @saved.setter
    def saved(self, saved):
        self.kept = saved if saved.__class__ is Freed else saved[0] if saved else None


class BinaryNode(ElementwiseNode):
    """The node of an elementwise operation of two: its formulas are ``(g, self, other)``."""

    __slots__ = ("to_self", "to_other", "kept_self", "kept_other")

    edges = property(attrgetter("to_self", "to_other"))

    @property
    def saved(self):
        x, y = self.kept_self, self.kept_other
        return x if x.__class__ is Freed else () if x is None and y is None else (y, x)

    @saved.setter
    def saved(self, saved):
        is_freed = saved.__class__ is Freed
        self.kept_other, self.kept_self = (None, saved) if is_freed else saved or (None, None)


new = object.__new__


def unary(
    name: str,
    compute: Callable,
    gradient: Callable,
    *,
    node: str | None = None,
    symbol: str | None = None,
    integers: bool = False,
    refuse: Callable | None = None,
) -> Callable:
    """Declare an elementwise operation of one operand.

    Args:
        name: the operation's name; its node is ``<Name>Backward0`` unless ``node`` says otherwise.
        compute: the raw function.
        gradient: the formula ``(g[, self][, result])``.
        symbol: how pictures show it.
        integers: whether an integer operand keeps its dtype instead of becoming floating.
        refuse: called with the raw operand when it is not floating; may raise.
    """
    rule = Rule(
        name,
        node or f"{name.capitalize()}Backward0",
        {"self": gradient},
        symbol=symbol,
        kind=UnaryNode,
    )
    keeps_self, keeps_result = "self" in rule.saves, "result" in rule.saves

    def operation(input):
        if not isinstance(input, Tensor):
            x = raw_tensor(input, name)
            stays = integers or x.dtype.kind == "f"
            return compute(x if stays else x.astype(dtypes.default_float()))
        x = input._value
        if x.__class__ not in FLOAT_SCALARS and x.dtype.kind != "f":
            if refuse is not None:
                refuse(x)
            return wrap(
                state.here.quiet(compute, x if integers else x.astype(dtypes.default_float()))
            )
        here = state.here
        value = here.quiet(compute, x)
        mode = here.mode
        if mode is OFF:
            return wrap(value)
        edge = input._edge if input._meta is None else gradient_edge(input)
        if edge is None:
            return wrap(value)
        node = new(rule.node)
        node.to_self = edge
        node.sequence = here.next_sequence()
        node.specs = node.extras = None
        result = made_by(node, value)
        node.kept = save(input) if keeps_self else SavedOutput(result) if keeps_result else None
        if mode is WATCHED:
            notify(node, (input,), result)
        return result

    return publish(operation, name, rule)


def binary(
    name: str,
    compute: Callable,
    *,
    self: Callable,
    other: Callable,
    node: str | None = None,
    symbol: str | None = None,
    floating: bool = False,
    numbers: bool = True,
    refuse: Callable | None = None,
) -> Callable:
    """Declare an elementwise operation of two operands, one of which may be a Python number.

    Args:
        name: the operation's name.
        compute: the raw function.
        self, other: the formulas ``(g, self, other)`` of the two operands, with ``_self`` or
            ``_other`` in place of what they do not need.
        floating: whether two integers give a floating result, as in a division.
        numbers: False if both operands have to be tensors.
        refuse: called with the raw operands when they are not both floating; may raise.
    """
    rule = Rule(
        name,
        node or f"{name.capitalize()}Backward0",
        {"self": self, "other": other},
        symbol=symbol,
        kind=BinaryNode,
    )
    if rule.saves not in ((), ("other", "self")):
        raise TypeError(f"{name}: a binary rule saves both operands or neither, not {rule.saves}")
    saves = bool(rule.saves)
    for_other, for_self = rule.sakes or (None, None)
    other_is_shared, self_is_shared = for_other is None, for_self is None
    other_serves_self, self_serves_self = for_other == 0, for_self == 0

    def declared(as_operator: bool):
        def operation(input, other):
            plain, other_plain = input.__class__ is Tensor, other.__class__ is Tensor
            number = not other_plain and other.__class__ in NUMBERS
            if as_operator and not other_plain and not number:
                return unusual(input, other)
            x = input._value if plain else raw(input)
            y = other._value if other_plain else other if number else raw(other)
            alike = (
                x.__class__ is y.__class__ and x.__class__ in FLOAT_SCALARS or fit_together(x, y)
            )
            if not alike:
                if x is input and y is other:
                    # A formula computes with raw arrays.
                    return compute(raw_tensor(input, name), other)
                x, y = meet(input, other, name, floating, refuse)
            here = state.here
            try:
                value = here.quiet(compute, x, y)
            except ValueError:
                raise broadcast_error(x, y) from None
            mode = here.mode
            if mode is OFF:
                return wrap(value)
            if plain:
                to_self = input._edge if input._meta is None else gradient_edge(input)
            else:
                to_self = edge_of(input)
            if other_plain:
                to_other = other._edge if other._meta is None else gradient_edge(other)
            else:
                to_other = None if number else edge_of(other)
            if to_self is None and to_other is None:
                return wrap(value)
            uniform = alike and (value.__class__ is not ndarray or number or y.shape == x.shape)
            kept_self = kept_other = None
            if saves:
                self_asks = to_self is not None and to_self is not DEAD_END
                other_asks = to_other is not None and to_other is not DEAD_END
                if other_is_shared or (self_asks if other_serves_self else other_asks):
                    kept_other = (
                        other if number or other_plain and other._counter is None else save(other)
                    )
                if self_is_shared or (self_asks if self_serves_self else other_asks):
                    kept_self = input if plain and input._counter is None else save(input)
            node = new(rule.node)
            node.to_self, node.to_other = to_self, to_other
            node.kept_self, node.kept_other = kept_self, kept_other
            node.sequence = here.next_sequence()
            node.specs = None if uniform else specs_of((input, other), value)
            node.extras = None
            result = new(Tensor)  # as made_by does
            result._value = value
            result._edge = node
            result._counter = result._meta = None
            if mode is WATCHED:
                notify(node, (input, other), result)
            return result

        return operation

    operation, operator = declared(as_operator=False), declared(as_operator=True)
    unusual = special(operation)
    operation.operator = operator
    if not numbers:
        operation.__annotations__ = TWO_TENSORS
    return publish(operation, name, rule)


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
