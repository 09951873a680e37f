"""The kind of an answer that is tried out: it has to do what the solution does."""

import math
from dataclasses import dataclass
from typing import Any

import minigrad as mg

from ...language import _
from ..exercises import Mistake
from ..snippets import run_in
from .judges import Table, named, near, unforeseen


@dataclass(frozen=True)
class Trial:
    """One thing that was tried: what it was, in words, and what came of it.

    An array is kept as its shape and its numbers, and anything else as a text.
    """

    told: str
    came: tuple[tuple[int, ...], tuple[float, ...]] | str


def came_of(thing: Any) -> tuple[tuple[int, ...], tuple[float, ...]] | str:
    """What a trial keeps of `thing`.

    >>> came_of(mg.tensor([1.0, 2.0])), came_of(3), came_of(None)
    (((2,), (1.0, 2.0)), ((), (3.0,)), 'None')
    """
    if isinstance(thing, (int, float)) and not isinstance(thing, bool):
        return (), (float(thing),)
    if hasattr(type(thing), "tolist") and hasattr(thing, "shape"):
        return tuple(thing.shape), tuple(map(float, thing.reshape(-1).tolist()))
    return repr(thing)


class Behavior:
    """An answer that does in every trial what the solution does.

    `behavior` names a function of an answer that returns the list of its trials; it raises `Blank`
    or `Unreadable` for what cannot be tried. `scope` names a function that makes the names which
    the snippets of the exercise may use. A mistake is recognized where all its trials come out
    alike; any other wrong answer is told its first trial that comes out differently.
    """

    def __init__(self, exercise: Table):
        self.behavior = named(exercise["behavior"])
        self.scope = named(exercise["scope"]) if "scope" in exercise else dict
        self.solution, self.mistakes = exercise["solution"], exercise["mistakes"]
        self._known: dict[str, list[Trial]] = {}

    def judge(self, answer: Any) -> str | Mistake | None:
        mine, true = self.behavior(answer), self._of("", self.solution)
        if _alike(mine, true):
            return None
        for mistake in self.mistakes:
            if _alike(mine, self._of(mistake["name"], mistake)):
                return mistake["name"]
        pairs = zip(mine, true, strict=False)
        return unforeseen(next(_difference(m, t) for m, t in pairs if not _same(m.came, t.came)))

    def _of(self, name: str, planned: Table) -> list[Trial]:
        if name not in self._known:
            self._known[name] = self.behavior(self.wrong(planned, mg))
        return self._known[name]

    def wrong(self, mistake: Table, mg: Any) -> Any:
        return run_in({**self.scope(), "mg": mg}, mistake["answer"])


def _alike(mine: list[Trial], other: list[Trial]) -> bool:
    return len(mine) == len(other) and all(
        _same(one.came, two.came) for one, two in zip(mine, other, strict=True)
    )


def _same(mine: Any, other: Any) -> bool:
    if isinstance(mine, str) or isinstance(other, str):
        return mine == other
    return mine[0] == other[0] and all(map(_near, mine[1], other[1]))


def _near(mine: float, other: float) -> bool:
    if math.isfinite(mine) and math.isfinite(other):
        return near(mine, other)
    return mine == other or (math.isnan(mine) and math.isnan(other))


def _difference(mine: Trial, true: Trial) -> str:
    if not isinstance(mine.came, str) and not isinstance(true.came, str):
        if mine.came[0] != true.came[0]:
            told = _("{}: yours has the shape {}, and {} is right.")
            return told.format(mine.told, list(mine.came[0]), list(true.came[0]))
        place = next(
            i for i, pair in enumerate(zip(mine.came[1], true.came[1])) if not _near(*pair)
        )
        told = _("{}: yours has {:g} where {:g} is right.")
        return told.format(mine.told, mine.came[1][place], true.came[1][place])
    return _("{}: yours gives {}. Right would be: {}.").format(
        mine.told, _said(mine.came), _said(true.came)
    )


def _said(came: Any) -> str:
    if isinstance(came, str):
        return came
    shape, numbers = came
    return f"{numbers[0]:g}" if not shape else _("numbers of the shape {}").format(list(shape))
