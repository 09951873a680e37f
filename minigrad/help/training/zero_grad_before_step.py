"""Gradients that a round empties between its pass and its step by hand, which then finds 0."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ..gradients.passes import zeroed_at
from ..graph.nodes import leaves_behind
from ..program.emptied import empties
from ..program.program import Program
from ..source.syntax import LOOPS, runs_a_pass
from ..source.texts import everywhere
from ..words.sentences import say


def emptied_first(loss: Any, program: Program) -> Iterator[str]:
    """That a line which has emptied gradients stands above the step that is to use them."""
    emptied = {line for leaf in leaves_behind(loss) if (line := zeroed_at(leaf))}
    for source, loop in everywhere(program.frame) if emptied else ():
        lines = [*in_order(loop.body)] if isinstance(loop, LOOPS) else []
        for at, each in enumerate(lines):
            line = source.spoken(each.lineno)
            if line not in emptied or not any(map(runs_a_pass, lines[:at])):
                continue
            if step := used_below(each, lines[at + 1 :]):
                yield say("emptied-first", line=line, step=source.spoken(step.lineno))
                yield say("empty-below")
                return


def in_order(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a block that hold no others, with those of blocks inside."""
    for each in body:
        inner = getattr(each, "body", None)
        if inner is None:
            yield each
        elif isinstance(each, ast.With | ast.For):
            yield from in_order(inner)


def used_below(emptying: ast.stmt, below: list[ast.stmt]) -> ast.stmt | None:
    """The step below a line that empties what it reads; None where a pass comes first."""
    own = {ast.unparse(each) for each in ast.walk(emptying) if is_grad(each)}
    for each in below:
        if runs_a_pass(each):
            return None
        read = {ast.unparse(part) for part in ast.walk(each) if is_grad(part)}
        if own & read and not empties(ast.unparse(each)):
            return each
    return None


def is_grad(node: ast.AST) -> bool:
    """Whether this is such as ``w.grad``."""
    return isinstance(node, ast.Attribute) and node.attr == "grad"
