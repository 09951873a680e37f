"""Inputs that a result was not computed from, though both were made from the same tensor.

``u = f(xt)`` and ``t = xt[:, 1]``: no gradient of ``u`` comes to ``t``, which was made beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import FrameType
from typing import Any, NamedTuple

from ..tensor import Tensor
from . import reader
from .history import nodes_behind
from .made_anew import is_parameter
from .program import Program
from .reach import held


class Names(NamedTuple):
    """What a function calls a result, the input, and what both were made from."""

    result: str
    given: str
    source: str
    frame: FrameType


def made_beside(y: Tensor, x: Tensor, a: str, b: str, program: Program) -> Iterator[str]:
    """The sentences, and what to write; nothing where they have nothing in common."""
    if y.grad_fn is None or x.grad_fn is None:
        return
    y = named_in(a, y, program)
    others = {*nodes_behind(y)}
    shared = [node for node in nodes_behind(x) if node in others]
    names = where_named(y, x, shared, program.frame) if shared else None
    if names is None:
        return
    result, given, source, frame = names
    if given != b:
        yield f"{b} is {given} in {frame.f_code.co_name}()."
    line = Program.of(frame).binding_line(given)
    made = f"{given} was made from {source}{f' ({line})' if line else ''}"
    yield f"""{made}, and {result} was computed from {source}, not from {given}, so no gradient of
        {result} comes there."""
    part = " and take the same part of it" if x._is_view() else ""
    yield f"""Try: make {given} first, and compute {result} from {given}; or ask for the gradient by
        {source}{part}."""


def named_in(a: str, y: Tensor, program: Program) -> Tensor:
    """The result with a name that ``y`` was made of where it has none: ``u`` of ``u.sum()``."""
    if program.name_of(y) is not None:
        return y
    behind = {*nodes_behind(y)}
    things = (program.variables.get(word) for word in re.findall(r"\w+", a))
    made = [each for each in things if isinstance(each, Tensor) and each.grad_fn in behind]
    return made[0] if made else y


def where_named(y: Tensor, x: Tensor, shared: list[Any], frame: FrameType | None) -> Names | None:
    """The names in the nearest function, of those that run, which knows all three."""
    while frame is not None:
        variables = {**frame.f_globals, **frame.f_locals}
        own = [reader.name_among(variables, lambda t, each=each: t is each) for each in (y, x)]
        made = {}
        for each in held(variables):
            is_other = each.thing is not x and each.thing is not y
            if is_other and isinstance(each.thing, Tensor) and not is_parameter(each.thing):
                made.setdefault(id(node_of(each.thing)), each.path)
        source = next((made[id(node)] for node in map(end_of, shared) if id(node) in made), None)
        if all(own) and source is not None:
            return Names(*own, source, frame)
        frame = None if frame.f_code.co_name == "<module>" else frame.f_back
    return None


def node_of(tensor: Tensor) -> Any:
    """What stands for a tensor in a graph: the node that made it, or a leaf itself."""
    return tensor if tensor._edge is None else tensor.grad_fn


def end_of(node: Any) -> Any:
    """The leaf that a node fills, or the node itself."""
    return getattr(node, "variable", node)
