"""Tensors by ``detach()`` or ``.data`` that share their values with what was changed since."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from ...autograd.caller import Place
from ...extras.recorded_cuts import Cut, cuts_of
from ...tensor import Tensor
from ..graph.saved_views import written_to
from ..program.program import Program
from ..source import reader
from ..source.parsed import expression_at, text_of_code, tree_of
from ..source.syntax import is_call, statements_at


def shared_values(tensor: Any, name: str, program: Program) -> list[str]:
    """That a tensor has the values of another one, which was written to since; and what to do."""
    for cut in cuts_of(tensor):
        source = cut.source and cut.source()
        if cut.what not in ("detach", "data") or cut.place is None or not is_same(tensor, source):
            continue
        writers = source._counter.writers[cut.version - source._counter.value :]
        known = [each for each in writers if each is not None]
        if source._version <= cut.version or any(name == target(each) for each in known):
            continue
        whole = program.name_of(source) or "what it was made of"
        by = f" ({reader.spoken(known[-1])})" if known else ""
        said = f"{name} shares its values with {whole}, which was changed in place since{by}"
        do = f"{copied(cut)} ({reader.spoken(cut.place)})"
        return [
            f"{said}: {name} shows the new values, too.",
            f"Try: {do}, where the values of then are to be kept.",
        ]
    return []


def is_same(tensor: Tensor, source: Tensor | None) -> bool:
    """Whether two tensors have some memory in common, and writes to the second are counted."""
    is_counted = source is not None and source._counter is not None
    return is_counted and bool(np.shares_memory(tensor._value, source._value))


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
