"""Why a gradient is 0 everywhere: what lies on every way back and lets nothing through.

That is an operation which is flat between jumps, one whose slope is 0 where it was used, or a
product with a factor that is 0. One that another way goes round is not to blame.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from ..extras.node_hooks import own_hooks
from ..tensor import Tensor
from . import reader
from .bounds import exponent_of
from .not_finite import is_end, leading_to, saved, still_known
from .operations import kind_of, line_of, named
from .program import Program
from .reach import held
from .strangers import leaves_behind

MOST = 2


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
    if dim is None:
        return True
    if value is None:
        return None
    return value.dim() > 0 and value.shape[dim - 2**64 if dim >= 2**63 else dim] > 1


def bounded_lets(*ends: float) -> Callable:
    """Whether a function between two bounds is anywhere off them."""

    def lets(node: Any, given: Any, result: Any) -> bool | None:
        at_ends = None if result is None else (result == ends[0]) | (result == ends[1])
        return None if at_ends is None else not bool(at_ends.all())

    return lets


def power_lets(node: Any, given: Any, result: Any) -> bool | None:
    """Whether a power is taken of anything but 0."""
    return given is None or exponent_of(node) <= 1 or bool((given != 0).any())


def between_jumps(operation: str) -> Flat:
    """An operation that gives whole numbers, and is flat between them."""
    return Flat(
        "its operation is flat between jumps",
        f"x + (x.{operation}() - x).detach() in its place, which has the values of {operation}() "
        "and lets the gradient of x through; or a smooth stand-in, or leave it out of the loss",
        lambda *_: False,
    )


SOFTMAX = Flat(
    "softmax over a single entry is always 1, whatever the entry is",
    "sigmoid() for one score; or softmax over the dimension of the classes, as by another dim=",
    softmax_lets,
)
SATURATED = "all of its results are at its bounds, where it is flat"
NEAR_0 = "smaller inputs, by scaled data or smaller first weights"
JUMPS = {each: between_jumps(each.lower()) for each in ("Floor", "Ceil", "Round", "Sign", "Trunc")}
FLATS = {
    **JUMPS,
    "Clamp": Flat(
        "clamp has slope 0 outside of its bounds, and all that it is given lies there",
        "start inside of the bounds; or x + (x.clamp(...) - x).detach() in its place, which has "
        "its values and lets the gradient of x through",
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
    "Pow": Flat(
        "the slope of this power is 0 at 0, and all that it is given is 0",
        "look at what it is given: a start away from 0; or nothing, where the loss is to be 0",
        power_lets,
    ),
}
#: each operand of a product: by what its gradient is multiplied, and which operand that is
FACTORS = {
    "Mul": (("other", 1), ("self", 0)),
    "Mm": (("mat2", 1), ("self", 0)),
    "Bmm": (("mat2", 1), ("self", 0)),
    "Mv": (("vec", 1), ("self", 0)),
    "Dot": (("tensor", 1), ("self", 0)),
    "Addmm": (None, ("mat2", 2), ("mat1", 1)),
}
SAME_VALUES = {"T", "Transpose", "View", "Reshape", "Unsqueeze", "Squeeze", "Permute", "Expand"}
NOT_0 = "let {} start from other values, such as small random ones"


def why_zero(y: Any, x: Any, way: list[Any], program: Program) -> Iterator[str]:
    """What lets no gradient through from ``y`` back to ``x``, or may be the one on a ``way``."""
    if told := [*flat_between(y, x, program)]:
        yield from told
        return
    for node in way:
        if zero := zero_beside(node, program):
            line = line_of(node, program)
            yield f"{node.name()} ({line}) multiplies by {zero}, which is 0 everywhere."
            yield f"Try: print({zero}), and see which line makes it 0."
            return
    if y.numel() == 1 and not bool(y.detach()):
        yield "The result is 0 itself: where that is the lowest it can be, its gradient is 0 too."
        return
    if hooks := [line for node in way for line in hooks_on(node)]:
        yield f"A hook may have changed the gradient on the way: {hooks[0]}."
        yield "Try: take the hook off, with handle.remove(), and see whether a gradient arrives."
        return
    flats = [(node, flat) for node in way if (flat := flat_of(node)) is not None]
    unknown = [(n, flat) for n, flat in flats if lets(n, program) is None and not is_passed(n)]
    unknown.sort(key=lambda each: each[1] is SOFTMAX)  # which is rarely over a single entry
    for node, flat in unknown[:1]:
        line = line_of(node, program)
        yield f"That can come from {node.name()}{f' ({line})' if line else ''}: {flat.why}."
        yield f"Try: {flat.do}."


def is_passed(node: Any) -> bool:
    """Whether a leaf behind a node holds a gradient besides 0, so that the node let it through."""
    leaves = leaves_behind(SimpleNamespace(grad_fn=node))
    return any(leaf.grad is not None and bool(leaf.grad.detach().any()) for leaf in leaves)


def flat_between(y: Any, x: Any, program: Program) -> Iterator[str]:
    """What is known to let no gradient through on any way from ``y`` back to ``x``."""
    ends = ends_of(y, x, program)
    for node, factor in (ends or {}).items():
        line = line_of(node, program)
        place = f" ({line})" if line else ""
        if factor is not None:
            yield f"""{node.name()}{place} multiplies the gradient by {factor}, which is 0
                everywhere."""
        elif kind_of(node) in JUMPS:
            yield f"""{node.name()}{place} gives gradient 0 everywhere, because
                {flat_of(node).why}."""
        else:
            yield f"At {node.name()}{place} {flat_of(node).why}."
    do = [NOT_0.format(f) if f is not None else flat_of(n).do for n, f in (ends or {}).items()]
    if do:
        yield f"Try: {'; or '.join(dict.fromkeys(do))}."


def ends_of(y: Any, x: Any, program: Program) -> dict[Any, str | None] | None:
    """Where each way from ``y`` back to ``x`` ends in 0; None where one goes through.

    Of a product it is told what its factor of 0 is called.
    """
    if y.grad_fn is None:
        return None
    leads, seen, waiting = leading_to(y, x), {y.grad_fn}, [y.grad_fn]
    ends: dict[Any, str | None] = {}
    for node in waiting:  # the list grows while it is walked
        if node not in leads:
            continue
        if is_end(node, x):
            return None
        if flat_of(node) is not None and lets(node, program) is False:
            ends[node] = None
            continue
        for number, (after, _) in enumerate(node.next_functions):
            factor = zero_factor(node, number, program) if after in leads else None
            if factor is not None:
                ends[node] = factor
            elif after is not None and after not in seen:
                seen.add(after)
                waiting.append(after)
    return dict(list(ends.items())[:MOST])


def zero_factor(node: Any, number: int, program: Program) -> str | None:
    """What the gradient of an operand is multiplied by, if that is 0 everywhere."""
    factors = FACTORS.get(kind_of(node), ())
    if number >= len(factors) or factors[number] is None:
        return None
    slot, operand = factors[number]
    value, after = saved(node, slot), node.next_functions[operand][0]
    while after is not None and kind_of(after) in SAME_VALUES:
        after = after.next_functions[0][0]
    leaf = getattr(after, "variable", None)
    value = leaf if value is None else value
    if value is None or not value.is_floating_point() or bool(value.detach().any()):
        return None
    return (None if leaf is None else program.name_of(leaf)) or "its other factor"


def zero_beside(node: Any, program: Program) -> str:
    """What a freed product was multiplied by that is 0: a value that its line names."""
    if kind_of(node) not in FACTORS or all(after is not None for after, _ in node.next_functions):
        return ""
    if not getattr(node, "is_freed", False) or not (line := line_of(node, program)):
        return ""
    words = set(re.findall(r"\w+", line.partition("`")[2]))
    for each in held(program.variables):
        if re.findall(r"\w+", each.path)[-1] in words and is_nothing(each.thing):
            return each.path
    return ""


def is_nothing(value: Any) -> bool:
    """Whether a value is 0, or a tensor of 0 alone that has no history."""
    if isinstance(value, float | int):
        return value == 0 and not isinstance(value, bool)
    if not isinstance(value, Tensor) or value.requires_grad or not value.numel():
        return False
    return not bool(value.any())


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
    return FLATS.get(kind_of(node))


def lets(node: Any, program: Program) -> bool | None:
    """Whether a node lets anything through, by what it saved or what has a name."""
    given = saved(node, "self")
    given = still_known(node, "self", program.variables) if given is None else given
    result = saved(node, "result")
    if result is None:
        name = next(named(node, program.variables), None)
        result = None if name is None else program.variables[name]
    values = [None if each is None else each.detach() for each in (given, result)]
    return flat_of(node).lets(node, *values)
