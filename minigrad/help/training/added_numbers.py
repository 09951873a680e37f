"""Terms of a loss that have no history, so that adding them changes no gradient."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ...tensor import Tensor
from ..gradients.passes import passes_of
from ..gradients.results_of_leaf import besides_derivatives, known_breaks
from ..graph.expression_of_node import line_of
from ..graph.nodes import kind_of, leaves_behind
from ..graph.recorded import ended
from ..program.breaks import Break, beside_a_way, breaks, remedy
from ..program.program import Program
from ..source import reader
from ..source.lists import bindings, trees_with
from ..source.syntax import (
    called_in,
    is_call,
    names_in,
    operands,
    own_parts,
    scope,
    statements_at,
    targets_of,
)
from ..source.texts import everywhere
from ..source.variables import optimizers, stepped_by
from ..words.sentences import say

MOST = 12  #: leaves that are asked about: of a line the record knows the last one


def added_numbers(loss: Any, program: Program) -> Iterator[str]:
    """That a loss is a sum, a term of which was computed from what it is to train, and cut off."""
    own, behind = program.name_of(loss) or "the loss", leaves_behind(loss)
    tools = optimizers(program.variables, behind).values()
    if {id(leaf) for tool in tools for leaf in stepped_by(tool)} - {*map(id, behind)}:
        return  # a term may have lost the way to those: this is told of them
    for leaf in behind[:MOST]:
        known = {cut.place: cut for cut in ended(leaf, True) if cut.do and not cut.expected}
        for file, statement, around in sums(loss, program):
            for term in without_history(statement, loss.grad_fn, program):
                if cuts := cuts_of(term, (loss, leaf), known, (file, statement, around), program):
                    yield from told(term, own, cuts)
                    return


def cuts_of(
    term: ast.expr,
    ends: tuple[Any, Any],
    known: dict[str, Break],
    at: tuple[str, ast.stmt, ast.AST],
    program: Program,
) -> list[Break]:
    """The lines that cut a term off from a leaf: where its names are bound, or what these call."""
    (loss, leaf), (file, statement, around) = ends, at
    of_leaf, own = program.name_of(leaf) or "", program.name_of(loss) or ""
    cuts = beside_a_way(program.routes(own, leaf, of_leaf))
    cuts = {cut.place: cut for cut in cuts if is_to_mend(cut)} | known
    called = called_in(ast.walk(term))
    for source, each in everywhere(program.frame, ast.FunctionDef):
        if each.name in called:
            inner = lines_within(each, source.name)
            if found := [cut for place, cut in cuts.items() if place in inner]:
                return found
    here = lines_within(statement, file)
    for name in sorted(names_in(term, ast.Load) - names_tracked(program)):
        places = {f"line {number} of {file}" for number in lines_that_bind(name, around)}
        if places and places <= known.keys():
            places |= here if names_detached(term) <= {name} else set()
            return [cut for place, cut in cuts.items() if place in places]
        thing = program.variables.get(name)
        if isinstance(thing, Tensor):
            found = known_breaks(thing, leaf, (name, of_leaf), program)
            found = besides_derivatives(found, leaf, [loss])
            if found := [*filter(is_to_mend, found)]:
                return found
    return [cut for place, cut in cuts.items() if place in here]


def added_by_calls(program: Program) -> Iterator[str]:
    """The same where a loss is gone with its function: what a call in its terms gives is cut."""
    starts = {ast.unparse(getattr(each.func, "value", each)) for each in passes_of(program)}
    for _, statement in everywhere(program.frame, ast.stmt):
        names = [name for name in targets_of(statement) if name in starts]
        for term, call in calls_added(statement) if names else ():
            parts = program.inside(call) or ()
            ways = [cuts for part, cuts in parts if ast.unparse(part) != reader.library()]
            cuts = [*filter(is_to_mend, breaks(ways))] if all(ways) else []
            if cuts:
                yield from told(term, names[0], cuts)
                return


def calls_added(statement: ast.stmt) -> Iterator[tuple[ast.expr, ast.Call]]:
    """The terms of a written sum that are calls, maybe with a factor, and these calls."""
    waiting = [each for each in values_of(statement) if isinstance(each, ast.BinOp)]
    for each in waiting:
        match each:
            case ast.BinOp(left, ast.Add() | ast.Sub(), right):
                waiting += [left, right]
            case (
                (ast.Call() as call)
                | ast.BinOp(ast.Name() | ast.Constant(), ast.Mult(), ast.Call() as call)
                | ast.BinOp(ast.Call() as call, ast.Mult(), ast.Name() | ast.Constant())
            ):
                yield each, call


def told(term: ast.expr, loss: str, cuts: list[Break]) -> Iterator[str]:
    """What cuts off a term of a loss, and what to write instead."""
    said = "; ".join(cut.said for cut in cuts)
    yield say("added-number", name=ast.unparse(term), loss=loss, said=said)
    yield f"Try: {remedy(cuts)}."


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
        for term, after in terms(value, node):
            names = names_in(term) if after is None else set()
            if names and not names & tracked - names_detached(term):
                yield term


def names_detached(term: ast.AST) -> set[str]:
    """The names in a term that stand where ``detach()`` is meant to cut them off."""
    return {n for each in ast.walk(term) if is_call(each, {"detach"}) for n in names_in(each)}


def terms(value: ast.AST, node: Any) -> Iterator[tuple[ast.AST, Any]]:
    """The operands of written sums, each with its node, or None; also of their mean."""
    match value, kind_of(node):
        case ast.UnaryOp(ast.USub(), of), "Neg":
            yield from terms(of, node.next_functions[0][0])
        case ast.Call(ast.Attribute(_, "mean" | "sum")), "Mean" | "Sum":
            yield from terms(operands(value)[0], node.next_functions[0][0])
        case ast.BinOp(left, ast.Add() | ast.Sub(), right), "Add" | "Sub":
            for part, (after, _) in zip((left, right), node.next_functions):
                yield from terms(part, after)
        case _:
            yield value, node


def lines_within(part: ast.stmt, file: str) -> set[str]:
    """The lines of a function or another statement, without their texts."""
    return {f"line {number} of {file}" for number in range(part.lineno, part.end_lineno + 1)}


def names_tracked(program: Program) -> set[str]:
    """The names of tensors that have a history or ask for gradients."""
    own = program.variables.items()
    return {name for name, value in own if getattr(value, "requires_grad", False)}


def lines_that_bind(name: str, around: ast.AST) -> set[int]:
    """The lines of a function that give a name its value; not those where a sum begins at 0."""
    parts = [*own_parts(around)]
    given = [each for each in parts if isinstance(each, ast.Assign)]
    begins = {each.lineno for each in given if isinstance(each.value, ast.Constant)}
    return {at for target, _, at in bindings(parts) if target == name} - begins


def values_of(statement: ast.stmt) -> list[ast.expr]:
    """What a statement computes: of ``loss += penalty`` both terms."""
    match statement:
        case ast.AugAssign(target, ast.Add() | ast.Sub() as operation, value):
            return [ast.BinOp(target, operation, value)]
    return [value] if (value := getattr(statement, "value", None)) is not None else []
