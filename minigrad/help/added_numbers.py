"""Terms of a loss that have no history, so that adding them changes no gradient."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from typing import Any

from .breaks import breaks, remedy
from .nodes import leaves_behind
from .program import Program
from .reach import is_parameter
from .sentences import say
from .syntax import is_call, names_in

MOST = 2


def added_numbers(loss: Any, program: Program) -> Iterator[str]:
    """That a loss is a sum, a term of which was computed from what it is to train, and cut off."""
    own = program.name_of(loss) or ""
    step = program.step(own)
    leaves = [leaf for leaf in leaves_behind(loss) if is_parameter(leaf)]
    for term in terms_of(step.value) if step is not None else ():
        names = names_in(term, ast.Load) - {own}
        values = [program.variables.get(name) for name in names]
        if any(is_tracked(value) for value in values) or any(map(is_call, ast.walk(term))):
            continue
        for name, leaf in itertools.product(sorted(names), leaves[:MOST]):
            routes = program.routes(name, leaf, program.name_of(leaf) or "")
            cuts = [cut for cut in breaks(routes) if cut.certain and cut.do]
            if cuts and all(routes):
                said = "; ".join(cut.said for cut in cuts)
                yield say("added-number", name=name, loss=own, said=said)
                yield f"Try: {remedy(cuts)}."
                return


def terms_of(value: ast.AST) -> Iterator[ast.AST]:
    """The terms of a sum that is written; nothing of what is none."""
    match value:
        case ast.BinOp(left, ast.Add() | ast.Sub(), right):
            for each in (left, right):
                yield from [*terms_of(each)] or [each]
        case ast.Tuple([first, *_, second]):  # of `loss += penalty`
            yield from (first, second)


def is_tracked(value: Any) -> bool:
    """Whether this is a tensor with a history, or nothing that is a number."""
    return getattr(value, "requires_grad", not isinstance(value, float | int))
