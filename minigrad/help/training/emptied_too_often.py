"""Gradients that each round empties, though a step is taken in some rounds only."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..program.program import Program
from ..source.syntax import LOOPS, is_call, runs_a_pass
from ..source.texts import everywhere
from ..words.sentences import say


def emptied_too_often(program: Program) -> Iterator[str]:
    """That a step, of every few rounds, goes by the pass of its own round alone."""
    for source, loop in everywhere(program.frame):
        body = loop.body if isinstance(loop, LOOPS) else []
        if not any(runs_a_pass(each) and not isinstance(each, ast.If) for each in body):
            continue
        empties = {owner_in(each, "zero_grad"): each.lineno for each in body}
        for branch in body:
            parts = [*ast.walk(branch)] if isinstance(branch, ast.If) else []
            if not parts or not has_remainder(branch.test) or holds(parts, "zero_grad"):
                continue
            for each in parts:
                its = owner_in(each, "step")
                if its and its in empties:
                    emptied, step = (source.spoken(n) for n in (empties[its], each.lineno))
                    yield say("emptied-too-often", emptied=emptied, step=step)
                    yield say("empty-below-the-step", its=its)
                    return


def holds(parts: list[ast.AST], method: str) -> bool:
    """Whether a method of this name is called among parts."""
    return any(is_call(each, {method}) for each in parts)


def owner_in(statement: ast.AST, method: str) -> str:
    """What a statement calls a method on: ``opt`` of ``opt.step()``; empty for others."""
    match statement:
        case ast.Expr(ast.Call(ast.Attribute(owner, name))) if name == method:
            return ast.unparse(owner)
    return ""


def has_remainder(test: ast.AST) -> bool:
    """Whether a question asks for a remainder, as of every fourth round."""
    return any(isinstance(getattr(each, "op", None), ast.Mod) for each in ast.walk(test))
