"""Layers that are given 0 everywhere: their bias gets a gradient, and their weight none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..graph.bounds import largest_of
from ..graph.expression_of_node import in_words
from ..graph.nodes import is_all_0, kind_of, leaf_of, leaves_of, nodes_behind
from ..program.program import Program
from ..source.reader import in_brackets
from ..words.sentences import say

TINY = 1e-5  #: gradients below it can be those of a minimum
TO_WHOLE = re.compile(
    r"//|\.(?:long|int|short|byte)\(\)|\.(?:to|type|astype)\([\w.]*(?:int|long)\w*\)"
)


def zero_input(y: Any, weight: Any, program: Program) -> Iterator[str]:
    """That the layer of a weight is given 0 everywhere, and where that comes from."""
    nodes = [node for node in nodes_behind(y) if kind_of(node) == "Addmm"]
    calls = [node for node in nodes if leaf_of(node.next_functions[2][0]) is weight]
    for node in calls if len(calls) == 1 else ():  # of several calls one alone may get 0
        bias, before = leaf_of(node.next_functions[0][0]), node.next_functions[1][0]
        if bias is None or bias.grad is None or largest_of(bias.grad) < TINY:
            return
        said = [*zeros_among(y, program)] if before is None else []
        if kind_of(before) == "Relu" and not any(map(has_gradient, leaves_of(before))):
            said = [say("off-before", relu=in_words(before, program))]
        if said:
            name = (program.name_of(weight) or "").rpartition(".")[0] or "the layer"
            yield say("given-zeros", name=name)
            yield from said
        return


def has_gradient(leaf: Any) -> bool:
    """Whether something besides 0 has come to a leaf."""
    return leaf.grad is not None and bool(leaf.grad.detach().any())


def zeros_among(y: Any, program: Program) -> Iterator[str]:
    """The reader's tensor of 0 that a result was computed from, and its line."""
    used = {name: None for name, _, _ in program.ingredients(program.name_of(y) or "")}
    for name in used:
        thing = program.variables.get(name)
        if type(thing) is type(y) and not thing.requires_grad and is_all_0(thing):
            line = program.binding_line(name) or ""
            yield say("is-zero", name=name, line=in_brackets(line))
            found = TO_WHOLE.search(line.partition("`")[2])
            yield say("rounds-down", what=found[0]) if found else say("see-why-zero", name=name)
            return
