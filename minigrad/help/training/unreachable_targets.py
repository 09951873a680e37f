"""Targets that no output can come near, because of what the last operation gives at most.

A sigmoid gives nothing above 1, and a relu nothing below 0. What a layer ends with decides what its
loss can still be told to reach.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..gradients.passes import rounds
from ..graph.bounds import OF_RESULTS, bounds
from ..graph.computed_again import meant_by
from ..graph.expression_of_node import in_words
from ..graph.layer_of_node import call_that_made
from ..graph.nodes import is_all_0, kind_of, leaves_of, nodes_behind, saved
from ..program.program import Program
from ..source.called import thing_called
from ..source.syntax import is_call, name_called, parents_in
from ..source.texts import texts
from ..source.variables import is_of_library, is_tensor
from ..words.sentences import say
from .outputs import COMPARED, past_views

CALLS = {"mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss"}
CLASSES = {"MSELoss", "L1Loss", "SmoothL1Loss", "HuberLoss"}
OF_PROBABILITIES = {  #: how they are called, and made
    "BinaryCrossEntropy": {"binary_cross_entropy", "BCELoss"},
    "BinaryCrossEntropyWithLogits": {"binary_cross_entropy_with_logits", "BCEWithLogitsLoss"},
}
NEAR = 1.05  #: times the lowest, and a loss has come near it
TINY = 1e-30
FAR = 0.05  #: a lowest above it is told apart from 0
LAST = {"Sigmoid", "Tanh", "Relu", "Softmax"}
FEW, OFF = 0.05, 0.05  #: so many of the targets have to lie so far off, by what can be reached


class Ends(NamedTuple):
    """What the outputs that are compared come from, between two numbers."""

    node: Any
    low: float
    high: float


def out_of_reach(loss: Any, program: Program) -> Iterator[str]:
    """That many of the targets lie beyond what the outputs of a net can be, and what to do."""
    for node in nodes_behind(loss):
        if kind_of(node) not in COMPARED or (ends := ends_at(node)) is None:
            continue
        targets = targets_of(node, program)
        if targets is None or not (beyond := beyond_ends(targets, ends)):
            continue
        last, low, high = ends
        reach = f"from {low:g} to {high:g}" if high < float("inf") else f"never below {low:g}"
        least, most = (float(each) for each in (targets.min(), targets.max()))
        gave, here = in_words(last, program), in_words(node, program)
        name = kind_of(last).lower()
        yield say(
            "out-of-reach", here=here, gave=gave, reach=reach, beyond=beyond,
            of=targets.numel(), least=least, most=most,
        )  # fmt: skip
        if name == "relu" and beyond == targets.numel() and gave_0(last, node):
            yield say("let-nothing-through", name=name, of=beyond)
        do = without_the_last(last, program) or say("leave-out-there", name=name)
        yield say("leave-it-out", do=do)
        return


def near_its_lowest(loss: Any, program: Program) -> Iterator[str]:
    """That a loss of probabilities is near its lowest, which targets between 0 and 1 keep off 0."""
    node = loss.grad_fn
    is_plain = kind_of(node) in OF_PROBABILITIES and node._saved_reduction == 1
    weights = [saved(node, slot) for slot in ("weight", "pos_weight")] if is_plain else []
    targets = targets_of(node, program) if is_plain and weights == [None, None] else None
    if targets is None or not bool(((targets >= 0) & (targets <= 1)).all()):
        return
    sides = (side.clamp(min=TINY) for side in (targets, 1 - targets))
    lowest, now = -float(sum(side * side.log() for side in sides).mean()), float(loss.detach())
    if FAR < lowest and now < NEAR * lowest:
        yield say("near-its-lowest", name=program.name_of(loss) or "loss", now=now, lowest=lowest)


def gave_0(relu: Any, loss: Any) -> bool:
    """Whether a relu has given 0 alone to a loss all of whose targets lie below that.

    After the pass it shows in the leaves before: what came from such targets has one sign.
    """
    given = saved(relu, "result")
    if given is not None:
        return is_all_0(given)
    grads = [None if rounds(leaf) == 0 else leaf.grad for leaf in leaves_of(relu)]
    return loss.is_freed and bool(grads) and all(e is not None and is_all_0(e) for e in grads)


def without_the_last(node: Any, program: Program) -> str:
    """How to make the net whose last layer has run a node without that; empty for no such net."""
    name, code, line = call_that_made(node, program)
    if code:
        return say("leave-out-the-last", layer=code, line=line)
    return say("leave-out-a-layer", name=name) if name else ""


def ends_at(loss: Any) -> Ends | None:
    """What the outputs that a loss compares with targets lie between, where they have ends."""
    given = [after for after, _ in loss.next_functions]
    output = [after for after in given if after is not None]
    if len(output) != 1 or len(given) > 2:
        return None
    last = past_views(output[0])
    return Ends(last, *bounds(last)) if kind_of(last) in LAST & {*OF_RESULTS} else None


def beyond_ends(targets: Any, ends: Ends) -> int:
    """How many targets lie beyond what can be reached; 0 where few of them lie well beyond."""
    span = min(ends.high - ends.low, float(targets.abs().max()))
    off = (targets < ends.low - OFF * span) | (targets > ends.high + OFF * span)
    beyond = (targets < ends.low) | (targets > ends.high)
    return int(beyond.sum()) if int(off.sum()) >= FEW * targets.numel() else 0


def targets_of(loss: Any, program: Program) -> Any:
    """What a loss compares outputs with; None where that is not known.

    What its line names may be those of the last batch.
    """
    for slot in ("target", "other", "self"):
        known = saved(loss, slot)
        if known is not None and known.grad_fn is None and not known.requires_grad:
            return number_like(known)
    found = [*compared(kind_of(loss), program)]
    return found[0] if len(found) == 1 else None


def compared(kind: str, program: Program) -> Iterator[Any]:
    """The tensors without a history that lines of the program compare with others."""
    for _source, tree in texts(program.frame):
        around = parents_in(tree)
        for each in ast.walk(tree):
            match each:
                case ast.BinOp(left, ast.Sub(), right) if kind == "Sub":
                    given = [left, right]
                case ast.Call(function, [left, right]):
                    thing = thing_called(function, program.variables)
                    known = OF_PROBABILITIES.get(kind, CALLS | CLASSES)
                    is_loss = is_of_library(thing) and type(thing).__name__ in known
                    is_loss = is_loss or is_call(function, known)  # made and called at once
                    given = [left, right] if is_loss or name_called(function) in known else []
                case _:
                    continue
            values = [value_of(one, around, program) for one in given]
            values = [value for value in values if value is not None]
            if len(values) == 1:
                yield values[0]


def value_of(expression: ast.expr, around: dict, program: Program) -> Any:
    """What an expression stands for, where that is a tensor without a history."""
    while is_call(expression, {"view", "reshape", "squeeze", "unsqueeze", "float"}):
        if not isinstance(expression.func, ast.Attribute):
            return None
        expression = expression.func.value
    known = meant_by(expression, around, program)
    if known is None and isinstance(expression, ast.Name):
        known = program.variables.get(expression.id)
    return number_like(known)


def number_like(known: Any) -> Any:
    """A tensor of floats without a history; None of others."""
    if not is_tensor(known) or known.requires_grad or not known.numel():
        return None
    return known.detach() if known.is_floating_point() else None
