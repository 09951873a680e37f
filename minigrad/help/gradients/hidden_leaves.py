"""Leaves that a custom function uses without being given them: no gradient comes to those."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ...autograd.function import FunctionNode
from ..graph.expression_of_node import line_of_assignment
from ..graph.history import nodes_behind
from ..program.program import Program
from ..source.reader import in_brackets
from ..source.variables import is_module
from ..words.sentences import tell
from .applied_arguments import applications


def hidden_from_apply(y: Any, x: Any, b: str, program: Program) -> Iterator[str]:
    """That a custom function behind ``y`` keeps a module with ``x``, which apply() is not given."""
    for node in nodes_behind(y):
        if not isinstance(node, FunctionNode):
            continue
        for name, thing in vars(node.ctx).items():
            if is_module(thing) and any(each is x for each in thing.parameters()):
                own, ctx = node.function.__name__, node.function.forward.__code__.co_varnames[0]
                kept = f"{ctx}.{name}"
                line = line_of_assignment(program, lambda at, _, kept=kept: ast.unparse(at) == kept)
                yield tell("hidden-from-apply", own=own, b=b, kept=name, line=in_brackets(line))
                calls = [call for call, _ in applications(node.function, program)]
                if len(calls) == 1 and calls[0].args:
                    module = program.name_of(thing) or "module"
                    was = ast.unparse(calls[0])
                    call = f"{was.removesuffix(')')}, *{module}.parameters())"
                    yield tell("give-the-parameters", call=call, was=was, own=own)
                return
