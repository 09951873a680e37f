"""Samples that no gradient goes back through: of ``normal(mu, std)``, or drawn in ``no_grad()``."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

from ...extras.recorded_cuts import LINES, NOT_RECORDED, Cut
from ..gradients.zero_gradient import ALWAYS
from ..graph.expression_of_node import in_words
from ..graph.nodes import (
    SAME_VALUES,
    kind_of,
    leaves_behind,
    leaves_of,
    next_of,
    nodes_behind,
    reached,
)
from ..graph.recorded import told
from ..graph.zero_slopes import JUMPS
from ..program.breaks import remedy
from ..program.cuts import switches_off
from ..program.program import Program
from ..source import reader
from ..source.syntax import (
    is_call,
    name_called,
    names_in,
    own_parts,
    parents_in,
    scope,
    span,
    statements_at,
)
from ..source.texts import texts
from ..source.variables import all_stepped, held, is_module, own_name, parameters_of
from ..words.sentences import say

NOISE = {"randn", "randn_like", "normal_"}
OVER = "decorator_list"
PASSED = SAME_VALUES | {"Stack", "Cat", "Select", "Slice", "Index", "Clamp", "Tanh"}


def unrecorded_samples(loss: Any, program: Program) -> Iterator[str]:
    """That a net is given a sample of what the loss is to train, and nothing goes back through it.

    One that is used elsewhere, too, such as the action of a policy, can be meant to be a number.
    """
    yield from drawn_at_once(loss, program)
    behind = {id(leaf) for leaf in leaves_behind(loss)} & all_stepped(program.variables).keys()
    cuts = [cut for cut in LINES.values() if cut.what is NOT_RECORDED and cut.place and cut.off]
    for cut in (cuts := [cut for cut in cuts if cut.leaves and leaves_cut(cut) <= behind]):
        beside = [one for one in cuts if one.off.since == cut.off.since]
        name, number = reader.file_name(cut.place[0].co_filename), reader.line_number(cut.place)
        for source, tree in texts(program.frame):
            for each in statements_at(tree, number) if source.name == name else ():
                around, places = scope(tree, number), {reader.position(e.place) for e in beside}
                is_sample = any(places & spans for spans in spreads(each, around))
                value = [each.value] if is_sample and hasattr(each, "value") else []
                nets = [*nets_given(value, program, set())]
                if nets and all(net and net <= behind - leaves_cut(cut) for net in nets):
                    found = told(beside)
                    yield say("unrecorded-sample", said="; ".join(one.said for one in found))
                    yield f"Try: {remedy(found)}."
                    return


def drawn_at_once(loss: Any, program: Program) -> Iterator[str]:
    """That ``normal(mu, std)`` has drawn a sample that goes on into a loss."""
    nodes = nodes_behind(loss)
    for node in (each for each in nodes if kind_of(each) == "Normal"):
        if not is_compared(node, nodes):
            yield f"{in_words(node, program)} {ALWAYS}, because {JUMPS['Normal'].why}."
            yield f"Try: {JUMPS['Normal'].do}."
            return


def is_compared(sample: Any, nodes: list[Any]) -> bool:
    """Whether something of the leaves behind a sample is taken off it: how likely it was."""
    passing = [each for each in nodes if kind_of(each) in PASSED]
    ways = {*reached([sample], lambda one: [each for each in passing if one in next_of(each)])}
    own = {*map(id, leaves_of(sample))}
    pairs = [{*next_of(each)} for each in nodes if kind_of(each) == "Sub"]
    others = [each for pair in pairs if pair & ways for each in pair - ways]
    return any(id(leaf) in own for each in others for leaf in leaves_of(each))


def leaves_cut(cut: Cut) -> set[int]:
    """The leaves behind what a line has cut, by their id."""
    return {id(leaf()) for leaf in cut.leaves}


def spreads(statement: ast.stmt, around: ast.AST) -> Iterator[set[tuple]]:
    """Where the parts of products of noise stand, and of the lines that bind the other factor."""
    bound = [each for each in own_parts(around) if isinstance(each, ast.Assign)]
    noisy = [each for each in bound if any(is_call(e, NOISE) for e in ast.walk(each.value))]
    noise = set().union(*(names_in(each, ast.Store) for each in noisy))
    for each in ast.walk(statement):
        if isinstance(each, ast.BinOp) and isinstance(each.op, ast.Mult):
            for one, other in ((each.left, each.right), (each.right, each.left)):
                if is_call(one, NOISE) or getattr(one, "id", "") in noise:
                    lines = [e for e in bound if names_in(other) & names_in(e, ast.Store)]
                    parts = [e for line in (other, *lines) for e in ast.walk(line)]
                    yield {span(e) for e in (each, *parts) if isinstance(e, ast.expr)}


def nets_given(uses: Iterable[ast.expr], program: Program, seen: set) -> Iterator[set[int]]:
    """The parameters of each net that is given one of these values; none for another use."""
    parents = {k: v for _, tree in texts(program.frame) for k, v in parents_in(tree).items()}
    known = {own_name(each.path): each.thing for each in held(program.variables)}
    functions = {each.name: each for each in parents if isinstance(each, ast.FunctionDef)}
    for value in (each for each in uses if each not in seen):
        seen.add(value)
        while isinstance(parents[value], ast.List) or is_call(parents[value], {"cat"}):
            value = parents[value]
        ways = [user := parents[value]]
        while ways[-1] in parents:
            ways.append(parents[ways[-1]])
        heads = [e for w in ways for e in (*getattr(w, "items", ()), *getattr(w, OVER, ()))]
        is_on = not any(switches_off(getattr(e, "context_expr", e)) for e in heads)
        around = next(e for e in ways if isinstance(e, ast.FunctionDef | ast.Module))
        match user:
            case ast.Call() if value in user.args and is_on:
                name, at = name_called(user.func), user.args.index(value)
                own = [e.arg for e in functions[name].args.args] if name in functions else []
                own = own[own[:1] == ["self"] :]
                if is_module(known.get(name)) or not own[at:]:
                    yield {id(leaf) for _, leaf in parameters_of(known.get(name))}
                else:
                    yield from nets_given(reads(own[at], functions[name]), program, seen)
            case ast.Assign([ast.Name(name)]):
                trees = [tree for _, tree in texts(program.frame)]
                where = trees if isinstance(around, ast.Module) else [around]
                yield from nets_given(reads(name, *where), program, seen)
            case ast.Return():
                name = getattr(around, "name", "")
                yield from nets_given([e for e in parents if is_call(e, {name})], program, seen)
            case _:
                yield set()


def reads(name: str, *where: ast.AST) -> list[ast.expr]:
    """Where a function, or the cells of a notebook, read a name."""
    parts = [each for around in where for each in own_parts(around) if isinstance(each, ast.Name)]
    return [each for each in parts if each.id == name and isinstance(each.ctx, ast.Load)]
