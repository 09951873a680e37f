"""What ``explain`` says where ``x.grad`` or a None is asked about: the answer for ``x``."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..tensor import Tensor
from .first_errors.none_came_from import came_from
from .gradients.no_gradient import of_a_grad
from .graph.recorded import last_pass, same_gradient
from .paths.about import about
from .program.program import Program
from .source.lookup import value_of
from .words.sentences import tell


def of_gradient(grad: Any, program: Program) -> Iterator[str]:
    """The answer where the question is about a ``.grad``, or about what is None; else nothing."""
    step = program.asked[0] if program.asked else None
    if step is None or program.frame is None:
        return
    owner = owner_of(step.value, program)
    if isinstance(owner, Tensor):
        program.asked[0] = replace(
            step, target=ast.unparse(step.value.value), value=step.value.value
        )
        yield from same_gradient([grad], program.variables)
        yield from about(owner, program)
        if grad is not None and not grad.requires_grad:
            line = last_pass(owner)
            yield tell("grad-without-history", name=step.target, line=f" ({line})" if line else "")
    elif grad is None:
        known = [*of_a_grad(step.value, program.frame)]
        known = known or [*came_from(step.value, [(program.frame, step.value)])]
        if known:
            yield f"{step.target} is None, which is no tensor."
            yield from known


def owner_of(thing: ast.expr, program: Program) -> Any:
    """The tensor whose ``.grad`` an expression is; None where it is something else."""
    if isinstance(thing, ast.Attribute) and thing.attr == "grad":
        return value_of(thing.value, program.frame, None)
    return None
