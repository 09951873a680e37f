"""Rows of a softmax that a mask has set to -inf as a whole: which, and the line of the mask."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ...creation import tensor
from ..program.evaluated import value_of
from ..program.program import Program
from ..source.syntax import name_called, names_in
from .computed_again import meant_by
from .expression_of_node import graph_of, line_of_assignment, written_like
from .masked import rows_of
from .nodes import saved
from .overflow import near, operand, puts


def rows_masked(softmax: Any, program: Program) -> str:
    """Which rows of a softmax are masked whole, in words; empty where that is not known."""
    result = saved(softmax, "result")
    known = [] if result is None else [result.detach().isnan()]
    known += [v == -float("inf") for v, _ in masks_of(softmax, program) if v is not None]
    for rows in (rows_of(softmax, bad) for bad in known):
        if rows is not None and rows.dim() and bool(rows.any()) and not bool(rows.all()):
            at = rows.nonzero().tolist()
            last, several = {each[-1] for each in at}, f"are {len(at)} rows, as {at[0]}"
            return f"; masked whole {f'is row {last.pop()}' if len(last) == 1 else several}"
    return ""


def masks_of(softmax: Any, program: Program) -> Iterator[tuple[Any, str]]:
    """What the masks of a softmax make of 0, as far as lines tell; and the line of the mask."""
    for node in filter(puts, near(operand(softmax))):
        for _, expression, around in written_like(node, graph_of(program)):

            def known(part: ast.expr, around: dict = around) -> Any:
                value = meant_by(part, around, program)
                return tensor([0.0]) if value is None else value

            match expression:
                case ast.BinOp(_, _, mask) | ast.Call(_, [mask, *_]):
                    names = names_in(mask)
                    line = line_of_assignment(
                        program, lambda to, _, own=names: name_called(to) in own
                    )
                    yield value_of(expression, known), line
