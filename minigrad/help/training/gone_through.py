"""Generators that gave what they have once, so that later loops over them do nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import GeneratorType

from ..program.program import Program
from ..source.syntax import around_line, scope
from ..source.texts import assignments, texts
from ..source.variables import held, own_name
from ..words.sentences import say


def gone_through(program: Program) -> Iterator[str]:
    """That something keeps a generator that is used up, where a line goes through it again.

    That is a loop inside of another, or inside of a method, which does not make it anew.
    """
    for each in held(program.variables):
        if not isinstance(each.thing, GeneratorType) or each.thing.gi_frame is not None:
            continue
        name, kind = own_name(each.path), ast.Attribute if "." in each.path else ast.Name
        known = assignments(program.frame)
        made = [
            (line, target, value)
            for line, target, value in known
            if isinstance(target, kind) and own_name(ast.unparse(target)) == name
            if hasattr(value, "lineno")  # else it is one of several that a call gives
        ]
        lines = loops_over(name, kind, {line for line, _, _ in made}, program)
        if len(made) == 1 and lines:
            line, target, value = made[0]
            yield say("gone-through", path=each.path, loops=" and ".join(lines))
            yield f"Try: {ast.unparse(target)} = list({ast.unparse(value)}) in {line}."
            return


def loops_over(name: str, kind: type, made: set[str], program: Program) -> list[str]:
    """The lines that go through a name again where no line around them makes it anew."""
    lines = []
    for source, tree in texts(program.frame):
        for loop in ast.walk(tree):
            if not isinstance(loop, ast.For | ast.comprehension):
                continue
            parts = [each for each in ast.walk(loop.iter) if isinstance(each, kind)]
            if not any(own_name(ast.unparse(each)) == name for each in parts):
                continue
            at = loop.iter.lineno
            around = [e for e in around_line(tree, at, ast.For | ast.While) if e is not loop]
            inner = {source.spoken(each.lineno) for e in around[-1:] for each in statements_in(e)}
            is_method = getattr(scope(tree, at), "name", "__init__") != "__init__"
            if (is_method if kind is ast.Attribute else inner) and not inner & made:
                lines.append(source.spoken(at))
    return [*dict.fromkeys(lines)]


def statements_in(loop: ast.stmt) -> Iterator[ast.stmt]:
    """What stands in a loop, also in what stands there, and the loop itself."""
    return (each for each in ast.walk(loop) if isinstance(each, ast.stmt))
