"""Sums in which a term is there with its history, and taken off without: ``x + (q - x).detach()``.

The value is that of ``q``, the gradient that of ``x``. Whoever writes that wants the cut.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..source.lists import statements_of
from ..source.syntax import terms_of


def is_straight_through(line: str) -> bool:
    """Whether what a line takes a history from cancels out with the same that keeps it."""
    sums = (each for own in statements_of(line) for each in ast.walk(own) if is_sum(each))
    return any(cancels([*terms(each)]) for each in sums)


def is_sum(expression: ast.AST) -> bool:
    """Whether this is a sum or a difference."""
    return isinstance(expression, ast.BinOp) and isinstance(expression.op, ast.Add | ast.Sub)


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
