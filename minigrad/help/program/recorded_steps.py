"""Steps that are to keep their history, as those of an inner loop whose rate is learned."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace
from types import FrameType

from ..source.line_order import text_in
from ..source.syntax import names_in
from ..source.texts import assignments
from .breaks import Break
from .updates import parsed, updates


def kept_in_steps(cuts: Iterable[Break], name: str, frame: FrameType | None) -> list[Break]:
    """The same, where a step that lost its history is to keep it: ``name`` is asked through it.

    That is where the step, or the line that made what is stepped, computes with ``name``, and it is
    not what is stepped itself.
    """
    return [
        replace(cut, do=cut.plain) if cut.plain and computes_with(cut, name, frame) else cut
        for cut in cuts
    ]


def computes_with(cut: Break, name: str, frame: FrameType | None) -> bool:
    """Whether a step was computed from a name, and is not a step of it."""
    text, tree = parsed(text_in(cut.said))
    stepped = {each.leaf for each in updates(text)}
    if not stepped or name in stepped or not name.isidentifier():
        return False
    made = [value for _, target, value in assignments(frame) if ast.unparse(target) in stepped]
    is_made = any(name in names_in(value) and not isinstance(value, ast.Name) for value in made)
    return is_made or name in names_in(tree, ast.Load)
