"""Values that a round hands to the next one as its leaf: ``x = (x + step).detach()``."""

from __future__ import annotations

import ast

from ..source.lists import around_spoken, statements_of
from ..source.syntax import LOOPS, parts_in, targets_of
from .updates import without_history

ASK = "{name}.requires_grad_() below that line, which makes it the leaf of the next round"
ASK_LAST = "`{name} = {name}.detach().requires_grad_()` below line {last}, which names {name} last"


def next_leaf(line: str) -> str:
    """What to write where a line of a loop names values, whose ``.grad`` the loop reads.

    A step itself is told otherwise, where no later line names it: it can change the leaf in place.

    >>> next_leaf("line 1 of no file: `x = (x + step).detach()`")
    ''
    """
    loops = around_spoken(line, LOOPS)
    for each in statements_of(line) if loops else ():
        match each:
            case ast.Assign([leaf], value) if ast.unparse(leaf) in read_unasked(loops[-1]):
                name = ast.unparse(leaf)
                bound = parts_in(loops[-1], ast.stmt)
                named = [e.lineno for e in bound if name in targets_of(e)]
                if max(named) > each.lineno:
                    return ASK_LAST.format(name=name, last=max(named))
                is_step = isinstance(without_history(value), ast.BinOp)
                return "" if is_step else ASK.format(name=name)
    return ""


def read_unasked(loop: ast.AST) -> set[str]:
    """The names whose ``.grad`` a loop reads, without those that it lets ask for gradients."""
    read, asked = set(), set()
    for each in parts_in(loop, ast.Attribute):
        match each:
            case ast.Attribute(leaf, "grad", ast.Load()):
                read.add(ast.unparse(leaf))
            case ast.Attribute(leaf, "requires_grad" | "requires_grad_"):
                asked.add(ast.unparse(leaf))
    return read - asked
