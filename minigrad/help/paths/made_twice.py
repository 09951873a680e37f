"""Inputs that a result was not computed from, because its own call made them a second time.

``h = net.body(x)`` and ``score = net(x)``: the parameters are the same, not the tensor.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...tensor import Tensor
from ..graph.history import leaves_behind
from ..program.derivatives import derivatives
from ..program.program import Program
from ..program.statements import BINDS, RESULT, part_of
from ..source import reader
from ..source.called import function_called
from ..source.line_order import is_above, without_text
from ..source.lists import statements_of
from ..source.syntax import is_call, names_in, root, whole_of
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
    at = {n for used, n, _ in inner.ingredients(result) if used == root_of(source)}
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


def root_of(path: str) -> str | None:
    """``net`` of ``net[0].weight``."""
    return root(ast.parse(path, mode="eval").body)


def in_one_call(a: str, b: str, program: Program) -> tuple[tuple[str, str], Program]:
    """What two names are called in the function that gave both, and its lines; else as they are."""
    calls = [whole_of(getattr(program.step(name), "value", ast.Pass())) for name in (a, b)]
    found = [where_made(name, program) for name in (a, b)] if calls[0] is calls[1] else []
    if found and all(inner is not program for _, inner in found):
        return (found[0][0], found[1][0]), found[0][1]
    return (a, b), program


def where_made(name: str, program: Program) -> tuple[str, Program]:
    """What a function of the reader's calls what it gave this name, and its lines; else as it is.

    The same for a name that no such function gave, or one with several returns.
    """
    given = getattr(program.step(name), "value", ast.Pass())
    call = whole_of(given)
    called = function_called(call, program.variables) if is_call(call) else None
    entered = program.entered(*called) if called else None
    if entered and len(at := entered[0].places.get(RESULT, ())) == 1:
        part = entered[0].steps[at[0]].value.elts[1]
        match given:
            case ast.Subscript(whole, ast.Constant(key)) if whole is call:
                part = part_of(part, key)
        if isinstance(part, ast.Name):
            return part.id, entered[0]
    return name, program


def derived_twice(a: str, b: str, x: Tensor, program: Program) -> Iterator[str]:
    """That ``a``, or a part of it, is the same derivative as ``b``, where one of that is meant."""
    lines = {name: (line, call) for line, name, call, _ in derivatives(program.frame)}
    for name in {a, *program.parts_of(a)} & lines.keys() if b in lines else ():
        (made, call), (again, other) = lines[b], lines[name]
        given = names_in(call.args[0])
        tensors = [each for each in given if isinstance(program.variables.get(each), Tensor)]
        is_same = [*map(ast.unparse, call.args)] == [*map(ast.unparse, other.args)]
        same = program.variables.get(name)
        is_same = is_same and isinstance(same, Tensor) and x.equal(same)
        if is_same and is_above(made, again) and len(tensors) == 1:
            known = {"first": b, "last": name, "of": tensors[0], "by": ast.unparse(call.args[1])}
            yield tell("derived-twice", made=made, again=again, **known)
            yield tell("derive-the-first", place=without_text(again), **known)
            return


def names_behind(name: str, program: Program) -> set[str]:
    """The names in the lines that a result was computed by; none where no line is known."""
    targets = {name} | program.parts_of(name)
    values = (step.value for step in program.steps if step.target in targets)
    return set().union(*map(names_in, values))
