"""Passes of two results that fill one leaf, where two optimizers each step by one of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ...tensor import Tensor
from ..graph.history import way
from ..source.syntax import called_on
from ..source.texts import everywhere
from ..words.sentences import say


def of_two_losses(leaf: Any, name: str, program: Any) -> Iterator[str]:
    """That passes of two results fill a leaf, each of which another optimizer is to go by."""
    for source, each in everywhere(program.frame):
        block = getattr(each, "body", None)
        block = block if isinstance(block, list) else []
        passes = [(one, called_on(one, "backward")) for one in block]
        passes = [(one, of) for one, of in passes if isinstance(of, ast.Name)]
        steps = [(one, called_on(one, "step")) for one in block]
        steps = [(one, of) for one, of in steps if of is not None]
        are_in_turn = len(passes) == len(steps) == 2 and passes[1][0].lineno < steps[0][0].lineno
        losses = [program.variables.get(of.id) for _, of in passes]
        leads = (isinstance(e, Tensor) and way(e, leaf) is not None for e in losses)
        if are_in_turn and all(leads):
            (first, a), (second, b) = passes
            lines = {"one": source.spoken(first.lineno), "other": source.spoken(second.lineno)}
            tools = [ast.unparse(of) for _, of in steps]
            yield say("of-two-losses", name=name, a=a.id, b=b.id, **lines)
            yield say("each-by-its-own", a=a.id, b=b.id, p=tools[0], q=tools[1])
            return
