"""Names that are bound once, above a loop that reads them and runs passes."""

from __future__ import annotations

import ast
from types import FrameType

from ..source.syntax import LOOPS, names_in, runs_a_pass
from ..source.texts import readable


def above_its_loop(name: str, frame: FrameType) -> tuple[str, str] | None:
    """The only line that binds a name, and the loop below it that reads it and runs a pass."""
    body = [(source, each) for source, tree in readable(frame) for each in tree.body]
    binds = [(at, *each) for at, each in enumerate(body) if name in names_in(each[1], ast.Store)]
    if len(binds) != 1:
        return None
    at, above, made = binds[0]
    while isinstance(made, ast.With) and len(made.body) == 1:
        made = made.body[0]
    if not isinstance(made, ast.Assign):
        return None
    loops = [each for each in body[at + 1 :] if isinstance(each[1], LOOPS)]
    reads = (each for each in loops if name in names_in(each[1], ast.Load) and runs_a_pass(each[1]))
    return next(((above.spoken(made.lineno), e.spoken(loop.lineno)) for e, loop in reads), None)
