"""States that were kept without a copy, so that each step changes them along with the net."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...autograd.caller import Place
from ...extras.recorded_cuts import Cut, cuts_of
from ...tensor import Tensor
from ..program.program import Program
from ..source import reader
from ..source.syntax import FUNCTIONS, LOOPS, given_to, is_call, names_in, parents_in, parts_in
from ..source.texts import everywhere, texts
from ..source.variables import held, is_module, own_name
from ..words.sentences import say

LOADS = "load_state_dict("


def kept_states(program: Program) -> Iterator[str]:
    """That what was kept of the best round is the net itself, as it has become since.

    It is loaded, or used, somewhere else than where it was kept, and steps came in between.
    """
    kept = states_kept(program)
    nets = {name: each for name, each in program.variables.items() if is_module(each)}
    for source, tree in texts(program.frame):
        around = parents_in(tree)
        for each in parts_in(tree):
            match each:
                case ast.Assign(_, value) if known := kept.get(source.spoken(each.lineno)):
                    what = next((e for e in ast.walk(value) if is_call(e, {"state_dict"})), None)
                    (name, is_old), net = known, what and ast.unparse(what.func)
                case ast.Assign([ast.Name(name)], ast.Name(net) as what) if net != name:
                    is_old = False
                    what = what if name in nets and nets[name] is nets.get(net) else None
                case _:
                    continue
            is_meant = what is not None and (is_old or is_of_the_best(each, net, around))
            if is_meant and is_used_elsewhere(name, what, around[each], program):
                what = ast.unparse(what)
                yield say("kept-no-copy", line=source.spoken(each.lineno), what=what)
                yield say("keep-a-copy", what=what)
                return


def states_kept(program: Program) -> dict[str, tuple[str, bool]]:
    """The lines of which a dict shows what a net has, how it is called, and whether it is old."""
    kept: dict[str, tuple[str, bool]] = {}
    for each in held(program.variables):
        for cut in cuts_of(each.thing) if each.path.endswith("]") else ():
            if is_shared(each.thing, cut) and cut.source()._version > 1:
                known = each.path.rpartition("[")[0], bool(written_since(each.thing, cut))
                kept.setdefault(reader.spoken(cut.place), known)
    return kept


def written_since(tensor: Any, cut: Cut) -> list[Place | None]:
    """The last lines that have written to what a detached tensor shares its values with.

    One that loads a state does not count: it may load these very values.
    """
    counter = cut.source()._counter if is_shared(tensor, cut) else None
    count = 0 if counter is None else counter.value - cut.version
    writers = counter.writers[-count:] if count else ()
    return [each for each in writers if each is None or LOADS not in reader.spoken(each)]


def is_shared(tensor: Any, cut: Cut) -> bool:
    """Whether a line gave a tensor the values of another one, and no copy of them."""
    whole = cut.source and cut.source()
    is_kept = cut.what in ("detach", "data") and cut.place is not None and whole is not None
    is_kept = is_kept and isinstance(tensor, Tensor)
    return is_kept and bool(np.shares_memory(tensor._value, whole._value))


def is_of_the_best(statement: ast.AST, net: str, around: dict) -> bool:
    """Whether it runs where something is better than the best so far, which is kept there, too.

    Not where each round of that loop makes a net of its own, ``net`` or what begins with that.
    """
    is_best = False
    while (statement := around.get(statement)) is not None:
        if isinstance(statement, ast.If):
            given = {name for each in statement.body for name in bound_by(each)}
            is_best |= bool(given & {*map(ast.unparse, ast.walk(statement.test))})
        if isinstance(statement, LOOPS | FUNCTIONS):
            own = names_in(statement, ast.Store)
            makes_it = isinstance(statement, LOOPS) and net.partition(".")[0] in own
            return is_best and not makes_it
    return False


def bound_by(statement: ast.AST) -> set[str]:
    """What an assignment assigns to, also as parts of a tuple."""
    targets = getattr(statement, "targets", ())
    return {ast.unparse(part) for each in targets for part in [each, *getattr(each, "elts", ())]}


def is_used_elsewhere(name: str, what: ast.expr, block: ast.AST, program: Program) -> bool:
    """Whether the state is loaded, or the net used, in another block than the one that keeps it."""
    own = {*ast.walk(block)}
    for _source, each in everywhere(program.frame):
        if each in own:
            continue
        given = given_to(each)
        if is_call(what) and not is_call(each, {"load_state_dict"}):
            continue
        if not is_call(what) and isinstance(each, ast.Call | ast.Attribute):
            given = [*given, getattr(each, "func", None) or each.value]
        if any(own_name(ast.unparse(thing)) == own_name(name) for thing in given):
            return True
    return False
