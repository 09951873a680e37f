"""Judges of numbers, functions of a number, graphs and letters; see `KINDS`."""

import re
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from typing import Any

import minigrad as mg

from ...language import _
from ..exercises import Blank, Mistake, Unreadable, call, entries, is_tensor, number
from ..probes import points, slope
from ..shapes import LEAF, Shape, leaves_behind, same_shape, shape_of
from ..snippets import function_of_x, run

Table = dict[str, Any]

# A learner's own slope by a nudge of 0.001 to one side is right as well.
FUNCTION_TOLERANCE = 5e-3
NUMBER_TOLERANCE = 1e-4


def near(said: float, true: float, tolerance: float = NUMBER_TOLERANCE) -> bool:
    """Compare with a tolerance, relative for large numbers; nan is near nothing."""
    return abs(said - true) <= tolerance * max(1.0, abs(true))


class Function:
    """A function of x, tried at seeded points against a nudge of the formula `slope_of`.

    A mistake gives the formula of its `answer`; one with `constant = true` also stands for every
    other function that returns the same number everywhere.
    """

    def __init__(self, exercise: Table):
        self.formula = function_of_x(exercise["slope_of"])
        self.mistakes = exercise["mistakes"]

    def judge(self, answer: Any) -> str | Mistake | None:
        if not callable(answer):
            raise Unreadable(_("Hand in a function of x, so that it can be tried at any x."))
        at = points(5)
        said = [number(call(answer, x)) for x in at]
        if _all_near(said, [slope(self.formula, x) for x in at]):
            return None
        for mistake in self.mistakes:
            formula = function_of_x(mistake["answer"])
            constant = mistake.get("constant") and len(set(said)) == 1
            if constant or _all_near(said, [formula(x) for x in at]):
                return mistake["name"]
        return self._counterexample(answer, at)

    def _counterexample(self, answer: Callable, at: list[float]) -> Mistake:
        """Where the answer fails, at a round number if there is one."""
        for x in (0.0, 1.0, 2.0, -1.0, *at):
            try:
                said, true = number(call(answer, x)), slope(self.formula, x)
            except (Blank, Unreadable, ArithmeticError):
                continue  # either has no value at this round number
            if not near(said, true, FUNCTION_TOLERANCE):
                fact = _("At x = {:g} yours says {:g}, and a small nudge says {:g}.")
                return unforeseen(fact.format(x, round(said, 4), round(true, 4)))
        raise AssertionError("an answer that fails at a point fails at one of these")

    def wrong(self, mistake: Table, mg: Any) -> Callable[[float], float]:
        return function_of_x(mistake["answer"])


class Numbers:
    """A dictionary of numbers, judged in the order of `entries`, which is that of the pass.

    The `snippet` is run, and each entry is an expression in its names. A mistake gives what it
    `says` at one entry or several, a number or a list of numbers; with `any = true` it stands for
    every other wrong number at its entry, too. The first wrong entry decides.
    """

    def __init__(self, exercise: Table):
        self.snippet, self.entries = exercise["snippet"], exercise["entries"]
        self.mistakes = exercise["mistakes"]

    def truth(self) -> dict[str, float]:
        """What is right, computed anew."""
        names = run(self.snippet, mg=mg)[1]
        return {name: number(run(code, **names)[0]) for name, code in self.entries.items()}

    def judge(self, answer: Any) -> str | Mistake | None:
        true = self.truth()
        said = dict(zip(true, entries(answer, tuple(true)), strict=True))
        wrong = [name for name in true if not near(said[name], true[name])]
        if not wrong:
            return None
        here = [mistake for mistake in self.mistakes if wrong[0] in mistake["says"]]
        for mistake in here:
            if all(_among(said[name], values) for name, values in mistake["says"].items()):
                return mistake["name"]
        for mistake in here:
            if mistake.get("any"):
                return mistake["name"]
        fact = _("{} of {} are right; look at `{}`.")
        return unforeseen(fact.format(len(true) - len(wrong), len(true), wrong[0]))

    def wrong(self, mistake: Table, mg: Any) -> dict[str, float]:
        said = {name: _listed(values)[0] for name, values in mistake["says"].items()}
        return self.truth() | said


class Graph:
    """A tensor whose graph has the shape of the one that `snippet` builds.

    A mistake gives an `answer`: a snippet that builds a graph of another shape. One with
    `unrecorded = true` stands for a result without any graph.
    """

    def __init__(self, exercise: Table):
        self.snippet = exercise["snippet"]
        self.mistakes = exercise["mistakes"]

    def judge(self, answer: Any) -> str | Mistake | None:
        if not is_tensor(answer):
            raise Unreadable(_("Hand in the tensor at the end of your graph."))
        if answer.grad_fn is None:
            return self._without_a_graph(answer)
        mine, asked = shape_of(answer), shape_of(run(self.snippet, mg=mg)[0])
        if same_shape(mine, asked):
            return _changed_in_place(answer)
        for mistake in self.mistakes:
            if not mistake.get("unrecorded") and same_shape(
                mine, shape_of(self.wrong(mistake, mg))
            ):
                return mistake["name"]
        return unforeseen(_difference(mine, asked))

    def _without_a_graph(self, answer: Any) -> str:
        if answer.requires_grad:
            raise Unreadable(_("That is a leaf. Hand in what the last operation made."))
        named = (mistake["name"] for mistake in self.mistakes if mistake.get("unrecorded"))
        return next(named, "")

    def wrong(self, mistake: Table, mg: Any) -> Any:
        return run(mistake["answer"], mg=mg)[0]


class Choice:
    """One letter out of `options`, the `right` one. A mistake gives the letter it `says`."""

    def __init__(self, exercise: Table):
        self.options, self.right = exercise["options"], exercise["right"]
        self.mistakes = exercise["mistakes"]

    def judge(self, answer: Any) -> str | None:
        (said,) = letters(answer, self.options, one=True)
        if said == self.right:
            return None
        return next((m["name"] for m in self.mistakes if m["says"] == said), "")

    def wrong(self, mistake: Table, mg: Any) -> str:
        return mistake["says"]


class Ticks:
    """All letters of `right`, out of `options`, and no other.

    A mistake gives the letters it `says`, and stands for every answer that is wrong about the
    letter `at`; the first one decides.
    """

    def __init__(self, exercise: Table):
        self.options, self.right = exercise["options"], set(exercise["right"])
        self.mistakes = exercise["mistakes"]

    def judge(self, answer: Any) -> str | Mistake | None:
        wrong = set(letters(answer, self.options)) ^ self.right
        if not wrong:
            return None
        for mistake in self.mistakes:
            if mistake["at"] in wrong:
                return mistake["name"]
        fact = _("About {} of the {} you are right.")
        return unforeseen(fact.format(len(self.options) - len(wrong), len(self.options)))

    def wrong(self, mistake: Table, mg: Any) -> str:
        return mistake["says"]


class Code:
    """A judge of its own: `judge` names a function, as "module:function".

    A module that starts with a dot is one of `minigrad.lessons`. A mistake gives its `answer`
    as a snippet.
    """

    def __init__(self, exercise: Table):
        self.judge = named(exercise["judge"])

    def wrong(self, mistake: Table, mg: Any) -> Any:
        return run(mistake["answer"], mg=mg)[0]


def named(place: str) -> Any:
    """Find what "module:name" stands for."""
    module, _colon, name = place.partition(":")
    return getattr(import_module(module, "minigrad.lessons"), name)


def unforeseen(fact: str) -> Mistake:
    """A wrong answer that no mistake stands for, with a fact about it."""
    return Mistake("", fact, lambda mg: None)


def letters(answer: Any, options: dict[str, str], one: bool = False) -> list[str]:
    """Read letters out of "BC", "B and C", ["b", "c"] or {"B", "C"}.

    Raises `Blank` when there are none, and `Unreadable` for letters that are no options, or for
    several where `one` is wanted.

    >>> letters("B and c", {"A": "", "B": "", "C": ""})
    ['B', 'C']
    """
    pieces = [answer] if isinstance(answer, str) else answer
    if not isinstance(pieces, (list, tuple, set, frozenset)):
        raise Unreadable(_wanted(options, one))
    text = re.sub(r"\bAND\b", "", " ".join(map(str, pieces)).upper())
    said = set(re.findall(r"\w", text))
    if not said:
        raise Blank
    if said - set(options) or (one and len(said) > 1):
        raise Unreadable(_wanted(options, one))
    return sorted(said)


def _wanted(options: dict[str, str], one: bool) -> str:
    told = _("Answer with one letter out of {}.") if one else _("Answer with letters out of {}.")
    return told.format(", ".join(options))


def _all_near(said: list[float], true: list[float]) -> bool:
    return all(near(s, t, FUNCTION_TOLERANCE) for s, t in zip(said, true, strict=True))


def _listed(values: float | list[float]) -> list[float]:
    return values if isinstance(values, list) else [values]


def _among(said: float, values: float | list[float]) -> bool:
    return any(near(said, value) for value in _listed(values))


def _changed_in_place(answer: Any) -> Mistake | None:
    """A graph of the right shape through which no backward can go: a kept value was changed."""
    leaves = list(dict.fromkeys(leaves_behind(answer)))
    try:
        mg.autograd.grad(answer, leaves, mg.ones_like(answer), retain_graph=True)
    except RuntimeError as error:
        if "modified by an inplace operation" in str(error):
            fact = _("The shape is right, and backward() stops: a line changes a value in place.")
            return unforeseen(fact)
    return None


def _difference(mine: Shape, asked: Shape) -> str:
    """A fact about two graphs of different shape."""
    have, want = Counter(mine.kinds), Counter(asked.kinds)
    for kind in dict.fromkeys((*asked.kinds, *mine.kinds)):
        if have[kind] != want[kind]:
            name = _("leaves that ask") if kind == LEAF else kind
            fact = _("Of {} your graph has {}, and the one asked for has {}.")
            return fact.format(name, have[kind], want[kind])
    return _("Your graph has the right nodes. The arrows join them in another way.")
