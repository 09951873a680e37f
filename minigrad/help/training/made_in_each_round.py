"""What a round of training makes anew, though it should last, or only once, though each needs it.

A block counts that runs one pass and one step: the body of a loop, or of a function that a loop
calls. What it makes itself is new in each round. Made once are results that are computed from
leaves above a loop that steps these, and generators, which give what they have only once.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import GeneratorType
from typing import Any, NamedTuple

import numpy as np

from ...extras.recorded_cuts import PLAIN, cuts_of
from ..graph.history import nodes_behind
from ..graph.nodes import leaves_of
from ..program.above_loops import above_its_loop
from ..program.program import Program
from ..source.syntax import (
    FUNCTIONS,
    LOOPS,
    around_line,
    called_in,
    is_call,
    name_called,
    names_in,
    parts_up_to,
    scope,
)
from ..source.texts import Source, assignments, everywhere, texts
from ..source.variables import groups_of, held, is_asking, is_parameter, own_name
from ..words.sentences import say

WRITES = {"sub_", "add_", "copy_", "set_", "addcmul_", "mul_", "data", "step"}
#: a round with one of them begins anew on purpose
BEGINS = {"load_state_dict", "deepcopy", "state_dict", "clone", "manual_seed"}
FEW = 4  #: writes to a leaf that its maker and one round can have done


class Round(NamedTuple):
    """A block that runs in each round, in its text; and the function that it is, if it is one."""

    source: Source
    body: list[ast.stmt]
    function: str

    def parts(self) -> list[ast.AST]:
        """The parts of the block, without those of loops and functions inside."""
        return [*parts_up_to(self.body, LOOPS | FUNCTIONS | ast.ClassDef)]

    def made(self) -> Iterator[tuple[str, ast.Call, str]]:
        """What each assignment binds to what a call gives: the name, the call, the line."""
        for each in self.body:
            match each:
                case ast.Assign([ast.Name() | ast.Attribute() as target], ast.Call() as value):
                    yield own_name(ast.unparse(target)), value, self.source.spoken(each.lineno)


def rounds(program: Program) -> Iterator[Round]:
    """The blocks that run a pass and a step in each round."""
    loops = everywhere(program.frame, LOOPS)
    repeated = called_in(part for _, e in loops for part in parts_up_to(e.body, FUNCTIONS))
    for source, each in everywhere(program.frame, LOOPS | FUNCTIONS):
        function = getattr(each, "name", "")
        is_round = function in repeated if function else not goes_through_choices(each)
        found = Round(source, each.body, function)
        called = called_in(found.parts()) if is_round else set()
        if "backward" in called and not called & BEGINS:
            yield found


def goes_through_choices(loop: Any) -> bool:
    """Whether a loop tries several settings, and begins anew with each."""
    if not isinstance(loop, ast.For):
        return False
    tried = names_in(loop.target)
    made = (each.value for each in loop.body if isinstance(each, ast.Assign))
    uses = any(is_call(value) and tried & names_in(value) for value in made)
    return isinstance(loop.iter, ast.List | ast.Tuple) or uses


def made_each_round(net: Any, optimizer: Any, its: str, program: Program) -> Iterator[str]:
    """That a net, or its optimizer, is made anew in each round."""
    kind, tool = type(net).__name__, type(optimizer).__name__
    is_new = all(each._version <= FEW for each in net.parameters() if is_parameter(each))
    for each in rounds(program):
        made = [*each.made()]
        nets = [known for known in made if name_called(known[1].func) == kind]
        own = [known for known in made if name_called(known[1].func) == tool]
        own = [known for known in own if known[0] == own_name(its)]
        if nets and is_new:
            yield from told("made-each-round", [*nets[:1], *own], each)
            return
        if own and remembers(optimizer):
            yield from told("optimizer-each-round", own, each)
            return


def leaf_each_round(leaf: Any, program: Program) -> Iterator[str]:
    """That leaves which are stepped are made anew in each round, this one among them.

    One that was made of numbers with a history was to be a result, and no leaf.
    """
    is_result = any(cut.what in PLAIN for cut in cuts_of(leaf))
    for each in rounds(program) if leaf._version <= FEW and not is_result else ():
        made = {name: line for name, _, line in each.made() if is_stepped(name, each, leaf)}
        made = {name: line for name, line in made.items() if is_asking(program.variables.get(name))}
        made = {own: line for own, line in made.items() if not program.used_earlier_value(own, own)}
        if any(program.variables[name] is leaf for name in made):
            names, lines = " and ".join(made), "; ".join(made.values())
            yield say("leaves-each-round", names=names, lines=lines)
            empty = " = ".join(f"{name}.grad" for name in made)
            key = "hand-them-over" if each.function else "leaves-above"
            yield say(key, function=each.function, empty=empty)
            return


def told(key: str, made: list[tuple[str, ast.Call, str]], found: Round) -> Iterator[str]:
    """What is made anew where, and where it should be made, with the optimizer that needs it."""
    name, _, line = made[0]
    yield say(key, name=name, line=line)
    more = "".join(say("line-as-well", line=line) for *_, line in made[1:])
    key = "hand-it-over" if found.function else "above-the-loop"
    yield say(key, function=found.function, more=more)


def is_stepped(name: str, found: Round, leaf: Any) -> bool:
    """Whether a block changes what has this name, or lets an optimizer change it."""
    for each in found.parts():
        match each:
            case ast.AugAssign(target) if name in names_in(target):
                return True
            case ast.Call(ast.Attribute(owner, method)) if method in WRITES:
                if name in names_in(owner) or method == "step" and leaf._version:
                    return True
    return False


def remembers(optimizer: Any) -> bool:
    """Whether an optimizer goes by earlier steps as well."""
    return any("betas" in each or each.get("momentum") for each in groups_of(optimizer))


def computed_once(loss: Any, program: Program) -> Iterator[str]:
    """That a loop goes on from a result of leaves as they were before their first step.

    One that shares the memory of a leaf, as a view does, has its values.
    """
    if program.frame is None:
        return
    nodes = {*nodes_behind(loss)}
    for name, thing in program.variables.items():
        node = getattr(thing, "grad_fn", None) if name[0] != "_" else None
        leaves = leaves_of(node) if node in nodes else []
        if not leaves or not all(leaf._version > 1 for leaf in leaves):
            continue
        if any(np.may_share_memory(leaf._value, thing._value) for leaf in leaves):
            continue
        if found := above_its_loop(name, program.frame):
            line, loop = found
            yield say("computed-once", name=name, line=line, loop=loop)
            yield say("compute-each-round", name=name)
            return


def gone_through(program: Program) -> Iterator[str]:
    """That something keeps a generator that is used up, where a line goes through it again.

    That is a loop inside of another, or inside of a method, which does not make it anew.
    """
    for each in held(program.variables):
        if not isinstance(each.thing, GeneratorType) or each.thing.gi_frame is not None:
            continue
        name, kind = own_name(each.path), ast.Attribute if "." in each.path else ast.Name
        known = assignments(program.frame)
        made = [
            (line, target, value)
            for line, target, value in known
            if isinstance(target, kind) and own_name(ast.unparse(target)) == name
            if hasattr(value, "lineno")  # else it is one of several that a call gives
        ]
        lines = loops_over(name, kind, {line for line, _, _ in made}, program)
        if len(made) == 1 and lines:
            line, target, value = made[0]
            yield say("gone-through", path=each.path, loops=" and ".join(lines))
            yield f"Try: {ast.unparse(target)} = list({ast.unparse(value)}) in {line}."
            return


def loops_over(name: str, kind: type, made: set[str], program: Program) -> list[str]:
    """The lines that go through a name again where no line around them makes it anew."""
    lines = []
    for source, tree in texts(program.frame):
        for loop in ast.walk(tree):
            if not isinstance(loop, ast.For | ast.comprehension):
                continue
            parts = [each for each in ast.walk(loop.iter) if isinstance(each, kind)]
            if not any(own_name(ast.unparse(each)) == name for each in parts):
                continue
            at = loop.iter.lineno
            around = [e for e in around_line(tree, at, ast.For | ast.While) if e is not loop]
            inside = [part for each in around[-1:] for part in ast.walk(each)]
            inner = {source.spoken(e.lineno) for e in inside if isinstance(e, ast.stmt)}
            is_method = getattr(scope(tree, at), "name", "__init__") != "__init__"
            if (is_method if kind is ast.Attribute else inner) and not inner & made:
                lines.append(source.spoken(at))
    return [*dict.fromkeys(lines)]
