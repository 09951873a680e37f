"""What is tried of a linear layer and of a cross entropy, and of their gradients."""

from collections.abc import Callable
from functools import partial
from typing import Any

import minigrad as mg

from ..language import _
from .kinds.behaviors import Trial
from .trying import expect_function, numbers, tried


def straight(answer: Any) -> list[Trial]:
    """A linear layer at several shapes."""
    expect_function(answer, "12-2a", "linear")
    told = _("x of shape {}, w of shape {}")
    found = []
    for count, inside, outside in ((2, 3, 4), (5, 2, 2), (3, 3, 3), (1, 4, 1)):
        x, w, b = numbers(count, inside), numbers(inside, outside, seed=1), numbers(outside)
        given = [one.requires_grad_() for one in (x, w, b)]
        name = told.format([count, inside], [inside, outside])
        found.append(tried(name, answer, *given))
        grad = _("{}, the gradient of {}")
        for letter, one in zip("xwb", given):
            walk = partial(_arrived, answer, given, one)
            found.append(tried(grad.format(name, letter), walk))
    return found


def _arrived(answer: Callable[..., Any], given: list[Any], one: Any) -> Any:
    """What one of three inputs of a layer gets, as numbers; the walk begins with numbers unlike."""
    out = answer(*given)
    if not out.requires_grad:
        return mg.zeros_like(one)
    came = numbers(*out.shape, seed=7)
    (slope,) = mg.autograd.grad((out * came).sum(), [one], allow_unused=True)
    return mg.zeros_like(one) if slope is None else slope


LEVELS = (
    ([[1.0, 2.0, 3.0], [0.5, -1.0, 0.25]], "Scores of ordinary size"),
    ([[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]], "Four rows of zeros"),
    ([[1000.0, 998.0, 999.0], [1000.0, 1001.0, 1000.0]], "Scores around 1000"),
    ([[-1000.0, -998.0, -999.0], [-1000.0, -1001.0, -1000.0]], "Scores around -1000"),
    ([[1000.0, 0.0, -1000.0], [-1000.0, 1000.0, 0.0]], "Scores from -1000 to 1000"),
    ([[1000.0, 999.0], [-1000.0, -999.0]], "One row around 1000, one around -1000"),
)


def crossed(answer: Any) -> list[Trial]:
    """Cross entropy at ordinary and at extreme scores, and its gradient."""
    expect_function(answer, "12-2b", "cross_entropy")
    found = []
    for rows, told in LEVELS:
        scores = mg.tensor(rows, requires_grad=True)
        kinds = mg.tensor([(place + 1) % len(rows[0]) for place in range(len(rows))])
        made: list[Any] = []

        def loss(scores: Any = scores, kinds: Any = kinds, made: list = made) -> Any:
            made.append(answer(scores, kinds))
            return made[0].detach() if hasattr(made[0], "detach") else made[0]

        def gradient(scores: Any = scores, made: list = made) -> Any:
            made[0].backward()
            return scores.grad

        found.append(tried(_(told), loss))
        found.append(tried(_("{}, the gradient").format(_(told)), gradient))
    who = _("by name") if made and _is_by_name(made[0]) else _("in words of your own")
    return [*found, Trial(_("How it is computed"), who)]


def _is_by_name(loss: Any) -> bool:
    """Whether a loss is what `mg.nn.functional.cross_entropy` returned: by its last two nodes."""
    last = getattr(loss, "grad_fn", None)
    before = last.next_functions[0][0] if last is not None and last.next_functions else None
    names = [node.name() for node in (last, before) if node is not None]
    return names == ["NllLossBackward0", "LogSoftmaxBackward0"]
