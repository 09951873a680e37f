"""The ``backward`` of a custom function beside central finite differences of its ``forward``.

All is computed in float64, on copies, at some elements of each input, and nothing else changes.
A difference counts where two steps agree, and both sides do: elsewhere is a kink, or a jump.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from typing import Any, NamedTuple
from warnings import catch_warnings

import numpy as np

from ...autograd.backward import grad
from ...autograd.grad_mode import enable_grad
from ...autograd.thread_state import state
from ...extras.random import fork_rng, manual_seed
from ...extras.recorded_cuts import NOW
from ...tensor import Tensor, wrap

MOST_COMPARED = 6  #: elements of one input
STEPS = 1e-4, 1e-5
CLEAR, SAME = 0.02, 1e-4  #: relative differences


class Compared(NamedTuple):
    """What ``backward`` answers for one element of an argument, and the differences there."""

    place: int
    element: tuple[int, ...]
    at: float
    answer: float
    slope: float


@contextmanager
def aside() -> Iterator[None]:
    """Nothing that is computed inside is printed, drawn, noted or warned of."""
    paused, NOW.paused = NOW.paused, True
    silent = catch_warnings(action="ignore"), np.errstate(all="ignore")
    try:
        with fork_rng(), enable_grad(), redirect_stdout(StringIO()), silent[0], silent[1]:
            yield
    finally:
        NOW.paused = paused


class Applied:
    """A custom function with the values it is applied to, and the places of those that ask.

    Nearby, each is changed a little: at 1, or where all are equal, more seems true than is.
    """

    def __init__(
        self, function: Any, values: list, asking: list[int], of_one: bool, is_nearby: bool = False
    ):
        self.function, self.asking = function, asking
        self.values = [np.array(v._value) if isinstance(v, Tensor) else v for v in values]
        for at, each in enumerate(self.values):
            if is_array(each) and each.dtype.kind == "f":
                self.values[at] = each.astype(np.float64)
        if is_nearby:
            shares = np.random.RandomState(1).uniform
            for at in asking:
                self.values[at] *= shares(0.9, 1.1, self.values[at].shape)
        self.outputs = self.run()[1]
        # Above 0, because a surrogate may treat the sign of a gradient in a way of its own.
        draw = np.ones if of_one else lambda size: np.random.RandomState(0).uniform(0.5, 1.5, size)
        self.weights = [draw(each.shape) for each in self.outputs]

    def run(self, place: int = -1, moved: Any = None) -> tuple[list[Tensor], list[Tensor]]:
        """The inputs that ask, and the results, where one input is moved."""
        manual_seed(0)
        given = [wrap(each.copy()) if is_array(each) else each for each in self.values]
        if moved is not None:
            given[place] = wrap(moved)
        asking = [given[at].requires_grad_() for at in self.asking]
        results = state.here.unwatched(self.function.apply, *given)
        results = results if isinstance(results, tuple) else (results,)
        return asking, [each for each in results if getattr(each, "requires_grad", False)]

    def answers(self, scale: float = 1.0, at: int = 0, saved: Any = None) -> dict[int, Any]:
        """What ``backward`` gives for gradients of this size, if with another saved value."""
        inputs, outputs = self.run()
        if saved is not None:
            node = outputs[0].grad_fn
            node.saved = *node.saved[:at], wrap(saved), *node.saved[at + 1 :]
        seeds = [wrap(each * scale) for each in self.weights]
        found = zip(self.asking, grad(outputs, inputs, seeds, allow_unused=True))
        return {at: np.asarray(each._value) for at, each in found if each is not None}

    def slope(self, place: int, element: tuple) -> float | None:
        """The derivative of the weighted sum of all results; None at a kink or a jump."""

        def total(by: float) -> float:
            moved = self.values[place].copy()
            moved[element] += by
            outputs = self.run(place, moved)[1]
            return sum(float((w * each._value).sum()) for w, each in zip(self.weights, outputs))

        wide, step = STEPS
        low, here, high = total(-step), total(0), total(step)
        first, second = (total(wide) - total(-wide)) / (2 * wide), (high - low) / (2 * step)
        is_smooth = is_close((high - here) / step, (here - low) / step, CLEAR / 2)
        return second if is_smooth and is_close(first, second, SAME) else None

    def compared(self) -> list[Compared]:
        """The elements at which both are known; none for what may be a deliberate surrogate."""
        answers, twice, found = self.answers(), self.answers(2), []
        looks = "saved_tensors" in self.function.backward.__code__.co_names
        if looks and answers and not any(answer.any() for answer in answers.values()):
            every = [e for place, answer in answers.items() for e in self.elements(place, answer)]
            return [each for each in every if each.slope]  # nothing is passed on, to any input
        given = [self.values[at] for at in self.asking]
        is_identity = any(np.array_equal(o._value, each) for o in self.outputs for each in given)
        if is_identity or not all(np.allclose(2 * answers[at], twice[at]) for at in answers):
            return []
        for place, answer in answers.items():
            passed_on = np.isclose(answer, self.weights[0]) if len(given) == 1 else answer == 0
            if np.all(passed_on | (answer == 0)):  # straight through, or left out
                continue
            found += self.elements(place, answer)
        is_stepped = any(each.slope == 0 != each.answer for each in found)  # steps of values
        return [] if is_stepped else found

    def elements(self, place: int, answer: Any) -> Iterator[Compared]:
        """Some elements of what ``backward`` answers for an argument, beside the differences."""
        for at in np.linspace(0, answer.size - 1, min(answer.size, MOST_COMPARED), dtype=int):
            element = tuple(map(int, np.unravel_index(at, answer.shape)))
            if (slope := self.slope(place, element)) is not None:
                here = float(self.values[place][element])
                yield Compared(place, element, here, float(answer[element]), slope)


def differing(found: list[Compared]) -> list[Compared]:
    """Those of one input that are clearly wrong, the clearest first."""
    least = SAME * max((abs(each.slope) for each in found), default=0)
    wrong = [each for each in found if not is_close(each.answer, each.slope, CLEAR, least)]
    wrong.sort(key=lambda each: -abs(each.answer - each.slope))
    return [each for each in wrong if each.place == wrong[0].place]


def is_close(one: float, other: float, relative: float, least: float = 1e-9) -> bool:
    """Whether two numbers are the same but for rounding; never where one is no number."""
    return abs(one - other) <= relative * max(abs(one), abs(other)) + least


def is_array(value: Any) -> bool:
    """Whether a value stands for a tensor."""
    return isinstance(value, np.ndarray)
