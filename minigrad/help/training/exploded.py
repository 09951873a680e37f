"""Steps that were too long: weights that have grown with each, until nothing gets through."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ..gradients.custom_backwards import gradients_unread
from ..gradients.passes import added_up
from ..graph.bounds import largest_of
from ..graph.expression_of_node import line_of_assignment
from ..graph.nodes import kind_of, leaf_of, leaves_behind, nodes_behind
from ..program.emptied import is_emptied_somewhere
from ..program.program import Program
from ..program.unread_values import unread
from ..source.reader import in_brackets
from ..source.syntax import name_called, names_in
from ..source.texts import everywhere
from ..source.variables import is_parameter, optimizers
from ..words.sentences import say
from .learning_rates import line_of_rate
from .order_of_calls import late_clips
from .unchanged import is_step
from .unscaled_data import scaled_behind

GROWN = 100.0  #: a weight of a layer, which begins below 1, has grown by long steps
LOST = 20.0  #: a mean of logs above it is one of nets that are sure of what is false
OF_CLASSES = {"NllLoss", "BinaryCrossEntropyWithLogits", "BinaryCrossEntropy"}
MOST = 2  #: lines of steps that are named


def exploded(loss: Any, program: Program) -> Iterator[str]:
    """That weights have grown so that all is off, or that the loss is beyond that of no net."""
    nodes = nodes_behind(loss)
    layers = [leaf_of(node.next_functions[2][0]) for node in nodes if kind_of(node) == "Addmm"]
    weights = [leaf for leaf in layers if leaf is not None and is_parameter(leaf)]
    is_lost = not loss.dim() and kind_of(loss.grad_fn) in OF_CLASSES and float(loss.detach()) > LOST
    limits = [2 * leaf.shape[-1] ** -0.5 if is_lost else GROWN for leaf in weights]
    sizes = zip(weights, limits)
    grown = [leaf for leaf, most in sizes if leaf._version > 1 and largest_of(leaf) > most]
    if not grown or any(gradients_unread(nodes)):
        return
    if not (is_lost or is_off(nodes, weights)):
        return
    leaf = max(grown, key=largest_of)
    name = program.name_of(leaf) or "a weight"
    yield say("thrown-off", name=name, largest=largest_of(leaf), begins=leaf.shape[1] ** -0.5)
    facts, do = what_helps(loss, say("what-it-steps"), program)
    yield from [*facts, f"Try: {do}."]


def is_off(nodes: list[Any], weights: list[Any]) -> bool:
    """Whether nothing comes to the first weights, and a relu is on the way."""
    has_relu = any(kind_of(node) == "Relu" for node in nodes)
    grads = [leaf.grad for leaf in weights]
    flat = [grad is not None and not bool(grad.detach().any()) for grad in grads]
    return has_relu and any(flat)


def what_helps(loss: Any, name: str, program: Program) -> tuple[list[str], str]:
    """What makes steps too long, and what makes them shorter; ``name`` is what they change.

    That is a cut that takes effect, scaled data, or a smaller learning rate.
    """
    if lost := [*unread(program)]:
        return lost[:1], lost[1].removeprefix("Try: ").removesuffix(".")
    for leaf in leaves_behind(loss)[:1]:
        said = [*added_up(leaf, program.name_of(leaf) or "a leaf", program)]
        if said[1:] and not is_emptied_somewhere(program.frame):
            return said[:1], said[1].removeprefix("Try: ").removesuffix(".")
    if said := [*late_clips(program)]:
        return said[:1], say("cut-between")
    line = in_brackets(line_of_steps(loss, program))
    return scaled_behind(loss, program) or ([], say("shorter", line=line, name=name))


def line_of_steps(loss: Any, program: Program) -> str:
    """The line that sets how long the steps behind a loss are; empty where that is unknown."""
    for path in optimizers(program.variables, leaves_behind(loss)):
        return line_of_rate(path, program)
    steps = [(source, each) for source, each in everywhere(program.frame) if is_step(each)]
    factors = {name for _, each in steps for name in names_in(each.value, ast.Load)}
    factors = {each for each in factors if isinstance(program.variables.get(each), float)}
    if line := line_of_assignment(program, lambda target, _: name_called(target) in factors):
        return line
    few = [source.spoken(each.lineno) for source, each in steps[: MOST + 1]]
    return " and ".join(few) if len(few) <= MOST else ""
