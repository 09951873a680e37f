"""Lines that name derivatives, and those that differentiate what another one gave."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FrameType

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
