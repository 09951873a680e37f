"""Nets that give the same for all that they are given, as steps may leave them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..graph.bounds import largest_of
from ..graph.nodes import kind_of, leaves_behind, nodes_behind, saved
from ..program.program import Program
from ..source.variables import is_parameter
from ..words.sentences import say

FEWEST = 8  #: rows that tell something
ALIKE = 1e-2  #: of their size, rows of outputs differ less than that
UNLIKE = 0.1  #: and those of inputs more


def alike_rows(loss: Any, program: Program) -> Iterator[str]:
    """That all rows of what a net gave are nearly the same, though it was given rows that differ.

    Only outputs count that no pass has gone through: their first layer still holds its inputs.
    """
    learned = {id(e) for e in leaves_behind(loss) if is_parameter(e) and e._version > 1}
    for name, thing in program.variables.items():
        is_output = kind_of(getattr(thing, "grad_fn", None)) == "Addmm" and name[0] != "_"
        if not is_output or thing.shape[0] < FEWEST or relative(thing) > ALIKE:
            continue
        layers = [node for node in nodes_behind(thing) if kind_of(node) == "Addmm"]
        given = [saved(node, "mat1") for node in layers if node.next_functions[1][0] is None]
        own = {*map(id, leaves_behind(thing))}
        if own <= learned and given and all(e is not None and relative(e) > UNLIKE for e in given):
            yield say("alike-rows", name=name, rows=thing.shape[0], most=spread(thing))
            return


def spread(rows: Any) -> float:
    """How far the rows of a matrix lie apart at most, in one of its columns."""
    values = rows.detach()
    return largest_of(values.amax(0) - values.amin(0))


def relative(rows: Any) -> float:
    """The same, by the size of the largest element; 0 where all are 0."""
    size = largest_of(rows)
    return spread(rows) / size if size else 0.0
