"""Results that are to keep their gradient, beside the way that a pass takes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...tensor import Tensor
from ..graph.expression_of_node import line_of
from ..graph.history import nodes_behind, passes_through
from ..graph.nodes import kind_of, next_of
from ..program.program import Program
from ..source.line_order import without_text
from ..source.lists import parts_of
from ..words.sentences import say


def beside_the_pass(tensor: Tensor, name: str, program: Program) -> Iterator[str]:
    """That a pass goes through what a result was computed from, and not through the result."""
    first, *_ = [*next_of(tensor.grad_fn), None]
    known = [each for each in program.variables.values() if isinstance(each, Tensor)]
    behind = [(nodes_behind(each), each) for each in known if not each.is_leaf]
    passed = [(own, each) for own, each in behind if passes_through(own)]
    own, root = max(passed, key=lambda each: len(each[0]), default=([], None))
    if tensor.grad_fn in own or first not in own:
        return
    line, kind = line_of(tensor.grad_fn, program), kind_of(tensor.grad_fn).lower()
    calls = [each for each in parts_of(line, ast.Call) if isinstance(each.func, ast.Attribute)]
    made = [each for each in calls if each.func.attr == kind]
    whole = ast.unparse(made[0].func.value) if len(made) == 1 else ""
    if whole.isidentifier():
        loss = program.name_of(root) or "the result"
        yield say("beside-the-pass", name=name, loss=loss, whole=whole, line=line)
        step = ast.unparse(made[0]).removeprefix(whole)
        yield say("retain-the-whole", whole=whole, line=without_text(line), step=step)
