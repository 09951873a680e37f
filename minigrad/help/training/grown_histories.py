"""Averages and totals that each round computes from their earlier value, along with its history."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from ...extras.recorded_cuts import NOT_RECORDED, cuts_of
from ...tensor import Tensor
from ..graph.expression_of_node import line_of
from ..graph.nodes import kind_of, nodes_behind
from ..program.program import Program
from ..source.syntax import (
    FUNCTIONS,
    LOOPS,
    called_in,
    is_call,
    is_word,
    runs_a_pass,
    words_in,
)
from ..source.texts import Source, all_calls, assignments, everywhere
from ..source.variables import held, is_module, last_name, thing_at
from ..words.sentences import say

FEWEST, MANY = 3, 50  #: rounds that a history holds before it is told, and one of single numbers


def grown(program: Program) -> Iterator[str]:
    """That a history grows with each round, and that no pass goes through it."""
    for source, statement, name, tensor in kept_up(program):
        nodes = [node for node in nodes_behind(tensor) if node.edges]
        count = [*map(kind_of, nodes)].count(kind_of(tensor.grad_fn))
        few = FEWEST if tensor.numel() > 1 else MANY  # some losses do no harm
        if tensor.grad_fn is not None and count >= few:
            is_read, line = is_passed(name, program), source.spoken(statement.lineno)
            if is_read and not (retains(program) and isinstance(statement, ast.Assign)):
                continue
            yield say("grown", line=line, name=name, count=len(nodes))
            whole = ast.unparse(statement.targets[0]) if is_read else ""
            yield say("detach-what-goes-on", whole=whole) if is_read else say("without-recording")
            return


def retains(program: Program) -> bool:
    """Whether each pass of a program keeps its graph, so that none lets go of what was before."""
    passes = [each for _, each in all_calls(program.frame, {"backward"})]
    kept = [word for each in passes for word in each.keywords if word.arg == "retain_graph"]
    return bool(kept) and len(kept) == len(passes) and all(is_word(e.value, True) for e in kept)


def summed_up(tensor: Tensor, name: str, program: Program) -> Iterator[str]:
    """That a result holds all rounds of a loop that evaluates, where no pass lets go of them."""
    calls = [each for _, each in all_calls(program.frame, {"eval"})]
    if not calls or is_passed(last_name(name), program):
        return
    sums = [node for node in nodes_behind(tensor) if kind_of(node) == "Add" and node.edges]
    lines = Counter(line_of(node, program) for node in sums)
    for source, each in everywhere(program.frame, ast.AugAssign):
        line = source.spoken(each.lineno)
        if isinstance(each.op, ast.Add) and lines[line] >= FEWEST - 1:
            yield say("summed-up", name=name, line=line)
            return


def plain_average(tensor: Tensor, program: Program) -> Iterator[str]:
    """That each round computes this from its earlier value, and no pass goes through it."""
    for source, statement, name, each in kept_up(program):
        if each is tensor and (is_average(statement, tensor) or not is_passed(name, program)):
            yield say("kept-up", line=source.spoken(statement.lineno))
            return


def is_average(statement: ast.stmt, tensor: Tensor) -> bool:
    """Whether a line weighs an earlier value and a new one, which had no history to lose there.

    Such a mean is a constant of the loss that takes it.
    """
    match statement:
        case ast.Assign(value=ast.BinOp(ast.BinOp(op=a), ast.Add(), ast.BinOp(op=b))):
            are_weighed = all(isinstance(each, ast.Mult | ast.Div) for each in (a, b))
            return are_weighed and all(cut.what is not NOT_RECORDED for cut in cuts_of(tensor))
    return False


def kept_up(program: Program) -> Iterator[tuple[Source, ast.stmt, str, Tensor]]:
    """The tensors that rounds of training compute from their earlier value; the line, the name."""
    rounds = [each for _, each in everywhere(program.frame, LOOPS) if runs_a_pass(each)]
    inside = {part for each in rounds for part in ast.walk(each)}
    calls = [part.func for part in inside if is_call(part)]
    runs_a_net = any(is_module(thing_at(each, program.variables)) for each in calls)
    called = called_in(inside) | ({"forward"} if runs_a_net else set())
    functions = [each for _, each in everywhere(program.frame, FUNCTIONS) if each.name in called]
    inside |= {part for each in functions for part in ast.walk(each)}
    again, anew = [], set()  # what begins anew in some rounds ends there as well
    for source, each in everywhere(program.frame):
        match each if each in inside else None:
            case ast.Expr(ast.Call(ast.Attribute(owner, "detach_"))):
                anew.add(last_name(ast.unparse(owner)))
            case ast.AugAssign(target):
                again.append((source, each, last_name(ast.unparse(target))))
            case ast.Assign([target], value):
                name = last_name(ast.unparse(target))
                parts = [*ast.walk(value)]
                is_cut = any(is_call(each, {"detach"}) for each in parts)
                if not is_cut and any(ast.unparse(target) == at_key(each) for each in parts):
                    again.append((source, each, name))
                else:
                    anew.add(name)
    for source, each, name in again:
        for thing in things_called(name, program) if name not in anew else ():
            yield source, each, name, thing


def at_key(part: ast.AST) -> str:
    """How an expression is written; ``avg[k]`` of ``avg.get(k, v)``."""
    match part:
        case ast.Call(ast.Attribute(whole, "get"), [key, *_]):
            return f"{ast.unparse(whole)}[{ast.unparse(key)}]"
    return ast.unparse(part)


def things_called(name: str, program: Program) -> Iterator[Tensor]:
    """The tensors of this last name, and those in lists and dicts of this name."""
    rooms = (getattr(each.thing, "__dict__", None) or {} for each in held(program.variables))
    for room in [program.variables, *rooms]:
        thing = room.get(name)
        inner = [*thing.values()] if isinstance(thing, dict) else thing
        for each in inner if isinstance(inner, list) else [thing]:
            if isinstance(each, Tensor):
                yield each


def is_passed(name: str, program: Program) -> bool:
    """Whether what a pass begins at may be computed from what has this name."""
    functions = (each for _, each in everywhere(program.frame, FUNCTIONS))
    passing = {"backward", "grad", *(each.name for each in functions if runs_a_pass(each))}
    known = {word for _, call in all_calls(program.frame, passing) for word in words_in(call)}
    made = [(last_name(ast.unparse(t)), value) for _, t, value in assignments(program.frame)]
    for _ in made:
        more = {word for target, value in made if target in known for word in words_in(value)}
        if more <= known:
            break
        known |= more
    return name in known
