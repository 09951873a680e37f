"""Values that a round hands to the next one as its leaf: ``x = (x + step).detach()``."""

from __future__ import annotations

import ast

from ..source.lists import around_spoken, statements_of
from ..source.syntax import LOOPS
from .updates import without_history

ASK = "{name}.requires_grad_() below that line, which makes it the leaf of the next round"


def next_leaf(line: str) -> str:
    """What to write where a line of a loop names values, whose ``.grad`` the loop reads.

    A step itself is told otherwise: it can change the leaf in place.

    >>> next_leaf("line 1 of no file: `x = (x + step).detach()`")
    ''
    """
    loops = around_spoken(line, LOOPS)
    for each in statements_of(line) if loops else ():
        match each:
            case ast.Assign([leaf], value) if ast.unparse(leaf) in asked_and_read(loops[-1]):
                is_step = isinstance(without_history(value), ast.BinOp)
                return "" if is_step else ASK.format(name=ast.unparse(leaf))
    return ""


def asked_and_read(loop: ast.AST) -> set[str]:
    """The names whose ``.grad`` a loop reads, without those that it lets ask for gradients."""
    read, asked = set(), set()
    for each in ast.walk(loop):
        match each:
            case ast.Attribute(leaf, "grad", ast.Load()):
                read.add(ast.unparse(leaf))
            case ast.Attribute(leaf, "requires_grad" | "requires_grad_"):
                asked.add(ast.unparse(leaf))
    return read - asked
