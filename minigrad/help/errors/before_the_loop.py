"""Results of before a loop that each round goes back through: made anew, or without a history."""

from __future__ import annotations

import ast
from typing import Any, NamedTuple

from ...nn.module import Module
from ...tensor import Tensor
from ..gradients.computed_leaf import asked_before
from ..graph.history import leaves_behind, nodes_behind
from ..graph.nodes import leaves_of, reached
from ..program.derivatives import is_recorded
from ..program.program import Program
from ..source import reader
from ..source.line_order import at
from ..source.parsed import expression_at
from ..source.syntax import LOOPS, around_line, as_owner, is_call, targets_of
from ..source.texts import all_calls, assignments, everywhere, texts
from ..source.variables import Held, held, is_module, is_parameter, own_name, stepped_by
from ..words.sentences import tell
from .for_notes import asks_a_part
from .graph_across_rounds import (
    behind_the_question,
    detached,
    is_assigned,
    line_that_gives,
    smallest_kept,
)
from .lists_across_rounds import is_in_the_loop, rounds_around
from .sum_across_rounds import starts_above

DERIVATIVES = {"grad", "jacobian", "hessian", "vjp", "jvp"}  #: by what has any name


class Kept(NamedTuple):
    """A result that was computed before the loop, its line, and where it starts if added up."""

    path: str
    line: str
    thing: Tensor
    start: str = ""

    def __str__(self) -> str:
        return f"{self.path} ({self.start}{self.line})"


def before_the_loop(node: Any) -> str:
    """What to do where a result of before the loop holds a node; empty where none does."""
    program = Program.of(reader.frame())
    each, around = smallest_kept(node, program), rounds_around(reader.frame())
    if before := each and meant_for_a_leaf(each.thing, each.path, program):
        return before
    if not (results := kept(node, program) if around else []):
        return ""
    if asks_the_same_again(node, program):
        return tell("same-graph-again", name=results[0].path)
    if asks_a_part():
        return tell("another-part", name=results[-1].path)
    listed = " and ".join(map(str, results))
    (source, loop), nested = around[0], len(around) > 1
    where = reader.in_brackets(nested and source.spoken(loop.lineno))
    nets = {own: each for own, each in program.variables.items() if is_module(each)}
    owners = {own: each for own, each in nets.items() if type(each).forward is not Module.forward}
    known = {each.path for each in held(owners)}
    where += ", as in forward()" * any(one.path in known for one in results)
    inside = {id(node) for one in results for node in nodes_behind(one.thing)}
    outside = [node for node in behind_the_question(program) if id(node) not in inside]
    used = {id(edge.node) for node in outside for edge in node.edges if edge is not None}
    last = [one for one in results if id(one.thing.grad_fn) in used] or results[-1:]
    made = [*map(traces, outside)]  # also what a round computes once more, by the same operations
    alike = [one for one in last if traces(one.thing.grad_fn) in made]
    is_data = are_stepped_by_nobody(results, program)
    if meant := last if is_data else alike:
        new = " and ".join(dict.fromkeys(without_at(one, program) for one in meant))
        names = " and ".join(one.path for one in meant)
        of_data = tell("data-without-history", new=new, names=names)
        return of_data if is_data else tell("as-it-was", new=new)
    return tell("into-the-loop", results=listed, loop=where)


def asks_the_same_again(node: Any, program: Program) -> bool:
    """Whether a recorded derivative is differentiated in each round, and no leaf has changed.

    That is how products of a Hessian with several vectors are taken.
    """
    frame = program.frame
    is_known = frame is not None and bool(program.asked)
    question = expression_at((frame.f_code, frame.f_lasti)) if is_known else None
    is_kept = any(is_recorded(call) for _, call in all_calls(frame, {"grad"}))
    is_unchanged = all(leaf._version <= is_parameter(leaf) for leaf in leaves_of(node))
    return is_call(question, {"grad"}) and is_kept and is_unchanged


def meant_for_a_leaf(result: Tensor, path: str, program: Program) -> str:
    """How to write a result that was computed before the loop in the line that makes its leaf.

    In the loop that line would make a new leaf in each round, and nothing could learn.
    """
    if [leaf.numel() for leaf in leaves_behind(result)] != [result.numel()]:
        return ""
    found = asked_before(result, program)
    if len(found) != 1 or is_in_the_loop(found[0].line):
        return ""
    return tell("inside-of-the-brackets", asked=found[0], path=path)


def kept(node: Any, program: Program) -> list[Kept]:
    """The smallest result that was computed before the loop and holds a node, with its line.

    Before and after it come the others that have to be computed with it, as they are written.
    """
    each, behind = smallest_kept(node, program), behind_the_question(program)
    line = each and (line_that_gives(each.root, each.path, program) or line_of_whole(each, program))
    if not line or is_in_the_loop(line):
        return []
    line, start = summed(each.path, line, program)
    found = {each.path: Kept(each.path, line, each.thing, start)}
    before = set(nodes_behind(each.thing))
    for root, path, thing in held(program.variables):
        if type(thing) is not Tensor or thing.is_leaf or thing is each.thing:
            continue
        if path == root and program.used_earlier_value(path, path):
            continue
        is_after = thing.grad_fn in behind and any(each.is_freed for each in nodes_behind(thing))
        if not is_after and thing.grad_fn not in before:
            continue
        line = line_that_gives(root, path, program)
        is_meant = line and "requires_grad" not in line and not is_in_the_loop(line)
        if is_meant and line not in [other.line for other in found.values()]:
            found[path] = Kept(path, line, thing)
    return sorted(found.values(), key=lambda other: at(other.line))


def summed(name: str, line: str, program: Program) -> tuple[str, str]:
    """The line that adds to a name in a loop, and where it has its first value, above that loop.

    The line that is known, and nothing, where it is not added up in one.
    """
    text, number = at(line)
    for source, tree in texts(program.frame):
        parts = [*ast.walk(tree)] if source.name == text else []
        sums = [each for each in parts if isinstance(each, ast.AugAssign)]
        adds = [each.lineno for each in sums if name in targets_of(each)]
        adds = [each for each in adds if not is_in_the_loop(source.spoken(each))]
        adding = adds[-1] if adds else number * program.used_earlier_value(name, name)
        inner = around_line(tree, adding, LOOPS)[-1:] if adding and parts else []
        if inner and (starts := starts_above(inner[0], name)):
            return source.spoken(adding), f"{starts[-1]}, and in the loop below it "
    starts = starts_elsewhere(name, line, program)
    return line, f"{starts[0]}, and then " if len(starts) == 1 else ""


def starts_elsewhere(name: str, line: str, program: Program) -> list[str]:
    """The lines that give an attribute its first value, which another line adds to.

    Empty where no line does that, as one that computes the whole of it.
    """
    own = own_name(name) if "." in name else ""
    known = [
        (at, e, v) for at, e, v in assignments(program.frame) if own_name(ast.unparse(e)) == own
    ]
    adds = [at for at, e, value in known if ast.unparse(e) in map(ast.unparse, ast.walk(value))]
    return [at for at, _, _ in known if at != line] if line in adds else []


def line_of_whole(each: Held, program: Program) -> str:
    """The line that bound the list or dict a result is in, where no round puts it there."""
    is_in_one = isinstance(program.variables.get(each.root), list | tuple | dict)
    is_in_one &= each.path.startswith(f"{each.root}[") and not is_assigned(each.path, program)
    line = program.binding_line(each.root) if is_in_one else ""
    return line if line and not line.endswith(("= []`", "= {}`")) else ""  # filled by others


def are_stepped_by_nobody(results: list[Kept], program: Program) -> bool:
    """Whether steps change other leaves than those behind results, and no line asks of them."""
    behind = {id(each) for one in results for each in leaves_of(one.thing.grad_fn)}
    known = [each for frame in reader.callers(program.frame) for each in held(frame.f_locals)]
    stepped = {id(each) for one in known for each in stepped_by(one.thing)}
    asked = [leaf for node in behind_the_question(program) for leaf in leaves_of(node)]
    stepped |= {id(leaf) for leaf in asked if leaf._version > is_parameter(leaf)}
    names = {own_name(one.path) for one in known if id(one.thing) in behind}
    is_read = any(asks_of(part, names) for _, part in everywhere(program.frame))
    return bool(stepped) and not is_read and stepped.isdisjoint(behind)


def asks_of(part: ast.AST, names: set[str]) -> bool:
    """Whether an expression reads a gradient that may be of something with one of these names."""
    is_read = getattr(part, "attr", "") == "grad" and own_name(ast.unparse(part.value)) in names
    return is_read or is_call(part, DERIVATIVES)


def traces(node: Any) -> tuple[list[str], set[int]]:
    """The operations behind a node, and the leaves that they lead to."""
    return [each.name() for each in reached([node])], {id(leaf) for leaf in leaves_of(node)}


def without_at(one: Kept, program: Program) -> str:
    """How a result is detached in the line that makes it, or below that where it makes several."""
    for source, each in everywhere(program.frame):
        match each:
            case ast.Assign([ast.Name() | ast.Attribute() as target], value):
                is_own = own_name(ast.unparse(target)) == own_name(one.path)
                if is_own and source.spoken(each.lineno) == one.line:
                    new = f"{ast.unparse(target)} = {as_owner(value)}.detach()"
                    return f"`{new}` in the place of {one.line}"
    owner = one.path.rpartition("[")[0]
    return f"`{detached(one, owner, program)}` below {one.line}"
