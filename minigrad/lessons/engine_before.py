"""Which earlier step of lesson 05 has to be done first, when a later one does not work.

A function of an earlier step is tried in the reference engine, so that nothing else can be wrong.
"""

from types import FunctionType
from typing import Any

from ..language import _
from . import engine_forward
from . import engine_programs as given
from .engine_steps import built, solutions
from .engine_trial import DEFINES, counterexample, functions_of, way_out
from .exercises import Blank, Mistake

SHAPES = {"05-4": given.ONCE, "05-5": given.LEAF, "05-6": given.ANY, "05-7b": given.ANY}


def first_wrong(answer: Any, name: str) -> str | None:
    """The first step before `name` that is not right in the class `answer`; None if all are."""
    init = getattr(answer, "__init__", None)
    learners = isinstance(answer, type) and isinstance(init, FunctionType)
    if not learners or answer.__module__.startswith("minigrad") or name in ("05-7a", "05-9"):
        return None
    for step in list(solutions())[: list(solutions()).index(name)]:
        if not _is_right(answer, step, name):
            return step
    return None


def _is_right(answer: type, step: str, name: str) -> bool:
    judges = {"05-1": engine_forward.judge_value, "05-3": engine_forward.judge_rules}
    try:
        if step in judges:
            return judges[step](answer, step) is None
        return _wrong_in_use(answer, step, name) is None
    except (Blank, Exception):  # a value that cannot even be asked
        return False


def _wrong_in_use(answer: type, step: str, name: str) -> Mistake | None:
    """What is wrong in the functions that `step` was the last one to define before `name`."""
    names = list(solutions())
    later = names[names.index(step) + 1 : names.index(name) + 1]
    own = DEFINES[step] - set().union(*(DEFINES[one] for one in later))
    if "backward" in own and not hasattr(answer, "backward"):
        return Mistake("", "", lambda mg: None)
    functions = functions_of(answer)
    mine = {n: f for n in own if (f := functions.get(n)) and f.__globals__.get(n) is f}
    if not mine or step not in {*SHAPES, "05-7a"}:
        return None
    scope = built(_after(step))
    for each, function in mine.items():
        around = {**function.__globals__, **scope}
        moved = FunctionType(function.__code__, around, each, function.__defaults__)
        scope[each] = moved
    for each in mine:
        scope[each].__globals__.update({other: scope[other] for other in mine})
    for thing in vars(scope["Value"]).copy():
        if thing in mine:
            setattr(scope["Value"], thing, scope[thing])
    _call_each_other(scope)
    if step == "05-7a":
        return _miscounted(scope["count_parts"])
    return counterexample(scope["Value"], given.SMALL[SHAPES[step]])


def _call_each_other(scope: dict[str, Any]) -> None:
    """The functions of the reference call the learner's, and the other way round."""
    for thing in list(scope.values()):
        if isinstance(thing, FunctionType):
            thing.__globals__.update({n: f for n, f in scope.items() if not n.startswith("__")})


def _miscounted(count_parts: Any) -> Mistake | None:
    from .lesson_05 import judge_counts

    found = judge_counts(count_parts, "05-7a")
    return found if isinstance(found, Mistake) else None


def _after(step: str) -> str | None:
    names = list(solutions())
    place = names.index(step) + 1
    return names[place] if place < len(names) else None


def refuse_wrong_before(answer: Any, name: str) -> None:
    """Raise `Blank`, with a sentence, if a step before the one called `name` is not right."""
    step = first_wrong(answer, name)
    if step:
        told = _("This step stands on step {number}, which is not right yet. Do that one first.")
        raise Blank(told.format(number=step[3:]) + " " + way_out(step))
