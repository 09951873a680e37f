"""Operations that let no gradient through: the conditions. Words stand in ``operations.toml``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..words.sentences import table
from .bounds import exponent_of
from .nodes import clamped, dim_of, dimensions, fills_a_leaf, kind_of, next_of, reached


@dataclass(frozen=True)
class Flat:
    """Where an operation lets nothing through, and what helps.

    ``why`` says that it does, ``when`` in which case it would where that is not known. ``lets``
    answers for its node, its input and its result, of which the last two may be None:
    True or False where that tells whether something gets through, else None.
    """

    why: str
    when: str
    do: str
    lets: Callable[[Any, Any, Any], bool | None]


def clamp_lets(node: Any, given: Any, result: Any) -> bool | None:
    """Whether an input is inside of the bounds."""
    bounds = clamped(node)
    return None if given is None or bounds is None else bool(inside(given, *bounds).any())


def inside(given: Any, low: float | None, high: float | None) -> Any:
    """The elements between two bounds, of which each may be None."""
    found = given == given
    found = found if low is None else found & (given >= low)
    return found if high is None else found & (given <= high)


def relu_lets(node: Any, given: Any, result: Any) -> bool | None:
    """Whether a relu is on anywhere."""
    value = result if given is None else given
    return None if value is None else bool((value > 0).any())


def softmax_lets(node: Any, given: Any, result: Any) -> bool | None:
    """Whether a softmax runs over more than one entry."""
    value, dim = result if given is None else given, dim_of(node)
    if dim is None:
        return True
    if value is None:
        width = width_of(node.next_functions[0][0])
        return None if width is None or dim not in (1, -1) else width > 1
    return value.dim() > 0 and value.shape[dim] > 1


def width_of(layer: Any) -> int | None:
    """How many outputs a layer gives, by its bias; None where that is unknown."""
    bias = layer.next_functions[0][0] if kind_of(layer) == "Addmm" else None
    return bias.variable.shape[-1] if bias is not None and fills_a_leaf(bias) else None


def bounded_lets(*ends: float) -> Callable:
    """Whether a function between two bounds is anywhere off them."""

    def lets(node: Any, given: Any, result: Any) -> bool | None:
        at_ends = None if result is None else (result == ends[0]) | (result == ends[1])
        return None if at_ends is None else not bool(at_ends.all())

    return lets


def power_lets(node: Any, given: Any, result: Any) -> bool | None:
    """Whether a power is taken of anything but 0."""
    return given is None or not exponent_of(node) > 1 or bool((given != 0).any())


def norm_lets(node: Any, given: Any, result: Any) -> bool | None:
    """Whether a length is of anything but 0, where its slope is taken to be 0."""
    return None if given is None else bool((given != 0).any())


def sum_lets(node: Any, given: Any, result: Any) -> bool:
    """Whether a sum or a mean is of something else than all that a softmax gives, which is 1.

    Constants beside it add nothing to a gradient, nor does one factor for all of its entries.
    """
    each, rank = node.next_functions[0][0], len(getattr(node, "_saved_self_sym_sizes", ()))
    shapes = []
    while kind_of(each) in TERMS and len(next_of(each)) == 1:
        specs = getattr(each, "specs", None) or (None, None)  # of what was broadcast
        known = {after is None: spec for (after, _), spec in zip(each.next_functions, specs)}
        factor = known.get(True) if kind_of(each) == "Mul" else ((), None)
        if known[False] or not factor:
            return True
        shapes.append(factor[0])
        each = next_of(each)[0]
    if kind_of(each) != "Softmax" or not rank:
        return True
    dims, dim = [at % rank for at in dimensions(node)], dim_of(each) % rank
    is_one = all(((1,) * rank + shape)[dim - rank] == 1 for shape in shapes)
    return not is_one or bool(dims) and dim not in dims


TERMS = {"Add", "Sub", "Rsub", "Neg", "Mul"}  #: of what is given, and of constants


def may_stop(node: Any, y: Any, alone: bool = True) -> bool:
    """Whether a node can be why 0 comes: none has come through it, and not 0 alone beside it.

    That is so of one that stops it ``alone``: of several, 0 has come beside each.
    """
    near = reached([y.grad_fn], lambda each: () if each is node else next_of(each))
    beside = [each.variable.grad for each in near if fills_a_leaf(each)]
    behind = {*reached([node])} - {*near}
    through = [each.variable.grad for each in behind if fills_a_leaf(each)]
    if any(grad is not None and bool(grad.any()) for grad in through):
        return False
    return not (alone and beside) or any(grad is None or bool(grad.any()) for grad in beside)


def flat(words: str, lets: Callable, operation: str = "") -> Flat:
    """What is known of an operation, with the words that stand in the table under another's name.

    >>> flat("Round", power_lets, "floor").do[:28]
    'x + (x.floor() - x).detach()'
    """
    said = table("graph/operations")[words]["flat"]
    return Flat(said["why"], said.get("when", ""), said["do"].format(operation=operation), lets)


SOFTMAX = flat("Softmax", softmax_lets)
SATURATED = flat("SoftmaxSaturated", bounded_lets(0, 1))
OF_DISTANCE = flat("SignOfDistance", lambda *_: False)
JUMPS = {
    each: flat("Round", lambda *_: False, each.lower())
    for each in ("Floor", "Ceil", "Round", "Sign", "Trunc")
} | {"Normal": flat("Normal", lambda *_: False)}
FLATS = {
    **JUMPS,
    "Softmax": SOFTMAX,
    "LogSoftmax": flat("LogSoftmax", softmax_lets),
    "Exp": flat("Exp", bounded_lets(0, 0)),
    "Clamp": flat("Clamp", clamp_lets),
    "Relu": flat("Relu", relu_lets),
    "Sigmoid": flat("Sigmoid", bounded_lets(0, 1)),
    "Tanh": flat("Sigmoid", bounded_lets(-1, 1)),
    "Pow": flat("Pow", power_lets),
    "Sum": flat("Sum", sum_lets),
    "Mean": flat("Sum", sum_lets),
    "LinalgVectorNorm": flat("LinalgVectorNorm", norm_lets),
}
