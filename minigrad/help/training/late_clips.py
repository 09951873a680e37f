"""Gradients that are cut where no step uses them any more, or where there are none yet."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ..program.program import Program
from ..source.syntax import is_call, name_called
from ..source.texts import everywhere
from ..words.sentences import say

CLIPS = {"clip_grad_norm_", "clip_grad_value_"}
TURNS = {"zero_grad", "backward", "step", *CLIPS}


def late_clips(program: Program) -> Iterator[str]:
    """That a line cuts gradients below the step that is to use them, or above their pass; why, do.

    Of a block with one pass and one step, that empties gradients as well.
    """
    for source, block in everywhere(program.frame):
        turns = [*turns_of(getattr(block, "body", None))]
        order = [name for name, _ in turns]
        if any(order.count(each) != 1 for each in ("backward", "step", "zero_grad")):
            continue
        clips = [(at, line) for at, (name, line) in enumerate(turns) if name in CLIPS]
        between = order.index("backward"), order.index("step")
        if len(clips) == 1 and between[0] < between[1]:
            (at, line), is_late = clips[0], clips[0][0] > between[1]
            if is_late or at < between[0]:
                key = "cut-after-step" if is_late else "cut-before-pass"
                yield say(key, line=source.spoken(line))
                yield f"Try: {say('cut-between')}."
                return


def turns_of(body: Any) -> Iterator[tuple[str, int]]:
    """The calls of a block that fill, cut, use or empty gradients, with their lines."""
    for statement in body if isinstance(body, list) else ():
        value = getattr(statement, "value", None)
        calls = [each for each in ast.walk(value) if is_call(each, TURNS)] if value else ()
        for each in calls:
            is_open = "inf" in ast.unparse(each)  # which cuts nothing, and tells the norm
            if not is_open:
                yield name_called(each.func) or "", each.lineno
