"""A pass below a step that can run above it: of two losses with layers in common."""

from __future__ import annotations

import ast
from typing import Any

from ...autograd.caller import Place
from ..graph.nodes import leaves_of
from ..source import reader
from ..source.syntax import called_on, names_in
from ..source.texts import everywhere
from ..source.variables import parameters_of, stepped_by, thing_at
from ..words.sentences import tell


def above_the_step(node: Any, writer: Place, again: list[str]) -> str:
    """What to move above the step that has changed what ``node`` had kept; empty for nothing.

    The graph of this pass has to be of the same round, and all its leaves behind the node stepped
    by that optimizer alone: where those of another one lie there, as behind a discriminator, that
    is not to go by this pass. ``again`` are lines that have computed what the step made stale.
    """
    step, here = reader.spoken(writer), reader.spoken(reader.place())
    for source, block in everywhere(reader.frame()):
        body = block.body if isinstance(getattr(block, "body", None), list) else []
        lines = [source.spoken(each.lineno) for each in body]
        if step not in lines or here not in lines:
            continue
        first, last = lines.index(step), lines.index(here)
        own = leaves_of_owner(body[first], "step")
        between = [leaves_of_owner(each, "zero_grad") for each in body[first + 1 : last]]
        made = set().union(*(names_in(each, ast.Store) for each in body[:first]))
        is_last = not any(ast.unparse(body[first]) == ast.unparse(each) for each in body[last:])
        is_last &= bool(own) and {*map(id, leaves_of(node))} <= own
        if is_last and made & names_in(body[last]) and {*again} <= {*lines[:first]}:
            if all(emptied and emptied.isdisjoint(own) for emptied in between):
                moved = " and ".join(lines[first + 1 : last + 1])
                return tell("move-above", lines=moved, step=step)
    return ""


def leaves_of_owner(statement: ast.stmt, method: str) -> set[int]:
    """The leaves of the optimizer or the net whose method a line calls: ``opt.step()``."""
    owner = called_on(statement, method)
    thing = None if owner is None else thing_at(owner, reader.variables())
    return {*map(id, stepped_by(thing)), *(id(leaf) for _, leaf in parameters_of(thing))}
