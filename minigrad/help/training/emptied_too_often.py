"""Gradients that each round empties, though a step is taken in some rounds only."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..program.program import Program
from ..source.syntax import LOOPS, called_on, is_call, runs_a_pass
from ..source.texts import everywhere
from ..words.sentences import say


def emptied_too_often(program: Program) -> Iterator[str]:
    """That a step, of every few rounds, goes by the pass of its own round alone."""
    for source, loop in everywhere(program.frame):
        body = loop.body if isinstance(loop, LOOPS) else []
        if not any(runs_a_pass(each) and not isinstance(each, ast.If) for each in body):
            continue
        emptied = [(called_on(each, "zero_grad"), each.lineno) for each in body]
        empties = {ast.unparse(owner): at for owner, at in emptied if owner is not None}
        for branch in body:
            parts = [*ast.walk(branch)] if isinstance(branch, ast.If) else []
            if not parts or not has_remainder(branch.test) or holds(parts, "zero_grad"):
                continue
            for each in parts:
                owner = called_on(each, "step")
                its = "" if owner is None else ast.unparse(owner)
                if its in empties:
                    above, step = (source.spoken(at) for at in (empties[its], each.lineno))
                    yield say("emptied-too-often", emptied=above, step=step)
                    yield say("empty-below-the-step", its=its)
                    return


def holds(parts: list[ast.AST], method: str) -> bool:
    """Whether a method of this name is called among parts."""
    return any(is_call(each, {method}) for each in parts)


def has_remainder(test: ast.AST) -> bool:
    """Whether a question asks for a remainder, as of every fourth round."""
    return any(isinstance(getattr(each, "op", None), ast.Mod) for each in ast.walk(test))
