"""Sums in which a term is there with its history, and taken off without: ``x + (q - x).detach()``.

The value is that of ``q``, the gradient that of ``x``. Whoever writes that wants the cut.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from ..source.lists import statements_of
from ..source.syntax import parts_in, targets_of, terms_of
from ..source.texts import everywhere
from ..words.sentences import say, tell

SHORT = re.compile(r"[\w.]+(\[\w+\])?")


def straight_through(line: str) -> str | None:
    """What leads to the value that a straight-through sum of a line cuts off; None for other lines.

    Empty where that has no short name. One that has given its name to the sum keeps it.
    """
    for statement, each in ((s, e) for s in statements_of(line) for e in parts_in(s, ast.BinOp)):
        if is_sum(each) and cancels(known := [*terms(each)]):
            whole = [text for _, text, is_cut in known if not is_cut]
            inner = [text for _, text, is_cut in known if is_cut and text not in whole]
            if [*map(len, (whole, inner))] != [1, 1] or not SHORT.fullmatch(inner[0]):
                return ""
            reused = "-reused" * (inner[0] in targets_of(statement))
            return say(f"straight-through{reused}", inner=inner[0], whole=whole[0])
    return None


def undetached(frame: Any) -> Iterator[str]:
    """That the only sum like ``x + (q - x)`` lacks the cut, and how it is written with one."""
    found = {}
    for source, each in everywhere(frame, ast.BinOp):
        known = [(sign, text) for sign, text, cut in terms(each) if not cut] * is_sum(each)
        own = next((text for sign, text in known if sign > 0 and (-1, text) in known), "")
        match [(sign, text) for sign, text in known if text != own]:
            case [(1, rest)] if own and len(known) == 3:
                found[source.spoken(each.lineno)] = own, rest
    if len(found) == 1:
        ((line, (own, rest)),) = found.items()
        yield tell("undetached", own=own, rest=rest, line=line)
        yield tell("detach-the-rest", own=own, rest=rest)


def is_sum(operation: ast.BinOp) -> bool:
    """Whether this is a sum or a difference."""
    return isinstance(operation.op, ast.Add | ast.Sub)


def cancels(found: list[tuple[int, str, bool]]) -> bool:
    """Whether a term with a history is there once more without, and with the other sign.

    >>> cancels([*terms(ast.parse("x + (q - x).detach()").body[0].value)])
    True
    >>> cancels([*terms(ast.parse("x + q.detach()").body[0].value)])
    False
    """
    whole = {(sign, text) for sign, text, is_cut in found if not is_cut}
    return any((-sign, text) in whole for sign, text, is_cut in found if is_cut)


def terms(expression: ast.AST, sign: int = 1, is_cut: bool = False) -> Iterator:
    """The terms of a sum: each with its sign, and whether its history is taken away."""
    for own, each in terms_of(expression, sign):
        match each:
            case ast.Call(ast.Attribute(value, "detach"), []) | ast.Attribute(value, "data"):
                yield from terms(value, own, True)
            case _:
                yield own, ast.unparse(each), is_cut
