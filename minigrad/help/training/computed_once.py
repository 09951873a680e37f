"""Results that are computed from leaves once, above a loop that steps these leaves."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..graph.history import nodes_behind
from ..graph.nodes import leaves_of
from ..program.program import Program
from ..source.syntax import LOOPS, is_call, names_in
from ..source.texts import Source, readable
from ..words.sentences import say


def computed_once(loss: Any, program: Program) -> Iterator[str]:
    """That a loop goes on from a result of leaves as they were before their first step.

    One that shares the memory of a leaf, as a view does, has its values.
    """
    if program.frame is None:
        return
    nodes = {*nodes_behind(loss)}
    for name, thing in program.variables.items():
        node = getattr(thing, "grad_fn", None) if name[0] != "_" and thing is not loss else None
        leaves = leaves_of(node) if node in nodes else []
        if not leaves or not all(leaf._version > 1 for leaf in leaves):
            continue
        if any(np.may_share_memory(leaf._value, thing._value) for leaf in leaves):
            continue
        body = [(source, each) for source, part in readable(program.frame) for each in part]
        if found := above_its_loop(name, body):
            line, loop = found
            yield say("computed-once", name=name, line=line, loop=loop)
            yield say("compute-each-round", name=name)
            return


def above_its_loop(name: str, body: list[tuple[Source, ast.stmt]]) -> tuple[str, str] | None:
    """The only line that binds a name, and the loop below it that reads it and runs a pass."""
    binds = [(at, *each) for at, each in enumerate(body) if name in names_in(each[1], ast.Store)]
    if len(binds) != 1 or not isinstance(binds[0][2], ast.Assign):
        return None
    at, above, made = binds[0]
    for source, loop in body[at + 1 :]:
        is_loop = isinstance(loop, LOOPS) and name in names_in(loop, ast.Load)
        if is_loop and any(is_call(each, {"backward", "grad"}) for each in ast.walk(loop)):
            return above.spoken(made.lineno), source.spoken(loop.lineno)
    return None
