"""Gradients that are emptied outside of the loop in which each round takes a step by them."""

from __future__ import annotations

import ast
from types import FrameType
from typing import Any

from ..program.emptied import empties
from ..source.syntax import LOOPS, is_at, is_call
from ..source.texts import everywhere, texts
from ..words.sentences import say


def emptied_outside(source: Any, block: Any, frame: FrameType | None) -> tuple[str, bool]:
    """That the only line that empties runs outside of a loop that steps, or of a function's loop.

    Or, as may be meant, in a branch of it, where the step does not. A line in another function may
    run in the loop, and is not told.
    """
    parts, name = [*everywhere(frame)], {getattr(block, "name", "")}
    loops = [(own, each) for own, each in parts if isinstance(each, LOOPS)]
    calls = [e for e in loops if any(is_call(part, name) for part in ast.walk(e[1]))]
    lines = [(own, n) for own, _ in texts(frame) for n, t in enumerate(own.lines, 1) if empties(t)]
    around = [(source, block)] if isinstance(block, LOOPS) else calls
    if len(lines) != 1 or not around:
        return "", False
    (at, number), (own, loop) = lines[0], around[-1]
    if at == own and is_at(loop, number):
        branches = [each for each in ast.walk(loop) if isinstance(each, ast.If)]
        inner = [each for each in branches if is_at(each, number)]
        if not inner or any(is_call(e, {"step"}) for each in branches for e in ast.walk(each)):
            return "", False
        branch = own.spoken(inner[0].lineno)
        return say("emptied-in-some", emptied=at.spoken(number), branch=branch), False
    functions = [(s, each) for s, each in parts if isinstance(each, ast.FunctionDef)]
    others = [each for s, each in functions if s != own or not is_at(each, loop.lineno)]
    if any(s == at and each in others and is_at(each, number) for s, each in functions):
        return "", False
    return say("emptied-outside", emptied=at.spoken(number), loop=own.spoken(loop.lineno)), True
