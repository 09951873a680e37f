"""Iterators that can be gone through once, and are gone through in each round."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..program.program import Program
from ..source.syntax import FUNCTIONS, LOOPS, name_called, parts_up_to
from ..source.texts import everywhere
from ..words.sentences import say

ONCE = {"generator", "zip", "map", "filter", "enumerate", "reversed"}
TAKES = {"clip_grad_norm_", "clip_grad_value_", "sum", "list"}


def used_up(program: Program) -> Iterator[str]:
    """That a name bound once means such an iterator, and a loop goes through it in each round."""
    once = {n for n, thing in program.variables.items() if type(thing).__name__ in ONCE}
    for source, outer in everywhere(program.frame) if once else ():
        for part in parts_up_to(outer.body, FUNCTIONS) if isinstance(outer, LOOPS) else ():
            name = gone_through(part)
            line = program.binding_line(name) if name in once else None
            if line and not is_bound_in(name, outer):
                yield say("used-up", name=name, line=line, place=source.spoken(part.lineno))
                yield say("make-a-list", name=name)
                return


def gone_through(part: ast.AST) -> str:
    """The name that a part of a program goes through to its end; empty for none."""
    match part:
        case ast.For(_, ast.Name(name)):
            return name
        case ast.For(_, ast.Call(ast.Name("enumerate"), [ast.Name(name), *_])):
            return name
        case ast.Call(function, [ast.Name(name), *_]) if name_called(function) in TAKES:
            return name
    return ""


def is_bound_in(name: str, loop: ast.AST) -> bool:
    """Whether a loop gives a name its value anew."""
    return any(
        isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Store)
        for each in ast.walk(loop)
    )
