"""Derivatives of derivatives that kept no history: ``d2u = grad(du, t)`` in a loss."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FrameType
from typing import Any

from ..source.syntax import is_call, names_in
from ..source.texts import assignments


def derivatives(frame: FrameType | None) -> Iterator[tuple[str, str, ast.Call, bool]]:
    """The lines that name what ``grad(...)`` gave: the name, the call, and whether it is kept."""
    for line, target, value in assignments(frame):
        for call in filter(is_call, ast.walk(value)):
            if is_call(call, {"grad"}) and call.args:
                kept = any(each.arg == "create_graph" for each in call.keywords)
                yield line, ast.unparse(target), call, kept


def taken_again(line: str, frame: FrameType | None) -> list[str]:
    """The lines that differentiate once more what a line has named, and keep no history either."""
    known = [*derivatives(frame)]
    names = {name for at, name, _, _ in known if at == line}
    further = [(at, names_in(call.args[0])) for at, _, call, kept in known if not kept]
    return [at for at, given in further if given & names and at != line]


def without_history(own: str, program: Any) -> tuple[str, str] | None:
    """What a result was computed from that is such a derivative: its name and its line."""
    known = [*derivatives(program.frame)]
    kept = {name for _, name, _, is_kept in known if is_kept}
    used = {name for name, _, _ in program.ingredients(own)}
    for line, name, call, is_kept in known:
        if not is_kept and name in used and names_in(call.args[0]) & kept:
            return name, line
    return None
