"""Log-probabilities and log-likelihoods that are minimised: a minus is missing before them."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator
from typing import Any

from ...tensor import Tensor
from ..graph.bounds import KEEPS, bounds, exponent_of, is_square
from ..graph.computed_again import constant_of
from ..graph.expression_of_node import graph_of, in_words, written_like
from ..graph.nodes import kind_of, leaves_behind, next_of
from ..graph.overflow import LAYERS, near, operand
from ..program.program import Program
from ..source.syntax import as_owner, is_call, names_in
from ..source.texts import assignments, everywhere
from ..source.variables import groups_of, is_module, is_parameter, optimizers
from ..words.sentences import say
from .added_numbers import names_tracked
from .gradient_ascent import CALLED, TO_GROW
from .gradient_ascent import sign_of as sign_of_term

WHOLES = KEEPS | {"Sum", "ToCopy", "Alias"}
NEGATIVE = re.compile(f"{CALLED.pattern}|^-")  #: weights of what is to become unlikely
LOGS = {"Log", "LogSoftmax"}
DEEPEST = 12  #: operations in a row


def downhill(loss: Any, program: Program) -> Iterator[str]:
    """That an optimizer makes small what is to become large: a minus is missing before it.

    Of log-probabilities that are weighted, or whose classes a net is to give. Of squares of what is
    missed, where all terms say so, and no net stands beside, whose loss can be meant to fall.
    """
    if loss.numel() != 1 or loss.grad_fn is None or not is_minimised(loss, program):
        return
    name = program.name_of(loss) or "the loss"
    for node, sign in likelihoods_in(loss.grad_fn, 1.0, program):
        is_of_a_net = any(map(is_parameter, leaves_behind(loss)))
        is_meant = sign > 0 and (is_of_a_net or kind_of(node) != "LogSoftmax")
        if is_meant and (said := [*made_unlikely(node, name, program)]):
            yield from said
            return
    yield from moved_along(loss.grad_fn, name, program)
    if turned := [*negative_divergence(loss, program)]:
        yield from turned
        return
    if not float(loss.detach()) < 0 or any(map(is_module, program.variables.values())):
        return
    terms = [*costs_in(loss.grad_fn, 1.0, program)]
    if terms and all(sign < 0 for _, sign in terms):
        yield say("made-small", name=name, node=in_words(terms[0][0], program))
        yield say("minus-first", name=name)


def negative_divergence(loss: Any, program: Program) -> Iterator[str]:
    """That a loss adds ``1 + log_var - mu ** 2 - exp(log_var)``: no divergence is below 0.

    One that a function has computed is gone; then it is the loss that is below 0.
    """
    name = program.name_of(loss) or ""
    whole = getattr(program.step(name), "value", ast.Pass())
    returns = everywhere(program.frame, ast.Return)
    returned = [each.value for _, each in returns if each.value]
    for line, target, value in assignments(program.frame):
        own = ast.unparse(target)
        thing = program.variables.get(own)
        is_number = isinstance(thing, Tensor) and thing.numel() == 1
        low = thing if is_number else loss
        sums = [whole] if is_number else returned
        turned = [part for part in ast.walk(value) if is_turned(part)]
        if not turned or "-" in ast.unparse(value).partition(ast.unparse(turned[0]))[0]:
            continue
        if float(low.detach()) < 0 and any(sign_of_term(e, {own}, program) > 0 for e in sums):
            yield say("negative-divergence", name=own if is_number else name, own=own, line=line)
            yield f"Try: {own} = -({ast.unparse(value)}) there."
            return


def is_turned(part: ast.AST) -> bool:
    """Whether something and its exp are added and taken off, as in a divergence that is turned."""
    match part:
        case ast.BinOp(ast.BinOp(ast.BinOp(_, ast.Add(), own), ast.Sub(), _), ast.Sub(), last):
            inner = [*last.args, getattr(last.func, "value", own)] if is_call(last, {"exp"}) else []
            return ast.unparse(own) in map(ast.unparse, inner)
    return False


def moved_along(node: Any, name: str, program: Program, deepest: int = DEEPEST) -> Iterator[str]:
    """That log-probabilities are weighted by what a net misses, which the steps change as well."""
    after = next_of(node) if kind_of(node) == "Mul" else []
    for at, other in enumerate(after) if len(after) == 2 else ():
        ends = {*map(kind_of, near(other))}
        found = [each for _, each, _ in written_like(node, graph_of(program))]
        own = {*ast.walk(getattr(program.step(name), "value", ast.Pass()))}
        found = [each for each in found if each in own] or found
        if not growth(after[1 - at], program) or not LAYERS & ends or not ends & {"Sub", "Rsub"}:
            continue
        if len(found) == 1 and isinstance(found[0], ast.BinOp) and not LOGS & ends:
            side = (found[0].left, found[0].right)[at]
            weight = ast.unparse(side)
            of = {"written": ast.unparse(found[0]), "weight": weight, "name": name}
            yield say("moved-along", node=in_words(node, program), **of)
            yield say("detach-there", new=f"{as_owner(side)}.detach()", weight=weight)
            return
    for part, _ in parts_of(node, program) if deepest else ():
        yield from moved_along(part, name, program, deepest - 1)


def is_minimised(loss: Any, program: Program) -> bool:
    """Whether optimizers step what a loss was computed from, and go down."""
    leaves = [leaf for leaf in leaves_behind(loss) if leaf._version]
    tools = optimizers(program.variables, leaves).values() if leaves else ()
    groups = [group for each in tools for group in groups_of(each)]
    return bool(groups) and not any(group.get("maximize") for group in groups)


def likelihoods_in(
    node: Any, sign: float, program: Program, deepest: int = DEEPEST
) -> Iterator[tuple[Any, float]]:
    """The log-probabilities in a sum that have a constant factor, or are picked; each sign.

    Of the smaller one of two that have one, as PPO computes them, the node that picks it.
    """
    is_weighted = kind_of(node) == "Mul" and len(next_of(node)) == 1
    if kind_of(node) == "Minimum":
        parts = [[*likelihoods_in(each, sign, program, 0)] for each in next_of(node)]
        yield from ((node, own) for part in parts[:1] for _, own in part if all(parts))
    elif kind_of(node) == "LogSoftmax" or is_weighted and (grows := growth(node, program)):
        yield node, sign * (grows if is_weighted else 1.0)
    elif kind_of(node) not in ("Mul", "Div") or len(next_of(node)) == 1:
        for part, factor in parts_of(node, program) if deepest else ():
            yield from likelihoods_in(part, sign * factor, program, deepest - 1)


def growth(node: Any, program: Program, deepest: int = DEEPEST) -> float:
    """1 where a result grows with the log of a probability, -1 where it falls; 0 if unknown."""
    kind, after = kind_of(node), next_of(node)
    if kind == "LogSoftmax" or kind == "Log" and is_probability(after[0]):
        return 1.0
    if kind == "Clamp" or kind == "Exp" and kind_of(after[0]) == "Sub" and deepest:  # of a ratio
        return growth(after[0], program, deepest - 1)
    if not deepest or kind in ("Mul", "Div") and len(after) > 1:  # as of an entropy
        return 0.0
    parts = [*parts_of(node, program)]
    if not parts and kind == "Mul":  # the factor is not known, as that of a mask
        written = [each for _, each, _ in written_like(node, graph_of(program))]
        is_turned = any(isinstance(part, ast.USub) for each in written for part in ast.walk(each))
        return 0.0 if is_turned else growth(after[0], program, deepest - 1)
    signs = {sign * growth(each, program, deepest - 1) for each, sign in parts} - {0.0}
    return signs.pop() if len(signs) == 1 else 0.0


def is_probability(node: Any) -> bool:
    """Whether a result lies between 0 and 1 by a sigmoid or a softmax.

    Not ``1 - p``: the generator of a GAN makes its log small on purpose.
    """
    while kind_of(node) in WHOLES | {"Add", "Clamp"} and len(next_of(node)) == 1:
        (node,) = next_of(node)
    return kind_of(node) in ("Sigmoid", "Softmax")


def made_unlikely(node: Any, name: str, program: Program) -> Iterator[str]:
    """What each step makes less likely, and where the minus belongs."""
    if kind_of(node) not in ("Mul", "Minimum"):
        yield say("made-unlikely", name=name, node=in_words(node, program))
        yield say("minus-first", name=name)
        return
    graph, weights = graph_of(program), set()
    whole = [each for _, each, _ in written_like(node, graph)]
    factor = next_of(node)[0] if kind_of(node) == "Minimum" else node
    at = [after for after, _ in factor.next_functions].index(None)
    for _, each, _ in written_like(factor, graph) if len(whole) == 1 else ():
        match each:
            case ast.BinOp(left, _, right):
                sides = [left, right]
                is_turned = names_in(sides[at]) & names_tracked(program)  # a number times a tensor
                is_turned = is_turned and not is_call(sides[at], {"detach"})
                side = given = sides[1 - at if is_turned else at]
                side = side.func.value if is_call(side, {"detach"}) else side
                is_less = isinstance(getattr(side, "op", 0), ast.Sub)  # `returns - values`
                first = ast.unparse(side.left if is_less else side)
                if not first[0].isdigit():
                    is_meant = not is_less or TO_GROW.search(first)
                    weights.add(ast.unparse(given) if is_meant else "-")
    if len(weights) == 1 and not NEGATIVE.search(first := weights.pop()):
        of = {"written": ast.unparse(whole[0]), "weight": first}
        yield say("made-unlikely-by", name=name, node=in_words(node, program), **of)
        yield say("minus-there", written=of["written"])


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
