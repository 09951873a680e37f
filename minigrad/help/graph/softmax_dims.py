"""The dimension that a softmax runs over, and the one that it is meant to run over."""

from __future__ import annotations

from typing import Any

from ..program.program import Program
from ..words.sentences import say
from .expression_of_node import graph_of
from .nodes import SAME_VALUES, dim_of, dimensions, kind_of, reached, saved


def shape_made_by(node: Any, program: Program) -> tuple[int, ...] | None:
    """The shape of what a node made, as nodes keep it beyond a pass; None if unknown."""
    graph = graph_of(program)
    name = graph.results.get(node)
    result = saved(node, "result") if name is None else program.variables[name]
    for each in [result] if result is not None else getattr(node, "_input_metadata", ()):
        return tuple(each.shape)
    for user in graph.users.get(node, ()):
        place = [after for after, _ in user.next_functions].index(node)
        spec = (getattr(user, "specs", None) or {place: None})[place]
        own = None if place else getattr(user, "_saved_self_sym_sizes", None)
        if (sizes := own if spec is None else spec[0]) is not None:
            return tuple(sizes)
    return None


def has_one_entry(node: Any, program: Program) -> bool | None:
    """Whether a softmax runs over a dimension with one entry; None where that is unknown."""
    return (made := shape_made_by(node, program)) and made[dim_of(node)] == 1


def dim_instead(node: Any, program: Program) -> str:
    """What helps a softmax over one entry: over what its weights are to add up to 1, if any."""
    shape, users = shape_made_by(node, program) or (), program.graph.users
    same = reached([node], lambda n: [u for u in users.get(n, ()) if kind_of(u) in SAME_VALUES])
    further = [user for each in same for user in users.get(each, ())]
    sums = [u for each in further if kind_of(each) == "Mul" for u in users.get(each, ())]
    summed = [at for each in sums for at in summed_of(each, shape)]
    products = [each for each in further if kind_of(each) in ("Bmm", "Mm")]
    products = [each for each in products if each.next_functions[0][0] is not node]
    first = len(shape) > 2 or not products  # behind the examples, unless one row is made of all
    wide = summed[:1] or [at for at, size in enumerate(shape) if size > 1 and at >= first]
    words = "dim-summed" if summed else "dim-of-entries" if len(wide) == 1 else "dim-of-weights"
    at, count = (wide[0], shape[wide[0]]) if wide else (0, 0)
    dim = say(words, own=dim_of(node), dim=at, count=count)
    return dim if summed or products else say("one-score")


def summed_of(node: Any, shape: tuple[int, ...]) -> list[int]:
    """The only dimension that a sum or a mean runs over, where a shape has several entries."""
    if kind_of(node) not in ("Sum", "Mean"):
        return []
    dims, sizes = dimensions(node), node._saved_self_sym_sizes
    is_one = len(dims) == 1 and len(sizes) == len(shape) and shape[dims[0]] > 1
    return [dims[0] % len(shape)] if is_one else []
