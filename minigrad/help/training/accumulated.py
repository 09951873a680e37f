"""Gradients that are to be added up over some rounds, and are emptied in each of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..program.program import Program
from ..source.syntax import LOOPS, is_call, parts_up_to
from ..source.texts import everywhere
from ..words.sentences import say


def emptied_too_often(program: Program) -> Iterator[str]:
    """That a loop steps once in several rounds, and empties gradients in each round."""
    for source, loop in everywhere(program.frame):
        if not isinstance(loop, LOOPS):
            continue
        emptying = [each for each in loop.body if calls(each, "zero_grad")]
        passing = [each for each in loop.body if calls(each, "backward")]
        stepping = [each for each in loop.body if isinstance(each, ast.If) and is_counted(each)]
        each_time = any(calls(each, "step") for each in loop.body)  # the counted one is another's
        if len(emptying) == len(passing) == len(stepping) == 1 and not each_time:
            line = source.spoken(emptying[0].lineno)
            yield say("emptied-too-often", line=line, step=source.spoken(stepping[0].lineno))
            yield say("empty-with-the-step")
            return


def calls(statement: ast.stmt, method: str) -> bool:
    """Whether a statement by itself calls a method."""
    return isinstance(statement, ast.Expr) and is_call(statement.value, {method})


def is_counted(branch: ast.If) -> bool:
    """Whether a step is taken, and nothing else done, in each so many rounds."""
    tests = [each for each in ast.walk(branch.test) if isinstance(each, ast.BinOp)]
    is_modulo = any(isinstance(each.op, ast.Mod) for each in tests)
    calls = {
        getattr(each.func, "attr", "") for each in parts_up_to(branch.body, ()) if is_call(each)
    }
    return is_modulo and "step" in calls and not calls & {"backward", "zero_grad"}
