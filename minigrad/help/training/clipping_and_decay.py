"""Steps that are held back: gradients that are cut very short, and weights that decay to 0."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ..graph.bounds import largest_of
from ..program.program import Program
from ..source.reader import in_brackets
from ..source.syntax import is_call, name_called
from ..source.texts import everywhere
from ..words.sentences import say
from .step_lengths import FEWEST, MOVED, has_fallen, long_steps, moved
from .steps_without_effect import line_that_makes

CLIPS = {"clip_grad_norm_", "clip_grad_value_"}
NEAR = 0.9  #: gradients that come so near to a bound have been cut to it
STRONG = 0.1  #: a decay above it is strong
SHRUNK = 0.2  #: of the size with which its layer began


def held_back(optimizer: Any, its: str, program: Program) -> Iterator[str]:
    """What keeps the steps of an optimizer from moving weights, or weights from staying."""
    yield from long_steps(optimizer, its, program)
    yield from clipped(optimizer, program)
    yield from decayed(optimizer, its, program)


def clipped(optimizer: Any, program: Program) -> Iterator[str]:
    """That gradients are cut so short that all steps can have moved no weight far."""
    groups = getattr(optimizer, "param_groups", ())
    given = [(each, group) for group in groups for each in group["params"] if each.grad is not None]
    steps = max((each._version for each, _ in given), default=0)
    if steps < FEWEST or any("betas" in group for _, group in given) or has_fallen(program):
        return
    moves = [moved(each, group["lr"], False) for each, group in given]
    if max(moves) >= MOVED:
        return
    grads = [each.grad.detach() for each, _ in given]
    norm = sum(float(grad.pow(2).sum()) for grad in grads) ** 0.5
    largest = max(map(largest_of, grads))
    for source, each in everywhere(program.frame):
        if is_call(each, CLIPS) and (bound := bound_of(each)) is not None:
            size = norm if name_called(each.func) == "clip_grad_norm_" else largest
            if NEAR * bound <= size <= 1.01 * bound:
                line = source.spoken(each.lineno)
                yield say("clipped", line=line, bound=bound, steps=steps, moved=max(moves))
                yield say("clip-later")
                return


def bound_of(call: ast.Call) -> float | None:
    """The number to which a line cuts gradients, where it is written there."""
    given = [
        *call.args[1:2],
        *(k.value for k in call.keywords if "max" in k.arg or "clip" in k.arg),
    ]
    value = given[0].value if given and isinstance(given[0], ast.Constant) else None
    return float(value) if isinstance(value, int | float) else None


def decayed(optimizer: Any, its: str, program: Program) -> Iterator[str]:
    """That a strong decay has pulled all weights of an optimizer to almost nothing."""
    for group in getattr(optimizer, "param_groups", ()):
        decay = group.get("weight_decay", 0)
        weights = [each.detach() for each in group["params"] if each.dim() == 2]
        sizes = [largest_of(each) * each.shape[1] ** 0.5 for each in weights]
        is_old = all(each._version >= FEWEST for each in group["params"])
        if decay >= STRONG and sizes and is_old and max(sizes) < SHRUNK:
            largest = max(map(largest_of, weights))
            line = in_brackets(line_that_makes(its, program))
            yield say("decayed", decay=decay, line=line, largest=largest)
            yield say("decay-less")
            return
