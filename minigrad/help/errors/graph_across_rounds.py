"""What takes the graph of one round of a loop into the next: a state that is kept between calls."""

from __future__ import annotations

import ast
import re
from typing import Any

from ...autograd.caller import Place
from ...tensor import Tensor
from ..graph.expression_of_node import line_of, line_of_assignment
from ..graph.history import leaves_behind, nodes_behind, stale_values
from ..graph.nodes import leaves_of
from ..program.program import Program
from ..source import reader
from ..source.line_order import at, without_text
from ..source.syntax import LOOPS, is_at, is_call, names_in, targets_of, words_in
from ..source.texts import assignments, everywhere, texts
from ..source.variables import BY_ID, Held, held, last_name, own_name
from ..words.sentences import tell
from .lists_across_rounds import (
    collected,
    drawn_again,
    is_in_the_loop,
    lines_that_append,
    rounds_around,
)
from .sum_across_rounds import added_up, starts_above

INIT = "__init__"
MOST_STATES = 3
NO_START = re.compile(r"requires_grad|Parameter\(|= (\{\}|dict\(\))`$")  #: a leaf, or nothing


def carried_over(node: Any) -> str:
    """What holds the graph of an earlier round, and how to stop that; empty for nothing."""
    if grown := added_up(node):
        return grown
    if drawn := drawn_again(node):
        return drawn
    program = Program.of(reader.frame())
    asked = {step.target for step in program.asked}
    states: dict[str, str] = {}
    holds_node = False
    for each in held(program.variables):
        if not isinstance(each.thing, Tensor) or each.thing.is_leaf or each.path in asked:
            continue
        nodes = nodes_behind(each.thing)
        is_meant = node in nodes
        if is_meant or any(behind.is_freed for behind in nodes):
            owner = each.path.rpartition("[")[0] if each.path.endswith("]") else ""
            line = line_of_state(each, owner, program)
            if line and is_meant and (do := in_the_leaf(each, line, program)):
                return do
            if not each._replace(path=BY_ID.sub("", each.path)).is_typed:  # as of a closure
                if line and is_meant and each.path.isidentifier():
                    return tell("detach-where-read", name=each.path, line=line)
                continue
            if line is not None:
                holds_node = holds_node or is_meant
                states.setdefault(detached(each, owner, program), line)
    if not holds_node:
        return collected(node)
    do = " and ".join([*states][:MOST_STATES])
    lines = "; ".join(filter(None, dict.fromkeys([*states.values()][:MOST_STATES])))
    holds = "they still hold the last ones" if len(states) > 1 else "it still holds the last one"
    rounds = each_round()
    numbers = any(begins_as_a_number(do.partition(" = ")[0]) for do in states)
    when = f"end {rounds}, below this pass," if numbers else f"start {rounds}"
    when = "go on below this pass, in its branch," if is_in_a_branch() else when
    lines = f": {holds}{f' ({lines})' if lines else ''}."
    if anew := set_anew([each.partition(" = ")[0] for each in states], program):
        do = f"{f'{when} ' * numbers}with {do}, where the next goes on from the last value"
        return f"start {rounds} with {anew} once more, where each begins anew; or {do}{lines}"
    return f"{when} with {do}{lines}"


def set_anew(names: list[str], program: Program) -> str:
    """The lines above a loop that begin states which each round changes again and again.

    Empty where one begins as a leaf, or where each round goes through something else. Items of a
    dict begin with all of it, where it holds nothing besides.
    """
    (_, loop), *_ = rounds_around(reader.frame()) or [(None, ast.Pass())]
    inner = loops_inside(loop)
    own = [(each, target) for each in inner for e in ast.walk(each) for target in targets_of(e)]
    wholes = {name.partition("[")[0] for name in names}
    inner = [each for each, target in own if target.partition("[")[0] in wholes]
    found = [line for name in names if inner for line in start_of(name, loop, names, program)]
    starts = [line for line in found if not NO_START.search(line)]
    counted = [each for each in getattr(loop, "body", ()) if isinstance(each, ast.AugAssign)]
    varied = names_in(ast.Module([*counted, getattr(loop, "target", ast.Pass())]), ast.Store)
    for each in loop.body if starts else ():
        varied |= names_in(each, ast.Store) if names_in(each) & varied else set()
    is_meant = len(starts) == len(names) and not any(names_in(each) & varied for each in inner)
    return " and ".join(dict.fromkeys(starts)) * is_meant


def start_of(name: str, loop: ast.AST, names: list[str], program: Program) -> list[str]:
    """The last line above a loop that begins one of some states, or the dict that it is in."""
    own = name.rpartition("[")[0]
    several = sum(each.startswith(f"{own}[") for each in names)
    whole = program.variables.get(own)
    is_all = isinstance(whole, dict) and len(whole) == several
    return (starts_above(loop, name) or starts_above(loop, own) * is_all)[-1:]


def each_round() -> str:
    """The rounds that are meant: of which loop, where there are several that it could be."""
    around = rounds_around(reader.frame())
    for source, loop in around[:1]:
        if loops_inside(loop) or len(around) > 1:
            return f"each round of {source.spoken(loop.lineno)}"
    return "each round"


def is_in_a_branch() -> bool:
    """Whether the pass runs in some rounds only, as after each chunk of a sequence."""
    frame = reader.frame()
    around = [loop for _, loop in rounds_around(frame)[:1]] if frame is not None else []
    tests = (e for loop in around for e in ast.walk(loop) if isinstance(e, ast.If))
    return any(is_at(one, frame.f_lineno) for test in tests for one in test.body)


def loops_inside(loop: ast.AST) -> list[ast.AST]:
    """The loops that stand inside of one."""
    return [each for each in ast.walk(loop) if isinstance(each, LOOPS) and each is not loop]


def begins_as_a_number(path: str) -> bool:
    """Whether a state is no tensor in the first round, which has no ``detach()``."""
    return any(
        own_name(ast.unparse(target)) == own_name(path)
        for _, target, value in assignments(reader.frame())
        if not names_in(value) and not is_call(value)
    )


def in_the_leaf(each: Held, line: str, program: Program) -> str:
    """How to change a leaf itself, where a line gives its name to what it computes from it alone.

    Empty for a state that is meant to be computed.
    """
    leaves, value = leaves_behind(each.thing), program.step(each.path)
    is_one = [leaf.shape for leaf in leaves] == [each.thing.shape] and each.path == each.root
    is_one = is_one and all(thing is not leaves[0] for thing in program.variables.values())
    if not is_one or value is None or each.path not in names_in(value.value):
        return ""
    where = without_text(line)
    new = f"{each.path}.copy_({ast.unparse(value.value)})"
    grad = f"{each.path}.grad"
    is_kept = grad in ast.unparse(value.value) and not any(
        re.search(rf"\b{re.escape(grad)}(\.data)?(\.zero_| = None)", source.text)
        for source, _ in texts(program.frame)
    )
    then = tell("emptied-below", grad=grad) if is_kept else ""
    return tell("in-the-leaf", new=new, where=where, name=each.path, then=then)


def line_of_state(each: Held, owner: str, program: Program) -> str | None:
    """The line that gives a state its next value; empty for an unknown one, None for no state."""
    if each.path == each.root:
        line = program.binding_line(each.path)
        is_state = program.used_earlier_value(each.path, each.path)
        is_state = is_state and (not line or is_in_the_loop(line))  # else it was added up before
        is_state = is_state and not begins_anew(each.path)
    else:
        assigned = line_assigned(each.path, program)
        grows = owner and any(lines_that_append(owner, program.frame))
        is_state = is_assigned(each.path, program, by_itself=bool(grows))
        line = assigned or line_of(each.thing.grad_fn, program)
    line = line if line and " = " in line else program.binding_line(owner or each.path) or ""
    return (line if " = " in line else "") if is_state else None


def begins_anew(name: str) -> bool:
    """Whether each round begins a name with a value that the round before has no part in."""
    body = [each for _, loop in rounds_around(reader.frame())[:1] for each in loop.body]
    bound = {each for statement in body for each in names_in(statement, ast.Store)}
    starts = (each for each in body if isinstance(each, ast.Assign) and name in targets_of(each))
    return any(names_in(each.value).isdisjoint(bound) for each in starts)


def smallest_kept(node: Any, program: Program, among: set[Any] | None = None) -> Held | None:
    """The result of the reader's that holds a node, and the fewest others, or of some."""
    found = [
        (len(nodes), each)
        for each in held(program.variables)
        if isinstance(each.thing, Tensor) and not each.thing.is_leaf
        if node in (nodes := nodes_behind(each.thing))
        if not among or each.thing.grad_fn in among
    ]
    return min(found, key=lambda pair: pair[0], default=(0, None))[1]


def computed_with(writer: Place) -> dict[str, str]:
    """The results behind what is asked about that a write has made stale, if several; in order.

    Each with its line. Those of lines below the one that wrote come of the others. What a recorded
    derivative was taken of is behind it as well.
    """
    program = Program.of(reader.frame())
    behind = behind_the_question(program)
    used = {each for step in program.asked for each in program.parts_of(step.target)}
    known = {
        path: line_that_gives(own, path, program)
        for own, path, thing in held(program.variables)
        if isinstance(thing, Tensor) and not thing.is_leaf
        if thing.grad_fn in behind or path in used
        if any(stale_values(nodes_behind(thing)))
    }
    names = sorted(known, key=program.last)
    wrote = reader.spoken(writer)
    early = [each for each in names if known[each] and not is_below(known[each], wrote)]
    is_meant = early and all(known.values()) and len(names) > 1
    return {name: known[name] for name in early} if is_meant else {}


def behind_the_question(program: Program) -> set[Any]:
    """The nodes behind what the failing line asks about."""
    known = program.variables
    names = [[e.target] if e.target in known else names_in(e.value) for e in program.asked]
    asked = (known.get(name) for each in names for name in each)
    return {node for each in asked if isinstance(each, Tensor) for node in nodes_behind(each)}


def line_that_gives(root: str, path: str, program: Program) -> str:
    """The line that binds a name, or the only one that assigns it, as in another function."""
    return path == root and program.binding_line(path) or line_assigned(path, program)


def is_below(line: str, other: str) -> bool:
    """Whether a line, in words, comes after another one of the same text."""
    (name, number), (text, before) = at(line), at(other)
    return name == text and number >= before


def is_unchanged(node: Any) -> bool:
    """Whether no leaf behind a node was written to, as by a step."""
    return all(leaf._version == 0 for leaf in leaves_of(node))


def is_stepped_below(node: Any, place: Place) -> bool:
    """Whether a line below a place in its function was the last to write to a leaf of a node."""
    counters = [leaf._counter for leaf in leaves_of(node) if leaf._version]
    last = [writer for each in counters for writer in each.writers[-1:] if writer]
    return any(code is place[0] and number > place[1] for code, number in last)


def line_assigned(path: str, program: Program) -> str:
    """The only line that assigns this attribute or item, or all of its list; empty for several.

    Of several the only one that does so by its earlier value, or outside of ``__init__``.
    """
    name = last_name(path)
    empty = ("list()", "dict()")

    def is_given(target: ast.expr, value: ast.expr) -> bool:
        is_own = last_name(ast.unparse(target)) == name
        is_own = is_own and not ("." in path and isinstance(target, ast.Name))
        is_start = ast.unparse(value) in empty or not names_in(value)  # no number to begin with
        is_cut = any(is_call(each, {"detach"}) for each in ast.walk(value))  # holds no graph
        return is_own and not is_start and not is_cut

    def is_updated(target: ast.expr, value: ast.expr) -> bool:
        return is_given(target, value) and ast.unparse(target) in map(ast.unparse, ast.walk(value))

    def is_later(target: ast.expr, value: ast.expr) -> bool:
        return is_given(target, value) and id(value) not in first

    starts = (each for _, each in everywhere(program.frame) if getattr(each, "name", "") == INIT)
    first = {id(part) for each in starts for part in ast.walk(each)}
    ways = (is_given, is_updated, is_later)
    return next(filter(None, (line_of_assignment(program, way) for way in ways)), "")


def is_assigned(path: str, program: Program, by_itself: bool = False) -> bool:
    """Whether the loop assigns something of the last name of a path, or an item of that."""
    name = last_name(path)
    return any(
        last_name(ast.unparse(target)) == name and is_in_the_loop(line)
        for line, target, value in assignments(program.frame)
        if not by_itself or name in words_in(value)
    )


def detached(each: Held, owner: str, program: Program) -> str:
    """The line that lets a state forget where it came from, as the reader would write it."""
    whole = next((h.thing for h in held(program.variables) if h.path == owner), None)
    if isinstance(whole, list | tuple) and all(isinstance(part, Tensor) for part in whole):
        several = f"h.detach() for h in {owner}"
        return f"{owner} = " + (f"[{several}]" if isinstance(whole, list) else f"tuple({several})")
    if isinstance(whole, tuple):  # whose items cannot be given another value
        items = [
            f"{owner}[{at}]" + ".detach()" * isinstance(part, Tensor)
            for at, part in enumerate(whole)
        ]
        return f"{owner} = ({', '.join(items)})"
    if BY_ID.search(each.path) and isinstance(whole, dict):
        return f"`for each in {owner}: {owner}[each] = {owner}[each].detach()`"
    return f"{each.path} = {each.path}.detach()"
