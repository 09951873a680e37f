"""Gradients that sigmoids make so small on their way that the first layers hardly learn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .history import way
from .nodes import kind_of, leaves_behind
from .program import Program
from .reach import is_parameter
from .sentences import say

FEWEST, MANY = 3, 4  #: sigmoids between the first layer and the last
SMALL, LARGE = 1e-3, 1e-4  #: how much smaller the first gradient is than the last, or than 1
LEARNED, FEWEST_STEPS = 0.01, 20  #: a loss that needs no advice, and rounds that tell something


def held_by_sigmoids(loss: Any, program: Program) -> Iterator[str]:
    """That the gradient of a first layer is far below that of the last, by sigmoids between."""
    found = []
    for leaf in leaves_behind(loss):
        if is_parameter(leaf) and leaf.dim() == 2 and leaf.grad is not None:
            count = sum(kind_of(node) == "Sigmoid" for node in way(loss, leaf) or ())
            found.append((count, float(leaf.grad.detach().abs().max()), leaf))
    if not found:
        return
    most, first, leaf = max(found, key=lambda each: each[0])
    least, last, _ = min(found, key=lambda each: each[0])
    is_stuck = float(loss.detach().abs().max()) > LEARNED and leaf._version >= FEWEST_STEPS
    is_long = most - least >= MANY or most - least >= FEWEST and first < SMALL * last
    if is_stuck and is_long and first < LARGE:
        name = program.name_of(leaf) or "the first weight"
        yield say("vanishing", name=name, size=first, count=most)
        yield say("relu-between")
