"""Hooks that were registered below the last pass, which has not called them."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from types import FrameType
from typing import Any

from ..graph.history import passes_through
from ..graph.nodes import fills_a_leaf
from ..graph.recorded import last_pass
from ..source.line_order import is_above, order
from ..source.syntax import is_call, own_parts
from ..source.texts import Source, texts
from ..words.sentences import tell
from .idle_hooks import function_of, hooks_of

REGISTERS = {"register_hook", "register_post_accumulate_grad_hook"}
PASSES = {"backward", "grad"}


def registered_late(nodes: Collection[Any], leaf: str, frame: FrameType | None) -> Iterator[str]:
    """That hooks of some nodes came too late for the pass that has run, and what to do."""
    for node in nodes:
        for hook in hooks_of(node):
            if lines := line_and_pass(hook, node, frame):
                where = leaf if fills_a_leaf(node) or len(nodes) == 1 else node.name()
                yield tell("hook-came-late", where=where, line=lines[0], passed=lines[1])
                yield tell("register-above", line=lines[1])


def line_and_pass(hook: Any, node: Any, frame: FrameType | None) -> tuple[str, str] | None:
    """The line that registered a hook, and the last pass, where that ran above it and none since.

    Lines in loops and functions may have run before those above them, and are not told.
    """
    passes = [last_pass(node.variable) or ""] if fills_a_leaf(node) else passes_through([node])
    known = [*calls(frame)] if len(passes) == 1 and passes[0] else []
    lines = {line for line, call in known if is_call(call, REGISTERS) and gives(call, hook)}
    if len(lines) != 1 or not is_above(passes[0], line := lines.pop()):
        return None
    later = any(is_call(each, PASSES) and order(at) > order(line) for at, each in known)
    return None if later else (line, passes[0])


def calls(frame: FrameType | None) -> Iterator[tuple[str, ast.AST]]:
    """The calls in lines outside of loops and functions, each with its line."""
    found: list[tuple[Source, ast.AST]] = []
    for source, tree in texts(frame):
        plain = (each for each in tree.body if not hasattr(each, "body"))
        found += [(source, part) for each in plain for part in own_parts(each)]
    yield from ((source.spoken(each.lineno), each) for source, each in found if is_call(each))


def gives(call: Any, hook: Any) -> bool:
    """Whether a call registers this hook, as it seems: by its name, or as a lambda in its line."""
    function = function_of(hook)
    given = call.args[0] if call.args else None
    if isinstance(given, ast.Lambda):
        code = getattr(function, "__code__", None)
        return code is not None and code.co_firstlineno == given.lineno
    name = getattr(given, "id", getattr(given, "attr", ""))
    return name != "" and name in (getattr(each, "__name__", None) for each in (hook, function))
