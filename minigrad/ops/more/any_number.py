"""Nodes with any number of operands or results, whose one formula answers for all of them."""

from __future__ import annotations

from collections.abc import Sequence

from ...autograd.around import Around
from ...autograd.node import edge_to
from ...autograd.thread_state import OFF, WATCHED, state
from ...tensor import Tensor, made_by, wrap
from ..rule import Rule, RuleNode, edge_of
from ..template import notify, specs_of


class JoinNode(RuleNode):
    """A node with any number of operands: the formula gives a list of gradients."""

    __slots__ = ()

    def vjp(self, g, recorded):
        if g is None or not any(self.edges):
            return (None,) * len(self.edges)
        (formula,) = self.rule.formulas.values()
        return formula(g, *self.args)


class SeveralNode(RuleNode):
    """A node with several results: the formula gets a list, with None where nobody used one."""

    __slots__ = ("outputs",)

    def vjp(self, g, recorded):
        if g is None or not self.edges[0]:
            return (None,)
        (formula,) = self.rule.formulas.values()
        return (formula(g if self.outputs > 1 else [g], *self.args),)


def record(rule: Rule, values: Sequence, operands: Sequence, **named) -> list:
    """A Tensor around each value, with one node for all if anybody asked for gradients.

    ``named`` holds what the formula asks for.
    """
    if not any(isinstance(operand, Tensor) for operand in operands):
        return list(values)
    edges = () if state.here.mode is OFF else tuple([edge_of(operand) for operand in operands])
    if not any(edge is not None for edge in edges):
        return [Around.cut(wrap(value), rule.name, *operands) for value in values]
    node = rule.new_node(edges, tuple([named[name] for name in rule.arguments]))
    if rule.kind is SeveralNode:
        node.outputs = len(values)
    elif any(isinstance(x, Tensor) and x._value.dtype is not values[0].dtype for x in operands):
        node.specs = specs_of(operands, values[0])
    results = [made_by(edge_to(node, i), value) for i, value in enumerate(values)]
    if state.here.mode is WATCHED:
        notify(node, operands, results[0] if rule.kind is not SeveralNode else tuple(results))
    return results
