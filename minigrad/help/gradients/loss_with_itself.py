"""What compares a tensor with itself, so that it is 0: a loss, or parameters before and after."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..graph.expression_of_node import graph_of, in_words, named
from ..graph.nodes import kind_of, next_of, nodes_behind
from ..graph.saved_views import written_to
from ..program.program import Program
from ..source.line_order import without_text
from ..source.syntax import given_to, is_call
from ..source.texts import assignments, everywhere
from ..source.variables import is_parameter
from ..words.sentences import say

RELATES = {"Sub", "Div"}  #: whose result is constant where both operands are one
COMPARES = {"Sub", "MseLoss", "L1Loss", "SmoothL1Loss", "HuberLoss"}


class Second(NamedTuple):
    """A second name for the values of a tensor, by the line that gives it."""

    new: str
    old: str
    line: str
    detached: bool
    copy: str


def with_itself(loss: Any, program: Program) -> Iterator[str]:
    """That both sides of what a loss compares are one tensor, and the line that makes them so."""
    for node in nodes_behind(loss) if not bool(loss.detach().any()) else ():
        sides = node.next_functions[:2] if kind_of(node) in COMPARES else ()
        if len(sides) < 2 or sides[0][0] is sides[1][0] is None:
            continue
        is_one = sides[0] == sides[1]
        leaf = getattr(sides[0][0] or sides[1][0], "variable", None)
        is_written = leaf is not None and leaf._version > 0  # as by an optimizer
        found = [each for each in second_names(program, is_written) if is_one != each.detached]
        if not is_one and (len(found) != 1 or None not in (sides[0][0], sides[1][0])):
            continue
        yield say("with-itself", node=in_words(node, program))
        for each in found if len(found) == 1 else ():
            yield say("shares-memory" if each.detached else "second-name", **each._asdict())
            yield say("copy-it", place=without_text(each.line), **each._asdict())
        return


def alike_on_both_sides(loss: Any, program: Program) -> Iterator[str]:
    """That a difference or a ratio is of two results that the same leaves gave in the same way.

    Whatever the values are, what comes back through one side cancels what the other brings.
    """
    for node in nodes_behind(loss):
        sides = next_of(node) if kind_of(node) in RELATES else []
        if len(sides) < 2 or sides[0] is sides[1] or not are_alike(*sides):
            continue
        ways = [(e, *(next_of(e) if kind_of(e) == "Exp" else ())) for e in sides]  # of a ratio
        known = {n: each for way in ways for each in way for n in named(each, program.variables)}
        values = [program.variables[name].detach() for name in known]
        ratios = [each for each in graph_of(program).users.get(node, ()) if kind_of(each) == "Exp"]
        ones = [program.variables[n] for each in ratios for n in named(each, program.variables)]
        is_same = len(values) == 2 and values[0].equal(values[1])
        first = min(ways, key=lambda way: way[-1]._sequence_nr())
        name = next((name for name, each in known.items() if each in first), "")
        if name and (is_same or any(bool((each == 1).all()) for each in ones)):
            yield say("alike-on-both-sides", node=in_words(node, program))
            yield say("detach-one-side", name=name)
            return


def are_alike(one: Any, other: Any) -> bool:
    """Whether two nodes stand at the ends of graphs of one form, with the same leaves."""
    waiting = {(one, other): None}
    for a, b in (pairs := [*waiting]):  # the list grows while it is walked
        if a is b:
            continue
        after = [[n for n, _ in getattr(each, "next_functions", ())] for each in (a, b)]
        if kind_of(a) != kind_of(b) or not after[0] or len(after[0]) != len(after[1]):
            return False
        pairs += [pair for pair in zip(*after) if pair not in waiting]
        waiting |= dict.fromkeys(pairs)
    return True


def second_names(program: Program, is_written: bool = False) -> Iterator[Second]:
    """The second names that are compared with the first; those by ``detach()`` if written into.

    Both may share the memory of a third: ``a = x.detach()`` and ``b = x.detach()``.
    """
    known = [*assignments(program.frame)]
    written = {written_to(each) for _, each in everywhere(program.frame)} - {None}
    pairs, first = {*compared(program)}, dict[str, str]()
    for line, target, value in known:
        whole, new = memory_of(value), ast.unparse(target)
        old, is_detached = ast.unparse(whole), whole is not value
        names = old, first.setdefault(old, new)
        for one in names if isinstance(whole, ast.Name | ast.Attribute) else ():
            is_meant = is_written or new in written or not is_detached
            if one != new and is_meant and frozenset((new, one)) in pairs:
                rest = re.sub(r"^(\.detach\(\)|\.data)", "", ast.unparse(value)[len(old) :])
                yield Second(new, one, line, is_detached, f"{old}.detach().clone(){rest}")


def memory_of(value: ast.expr) -> ast.expr:
    """Whose memory an expression shares: ``x`` of ``x.detach().requires_grad_()``."""
    owner = value.func if is_call(value, {"detach", "requires_grad_"}) else value
    is_same = owner is not value or getattr(value, "attr", "") == "data"
    return memory_of(owner.value) if is_same and isinstance(owner, ast.Attribute) else value


def compared(program: Program) -> Iterator[frozenset[str]]:
    """What lines of the program subtract from one another, or hand to one call."""
    for _source, each in everywhere(program.frame):
        match each:
            case ast.BinOp(left, ast.Sub(), right):
                yield frozenset((ast.unparse(left), ast.unparse(right)))
            case ast.Call():
                yield frozenset(map(ast.unparse, given_to(each)[:2]))


def kept_uncopied(program: Program) -> Iterator[str]:
    """That a list holds the parameters themselves, and is compared with them after their steps."""
    kept = {
        ast.unparse(target): (line, value)
        for line, target, value in reversed([*assignments(program.frame)])
        if any(is_parameter(each) and each._version > 1 for each in items_of(target, program))
    }
    for one, other in zipped(program):
        known = [name for name in kept if name in (one, other)]  # the later lines first
        is_one = other.endswith(".parameters()") or one.endswith(".parameters()")
        if known and (is_one or len(known) == 2):
            line, value = kept[known[-1]]
            what = ast.unparse(value)
            yield say("kept-no-copy", line=line, what=what)
            is_dict = isinstance(program.variables[known[-1]], dict)
            yield say("copy-each-item" if is_dict else "copy-each", what=what)
            return


def items_of(target: ast.expr, program: Program) -> list[Any]:
    """What the list, tuple or dict holds that a line has made."""
    several = program.variables.get(ast.unparse(target))
    several = [*several.values()] if isinstance(several, dict) else several
    return [*several] if isinstance(several, list | tuple) else []


def zipped(program: Program) -> Iterator[tuple[str, str]]:
    """What loops go through side by side, where they subtract one item from the other."""
    pairs = {*compared(program)}
    for _source, each in everywhere(program.frame, ast.For | ast.comprehension):
        calls = [part for part in ast.walk(each.iter) if is_call(part, {"zip"})]
        tuples = [part.elts for part in ast.walk(each.target) if isinstance(part, ast.Tuple)]
        for call in calls:
            sides = [*map(ast.unparse, call.args)]
            if any(frozenset(map(ast.unparse, items)) in pairs for items in tuples) and sides[1:]:
                yield sides[0], sides[1]
