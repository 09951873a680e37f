"""The order of ``zero_grad()``, ``backward()`` and ``step()``, as the reader's loops have it."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator, Mapping
from itertools import pairwise
from types import FrameType
from typing import Any

from ..source.lists import around_spoken
from ..source.syntax import (
    LOOPS,
    calls_in,
    is_call,
    name_called,
    parts_up_to,
    runs_a_pass,
    words_in,
)
from ..source.texts import Source, all_calls, everywhere, texts
from ..source.variables import own_name, stepped_by, thing_at
from ..words.sentences import say
from .program import Program

TURNS = ("zero_grad", "backward", "step")


def is_emptied_with_each_step(frame: FrameType | None, optimizer: str, net: str) -> bool:
    """Whether a loop or a function calls ``step()`` and ``zero_grad()``, not one of them outside.

    Then what is added up is what this step is to use, or what will be emptied before the next.
    """
    owners = {own_name(optimizer), own_name(net)}
    for _source, block in blocks(frame):
        called = {(name, own_name(owner)) for name, owner in methods_in(block.body)}
        if ("step", own_name(optimizer)) in called:
            if any(("zero_grad", owner) in called for owner in owners):
                return True
    return False


def steps_without_gradients(
    frame: FrameType | None, optimizer: str, emptied: Container[str] = (), is_empty: bool = False
) -> Iterator[str]:
    """A sentence on a loop in which each ``step()`` comes right after gradients were emptied.

    Or on a function that empties them between a pass and its step, or in the line before the step:
    where one of the lines at which they were ``emptied`` last is meant, or, where they are empty
    and no such line is known, where what is stepped there is what was emptied there.
    """
    run_passes = running_passes(frame)
    own = {
        each.name: turns
        for source, each in everywhere(frame, ast.FunctionDef)
        if (turns := turns_in(each.body, run_passes))
        if all(name == "zero_grad" and source.spoken(at) in emptied for name, _, at in turns)
    }
    for source, block in blocks(frame):
        turns = turns_in(block.body, run_passes, own)
        if isinstance(block, LOOPS):
            yield from between(source, turns, optimizer, emptied)
            continue
        for at, (before, after) in enumerate(pairwise(turns)):
            methods = before[0], after[0]
            if methods != ("zero_grad", "step") or own_name(after[1]) != own_name(optimizer):
                continue
            is_between = at > 0 and turns[at - 1][0] == "backward"
            known = source.spoken(before[2]) in emptied
            lines = pairwise(each.lineno for each in block.body)
            if is_between or (before[2], after[2]) in lines:
                if known or is_empty and before[1] == after[1]:
                    yield finds_none(source, before, after)


def without_a_pass(loss: str | None, its: str, program: Program) -> Iterator[str]:
    """That no text speaks of a pass: it belongs above the only step, or below a loss in a loop.

    Where no line takes a step either, it is told which calls the loop needs.
    """
    if any(runs_a_pass(tree) or "backward" in words_in(tree) for _, tree in texts(program.frame)):
        return
    calls = [(s, e.func) for s, e in all_calls(program.frame, {"step", "zero_grad"})]
    steps = [
        (s.spoken(e.lineno), ast.unparse(e)[:-5]) for s, e in calls if name_called(e) == "step"
    ]
    line = loss and program.binding_line(loss) or ""
    if [own_name(owner) for _, owner in steps] == [own_name(its)]:
        yield say("no-pass", its=steps[0][1], step=steps[0][0])
    elif not steps and around_spoken(line, LOOPS):
        empty = "" if calls else f"{its}.zero_grad(); "
        yield say("no-pass-and-no-step", loss=loss, its=its, line=line, empty=empty)


def blocks(frame: FrameType | None) -> Iterator[tuple[Source, Any]]:
    """The loops, functions and branches of the program, and the program itself."""
    return everywhere(frame, LOOPS | ast.FunctionDef | ast.Module | ast.If)


def methods_in(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    """The methods that are called in a block, and on what; those of loops inside apart."""
    for node in parts_up_to(body, LOOPS | ast.FunctionDef):
        if is_call(node) and isinstance(node.func, ast.Attribute):
            yield node.func.attr, ast.unparse(node.func.value)


def not_called(program: Program, methods: Container[str]) -> Iterator[str]:
    """Sentences on lines such as ``loss.backward``, which name a method and do not call it."""
    for source, each in everywhere(program.frame, ast.Expr):
        match each:
            case ast.Expr(ast.Attribute(_, name) as method) if name in methods:
                line, method = source.spoken(each.lineno), ast.unparse(method)
                yield say("not-called", line=line, method=method)


def turns_in(
    body: list[ast.stmt], run_passes: set[str], own: Mapping[str, list[tuple[str, str, int]]] = {}
) -> list[tuple[str, str, int]]:
    """The calls of a block that decide what a step finds: (method, its owner, line).

    A function of the reader's that runs a pass counts as ``backward()``, one of its ``own`` as the
    calls that stand in it.
    """
    turns = []
    for statement in body:
        match statement:
            case ast.Expr(ast.Call(ast.Attribute(owner, method), arguments)) if method in TURNS:
                calls_back = method == "step" and arguments  # a closure, which runs the pass
                turns += [] if calls_back else [(method, ast.unparse(owner), statement.lineno)]
            case ast.Expr(ast.Call(function)) if name_called(function) in own:
                turns += own[name_called(function)]
            case _:
                passes = calls_in(statement, run_passes)
                turns += [("backward", "", statement.lineno)] if passes else []
    return turns


def running_passes(frame: FrameType | None) -> set[str]:
    """``backward``, and the names of the reader's functions that call it."""
    known = everywhere(frame, ast.FunctionDef)
    return {"backward", *(each.name for _, each in known if runs_a_pass(each))}


def passes_for(leaf: Any, program: Program) -> set[str]:
    """What passes begin at between which and the next pass a leaf is stepped."""
    found, run_passes = set(), running_passes(program.frame)
    for _, block in blocks(program.frame):
        start = ""
        for method, owner, _ in turns_in(block.body, run_passes):
            start = owner if method == "backward" else start
            if method == "step":
                tool = thing_at(ast.parse(owner, mode="eval").body, program.variables)
                found |= {start} if any(each is leaf for each in stepped_by(tool)) else set()
    return found


def between(
    source: Source, turns: list[tuple[str, str, int]], optimizer: str, emptied: Container[str]
) -> Iterator[str]:
    """The finding on one loop, where ``backward()`` is called, but not before ``step()``.

    What is emptied between them must be what this optimizer steps: it empties that itself, or the
    line is known to have done so. In a loop with two networks it may be the other one's.
    """
    if not any(method == "backward" for method, _owner, _line in turns):
        return
    for at, (method, owner, _line) in enumerate(turns):
        before, by, line = turns[at - 1]
        is_own, is_known = own_name(owner) == own_name(optimizer), source.spoken(line) in emptied
        if (before, method) == ("zero_grad", "step") and (is_own or is_known):
            if by == owner or own_name(by) == own_name(optimizer) or is_own and is_known:
                yield finds_none(source, turns[at - 1], turns[at])


def finds_none(source: Source, emptying: tuple, stepping: tuple) -> str:
    """That a step finds no gradients, because a line between it and the pass empties them."""
    step, emptied = source.spoken(stepping[2]), source.spoken(emptying[2])
    return say("finds-none", optimizer=stepping[1], step=step, emptied=emptied)
