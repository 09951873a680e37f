"""A derivative that was taken with ``create_graph=True``, and is constant all the same."""

from __future__ import annotations

import ast
from typing import Any, NamedTuple

from ...autograd.function import Function
from ...tensor import Tensor
from ..program.derivatives import gives_recorded, is_recorded
from ..program.program import Program
from ..source import reader
from ..source.called import is_in_a_library
from ..source.syntax import is_call, whole_of


class Constant(NamedTuple):
    """A derivative without a history: its name, its line, and what it was taken by, if a name.

    One of a custom function need not be constant: what ``forward`` kept has no history either.
    """

    name: str
    line: str
    by: str
    is_custom: bool


def constant_derivative(tensor: Any, name: str, program: Program) -> Constant | None:
    """The derivative that a tensor is, or was computed from, where nothing it depends on asks."""
    if not isinstance(tensor, Tensor) or tensor.requires_grad:
        return None
    for frame in reader.callers(program.frame):
        if is_in_a_library(frame.f_code.co_filename):
            continue
        known = program if frame is program.frame else Program.of(frame)
        names = [own for own, thing in known.variables.items() if thing is tensor]
        for own in dict.fromkeys([*names, *[name] * (known is program)]):
            whole = [used for used, _, cuts in known.ingredients(own) if not cuts]
            found = (made_by(each, known) for each in dict.fromkeys([own, *whole]))
            if first := next(filter(None, found), None):
                return first
    return None


def made_by(name: str, program: Program) -> Constant | None:
    """The derivative that a name was given to, itself or out of what a call gave back."""
    step = program.step(name)
    if step is None or step.untracked is not None:
        return None
    call = whole_of(step.value)
    if not is_call(call) or not (is_recorded(call) or gives_recorded(call, program.variables)):
        return None
    by = call.args[1] if len(call.args) > 1 else None
    used = [program.variables.get(each) for each, _, _ in program.ingredients(name)]
    is_custom = any(isinstance(each, type) and issubclass(each, Function) for each in used)
    return Constant(name, step.line, by.id if isinstance(by, ast.Name) else "", is_custom)
