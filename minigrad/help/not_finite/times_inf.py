"""Masks that are multiplied by inf, where 0 × inf is nan: ``scores + (1 - mask) * -inf``."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from typing import Any

from ..graph.nodes import kind_of
from ..graph.overflow import near, operand
from ..program.evaluated import value_of
from ..program.program import Program
from ..program.steps import Step
from ..source.syntax import names_in
from ..source.texts import everywhere
from ..words.sentences import tell


def times_inf(softmax: Any, program: Program) -> Iterator[str]:
    """That a line multiplies by inf, where what a softmax is given has a constant added to it."""
    sums = [node for node in near(operand(softmax)) if kind_of(node) in ("Add", "Sub")]
    if not any(after is None for node in sums for after, _ in node.next_functions):
        return
    found: dict[str, ast.expr] = {}
    for source, each in everywhere(program.frame):
        if (limit := factor_of_inf(each)) is not None:
            found[source.spoken(each.lineno)] = limit
    if len(found) == 1:
        yield from told_of(*found.popitem())


def in_line(step: Step | None) -> Iterator[str]:
    """The same of what one statement computes, which is known to hold nan."""
    parts = () if step is None else ast.walk(step.value)
    limits = [*filter(None, map(factor_of_inf, parts))]
    yield from told_of(step.line, limits[0]) if limits else ()


def told_of(line: str, limit: ast.expr) -> Iterator[str]:
    """A line that multiplies by inf, and what to write in its place."""
    finite = "1e9" if value_of(limit, lambda _: None) > 0 else "-1e9"
    yield tell("times-inf", line=line)
    yield tell("finite-factor", finite=finite, limit=ast.unparse(limit))


def factor_of_inf(product: ast.AST) -> ast.expr | None:
    """The factor of a product that is written as inf or -inf, where the other has a name.

    >>> ast.unparse(factor_of_inf(ast.parse("(1 - m) * -float('inf')", mode="eval").body))
    "-float('inf')"
    """
    if not isinstance(product, ast.BinOp) or not isinstance(product.op, ast.Mult):
        return None
    for one, other in ((product.left, product.right), (product.right, product.left)):
        value = value_of(one, lambda _: None)
        if isinstance(value, float) and math.isinf(value) and names_in(other):
            return one
    return None
