"""Leaves of a list or a dict that a loop over it leaves out, as ``range(len(ws) - 1)`` does."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import Any

from ...tensor import Tensor
from ..program.program import Program
from ..source.syntax import is_call, names_in, parents_in
from ..source.texts import texts
from ..source.variables import held, own_name
from ..words.sentences import tell

COMPREHENSIONS = ast.ListComp | ast.GeneratorExp
INDEX = re.compile(r"\[(?:'[A-Za-z_.]*)?(\d+)'?\]")


def left_out(leaf: Any, is_used: Callable[[Any], bool], program: Program) -> Iterator[str]:
    """The only loop that stops before a leaf, or begins behind it, and comes to those beside it."""
    others = {n: thing for n, thing in program.variables.items() if not isinstance(thing, Tensor)}
    leaves = {each.path: each.thing for each in held(others) if isinstance(each.thing, Tensor)}
    path = next((path for path, thing in leaves.items() if thing is leaf), "")
    for place in INDEX.finditer(path):
        base, (start, end) = path[: place.start()], place.span(1)
        beside = re.compile(rf"{re.escape(path[:start])}(\d+){re.escape(path[end:])}")
        known = {int(m[1]): t for p, t in leaves.items() if (m := beside.fullmatch(p))}
        used = [number for number, thing in known.items() if is_used(thing)]
        missed = sorted(known.keys() - {*used})
        if not used or min(used) < missed[-1] and max(used) > missed[0]:
            continue
        found = {*loops_short_of(own_name(base), missed, missed[0] < used[0], program)}
        if len(found) == 1:
            line, whole = found.pop()
            yield tell("left-out", base=base, line=line, path=path)
            there = f"`{whole}` there" if whole else f"let that loop go through all of {base}"
            yield f"Try: {there}; or compute with {path} outside of that loop."
            return


def loops_short_of(
    name: str, missed: list[int], is_first: bool, program: Program
) -> Iterator[tuple[str, str]]:
    """The lines of loops over what has this name that leave some numbers out; and over all."""
    for source, tree in texts(program.frame):
        around = parents_in(tree)
        for loop in around:
            if not isinstance(loop, COMPREHENSIONS | ast.For):
                continue
            each = loop if isinstance(loop, ast.For) else loop.generators[0]
            for part in ast.walk(each.iter):
                bounds, whole = None, None
                if is_call(part, {"range"}) and reads(loop, name, names_in(each.target), around):
                    bounds = part.args if len(part.args) > 1 else [None, *part.args]
                elif isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Slice):
                    if own_name(ast.unparse(part.value)) == name:
                        bounds, whole = [part.slice.lower, part.slice.upper], part.value
                if bounds and is_short(*bounds[:2], missed, is_first):
                    is_less = isinstance(bounds[1], ast.BinOp) and not is_first
                    stop = bounds[1].left if is_less else bounds[1]
                    is_known = is_first or not isinstance(stop, ast.Constant)
                    whole = whole or is_known and ast.Call(ast.Name("range"), [stop], [])
                    yield source.spoken(loop.lineno), ast.unparse(whole) if whole else ""


def reads(loop: ast.AST, name: str, own: set[str], around: dict) -> bool:
    """Whether a loop reads items of what has this name by its own numbers, and no ``.grad``."""
    items = (each for each in ast.walk(loop) if isinstance(each, ast.Subscript))
    return any(
        isinstance(each.ctx, ast.Load)
        and own_name(ast.unparse(each.value)) == name
        and names_in(each.slice) & own
        and getattr(around[each], "attr", "") != "grad"
        for each in items
    )


def is_short(start: Any, stop: Any, missed: list[int], is_first: bool) -> bool:
    """Whether a range or a slice leaves out the first numbers, or those from some number on."""
    if is_first:
        return isinstance(start, ast.Constant) and start.value > missed[-1]
    if isinstance(stop, ast.Constant):
        return stop.value <= missed[0]
    match stop:
        case ast.UnaryOp() | ast.BinOp(_, ast.Sub(), ast.Constant()):
            return True
    return False
