"""Elements that are the largest or the smallest together, and share a gradient."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..graph.expression_of_node import in_words
from ..graph.nan_and_inf import still_known
from ..graph.nodes import saved
from ..program.program import Program
from ..words.sentences import tell

ENDS = {"MaxBackward1": "largest", "MinBackward1": "smallest"}


def equal_ends(nodes: Iterable[Any], program: Program) -> Iterator[str]:
    """The nodes that shared a gradient so, as far as what they were given is known."""
    for node in nodes:
        end = ENDS.get(node.name())
        given = saved(node, "self") if end else None
        given = still_known(node, "self", program.variables) if end and given is None else given
        if given is None or given._version:
            continue
        values = given.detach()
        count = int((values == (values.max() if end == "largest" else values.min())).sum())
        if count > 1:
            yield tell("equal-ends", node=in_words(node, program), count=count, end=end)
