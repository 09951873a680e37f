"""Results that are computed from leaves once, above a loop that steps these leaves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..graph.history import nodes_behind
from ..graph.nodes import leaves_of
from ..program.above_loops import above_its_loop
from ..program.program import Program
from ..words.sentences import say


def computed_once(loss: Any, program: Program) -> Iterator[str]:
    """That a loop goes on from a result of leaves as they were before their first step.

    One that shares the memory of a leaf, as a view does, has its values.
    """
    if program.frame is None:
        return
    nodes = {*nodes_behind(loss)}
    for name, thing in program.variables.items():
        node = getattr(thing, "grad_fn", None) if name[0] != "_" else None
        leaves = leaves_of(node) if node in nodes else []
        if not leaves or not all(leaf._version > 1 for leaf in leaves):
            continue
        if any(np.may_share_memory(leaf._value, thing._value) for leaf in leaves):
            continue
        if found := above_its_loop(name, program.frame):
            line, loop = found
            yield say("computed-once", name=name, line=line, loop=loop)
            yield say("compute-each-round", name=name)
            return
