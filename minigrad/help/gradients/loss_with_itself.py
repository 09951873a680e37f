"""A loss that compares a tensor with itself, so that it is 0 whatever the net gives."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..graph.expression_of_node import in_words
from ..graph.nodes import kind_of, nodes_behind
from ..program.program import Program
from ..source.syntax import given_to, is_call
from ..source.texts import assignments, everywhere
from ..words.sentences import say

COMPARES = {"Sub", "MseLoss", "L1Loss", "SmoothL1Loss", "HuberLoss"}


class Second(NamedTuple):
    """A second name for the values of a tensor, by the line that gives it."""

    new: str
    old: str
    line: str
    detached: bool


def with_itself(loss: Any, program: Program) -> Iterator[str]:
    """That both sides of what a loss compares are one tensor, and the line that makes them so."""
    for node in nodes_behind(loss) if loss.numel() == 1 and not bool(loss.detach()) else ():
        sides = node.next_functions[:2] if kind_of(node) in COMPARES else ()
        if len(sides) < 2 or sides[0][0] is sides[1][0] is None:
            continue
        is_one = sides[0] == sides[1]
        found = [each for each in second_names(program) if is_one != each.detached]
        if not is_one and (len(found) != 1 or None not in (sides[0][0], sides[1][0])):
            continue
        yield say("with-itself", node=in_words(node, program))
        if len(found) != 1:
            yield say("compare-with-a-copy")
            return
        new, old, line, is_detached = found[0]
        yield say("shares-memory" if is_detached else "second-name", new=new, old=old, line=line)
        yield say("copy-it", new=new, old=old, place=line.partition(": `")[0])
        return


def second_names(program: Program) -> Iterator[Second]:
    """The second names that are compared with the first; those by ``detach()`` if written into."""
    known = [*assignments(program.frame)]
    written = {ast.unparse(t.value) for _, t, _ in known if isinstance(t, ast.Subscript)}
    pairs = {*compared(program)}
    for line, target, value in known:
        old = value
        if is_call(value, {"detach"}) and isinstance(value.func, ast.Attribute):
            old = value.func.value
        elif isinstance(value, ast.Attribute) and value.attr == "data":
            old = value.value
        new, is_detached = ast.unparse(target), old is not value
        is_meant = isinstance(old, ast.Name | ast.Attribute) and (new in written or not is_detached)
        if is_meant and frozenset((new, ast.unparse(old))) in pairs:
            yield Second(new, ast.unparse(old), line, is_detached)


def compared(program: Program) -> Iterator[frozenset[str]]:
    """What lines of the program subtract from one another, or hand to one call."""
    for _source, each in everywhere(program.frame):
        match each:
            case ast.BinOp(left, ast.Sub(), right):
                yield frozenset((ast.unparse(left), ast.unparse(right)))
            case ast.Call():
                yield frozenset(map(ast.unparse, given_to(each)[:2]))
