"""Parts of a net that count as one: units that learn the same, and linear layers in a row.

Units with the same weights get the same gradients, and stay the same. Two linear layers with
nothing between them compute what one of them can, where the room between them is wide enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..gradients.passes import rounds
from ..gradients.zero_starts import constants, to_start_from
from ..graph.nodes import kind_of, leaf_of, nodes_behind
from ..program.program import Program
from ..source.variables import is_parameter
from ..words.sentences import say
from .unreachable_targets import call_that_made

LINEAR = {"Addmm": (1, 2), "Mm": (0, 1)}  #: where the operands of the product stand
TURNED = {"T", "Transpose"}
SAME = 1e-5  #: numbers that differ less, by the largest of them, are the same
LEARNED = 0.01  #: a loss below it needs no advice
FEWEST = 20  #: steps after which a loss tells something
OF_A_LAYER = re.compile(r"\.\w+$|\[\d+\]$")  #: the last part of a path: ``net`` has ``net[0]``


def as_one(loss: Any, program: Program) -> Iterator[str]:
    """What counts as one in the net behind a loss, and what to do."""
    nodes = nodes_behind(loss)
    yield from same_units(nodes, program)
    if loss.numel() == 1 and abs(float(loss.detach())) > LEARNED:
        yield from in_a_row(nodes, program)


def same_units(nodes: list[Any], program: Program) -> Iterator[str]:
    """That the units of layers have the same weights, and gradients that keep them so."""
    same: dict[Any, int] = {}
    for node in reversed(nodes):
        for number, at in enumerate(LINEAR.get(kind_of(node), ())):
            after = node.next_functions[at][0]
            leaf = leaf_of(after)
            if leaf is None or leaf.dim() != 2 or not program.name_of(leaf):
                continue
            dim = int((number == 1) != (kind_of(after) in TURNED))
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


def linear_of(node: Any) -> Any:
    """The weight of the linear layer that a node is; None where it is something else."""
    if kind_of(node) not in LINEAR:
        return None
    after = node.next_functions[LINEAR[kind_of(node)][1]][0]
    leaf = leaf_of(after) if kind_of(after) in TURNED else None
    is_weight = leaf is not None and is_parameter(leaf) and leaf.dim() == 2
    return leaf if is_weight and leaf.requires_grad and leaf._version >= FEWEST else None
