"""The dimension that a softmax runs over, and the one that it is meant to run over."""

from __future__ import annotations

from typing import Any

from ..program.program import Program
from ..words.sentences import say
from .expression_of_node import Graph, named
from .nodes import SAME_VALUES, dimension, kind_of, reached, saved

KEEPS_SHAPES = ("Add", "Div", "Mul", "Sub")  #: where no operand was broadcast


def shape_made_by(node: Any, program: Program) -> tuple[int, ...] | None:
    """The shape of what a node made, as nodes keep it beyond a pass; None if unknown."""
    name = next(named(node, program.variables), None)
    result = saved(node, "result") if name is None else program.variables[name]
    if result is not None:
        return tuple(result.shape)
    for each in getattr(node, "_input_metadata", ()):
        return tuple(each.shape)
    program.graph = graph = program.graph or Graph(program)
    for user in graph.users.get(node, ()):
        place = [after for after, _ in user.next_functions].index(node)
        spec = (getattr(user, "specs", None) or {place: None})[place]
        own = None if place else getattr(user, "_saved_self_sym_sizes", None)
        sizes = own if spec is None else spec[0]
        if sizes is None and kind_of(user) in KEEPS_SHAPES:
            sizes = shape_made_by(user, program)
        if sizes is not None:
            return tuple(sizes)
    return None


def has_one_entry(node: Any, program: Program) -> bool | None:
    """Whether a softmax runs over a dimension with one entry; None where that is unknown."""
    shape = shape_made_by(node, program)
    return shape and shape[dimension(node._saved_dim)] == 1


def dim_instead(node: Any, program: Program) -> str:
    """What helps a softmax over one entry: over what its weights are to add up to 1, if any."""
    shape, own = shape_made_by(node, program) or (), dimension(node._saved_dim)
    program.graph = graph = program.graph or Graph(program)

    def users(each: Any) -> list[Any]:
        return [*graph.users.get(each, ())]

    same = reached([node], lambda each: [u for u in users(each) if kind_of(u) in SAME_VALUES])
    further = [user for each in same for user in users(each)]
    sums = [user for each in further if kind_of(each) == "Mul" for user in users(each)]
    sums = [each for each in sums if is_over_one_of(each, shape)]
    products = [each for each in further if kind_of(each) in ("Bmm", "Mm")]
    products = [each for each in products if each.next_functions[0][0] is not node]
    is_summed, is_weight = len(sums) == 1, bool(sums or products)
    first = len(shape) > 2 or not products  # behind the examples, unless one row is made of all
    wide = [at for at, size in enumerate(shape) if size > 1 and at >= first]
    wide = [dimension(sums[0]._saved_dim[0]) % len(shape)] if is_summed else wide
    words = ("dim-of-entries", "dim-summed")[is_summed] if len(wide) == 1 else "dim-of-weights"
    at = wide[0] if wide else 0
    either = [say(words, own=own, dim=at, count=shape[at] if wide else 0), say("one-score")]
    return "; or ".join(either if is_weight else either[::-1])


def is_over_one_of(node: Any, shape: tuple[int, ...]) -> bool:
    """Whether this is a sum or a mean over one dimension, of which a shape has several entries."""
    dims, sizes = (
        getattr(node, f"_saved_{each}", None) or () for each in ("dim", "self_sym_sizes")
    )
    is_one = kind_of(node) in ("Sum", "Mean") and len(dims) == 1 and len(sizes) == len(shape)
    return is_one and shape[dimension(dims[0])] > 1
