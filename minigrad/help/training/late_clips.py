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
SCALES = {"mul_", "div_", "clamp_"}
TURNS = {"zero_grad", "backward", "step"}
CUTS = "cuts"  #: the turn of a line that cuts gradients


def late_clips(program: Program) -> Iterator[str]:
    """That a line cuts gradients below the step that is to use them, or above their pass; why, do.

    Of a block with one pass and one step, that empties gradients as well.
    """
    parts = [each for _, each in everywhere(program.frame)]
    own = {each.name for each in parts if isinstance(each, ast.FunctionDef) and is_for_cuts(each)}
    for source, block in everywhere(program.frame):
        turns = [*turns_of(getattr(block, "body", None), own)]
        order = [name for name, _ in turns]
        if any(order.count(each) != 1 for each in ("backward", "step", "zero_grad")):
            continue
        clips = [(at, line) for at, (name, line) in enumerate(turns) if name is CUTS]
        between = order.index("backward"), order.index("step")
        if len(clips) == 1 and between[0] < between[1]:
            (at, line), is_late = clips[0], clips[0][0] > between[1]
            if is_late or at < between[0]:
                key = "cut-after-step" if is_late else "cut-before-pass"
                yield say(key, line=source.spoken(line))
                yield f"Try: {say('cut-between')}."
                return


def turns_of(body: Any, own: set[str]) -> Iterator[tuple[str, int]]:
    """The lines of a block that fill, cut, use or empty gradients, also by functions of theirs."""
    for statement in body if isinstance(body, list) else ():
        if isinstance(statement, ast.For | ast.If) and cuts_gradients(statement):
            yield CUTS, statement.lineno
        value = getattr(statement, "value", None)
        for each in ast.walk(value) if value else ():
            if is_call(each, TURNS):
                yield name_called(each.func) or "", each.lineno
            elif is_call(each, CLIPS | own) and "inf" not in ast.unparse(each):
                yield CUTS, each.lineno  # with inf it cuts nothing, and tells the norm


def is_for_cuts(function: ast.FunctionDef) -> bool:
    """Whether a function cuts gradients, and neither fills, uses nor empties them."""
    return cuts_gradients(function) and not any(is_call(e, TURNS) for e in ast.walk(function))


def cuts_gradients(statement: ast.AST) -> bool:
    """Whether gradients are scaled there: ``p.grad *= 0.5``, ``p.grad.clamp_(-1, 1)``."""
    for each in ast.walk(statement):
        match each:
            case ast.AugAssign(ast.Attribute(_, "grad"), ast.Mult() | ast.Div()):
                return True
            case ast.Call(ast.Attribute(ast.Attribute(_, "grad"), name)) if name in SCALES:
                return True
        if is_call(each, CLIPS):
            return True
    return False
