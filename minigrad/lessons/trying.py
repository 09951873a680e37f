"""Trying what a learner built: numbers to try it with, and what came of it or stopped it."""

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

import minigrad as mg

from ..language import _
from .engine_trial import functions_of, holds_dots
from .exercises import Blank, ReturnsNothing, Unreadable, call
from .guard import TooLong
from .kinds.behaviors import Trial, came_of


def numbers(*shape: int, seed: int = 0) -> Any:
    """Numbers with one digit after the point, none of them 0 and no two rows alike."""
    drawn = np.random.default_rng([seed, *shape]).integers(1, 20, shape) / 10
    signs = np.random.default_rng([seed + 1, *shape]).choice([-1, 1], shape)
    return mg.from_numpy(np.asarray(drawn * signs, dtype=np.float32))


def tried(told: str, function: Callable[..., Any], *given: Any) -> Trial:
    """Call a function of the learner's; an error in it is what came of it."""
    try:
        thing = call(function, *given)
    except Unreadable as refusal:
        return Trial(told, stopped(refusal))
    return Trial(told, came_of(thing))


def stopped(refusal: Unreadable) -> str:
    """What ended a function of the learner's."""
    error: BaseException = refusal
    while isinstance(error, Unreadable) and error.__cause__ is not None:
        error = error.__cause__
    if isinstance(error, TooLong):
        return _("a loop without an end, which was stopped")
    if isinstance(error, ReturnsNothing):
        return _("nothing; what comes out is handed over by `return`")
    if isinstance(error, Unreadable):
        return str(error).rstrip(".")
    return _("the error {}: {}").format(type(error).__name__, error).rstrip(".")


def refuse_blanks_in(answer: Any, own: set[str]) -> None:
    """Raise `Blank` if a function of the answer, or one that it calls, still holds a `...`."""
    blank = [name for name, function in functions_of(answer).items() if holds_dots(function)]
    if any(name in own for name in blank):
        raise Blank
    if blank:
        told = _("`{}` still has a blank, and this step stands on it.")
        raise Blank(told.format(blank[0]))


def stand_on(step: str, answer: Any) -> None:
    """Raise `Blank`, with a sentence, unless an earlier step is right."""
    from . import LESSONS

    if LESSONS.find("exercise", step).judge(answer) is not None:
        told = _("This step stands on {}, which is not right yet. Do that one first.")
        raise Blank(told.format(step))


def expect_function(answer: Any, name: str, called: str) -> None:
    """Raise `Unreadable` for what is no function, and `Blank` for one with a blank in it."""
    if not isinstance(answer, FunctionType):
        raise Unreadable(_("Hand in your function: `check({!r}, {})`.").format(name, called))
    refuse_blanks_in(answer, {"", called})
