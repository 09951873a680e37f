"""Data that a loop makes anew, and that may have held nan in a round before: by which line.

By now it holds numbers, so the lines tell what can have happened. Where Python has warned at one
of them, it has.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Iterator
from typing import Any

from ..graph.expression_matches_node import is_run_by
from ..graph.expression_of_node import calls_in
from ..graph.nan_makers import ALONE
from ..program.program import Program
from ..program.statements import BINDS
from ..source.called import function_called
from ..source.syntax import own_parts
from ..source.texts import definition_of
from ..words.sentences import tell

SPREADS = ("Std", "Var")  #: of a single number they are nan, whatever it is
WARNED = "degrees of freedom is <= 0"


def spread_of_one(name: str, program: Program) -> Iterator[str]:
    """That a loop divides data by their spread, of which there is none for a single number.

    Where that has happened, a sentence that begins with "Try:" is the last.
    """
    rounds = {at for loop in program.loops for at in range(*loop)}
    made = {program.last(used, kinds=(BINDS,)) for used, _, _ in program.ingredients(name)}
    for at in sorted(made & rounds):
        for line, number, kind in lines_of_a_spread(at, program):
            has = number in {*lines_warned(program)}
            do = tell("spread-of-one", name=kind.lower())
            if has:
                yield tell("one-number-warned", line=line, why=ALONE.how)
                yield f"Try: {do}."
            else:
                yield tell("one-number-perhaps", line=line, why=ALONE.how, do=do)
            return


def lines_of_a_spread(at: int, program: Program) -> Iterator[tuple[str, int, str]]:
    """The lines of a step, and of the functions that it calls, that take a std or a var."""
    step = program.steps[at]
    for part, kind in spreads(ast.walk(step.value)):
        yield step.line, part.lineno, kind
    for call in calls_in(step.value):
        called = function_called(call, program.variables)
        source, body = definition_of(called[0]) if called else (None, ast.Pass())
        for part, kind in spreads(own_parts(body)) if source is not None else ():
            yield source.spoken(part.lineno), part.lineno, kind


def spreads(parts: Iterable[ast.AST]) -> Iterator[tuple[Any, str]]:
    """Those of some expressions that take a std or a var, and which."""
    for part, kind in itertools.product(parts, SPREADS):
        if is_run_by(part, kind, None):
            yield part, kind


def lines_warned(program: Program) -> Iterator[int]:
    """The numbers of the lines at which Python has warned that there is no freedom left."""
    variables: dict[str, Any] = {} if program.frame is None else program.frame.f_globals
    for key in variables.get("__warningregistry__", ()):
        if isinstance(key, tuple) and WARNED in str(key[0]):
            yield key[-1]
