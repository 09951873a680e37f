"""Inputs that a result was not computed from, because its own call made them a second time.

``h = net.body(x)`` and ``score = net(x)``: the parameters are the same, not the tensor.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...tensor import Tensor
from ..graph.history import leaves_behind
from ..program.program import Program
from ..program.statements import BINDS, RESULT, part_of
from ..source import reader
from ..source.called import function_called
from ..source.lists import statements_of
from ..source.syntax import names_in
from ..source.variables import is_parameter
from ..words.sentences import tell
from .sibling_inputs import otherwise_called


def made_twice(y: Tensor, x: Tensor, a: str, b: str, program: Program) -> Iterator[str]:
    """The sentences, and what to write; nothing where no parameter is behind both."""
    behind = {id(leaf) for leaf in leaves_behind(y)} if x.grad_fn is not None else set()
    shared = [each for each in leaves_behind(x) if id(each) in behind and is_parameter(each)]
    (result, given), inner = in_one_call(a, b, program)
    named = [name for leaf in shared if (name := inner.name_of(leaf))]
    made, computed, used = (
        inner.step(given, kinds=(BINDS,)),
        inner.step(result),
        names_behind(result, inner),
    )
    if not named or not made or not computed or used & {given, *program.names_that_reach(x, b)}:
        return
    source = min(named, key=lambda name: name.endswith(".bias"))
    first = source.partition(".")[0].partition("[")[0]
    at = {n for used, n, _ in inner.ingredients(result) if used == first}
    if len(at) == 1:
        computed = inner.steps[at.pop()]
    if inner is not program and (said := otherwise_called({a: result, b: given}, inner.within[-1])):
        yield said
    made, computed = ("" if each.branch else each.line for each in (made, computed))
    bound = set().union(*(names_in(each, ast.Store) for each in statements_of(made)))
    made = made if not given.isidentifier() or given in bound else ""  # a line that only asks
    lines = [*map(reader.in_brackets, (made, computed))]
    names = {"given": given, "source": source, "result": result}
    yield tell("made-beside", **names, made=lines[0], computed=lines[1])
    if x.dim():  # else it is a loss, of which nothing more is to be computed
        yield tell("made-by-another-call", **names)


def in_one_call(a: str, b: str, program: Program) -> tuple[tuple[str, str], Program]:
    """What two names are called in the function that gave both, and its lines; else as they are."""
    match [getattr(program.step(name), "value", None) for name in (a, b)]:
        case ast.Subscript(call, ast.Constant(k)), ast.Subscript(other, ast.Constant(n)) if (
            call is other and (called := function_called(call, program.variables))
        ):
            entered = program.entered(*called)
            inner = entered[0] if entered else program
            if len(inner.places.get(RESULT, ())) == 1:
                value = inner.steps[inner.places[RESULT][0]].value.elts[1]
                match part_of(value, k), part_of(value, n):
                    case ast.Name(result), ast.Name(given):
                        return (result, given), inner
    return (a, b), program


def names_behind(name: str, program: Program) -> set[str]:
    """The names in the lines that a result was computed by; none where no line is known."""
    targets = {name} | program.parts_of(name)
    values = (step.value for step in program.steps if step.target in targets)
    return set().union(*map(names_in, values))
