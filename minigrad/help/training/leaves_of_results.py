"""Leaves that a list of results was made into, so that nothing goes back to what gave them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...extras.recorded_cuts import MADE, cuts_of
from ..graph.nodes import leaves_behind
from ..graph.recorded import told
from ..program.breaks import remedy
from ..program.program import Program
from ..words.sentences import say


def leaves_of_results(loss: Any, program: Program) -> Iterator[str]:
    """That a loss leads back to a leaf made of tensors that had a history, and what keeps it."""
    for leaf in leaves_behind(loss):
        cuts = [cut for cut in cuts_of(leaf) if cut.several and cut.what in MADE and cut.source]
        if found := told(cuts[:1]):
            name = program.name_of(leaf) or "A leaf behind it"
            yield say("leaf-of-results", name=name, said=found[0].said)
            yield f"Try: {remedy(found)}."
            return
