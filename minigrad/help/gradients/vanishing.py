"""Gradients that shrink on their way back, because each sigmoid makes them smaller."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..graph.bounds import largest_of
from ..graph.history import way
from ..graph.nodes import kind_of, leaves_behind
from ..program.program import Program
from ..source.variables import is_parameter
from ..words.sentences import tell

FEW, MANY = 3, 4  #: sigmoids: fewer are no trouble, and so many are some trouble anyway
SHRUNK, TINY = 1e-3, 1e-4  #: a gradient smaller by this factor, and one that is small by itself
LEARNED, FEWEST_STEPS = 0.01, 20  #: a loss that needs no advice, and rounds that tell something


def vanishing(loss: Any, leaf: Any, name: str, program: Program) -> Iterator[str]:
    """That what comes to a leaf is tiny beside what comes to others, if sigmoids explain it."""
    sizes = {each: largest_of(each.grad) for each in leaves_behind(loss) if each.grad is not None}
    own, most = sizes.get(leaf, 0.0), max(sizes, key=sizes.__getitem__, default=leaf)
    if not 0 < own < SHRUNK * sizes.get(most, 0.0):
        return
    if (count := sigmoids_between(loss, leaf)) >= FEW:
        other = program.name_of(most) or "another leaf"
        yield tell("vanishes", name=name, own=own, other=other, most=sizes[most], count=count)
        yield tell("no-sigmoids")


def stuck_behind_sigmoids(loss: Any, program: Program) -> Iterator[str]:
    """That a trained net has learned little, and next to nothing comes to a first layer."""
    found = [
        (sigmoids_between(loss, leaf), largest_of(leaf.grad), leaf)
        for leaf in leaves_behind(loss)
        if is_parameter(leaf) and leaf.dim() == 2 and leaf.grad is not None
    ]
    if not found:
        return
    most, first, leaf = max(found, key=lambda each: each[0])
    least, last, _ = min(found, key=lambda each: each[0])
    is_stuck = largest_of(loss) > LEARNED and leaf._version >= FEWEST_STEPS
    is_long = most - least >= MANY or most - least >= FEW and first < SHRUNK * last
    if is_stuck and is_long and first < TINY:
        name = program.name_of(leaf) or "the first weight"
        yield tell("behind-sigmoids", name=name, size=first, count=most)
        yield tell("no-sigmoids")


def sigmoids_between(loss: Any, leaf: Any) -> int:
    """How many sigmoids lie on the way from a loss back to a leaf."""
    return sum(kind_of(node) == "Sigmoid" for node in way(loss, leaf) or ())
