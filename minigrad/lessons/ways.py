"""Exercises that ask for several functions at once: one question, answered in several ways."""

from collections.abc import Callable, Iterable
from typing import Any

from .exercises import Mistake, Unreadable

Found = str | Mistake | None


def judge_each(
    answer: Any,
    ways: tuple[str, ...],
    trials: Iterable[Any],
    judge: Callable[[str, Any, Any], Found],
    keep: str,
) -> Found:
    """The first thing that is wrong with the function of a way, in one of the trials.

    ``judge(way, function, trial)`` says it. What is no dictionary of these ways is answered by the
    sentence ``keep``.
    """
    if not isinstance(answer, dict) or set(answer) != set(ways):
        raise Unreadable(keep)
    found = (judge(way, answer[way], trial) for way in ways for trial in trials)
    return next((one for one in found if one is not None), None)


def of_way(way: str, refusal: Unreadable) -> Unreadable:
    """What was refused, said of one of the functions."""
    told = str(refusal)
    return Unreadable(f"{way}: {told[:1].lower()}{told[1:]}")
