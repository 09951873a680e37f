"""Gradients that shrink on their way back, because each sigmoid makes them smaller."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .history import way
from .nodes import kind_of, leaves_behind
from .program import Program
from .sentences import tell

FEW = 3  #: sigmoids, fewer of which are no trouble
SHRUNK = 1e-3  #: a gradient smaller than the largest by this factor


def vanishing(loss: Any, leaf: Any, name: str, program: Program) -> Iterator[str]:
    """That what comes to a leaf is tiny beside what comes to others, if sigmoids explain it."""
    sizes = {each: largest(each) for each in leaves_behind(loss) if each.grad is not None}
    own, most = sizes.get(leaf, 0.0), max(sizes, key=sizes.__getitem__, default=leaf)
    if not 0 < own < SHRUNK * sizes.get(most, 0.0):
        return
    count = sum(kind_of(node) == "Sigmoid" for node in way(loss, leaf) or ())
    if count >= FEW:
        other = program.name_of(most) or "another leaf"
        yield tell("vanishes", name=name, own=own, other=other, most=sizes[most], count=count)
        yield tell("no-sigmoids")


def largest(leaf: Any) -> float:
    """The size of the largest element of a gradient."""
    grad = leaf.grad.detach()
    return float(grad.abs().max()) if grad.numel() and grad.is_floating_point() else 0.0
