"""Steps that go by the sum of several passes, each of a mean, where their mean was meant."""

from __future__ import annotations

import ast
from typing import Any

from ..program.program import Program
from ..source.line_order import without_text
from ..source.syntax import LOOPS, is_call, names_in, targets_of
from ..source.texts import Source, everywhere
from ..words.sentences import say


def summed_for_a_step(program: Program) -> tuple[list[str], str] | None:
    """That a step in every few rounds goes by the passes of all of them, and what to write."""
    for source, loop in everywhere(program.frame, LOOPS):
        body = loop.body
        passes = [one for one in body if is_call(getattr(one, "value", None), {"backward"})]
        steps = [(each, one) for one in body for each in ast.walk(one) if is_call(each, {"step"})]
        if len(passes) == 1 and len(steps) == 1 and (every := every_so_many(steps[0][1])):
            return in_words(source, body, passes[0], steps[0][0], every)
    return None


def every_so_many(branch: ast.stmt) -> str:
    """The ``n`` of a branch ``if k % n == 0:``, also where that is a part; empty for others."""
    for each in ast.walk(getattr(branch, "test", ast.Pass())):
        match each:
            case ast.Compare(ast.BinOp(_, ast.Mod(), count), [ast.Eq()], [ast.Constant()]):
                return ast.unparse(count)
    return ""


def in_words(
    source: Source, body: list[ast.stmt], one: Any, step: ast.Call, every: str
) -> tuple[list[str], str] | None:
    """The same in words; None where a line divides the loss."""
    if one.value.args or not isinstance(one.value.func, ast.Attribute):
        return None  # such as backward(loss), which is the reader's own
    loss = one.value.func.value
    made = [each for each in body if targets_of(each) and {*targets_of(each)} & names_in(loss)]
    parts = [part for each in (loss, *made) for part in ast.walk(each)]
    if any(isinstance(getattr(each, "op", None), ast.Div | ast.Mult) for each in parts):
        return None
    line, own = source.spoken(one.lineno), ast.unparse(loss)
    given = ", ".join(map(ast.unparse, one.value.keywords))
    of = {"passes": line, "step": source.spoken(step.lineno), "every": every}
    there = without_text(line)
    return [say("summed-rounds", **of)], say(
        "mean-of-rounds", loss=own, every=every, given=given, there=there
    )
