"""Why all results of a sigmoid or a tanh are at its bounds: weights or data that are too large."""

from __future__ import annotations

import ast
from typing import Any

from .nodes import kind_of
from .program import Program
from .reach import own_name
from .sentences import say
from .syntax import is_call
from .texts import everywhere
from .zero_starts import leaf_of

LARGE = 4.0  #: sums of so large weights leave the part where a sigmoid has a slope
DRAWS = {"normal_", "uniform_", "fill_", "constant_", "xavier_normal_", "xavier_uniform_"}


def what_is_too_large(node: Any, program: Program) -> str:
    """What to do about the inputs of a node, where the layer before it is known; else empty."""
    layer = node.next_functions[0][0]
    weight = leaf_of(layer.next_functions[2][0]) if kind_of(layer) == "Addmm" else None
    if weight is None or weight.dim() != 2:
        return ""
    values = weight.detach()
    spread = float(values.pow(2).mean()) ** 0.5
    if spread * values.shape[1] ** 0.5 < LARGE:
        is_first = layer.next_functions[1][0] is None
        return say("scale-the-data") if is_first else ""
    name = program.name_of(weight) or "the weights before it"
    lines = lines_that_draw(own_name(name), program)
    key = "leave-out-the-draw" if len(lines) == 1 else "smaller-weights"
    return say(key, name=name, size=spread, line="; ".join(lines))


def lines_that_draw(name: str, program: Program) -> list[str]:
    """The lines that fill what has this last name with numbers of a size of the reader's."""
    found = {}
    for source, each in everywhere(program.frame):
        match each:
            case ast.Expr(ast.Call() as call) if is_call(call, DRAWS):
                written = [call.func, *call.args]
                if any(getattr(part, "attr", "") == name for w in written for part in ast.walk(w)):
                    found[source.spoken(each.lineno)] = None
            case ast.AugAssign(target, ast.Mult()) if name in ast.unparse(target).split("."):
                found[source.spoken(each.lineno)] = None
    return [*found]
