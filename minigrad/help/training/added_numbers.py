"""Terms of a loss that have no history, so that adding them changes no gradient."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Any

from ..graph.expression_of_node import line_of
from ..graph.nodes import kind_of, leaves_behind
from ..graph.recorded import ended
from ..program.breaks import remedy
from ..program.program import Program
from ..source import reader
from ..source.lists import bindings, trees_with
from ..source.syntax import is_call, own_parts, scope, statements_at, targets_of, terms_of
from ..words.sentences import say

MOST = 2
SUMS = ("Add", "Rsub", "Sub")
PLACE = re.compile(r"line (\d+) of (.+)")
FACTORS = ast.Name | ast.Constant | ast.Attribute


def added_numbers(loss: Any, program: Program) -> Iterator[str]:
    """That a loss is a sum, a term of which was computed from what it is to train, and cut off."""
    own = program.name_of(loss) or "the loss"
    for leaf in leaves_behind(loss)[:MOST]:
        known = {cut.place: cut for cut in ended(leaf) if cut.do and not cut.expected}
        for file, statement, around in sums(loss, known, program):
            for name in sorted(names_alone(statement, program)):
                places = {f"line {number} of {file}" for number in lines_that_bind(name, around)}
                if places and places <= known.keys():
                    cuts = [cut for place, cut in known.items() if place in places]
                    said = "; ".join(cut.said for cut in cuts)
                    yield say("added-number", name=name, loss=own, said=said)
                    yield f"Try: {remedy(cuts)}."
                    return


def sums(
    loss: Any, places: Iterable[str], program: Program
) -> Iterator[tuple[str, ast.stmt, ast.AST]]:
    """The file, the statement and the function that made a loss, if its line is known.

    Else those beside the lines of cuts that make what backward() is called of there.
    """
    if known := reader.SPOKEN_LINE.match(line_of(loss.grad_fn, program)):
        tree = trees_with(known[2]).get(known[2])
        found = statements_at(tree, int(known[1])) if tree is not None else []
        own = [each for each in found if program.name_of(loss) in targets_of(each)]
        for each in own or found[: len(found) == 1]:
            yield known[2], each, scope(tree, int(known[1]))
    for place in places if known is None and kind_of(loss.grad_fn) in SUMS else ():
        at = PLACE.fullmatch(place)  # what was typed at a prompt has no number
        tree = trees_with(at[2]).get(at[2]) if at else None
        around = scope(tree, int(at[1])) if tree is not None else ast.Pass()
        parts = [*own_parts(around)]
        begun = {ast.unparse(each.func.value) for each in parts if is_call(each, {"backward"})}
        yield from ((at[2], each, around) for each in parts if begun & {*targets_of(each)})


def names_alone(statement: ast.stmt, program: Program) -> set[str]:
    """The names in those terms of a sum that are products of names and numbers, none tracked."""
    sums = [[*terms_of(value)] for value in values_of(statement)]
    terms = [[*factors(each)] for of in sums if len(of) > 1 for _, each in of]
    terms = [each for each in terms if all(isinstance(part, FACTORS) for part in each)]
    found = [{part.id for part in each if isinstance(part, ast.Name)} for each in terms]
    return set().union(*(names for names in found if not names & names_tracked(program)))


def factors(term: ast.AST) -> Iterator[ast.AST]:
    """The factors of a product that is written; of what is none, that itself."""
    match term:
        case ast.BinOp(left, ast.Mult(), right):
            yield from (*factors(left), *factors(right))
        case _:
            yield term


def names_tracked(program: Program) -> set[str]:
    """The names of tensors that have a history or ask for gradients."""
    own = program.variables.items()
    return {name for name, value in own if getattr(value, "requires_grad", False)}


def lines_that_bind(name: str, around: ast.AST) -> set[int]:
    """The lines of a function that give a name its value."""
    return {at for target, _, at in bindings(own_parts(around)) if target == name}


def values_of(statement: ast.stmt) -> list[ast.expr]:
    """What a statement computes: of ``loss += penalty`` both terms."""
    match statement:
        case ast.AugAssign(target, ast.Add() | ast.Sub() as operation, value):
            return [ast.BinOp(target, operation, value)]
    return [value] if (value := getattr(statement, "value", None)) is not None else []
