"""Terms of a loss that have no history, so that adding them changes no gradient."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ...tensor import Tensor
from ..gradients.results_of_leaf import besides_derivatives
from ..graph.expression_of_node import line_of
from ..graph.nodes import kind_of, leaves_behind
from ..graph.recorded import breaks_between, ended
from ..program.breaks import Break, beside_a_way, breaks, remedy
from ..program.program import Program
from ..source import reader
from ..source.lists import bindings, trees_with
from ..source.syntax import names_in, own_parts, scope, statements_at, targets_of
from ..source.texts import Source, everywhere
from ..source.variables import all_stepped
from ..words.sentences import say

MOST = 12  #: leaves that are asked about: of a line the record knows the last one
FACTORS = ast.Name | ast.Constant | ast.Attribute


def added_numbers(loss: Any, program: Program) -> Iterator[str]:
    """That a loss is a sum, a term of which was computed from what it is to train, and cut off."""
    own, behind = program.name_of(loss) or "the loss", leaves_behind(loss)
    if all_stepped(program.variables).keys() - {*map(id, behind)}:
        return  # a term may have lost the way to those: this is told of them
    for leaf in behind[:MOST]:
        known = {cut.place: cut for cut in ended(leaf, True) if cut.do and not cut.expected}
        for file, statement, around in sums(loss, program):
            for term in without_history(statement, loss.grad_fn, program):
                if cuts := cuts_of(term, (loss, leaf), known, (file, around), program):
                    name, said = ast.unparse(term), "; ".join(cut.said for cut in cuts)
                    yield say("added-number", name=name, loss=own, said=said)
                    yield f"Try: {remedy(cuts)}."
                    return


def cuts_of(
    term: ast.expr,
    ends: tuple[Any, Any],
    known: dict[str, Break],
    at: tuple[str, ast.AST],
    program: Program,
) -> list[Break]:
    """The lines that cut a term off from a leaf: where its names are bound, or what these call."""
    (loss, leaf), (file, around) = ends, at
    of_leaf, own = program.name_of(leaf) or "", program.name_of(loss) or ""
    for source, each in everywhere(program.frame):
        if isinstance(each, ast.FunctionDef) and each.name in names_in(term, ast.Load):
            inner = lines_within(each, source)
            if cuts := [cut for place, cut in known.items() if place in inner]:
                return cuts
            cuts = beside_a_way(program.routes(own, leaf, of_leaf))
            if cuts := [each for each in cuts if each.place in inner and is_to_mend(each)]:
                return cuts
    for name in sorted(names_in(term, ast.Load)):
        places = {f"line {number} of {file}" for number in lines_that_bind(name, around)}
        if places and places <= known.keys():
            return [cut for place, cut in known.items() if place in places]
        thing = program.variables.get(name)  # it asks for no gradients, as names_tracked() knows
        if isinstance(thing, Tensor):
            cuts = breaks_between(thing, leaf) or breaks(program.routes(name, leaf, of_leaf))
            cuts = besides_derivatives(cuts, leaf, [loss])
            if cuts := [*filter(is_to_mend, cuts)]:
                return cuts
    return []


def is_to_mend(cut: Break) -> bool:
    """Whether a cut is known, and somebody may look for a gradient there."""
    return bool(cut.do) and cut.certain and not cut.expected


def sums(loss: Any, program: Program) -> Iterator[tuple[str, ast.stmt, ast.AST]]:
    """The file, the statement and the function that made a loss, where its line is known."""
    if known := reader.SPOKEN_LINE.match(line_of(loss.grad_fn, program)):
        tree = trees_with(known[2]).get(known[2])
        found = statements_at(tree, int(known[1])) if tree is not None else []
        own = [each for each in found if program.name_of(loss) in targets_of(each)]
        for each in own or found[: len(found) == 1]:
            yield known[2], each, scope(tree, int(known[1]))


def without_history(statement: ast.stmt, node: Any, program: Program) -> Iterator[ast.expr]:
    """The terms of a sum of which the graph holds no history; and products that are not tracked."""
    tracked = names_tracked(program)
    for value in values_of(statement):
        yield from (e for e in constant_terms(value, node) if not names_in(e) & tracked)


def constant_terms(value: ast.AST, node: Any) -> list[ast.AST]:
    """The operands of written sums to which no edge of their nodes leads."""
    return [part for part, after in terms(value, node) if after is None and names_in(part)]


def terms(value: ast.AST, node: Any) -> Iterator[tuple[ast.AST, Any]]:
    """The operands of written sums, each with its node, or None."""
    match value, kind_of(node):
        case ast.BinOp(left, ast.Add() | ast.Sub(), right), "Add" | "Sub":
            for part, (after, _) in zip((left, right), node.next_functions):
                yield from terms(part, after)
        case _:
            yield value, node


def lines_within(function: ast.FunctionDef, source: Source) -> set[str]:
    """The lines of a function, without their texts."""
    numbers = range(function.lineno, function.end_lineno + 1)
    return {f"line {number} of {source.name}" for number in numbers}


def names_tracked(program: Program) -> set[str]:
    """The names of tensors that have a history or ask for gradients."""
    own = program.variables.items()
    return {name for name, value in own if getattr(value, "requires_grad", False)}


def lines_that_bind(name: str, around: ast.AST) -> set[int]:
    """The lines of a function that give a name its value; not those where a sum begins at 0."""
    parts = [*own_parts(around)]
    begins = {
        each.lineno
        for each in parts
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Constant)
    }
    return {at for target, _, at in bindings(parts) if target == name} - begins


def values_of(statement: ast.stmt) -> list[ast.expr]:
    """What a statement computes: of ``loss += penalty`` both terms."""
    match statement:
        case ast.AugAssign(target, ast.Add() | ast.Sub() as operation, value):
            return [ast.BinOp(target, operation, value)]
    return [value] if (value := getattr(statement, "value", None)) is not None else []
