"""Gradients that are emptied outside of the loop in which each round takes a step by them."""

from __future__ import annotations

import ast
from types import FrameType
from typing import Any, NamedTuple

from ..program.emptied import empties
from ..source.syntax import FUNCTIONS, LOOPS, is_at, is_call, own_parts
from ..source.texts import Source, led_to, texts


class Outside(NamedTuple):
    """The line that empties gradients, and the loop that steps without it."""

    emptied: str
    loop: str


def emptied_outside(frame: FrameType | None) -> Outside | None:
    """Where that is the only line that empties, and the only loop that steps; else None.

    A line in another function may run in the loop, and is not told.
    """
    lines, loops = [], []
    for source, tree in texts(frame):
        found = [n for n, text in enumerate(source.lines, 1) if empties(text)]
        lines += [(source, tree, number) for number in found]
        loops += [(source, *each) for each in loops_that_step(source, tree, frame)]
    if len(lines) != 1 or len(loops) != 1:
        return None
    [(source, tree, number)], [(own, loop, around)] = lines, loops
    around = tree if source is not own and isinstance(around, ast.Module) else around
    if source is own and is_at(loop, number) or not stands_in(around, number):
        return None
    return Outside(source.spoken(number), own.spoken(loop.lineno))


def stands_in(around: ast.AST, number: int) -> bool:
    """Whether a line is one of a function, or of a text, and not of a function inside of it."""
    inner = FUNCTIONS | ast.ClassDef
    parts = (each for each in own_parts(around) if isinstance(each, ast.stmt))
    return any(is_at(each, number) for each in parts if not isinstance(each, inner))


def loops_that_step(source: Source, tree: ast.Module, frame: Any) -> list[tuple[Any, ast.AST]]:
    """The innermost loops in which a pass and a step are run, with the function around."""
    found = []
    for around in (tree, *(each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef))):
        loops = [each for each in own_parts(around) if isinstance(each, LOOPS)]
        loops = [each for each in loops if steps(led_to([(source, each)], frame))]
        inner = [each for each in loops if not any(is_inside(one, each) for one in loops)]
        found += [(each, around) for each in inner]
    return found


def is_inside(one: Any, loop: Any) -> bool:
    """Whether a loop stands in another one."""
    return one is not loop and is_at(loop, one.lineno)


def steps(parts: list[tuple[Source, ast.AST]]) -> bool:
    """Whether parts of a program run a pass, and a step, maybe ``w -= lr * w.grad``."""
    inside = [each for _, part in parts for each in ast.walk(part)]
    by_hand = (each.value for each in inside if isinstance(each, ast.AugAssign))
    reads = any(getattr(n, "attr", "") == "grad" for value in by_hand for n in ast.walk(value))
    is_stepped = reads or any(is_call(each, {"step"}) for each in inside)
    return is_stepped and any(is_call(each, {"backward"}) for each in inside)
