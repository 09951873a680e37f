"""Parts of a net that count as one: units, linear layers in a row, and outputs that are the same.

Units with the same weights get the same gradients, and stay the same. Two linear layers with
nothing between them compute what one of them can, where the room between them is wide enough. A
layer that is given the same twice gives the same twice, for whatever targets.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from ..gradients.loss_with_itself import COMPARES
from ..gradients.passes import rounds
from ..gradients.zero_starts import constants, to_start_from
from ..graph.expression_of_node import graph_of
from ..graph.layer_of_node import call_that_made, lines_of_calls
from ..graph.nodes import SAME_VALUES, kind_of, leaf_of, nodes_behind
from ..program.program import Program
from ..program.stepped import was_stepped
from ..source import reader
from ..source.variables import is_parameter, optimizer_of, thing_at
from ..words.sentences import say
from .exploded import OF_CLASSES

LINEAR = {"Addmm": (1, 2), "Mm": (0, 1)}  #: where the operands of the product stand
TURNED = {"T", "Transpose"}
ONE_EACH = {"LogSoftmax", "Softmax", "Sigmoid", "Tanh", "Relu"}
SAME = 1e-5  #: numbers that differ less, by the largest of them, are the same
LEARNED = 0.01  #: a loss below it needs no advice
FEWEST = 20  #: steps after which a loss tells something
OF_A_LAYER = re.compile(r"\.\w+$|\[\d+\]$")  #: the last part of a path: ``net`` has ``net[0]``


def as_one(loss: Any, program: Program) -> Iterator[str]:
    """What counts as one in the net behind a loss, and what to do."""
    nodes = nodes_behind(loss)
    yield from same_units(nodes, program)
    if loss.numel() == 1 and abs(float(loss.detach())) > LEARNED:
        yield from [*given_twice(nodes, program)] or in_a_row(nodes, program)


def same_units(nodes: list[Any], program: Program) -> Iterator[str]:
    """That the units of layers have the same weights, and gradients that keep them so."""
    same: dict[Any, int] = {}
    for node in reversed(nodes):
        for number, at in enumerate(LINEAR.get(kind_of(node), ())):
            after = node.next_functions[at][0]
            leaf = leaf_of(after)
            if leaf is None or leaf.dim() != 2 or not program.name_of(leaf):
                continue
            if not (is_parameter(leaf) or was_stepped(leaf, program.frame)):
                continue  # it may be data whose gradient is asked for
            dim = int((number == 1) != (kind_of(after) in TURNED))
            if not leaf.any() and not optimizer_of(leaf, program.variables):
                continue  # where nobody is to learn, zeros may be what a part begins with
            if leaf.shape[dim] > 1 and is_one_value(leaf.detach(), dim) and stays_one(leaf, dim):
                same[leaf] = leaf.shape[1 - dim]
    if same:
        names = " and ".join(program.name_of(leaf) or "" for leaf in same)
        do = to_start_from(same, program, constants)
        yield say("same-units", names=names)
        yield f"Try: {do}."


def stays_one(leaf: Any, dim: int) -> bool:
    """Whether a gradient keeps all rows or columns the same, or those of all steps have."""
    if leaf.grad is None or rounds(leaf) == 0:
        return leaf._version > 1 + is_parameter(leaf)
    return bool(leaf.grad.any()) and is_one_value(leaf.grad.detach(), dim)


def is_one_value(values: Any, dim: int) -> bool:
    """Whether all rows of a matrix are the same, or all of its columns."""
    first = values.narrow(dim, 0, 1)
    return float((values - first).abs().max()) <= SAME * float(values.abs().max())


def in_a_row(nodes: list[Any], program: Program) -> Iterator[str]:
    """That a linear layer is given what another one gave, with nothing between them."""
    for node in nodes:
        if (given := linear_of(node)) is None:
            continue
        before = node.next_functions[LINEAR[kind_of(node)][0]][0]
        if (inner := linear_of(before)) is None:
            continue
        names = [(program.name_of(weight) or "").rpartition(".")[0] for weight in (inner, given)]
        owners = {OF_A_LAYER.sub("", name) for name in names}
        wide, ends = given.shape[1], (given.shape[0], inner.shape[1])
        if len(owners) == 1 and inner.shape[0] == wide >= min(ends):
            yield say("linear-in-a-row", first=names[0], then=names[1])
            _name, code, line = call_that_made(node, program)
            new = code.partition("Linear(")[0] + "Tanh()"
            yield say("bend-between" if code else "bend-it", new=new, layer=code, line=line)
            return


def given_twice(nodes: list[Any], program: Program) -> Iterator[str]:
    """That a layer is given the same twice, and what it gives is compared with two targets."""
    found: dict[tuple, list[Any]] = {}
    for node in (each for each in nodes if linear_of(each) is not None):
        given = node.next_functions[LINEAR[kind_of(node)][0]]
        if given[0] is not None and (way := way_to_a_target(node, program)):
            found.setdefault((linear_of(node), given, way), []).append(node)
    for (leaf, *_), (node, *others) in found.items():
        name = (program.name_of(leaf) or "").rpartition(".")[0]
        if name and others:
            layer = thing_at(ast.parse(name, mode="eval").body, program.variables)
            lines = reader.in_brackets("; ".join(lines_of_calls(layer, name, node, program)))
            yield say("given-twice", name=name, lines=lines)


def way_to_a_target(node: Any, program: Program) -> tuple[str, ...]:
    """The operations that change a result, up to one that compares it; empty for another way."""
    way, users = [kind_of(node)], graph_of(program).users
    while way[-1] not in COMPARES | OF_CLASSES:
        node, *others = users.get(node, (None,))
        way.append(kind_of(node))
        if others or way[-1] not in ONE_EACH | SAME_VALUES | COMPARES | OF_CLASSES:
            return ()
    return (*way,)


def linear_of(node: Any) -> Any:
    """The weight of the linear layer that a node is; None where it is something else."""
    if kind_of(node) not in LINEAR:
        return None
    after = node.next_functions[LINEAR[kind_of(node)][1]][0]
    leaf = leaf_of(after) if kind_of(after) in TURNED else None
    is_weight = leaf is not None and is_parameter(leaf) and leaf.dim() == 2
    return leaf if is_weight and leaf.requires_grad and leaf._version >= FEWEST else None
