"""Tensors by ``detach()`` or ``.data`` that share their values with what was changed since."""

from __future__ import annotations

import ast
from typing import Any

from ...autograd.caller import Place
from ...extras.recorded_cuts import Cut, cuts_of
from ..graph.saved_views import written_to
from ..program.program import Program
from ..source import reader
from ..source.parsed import expression_at, text_of_code, tree_of
from ..source.syntax import is_call, statements_at
from ..training.kept_states import written_since


def shared_values(tensor: Any, name: str, program: Program) -> list[str]:
    """That a tensor has the values of another one, which was written to since; and what to do."""
    for cut in cuts_of(tensor):
        writers = written_since(tensor, cut)
        known = [each for each in writers if each is not None]
        if not writers or any(name == target(each) for each in known):
            continue
        whole = program.name_of(cut.source()) or "what it was made of"
        by = f" ({reader.spoken(known[0])})" if known else ""
        said = f"{name} shares its values with {whole}, which was changed in place since{by}"
        do = f"{copied(cut)} ({reader.spoken(cut.place)})"
        return [
            f"{said}: {name} shows the new values, too.",
            f"Try: {do}, where the values of then are to be kept.",
        ]
    return []


def target(writer: Place) -> str | None:
    """What a line writes into: ``w`` of ``w -= g``."""
    tree = tree_of(text_of_code(writer[0]))
    return next(map(written_to, statements_at(tree, reader.line_number(writer))), None)


def copied(cut: Cut) -> str:
    """How the line of a cut keeps the values."""
    written = expression_at(cut.place)
    if is_call(written, {"state_dict"}):
        return f"copy.deepcopy({ast.unparse(written)}) there"
    is_whole = is_call(written, {"detach"}) or isinstance(written, ast.Attribute)
    return f"{ast.unparse(written)}.clone() there" if is_whole else ".clone() there"
