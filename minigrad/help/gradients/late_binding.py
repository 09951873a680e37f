"""Functions made in a loop that read its names when they are called: each has the last values."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FunctionType

from ..program.program import Program
from ..source import reader
from ..source.syntax import names_in, targets_in
from ..source.texts import everywhere
from ..source.variables import held
from ..words.sentences import say


def bound_late(program: Program) -> Iterator[str]:
    """That several functions of one line in a loop share the variables that each round changes."""
    made: dict[int, list[FunctionType]] = {}
    for each in held(program.variables):
        if isinstance(each.thing, FunctionType) and each.thing.__closure__:
            made.setdefault(id(each.thing.__code__), []).append(each.thing)
    for several in made.values():
        code = several[0].__code__
        cells = [dict(zip(each.__code__.co_freevars, each.__closure__)) for each in several]
        shared = [n for n in code.co_freevars if len({id(own[n]) for own in cells}) == 1]
        if len(several) < 2 or not shared:
            continue
        for source, loop in everywhere(program.frame, ast.For):
            inside = [n for part in loop.body for n in ast.walk(part) if isinstance(n, ast.Lambda)]
            changed = {name for part in [loop, *loop.body] for name in bound_by(part)}
            names = [name for name in shared if name in changed]
            own = [each for each in inside if each.lineno == code.co_firstlineno]
            if names and len(own) == 1 and source.name == reader.file_name(code.co_filename):
                first = ", ".join(f"{name}={name}" for name in names)
                given = ast.unparse(own[0].args)
                words = {"count": len(several), "line": source.spoken(own[0].lineno)}
                yield say("bound-late", names=" and ".join(names), **words)
                new = f"lambda {f'{given}, ' * bool(given)}{first}: {ast.unparse(own[0].body)}"
                yield say("bind-at-once", new=new)
                return


def bound_by(statement: ast.AST) -> set[str]:
    """The names that a statement gives a value: what a loop goes through, or a line assigns."""
    return {name for target in targets_in(statement) for name in names_in(target, ast.Store)}
