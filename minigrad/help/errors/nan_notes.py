"""Notes on a derivative that gave nan in anomaly mode: where it began, by what the nodes saved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..graph.expression_of_node import line_of
from ..graph.nan_and_inf import at_how_many, kind_of
from ..graph.nodes import reached, saved
from ..graph.slopes import ROOTS, SLOPES, UNDEFINED, Slope
from ..program.program import Program
from ..source import reader


def nan_returned(node: Any, kept: Any, first: Sequence) -> dict[str, str]:
    """The line, the reason and the remedy; nothing where the reason is not known.

    ``kept`` is what the node had saved; ``first`` the node that gave inf before it, and the same.
    """
    program = Program.of(reader.frame())
    with as_it_was(node, kept):
        slope, where = steepest(node, program)
        known = [saved(node, name) for name in node.saved_names()]
        holds_nan = any(kind_of(each) for each in known if each is not None)
    if slope is not None:
        times = " A gradient of 0 comes in, and 0 × inf = nan." if slope in SLOPES.values() else ""
        why = f"{node.name()} gave nan: {slope.why}; that is so {where}.{times}"
        return {"where": at(node, program), "why": why, "do": f"{slope.do}."}
    if holds_nan:
        why = f"{node.name()} had saved nan or inf, which came up in the forward pass"
        for begun in reversed(reached([node])[1:]):
            slope, where = steepest(begun, program)
            if slope is not None:
                why += f", at {begun.name()}: {slope.why}; that is so {where}."
                return {"where": at(begun, program), "why": why, "do": f"{slope.do}."}
        do = "explain(...) of the loss, before backward(), names the first tensor with nan or inf."
        return {"where": at(node, program), "why": f"{why}.", "do": do}
    for steep, its in [first] if first else ():
        with as_it_was(steep, its):
            slope, where = steepest(steep, program)
        if slope is not None:
            why = f"{steep.name()} gave inf: {slope.why}; that is so {where}. "
            why += f"{node.name()}, which comes after it, made nan of that, as 0 × inf = nan."
            return {"where": at(steep, program), "why": why, "do": f"{slope.do}."}
    return {}


def at(node: Any, program: Program) -> str:
    """The line of a node's operation, where it is known."""
    line = line_of(node, program)
    if line.startswith("on the way"):
        return f"{node.name()} is {line}"
    return f"{line} is the operation of {node.name()}" if line else ""


@contextmanager
def as_it_was(node: Any, kept: Any) -> Iterator[None]:
    """The node with what it had saved before the pass let go of that."""
    now, node.saved = node.saved, kept
    try:
        yield
    finally:
        node.saved = now


def steepest(node: Any, program: Program) -> tuple[Slope | None, str]:
    """What is infinite or undefined in the slope of a node, and at how many elements."""
    for table in (UNDEFINED, ROOTS, SLOPES):
        slope = table.get(node.name().removesuffix("Backward0"))
        where = "" if slope is None else at_how_many(node, slope, program.variables)
        if where:
            return slope, where
    return None, ""
