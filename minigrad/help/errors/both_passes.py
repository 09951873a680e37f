"""A result that two passes of different lines go through, as of a generator and a discriminator."""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterator
from typing import Any, NamedTuple

from ...autograd.caller import Place
from ...autograd.node import AccumulateGrad
from ...tensor import Tensor
from ..graph.history import nodes_behind
from ..graph.nodes import leaves_of, reached
from ..program.program import Program
from ..source import reader
from ..source.line_order import at, is_above, order
from ..source.parsed import expression_at
from ..source.syntax import LOOPS, given_to, is_call, names_in, own_parts, scope, targets_of
from ..source.texts import Source, all_calls, everywhere, texts
from ..source.variables import held, leaves_held, stepped_by, thing_at
from ..words.sentences import tell
from .before_the_loop import Kept, without_at
from .graph_across_rounds import (
    behind_the_question,
    is_stepped_below,
    line_that_gives,
    smallest_kept,
)


class Spot(NamedTuple):
    """Where something stands: its line in words, and its column."""

    line: str
    column: int

    @classmethod
    def of(cls, place: Place) -> Spot:
        """Where an instruction stands."""
        return cls(reader.spoken(place), reader.position(place)[2] or 0)

    def is_before(self, other: Spot) -> bool:
        """Whether this stands above another one, or before it in one line."""
        if self.line == other.line:
            return self.column < other.column
        return is_above(self.line, other.line)


def gone_through_by_both(node: Any, by: Place) -> tuple[str, str]:
    """Which result the pass at a place has gone through that this one needs, and what to do."""
    program, place = Program.of(reader.frame()), reader.place()
    if place is None or not are_in_one_text(by, place):
        return "", without_stepped(node, by, program)
    passed, here = Spot.of(by), Spot.of(place)
    passes = [behind_a_pass(each, program) for each in (by, place)]
    both = passes[0] & passes[1]  # empty where a name means something else by now
    each = smallest_kept(node, program, both if node in both else None)
    if each is None:
        return "", one_pass(by, place, program)
    line = line_that_gives(each.root, each.path, program)
    step = stepped_between(node, passed, here)
    is_asked = each.path in {step.target for step in program.asked}
    if not line or is_asked and not step or not is_above(line, passed.line):
        return "", ""
    why = "" if is_asked else tell("both-go-through", name=each.path, line=line)
    if step:
        again = [f"{name} ({known})" for name, known in computed_from(each.thing, program)]
        is_cut = any("detach()" in known for known in again)
        but = tell("without-detach") if is_cut else ""
        do = tell("again-below-the-step", names=" and ".join(again), step=step, but=but)
        if optimizer := stepped_alone(node, program):
            name, use = detached_for_one(passed.line, program, for_the_first=False)
            second = {"new": name, "line": use, "optimizer": optimizer, "step": step}
            do = tell("detach-for-the-second", again=do, **second) if use else do
        return why, do
    if emptied := emptied_between(node, passed, here):
        name, use = detached_for_one(passed.line, program)
        if use:
            first = {"new": name, "line": use, "passed": passed.line, "emptied": emptied}
            return why, tell("detach-for-the-first", **first)
        return why, ""
    return why, one_pass(by, place, program)


def without_stepped(node: Any, by: Place, program: Program) -> str:
    """How a result is detached, all of whose leaves were stepped below the pass at a place.

    Empty where this pass leads to no other leaves, or they lie behind what an earlier one let go
    of. The result is none that the function of that pass was given, as that has to go back further.
    """
    question, here = behind_the_question(program), reader.place()
    ends = {each for each in question if isinstance(each, AccumulateGrad)}
    stepped = {each for each in ends if is_stepped_below(each, by)}
    freed = {*reached([n for n in question if n.is_freed and n.saved.place != here])}
    handed = [ast.Tuple(given_to(each)) for _, each in all_calls(program.frame, {by[0].co_name})]
    names = {*by[0].co_names}.union(*map(names_in, handed))
    results = [each for each in held(program.variables) if type(each.thing) is Tensor]
    begun = {n for each in results if each.root in names for n in nodes_behind(each.thing)}
    found = [(0, "")]
    for each in results if stepped < ends and freed & ends <= stepped else ():
        nodes = {*nodes_behind(each.thing)}
        line = line_that_gives(each.root, each.path, program) if node in nodes else ""
        if line and each.thing.grad_fn in question - begun and ends & nodes <= stepped:
            new = without_at(Kept(each.path, line, each.thing), program)
            found.append((len(nodes), tell("detach-what-was-stepped", name=each.path, new=new)))
    return max(found)[1]


def behind_a_pass(place: Place, program: Program) -> set[Any]:
    """The nodes behind what the line of a pass names."""
    named = map(program.variables.get, names_in(expression_at(place) or ast.Pass()))
    return {n for each in named if isinstance(each, Tensor) for n in nodes_behind(each)}


def one_pass(by: Place, place: Place, program: Program) -> str:
    """That one pass from the sum does what two do; empty where something else lies between them."""
    passed, here = Spot.of(by), Spot.of(place)
    roots = [root_of_a_pass(each, program) for each in (by, place)]
    is_one = all(roots) and roots[0] != roots[1] and passed.is_before(here)
    if is_one and not calls_between(passed, here) and not is_out_of_a_loop(passed, here, program):
        lines = {"first": passed.line, "last": here.line}
        return tell("one-pass-for-both", roots=" + ".join(roots), **lines)
    return ""


def is_out_of_a_loop(first: Spot, last: Spot, program: Program) -> bool:
    """Whether one line stands in a loop which has ended by the other: it ran for each turn."""
    (name, n), (other, m) = at(first.line), at(last.line)
    loops = [e for s, e in everywhere(program.frame, LOOPS) if s.name == name]
    return any(e.lineno < n <= e.end_lineno and (other != name or m > e.end_lineno) for e in loops)


def root_of_a_pass(place: Place, program: Program) -> str:
    """The number that a place runs ``loss.backward()`` from, as written; empty for other passes."""
    match expression_at(place):
        case ast.Call(ast.Attribute(ast.Name() | ast.BinOp() as root, "backward"), [], []):
            used = map(program.variables.get, names_in(root))
            is_one = (isinstance(e, int | float) or getattr(e, "numel", int)() == 1 for e in used)
            return ast.unparse(root) if all(is_one) else ""
    return ""


def are_in_one_text(one: Place, other: Place) -> bool:
    """Whether two places are in one call of a function, as it seems, or outside of all."""
    return one[0] is other[0] or one[0].co_name == other[0].co_name == "<module>"


def stepped_between(node: Any, passed: Spot, here: Spot) -> str:
    """The line between two passes that has changed a leaf behind a node; empty for none."""
    for leaf in leaves_of(node):
        for writer in getattr(leaf._counter, "writers", ())[-1:]:
            spot = Spot.of(writer) if writer else here
            if passed.is_before(spot) and spot.is_before(here):
                return spot.line
    return ""


def stepped_alone(node: Any, program: Program) -> str:
    """The one optimizer that steps all leaves behind a node, where another steps other leaves."""
    behind = {id(leaf) for leaf in leaves_of(node)}
    asked = {id(leaf) for each in behind_the_question(program) for leaf in leaves_of(each)}
    known = {each.path: {*map(id, stepped_by(each.thing))} for each in held(program.variables)}
    own = [path for path, leaves in known.items() if leaves & behind]
    others = any(leaves & asked - behind for path, leaves in known.items() if path not in own)
    return own[0] if len(own) == 1 and behind <= known[own[0]] and others else ""


def computed_from(result: Tensor, program: Program) -> list[tuple[str, str]]:
    """The results under names that have to be computed with one, each with its line, in order."""
    before, question = nodes_behind(result), behind_the_question(program)
    found = {}
    for root, path, thing in held(program.variables):
        if type(thing) is Tensor and not thing.is_leaf and path == root:
            is_after = thing.grad_fn in question and result.grad_fn in nodes_behind(thing)
            known = program.binding_line(path) if is_after or thing.grad_fn in before else None
            if known:
                found[path] = known
    return sorted(found.items(), key=lambda pair: order(pair[1]))


def emptied_between(node: Any, passed: Spot, here: Spot) -> str:
    """The call between two passes that empties all gradients behind a node, if no step used them.

    Each call of ``zero_grad`` and ``step`` there is one of an optimizer, or a net, that is known.
    """
    behind, found = {id(leaf) for leaf in leaves_of(node)}, ""
    for call in calls_between(passed, here):
        leaves = {*map(id, leaves_held(thing_at(call.func.value, reader.variables())))}
        if call.func.attr == "step" and (not leaves or leaves & behind):
            return ""
        if call.func.attr == "zero_grad" and behind <= leaves:
            found = ast.unparse(call)
    return found


def calls_between(passed: Spot, here: Spot) -> list[ast.Call]:
    """The calls of ``step`` and ``zero_grad`` between two passes."""
    return [
        call
        for source, call in own_statements()
        for spot in [Spot(source.spoken(call.lineno), call.col_offset)]
        if is_call(call, {"step", "zero_grad"}) and isinstance(call.func, ast.Attribute)
        if passed.is_before(spot) and spot.is_before(here)
    ]


def detached_for_one(passed: str, program: Program, for_the_first: bool = True) -> tuple[str, str]:
    """How what one of two passes shares with the other is detached for it, and in which line.

    Both are empty where it takes more than one line, or more than names.
    """
    asked = re.search(r"`(?:.*\W)?(\w+)\.backward\(", passed)
    first = program.variables.get(asked[1]) if asked else None
    if not isinstance(first, Tensor) or first.is_leaf:
        return "", ""
    question = behind_the_question(program)
    shared = {n for n in nodes_behind(first) if n in question and not isinstance(n, AccumulateGrad)}
    own = [n for n in (nodes_behind(first) if for_the_first else question) if n not in shared]
    used = {edge.node for n in own for edge in n.edges if edge and edge.node in shared}
    results = {n: each for n, each in program.variables.items() if isinstance(each, Tensor)}
    names = {n: each.grad_fn for n, each in results.items() if each.grad_fn in used}
    lines: dict[str, bool] = {}
    for source, each in own_statements():
        if not isinstance(each, ast.Assign) or names_in(each.value, ast.Load).isdisjoint(names):
            continue
        made = [results.get(target) for target in targets_of(each)]
        if not all(one is not None and one.grad_fn in question for one in made):
            is_kept = all(made is not None for made in made)
            lines |= {line_that_reads(names, each, source): is_kept} if for_the_first else {}
        elif not for_the_first and not all(one.grad_fn in shared for one in made):
            lines[line_that_reads(names, each, source)] = True
    do = " and ".join(f"{name}.detach() for {name}" for name in names)
    return (do, *lines) if {*names.values()} == used and [*lines.values()] == [True] else ("", "")


def line_that_reads(names: Container[str], statement: ast.Assign, source: Source) -> str:
    """The line of a statement that reads names: of several its first."""
    reads = [e for e in ast.walk(statement.value) if isinstance(e, ast.Name) and e.id in names]
    numbers = {each.lineno for each in reads}
    return source.spoken(numbers.pop() if len(numbers) == 1 else statement.lineno)


def own_statements() -> Iterator[tuple[Source, Any]]:
    """The calls and assignments of the function that failed, or of all texts where it is none."""
    frame = reader.frame()
    number, own = frame.f_lineno, reader.file_name(frame.f_code.co_filename)
    for source, tree in texts(frame):
        around = scope(tree, number) if source.name == own else tree
        if around is tree and frame.f_code.co_name != "<module>":
            continue
        for each in own_parts(around):
            if isinstance(each, ast.Assign | ast.Call):
                yield source, each
