"""States that were kept without a copy, so that each step changes them along with the net."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...tensor import Tensor
from ..program.program import Program
from ..source.syntax import FUNCTIONS, LOOPS, given_to, is_call, names_in, parents_in
from ..source.texts import everywhere, texts
from ..source.variables import held, is_module, own_name, parameters_of
from ..words.sentences import say

SHALLOW = {"copy", "dict", "OrderedDict"}  #: a new dict, with the same tensors in it


def kept_states(program: Program) -> Iterator[str]:
    """That what was kept of the best round is the net itself, as it has become since.

    A line keeps ``net.state_dict()``, or the net, on a condition, and what is kept there are the
    very tensors that the net has now.
    """
    for source, tree in texts(program.frame):
        around = parents_in(tree)
        for each in ast.walk(tree):
            match each:
                case ast.Assign([ast.Name() | ast.Attribute() as target], value):
                    name, what = ast.unparse(target), state_in(value) or value
                    net = ast.unparse(getattr(what.func, "value", what) if is_call(what) else what)
                    is_kept = net != name and is_on_a_condition(each, net, around)
                    is_kept = is_kept and is_net_of_now(own_name(name), what, net, program)
                    if is_kept and is_used_elsewhere(name, what, around[each], program):
                        what = ast.unparse(what)
                        yield say("kept-no-copy", line=source.spoken(each.lineno), what=what)
                        yield say("keep-a-copy", name=name, what=what)
                        return


def state_in(value: ast.expr) -> ast.Call | None:
    """The call of ``state_dict`` that a value is, or whose dict it copies and nothing more."""
    while is_call(value, SHALLOW):
        value = value.args[0] if value.args else getattr(value.func, "value", None)
    return value if is_call(value, {"state_dict"}) else None


def is_on_a_condition(statement: ast.AST, net: str, around: dict) -> bool:
    """Whether a condition in a loop or a function decides that a statement runs.

    Not where each round of that loop makes a net of its own.
    """
    is_conditional = False
    while (statement := around.get(statement)) is not None:
        is_conditional |= isinstance(statement, ast.If)
        if isinstance(statement, LOOPS | FUNCTIONS):
            makes_it = isinstance(statement, LOOPS) and net in names_in(statement, ast.Store)
            return is_conditional and not makes_it
    return False


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


def is_net_of_now(last: str, what: ast.expr, net: str, program: Program) -> bool:
    """Whether what has this last name now is the net of another name, or has its tensors."""
    reached = [each.thing for each in held(program.variables)]
    rooms = [program.variables, *(getattr(each, "__dict__", None) or {} for each in reached)]
    kept = [room[last] for room in rooms if last in room]
    nets = [each for each in reached if is_module(each)]
    for thing in kept:
        if not is_call(what):
            others = {name: each for name, each in program.variables.items() if name != last}
            if is_module(thing) and any(each is thing for each in others.values()):
                return True
        elif isinstance(thing, dict):
            pairs = ((thing.get(path), leaf) for each in nets for path, leaf in parameters_of(each))
            if any(is_shared(state, leaf) for state, leaf in pairs):
                return True
    return False


def is_shared(state: Any, leaf: Any) -> bool:
    """Whether a kept tensor shows the values that a stepped parameter has now."""
    known = isinstance(state, Tensor) and isinstance(leaf, Tensor) and leaf._version > 1
    return known and bool(np.shares_memory(state._array(), leaf._array()))
