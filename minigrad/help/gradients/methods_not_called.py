"""Methods that a line names and does not call: ``loss.backward`` without its brackets."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, NamedTuple

from ...optim.optimizer import Optimizer
from ...tensor import Tensor
from ..program.program import Program
from ..source.lookup import value_of
from ..source.texts import everywhere
from ..source.variables import is_module


class Bare(NamedTuple):
    """A line that names a method alone: what it is asked of, how it is written, and its line."""

    owner: Any
    written: str
    line: str

    @property
    def said(self) -> str:
        return f"{self.written} stands without brackets, so it has not run ({self.line})."

    @property
    def do(self) -> str:
        return f"{self.written}() there."


def bare_methods(name: str, program: Program) -> Iterator[Bare]:
    """The lines so far that name this method of a tensor, a module or an optimizer, and no more."""
    for source, node in everywhere(program.frame):
        match node:
            case ast.Expr(ast.Attribute(owner, attribute)) if attribute == name:
                thing = value_of(owner, program.frame, None)
                if isinstance(thing, Tensor | Optimizer) or is_module(thing):
                    yield Bare(thing, ast.unparse(node.value), source.spoken(node.lineno))
