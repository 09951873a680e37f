"""A log-likelihood that is minimised: a minus is missing before it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ..graph.bounds import KEEPS, bounds, exponent_of, is_square
from ..graph.computed_again import constant_of
from ..graph.expression_of_node import in_words
from ..graph.nodes import kind_of, leaves_behind, next_of
from ..graph.overflow import near, operand
from ..program.program import Program
from ..source.variables import is_module, stepped_by
from ..words.sentences import say

WHOLES = KEEPS | {"Sum", "ToCopy", "Alias"}
DEEPEST = 12  #: operations in a row


def downhill(loss: Any, program: Program) -> Iterator[str]:
    """That an optimizer makes a loss smaller in which squares of what is missed have a minus.

    Of a loss that is negative, all of whose terms say so, and where no net stands beside it, whose
    loss can be meant to fall without end.
    """
    leaves = {id(leaf) for leaf in leaves_behind(loss) if leaf._version}
    is_one = loss.numel() == 1 and float(loss.detach()) < 0 and loss.grad_fn is not None
    things = program.variables.values()
    if not is_one or not leaves or any(map(is_module, things)):
        return
    tools = [each for each in things if any(id(leaf) in leaves for leaf in stepped_by(each))]
    groups = [group for each in tools for group in getattr(each, "param_groups", ())]
    if not groups or any(group.get("maximize") for group in groups):
        return
    terms = [*costs_in(loss.grad_fn, 1.0, program)]
    if terms and all(sign < 0 for _, sign in terms):
        name = program.name_of(loss) or "the loss"
        yield say("made-small", name=name, node=in_words(terms[0][0], program))
        yield say("minus-first", name=name)


def costs_in(
    node: Any, sign: float, program: Program, deepest: int = DEEPEST
) -> Iterator[tuple[Any, float]]:
    """The squares of differences to data in a sum, with the sign of each.

    What has a factor of which the sign is not known is left out.
    """
    if is_residual(node):
        yield node, sign
    else:
        for part, factor in parts_of(node, program) if deepest else ():
            yield from costs_in(part, sign * factor, program, deepest - 1)


def parts_of(node: Any, program: Program) -> Iterator[tuple[Any, float]]:
    """The parts that a sum or a multiple is made of, each with its sign."""
    kind, after = kind_of(node), [each for each, _ in node.next_functions]
    if kind in WHOLES or kind in ("Add", "Neg", "Rsub"):
        own = -1.0 if kind in ("Neg", "Rsub") else 1.0
        yield from ((each, own) for each in after if each is not None)
    elif kind == "Sub":
        pairs = zip(after, (1.0, -1.0), strict=True)
        yield from ((each, own) for each, own in pairs if each is not None)
    elif kind in ("Mul", "Div") and len(after) == 2:
        ways = [after] if kind == "Div" else [after, after[::-1]]
        for part, factor in ways:
            sign = sign_of(factor, node, program) if part is not None else 0.0
            if sign:
                yield part, sign
                return


def sign_of(factor: Any, node: Any, program: Program) -> float:
    """The sign of a factor; of a constant, which has no node, by its line. 0 where unknown."""
    if factor is None:
        constant = constant_of(node, program)
        if constant is None:
            return 0.0
        if isinstance(constant, int | float):
            return math.copysign(1.0, constant) if constant else 0.0
        return float(bool((constant >= 0).all())) - float(bool((constant <= 0).all()))
    if bounds(factor)[0] >= 0:
        return 1.0
    if kind_of(factor) == "Mul" and len(next_of(factor)) == 1:
        return sign_of(None, factor, program) * sign_of(*next_of(factor), factor, program)
    return 0.0


def is_residual(node: Any) -> bool:
    """Whether a node squares a difference to data, also one that was divided by something."""
    is_power = kind_of(node) == "Pow" and exponent_of(node) % 2 == 0
    if not is_power and not (kind_of(node) == "Mul" and is_square(node)):
        return False
    differences = [each for each in near(operand(node)) if kind_of(each) in ("Sub", "Rsub")]
    return any(len(next_of(each)) == 1 for each in differences)
