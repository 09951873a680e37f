"""Gradients that are emptied outside of the loop in which each round takes a step by them."""

from __future__ import annotations

import ast
from types import FrameType
from typing import Any

from ..program.emptied import empties
from ..source.syntax import FUNCTIONS, LOOPS, is_at, is_call, name_called, own_parts
from ..source.texts import texts
from ..words.sentences import say


def emptied_outside(frame: FrameType | None) -> tuple[str, bool]:
    """That this is so where it is the only line that empties, and the loop the only one that steps.

    Or, as may be meant, that it stands in a branch, where the step does not. A line in another
    function may run in the loop, and is not told.
    """
    lines, loops = [], []
    for source, tree in texts(frame):
        found = [n for n, text in enumerate(source.lines, 1) if empties(text)]
        lines += [(source, tree, number) for number in found]
        loops += [(source, loop, around) for loop, around in loops_that_step(tree)]
    if len(lines) != 1 or len(loops) != 1:
        return "", False
    [(source, tree, number)], [(own, loop, around)] = lines, loops
    around = tree if source is not own and isinstance(around, ast.Module) else around
    if source is own and is_at(loop, number):
        branches = [each for each in own_parts(loop) if isinstance(each, ast.If)]
        inner = [each for each in branches if is_at(each, number)]
        if not inner or any(is_call(e, {"step"}) for each in branches for e in ast.walk(each)):
            return "", False
        branch = own.spoken(inner[0].lineno)
        return say("emptied-in-some", emptied=source.spoken(number), branch=branch), False
    if not stands_in(around, number):
        return "", False
    emptied, loop = source.spoken(number), own.spoken(loop.lineno)
    return say("emptied-outside", emptied=emptied, loop=loop), True


def stands_in(around: ast.AST, number: int) -> bool:
    """Whether a line is one of a function, or of a text, and not of a function inside of it."""
    inner = FUNCTIONS | ast.ClassDef
    parts = (each for each in own_parts(around) if isinstance(each, ast.stmt))
    return any(is_at(each, number) for each in parts if not isinstance(each, inner))


def loops_that_step(tree: ast.Module) -> list[tuple[Any, ast.AST]]:
    """The innermost loops in which a pass and a step are run, with the function around."""
    found = []
    functions = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]
    named = {each.name: each for each in functions}
    for around in (tree, *functions):
        loops = [each for each in own_parts(around) if isinstance(each, LOOPS)]
        loops = [each for each in loops if steps(each, named)]
        inner = [each for each in loops if not any(is_inside(one, each) for one in loops)]
        found += [(each, around) for each in inner]
    return found


def is_inside(one: Any, loop: Any) -> bool:
    """Whether a loop stands in another one."""
    return one is not loop and is_at(loop, one.lineno)


def steps(loop: ast.AST, functions: dict[str, ast.FunctionDef]) -> bool:
    """Whether a loop runs a pass, and a step: by an optimizer, or ``w -= lr * w.grad``.

    A function that it calls may do so, too.
    """
    inside = [*ast.walk(loop)]
    called = {name_called(each.func) for each in inside if is_call(each)} & functions.keys()
    inside += [part for name in called for part in ast.walk(functions[name])]
    by_hand = (each.value for each in inside if isinstance(each, ast.AugAssign))
    reads = any(getattr(n, "attr", "") == "grad" for value in by_hand for n in ast.walk(value))
    is_stepped = reads or any(is_call(each, {"step"}) for each in inside)
    return is_stepped and any(is_call(each, {"backward"}) for each in inside)
