"""Custom functions that give None in the place of a gradient: their ``backward`` says so."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from ...autograd.function import FunctionNode
from ...tensor import Tensor
from ..graph.history import way
from ..source.syntax import has_no_return, is_word
from ..source.texts import definition_of
from ..words.sentences import tell


def given_none(y: Any, x: Any, name: str) -> Iterator[str]:
    """Sentences on a custom function that answers None on the way from ``y`` back to ``x``."""
    is_own = isinstance(y, Tensor) and isinstance(x, Tensor)
    nodes = (way(y, x) or []) if is_own else []
    for node, after in pairwise(nodes):
        if not isinstance(node, FunctionNode):
            continue
        places = [place for place, spec in enumerate(node.input_specs) if spec is not None]
        for place, edge in zip(places, node.edges):
            if edge is None or edge.node is not after:
                continue
            own, argument = node.function.__name__, argument_at(node, place)
            if line := without_return(node):
                yield f"{own}.backward returns nothing, so nothing comes to {name} ({line})."
                yield f"Try: end {own}.backward with `return` and the gradient of {argument}."
                return
            if line := none_in(node, place):
                shape = list(node.input_specs[place][0])
                gives = f"{own}.backward gives None for {argument}"
                yield f"{gives}, so nothing comes to {name} ({line})."
                yield tell("give-the-derivative", argument=argument, shape=shape)
                return


def without_return(node: Any) -> str:
    """The first line of a ``backward`` that ends without a value on each way; else empty."""
    source, function = definition_of(inspect.unwrap(node.function.backward))
    return source.spoken(function.lineno) if has_no_return(function) else ""


def none_in(node: Any, place: int) -> str:
    """The line of ``backward`` that returns None in a place, if each return does; else empty."""
    function = inspect.unwrap(node.function.backward)
    source, node = definition_of(function)
    inside = [*ast.walk(node)]
    returns = [each for each in inside if isinstance(each, ast.Return)]
    if returns and all(is_none(each.value, place, always_none(inside)) for each in returns):
        return source.spoken(max(each.lineno for each in returns))
    return ""


def always_none(nodes: list[ast.AST]) -> set[str]:
    """The names to which a function gives None, and nothing else."""
    stored = [n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    made = [n for n in nodes if isinstance(n, ast.Assign) and is_word(n.value, None)]
    given = [each.id for n in made for each in n.targets if isinstance(each, ast.Name)]
    return {name for name in given if stored.count(name) == given.count(name)}


def is_none(value: ast.expr | None, place: int, names: set[str]) -> bool:
    """Whether a tuple of answers has None in a place: the word, or one of these names."""
    answers = value.elts if isinstance(value, ast.Tuple) else [value]
    if any(isinstance(each, ast.Starred) for each in answers) or place >= len(answers):
        return False
    answer = answers[place]
    if isinstance(answer, ast.Name):
        return answer.id in names
    return is_word(answer, None)


def argument_at(node: Any, place: int) -> str:
    """What ``forward`` calls one of its arguments."""
    names = [*inspect.signature(node.function.forward).parameters]
    is_given = names[:1] == ["ctx"] or "setup_context" not in vars(node.function)
    names = names[1:] if is_given else names
    return names[place] if place < len(names) else f"argument {place + 1}"
