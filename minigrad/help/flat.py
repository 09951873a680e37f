"""Why a gradient is 0 everywhere: operations on the way whose slope is 0 where they were used."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ..extras.node_hooks import own_hooks
from . import reader
from .not_finite import line_of, named, saved, still_known
from .program import Program


@dataclass(frozen=True)
class Flat:
    """Where an operation lets nothing through, and what helps.

    ``lets`` answers for its input and its result, either of which may be None: True or False where
    that tells whether something gets through, else None.
    """

    why: str
    do: str
    lets: Callable[[Any, Any, Any], bool | None]


def clamp_lets(node: Any, given: Any, result: Any) -> bool | None:
    """Whether an input is inside of the bounds."""
    low, high = getattr(node, "_saved_min", None), getattr(node, "_saved_max", None)
    bounds = [bound for bound in (low, high) if bound is not None]
    if given is None or not all(isinstance(bound, int | float) for bound in bounds):
        return None
    inside = given == given
    inside = inside if low is None else inside & (given >= low)
    return bool((inside if high is None else inside & (given <= high)).any())


def relu_lets(node: Any, given: Any, result: Any) -> bool | None:
    """Whether a relu is on anywhere."""
    value = result if given is None else given
    return None if value is None else bool((value > 0).any())


def softmax_lets(node: Any, given: Any, result: Any) -> bool | None:
    """Whether a softmax runs over more than one entry."""
    value, dim = result if given is None else given, getattr(node, "_saved_dim", None)
    if value is None or dim is None:
        return True
    return value.dim() > 0 and value.shape[dim - 2**64 if dim >= 2**63 else dim] > 1


def bounded_lets(*ends: float) -> Callable:
    """Whether a function between two bounds is anywhere off them."""

    def lets(node: Any, given: Any, result: Any) -> bool | None:
        at_ends = None if result is None else (result == ends[0]) | (result == ends[1])
        return at_ends is None or not bool(at_ends.all())

    return lets


SOFTMAX = Flat(
    "softmax over a single entry is always 1, whatever the entry is",
    "sigmoid() for one score; or softmax over the dimension of the classes",
    softmax_lets,
)
SATURATED = "all of its results are at its bounds, where it is flat"
NEAR_0 = "smaller inputs, by scaled data or smaller first weights"
FLATS = {
    "Clamp": Flat(
        "clamp has slope 0 outside of its bounds, and all that it is given lies there",
        "sigmoid() for a bound that lets gradients through; or start inside of the bounds",
        clamp_lets,
    ),
    "Relu": Flat(
        "a relu lets nothing through where its input is not positive",
        "look at its input: another start, smaller steps or a larger bias keep it positive",
        relu_lets,
    ),
    "Softmax": SOFTMAX,
    "LogSoftmax": SOFTMAX,
    "Sigmoid": Flat(SATURATED, NEAR_0, bounded_lets(0, 1)),
    "Tanh": Flat(SATURATED, NEAR_0, bounded_lets(-1, 1)),
}


def flat_on_the_way(nodes: list[Any], program: Program) -> Iterator[str]:
    """The operation on a way that lets nothing through, or those that may be the one."""
    told = [(node, flat, lets(node, flat, program)) for node in nodes if (flat := flat_of(node))]
    certain = [(node, flat) for node, flat, through in told if through is False]
    unknown = [(node, flat) for node, flat, through in told if through is None]
    if not certain and (hooks := [line for node in nodes for line in hooks_on(node)]):
        yield f"A hook may have changed the gradient on the way: {hooks[0]}."
        yield "Try: take the hook off, with handle.remove(), and see whether a gradient arrives."
        return
    for node, flat in certain[:1] or unknown[:1]:
        line = line_of(node, program)
        place = f" ({line})" if line else ""
        start = "At" if certain else "That can come from"
        yield f"{start} {node.name()}{place}{'' if certain else ':'} {flat.why}."
        yield f"Try: {flat.do}."


def hooks_on(node: Any) -> Iterator[str]:
    """The lines of the reader's hooks on a node of this package, and on what it made."""
    extras = getattr(node, "extras", None)
    found = [] if extras is None else [*own_hooks(extras)[:1], *extras.tensor_hooks.values()]
    leaf = getattr(node, "variable", None)
    for hooks in [*found, getattr(leaf, "_backward_hooks", None) or {}]:
        for hook in hooks.values():
            code = getattr(hook, "__code__", None)
            if code is not None:
                yield reader.spoken_line(code.co_filename, code.co_firstlineno)


def flat_of(node: Any) -> Flat | None:
    """What is known of an operation."""
    return FLATS.get(node.name().partition("Backward")[0])


def lets(node: Any, flat: Flat, program: Program) -> bool | None:
    """Whether a node lets anything through, by what it saved or what has a name."""
    given = saved(node, "self")
    given = still_known(node, "self", program.variables) if given is None else given
    result = saved(node, "result")
    if result is None:
        name = next(named(node, program.variables), None)
        result = None if name is None else program.variables[name]
    values = [None if each is None else each.detach() for each in (given, result)]
    return flat.lets(node, *values)
