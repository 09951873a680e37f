"""Trying a learner's engine on formulas: what came out, and the smallest formula it gets wrong.

Nothing that a learner's code does gets out of here but as a `Blank`, an `Unreadable` with a
sentence, or a fact: endless loops are stopped (`guard`), and errors are told.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import FunctionType, NoneType
from typing import Any

from ..language import _
from . import engine_programs as given
from .engine_programs import Program
from .engine_steps import built
from .engine_stops import kind, where, which
from .exercises import Blank, Mistake, Unreadable, is_stub
from .guard import TooLong, guarded

TOLERANCE = 1e-6
FEW = 50_000  # steps of the interpreter that a pass may take besides those for each operation


def fact(told: str, **names: Any) -> Mistake:
    """A wrong answer that nobody foresaw, with a fact about it."""
    return Mistake("", told.format(**names), lambda mg: None)


def said(number: Any) -> str:
    """A number as a sentence has it, and anything else as Python prints it."""
    return f"{number:g}" if isinstance(number, (int, float)) else repr(number)


#: What each step defines; another name that is still blank belongs to a step before it.
DEFINES = {
    "05-1": {"__init__", "__repr__"},
    "05-2": {"as_value", "add", "multiply", "__add__", "__mul__"},
    "05-3": {"add", "multiply", "rule", "__add__", "__mul__"},
    "05-4": {"receive", "send", "walk", "backward"},
    "05-5": {"receive"},
    "05-6": {"in_order", "visit", "backward"},
    "05-7a": {"count_parts"},
    "05-7b": {"backward"},
    "05-8": {"send", "zero"},
    "05-9": {"doubling"},
}


# --- what is still blank ----------------------------------------------------------------------


def refuse_unfinished(answer: Any, own: set[str]) -> None:
    """Raise `Blank` if one of the functions called `own` holds a `...`.

    If another one does, that the answer leads to, an earlier step is not done: the message of
    `Blank` says which.
    """
    blank = [name for name, function in functions_of(answer).items() if holds_dots(function)]
    if any(name in own for name in blank):
        raise Blank
    if blank:
        told = _("`{name}` of step {number} still has a blank, and this step stands on it.")
        step = _step_of(blank[0], own)
        raise Blank(told.format(name=blank[0], number=step[3:]) + " " + way_out(step))


def _step_of(function: str, own: set[str]) -> str:
    """The name of the last step that defines a function, before the one that defines `own`."""
    found = "05-1"
    for step, names in DEFINES.items():
        if names is own:
            break
        if function in names:
            found = step
    return found


def way_out(step: str) -> str:
    """How to go on where a step is too hard."""
    handed = {"05-7a": "count_parts"}.get(step, "Value")
    told = _("After three wrong attempts at it, `check({step}, {handed}).solution()` shows a way.")
    return told.format(step=f'"{step}"', handed=handed)


def expect_class(answer: Any, name: str) -> None:
    """Refuse what is no class, a class of something else, and one that is not finished."""
    if not isinstance(answer, type):
        raise Unreadable(
            _("Hand in your class itself: `check({name!r}, Value)`.").format(name=name)
        )
    if isinstance(vars(answer).get("__init__"), FunctionType) and not answer.__module__.startswith(
        "minigrad"
    ):
        refuse_unfinished(answer, DEFINES[name])
    if not all(hasattr(attempt(answer, 2.5), door) for door in ("data", "parents", "grad")):
        told = _("A fresh `{kind}(2.5)` has no data, no parents or no grad: begin with step 1.")
        raise Unreadable(told.format(kind=answer.__name__))


def functions_of(answer: Any) -> dict[str, FunctionType]:
    """The functions of a class, and those that they call by name, by their names."""
    inside = vars(answer).items() if isinstance(answer, type) else [("", answer)]
    waiting = list(inside)
    found: dict[str, FunctionType] = {}
    while waiting:
        door, function = waiting.pop(0)
        if not isinstance(function, FunctionType) or function in found.values():
            continue
        name = function.__name__
        found[door if name == "<lambda>" else name] = function
        names = set(_names_in(function.__code__))
        around = function.__globals__
        called = [(name, around.get(name)) for name in sorted(names)]
        waiting += [(n, c) for n, c in called if getattr(c, "__globals__", None) is around]
    return found


def _names_in(code: Any) -> Iterable[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if hasattr(constant, "co_names"):
            yield from _names_in(constant)


def holds_dots(function: FunctionType) -> bool:
    """Whether a `...` stands anywhere in a function."""

    def holds(code: Any) -> bool:
        return any(
            constant is ... or hasattr(constant, "co_consts") and holds(constant)
            for constant in code.co_consts
        )

    return holds(function.__code__)


# --- running it -------------------------------------------------------------------------------


def attempt(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call what a learner wrote; raises `Unreadable`, which tells what went wrong."""
    try:
        return guarded(function, *arguments)
    except TooLong as error:
        told = _("Your code did not come to an end, so it was stopped.")
        raise Unreadable(f"{told} {which(error)}") from error
    except RecursionError as error:
        told = _("Your calls inside calls went too deep for Python: RecursionError.")
        raise Unreadable(told) from error
    except Exception as error:
        if is_stub(error):
            raise Blank from None
        raise Unreadable(stop_told(error)) from error


def stop_told(error: Exception) -> str:
    """What stopped the code, and where."""
    told = _("Your code stopped: {kind}: {error}.")
    return told.format(kind=type(error).__name__, error=str(error).rstrip(".")) + where(error)


def leaves_of(program: Program) -> list[Any]:
    """The values of a program, made by the reference engine."""
    value = built()["Value"]
    return program.run([value(float(number)) for number in program.numbers])


def passed(engine: type, program: Program) -> tuple:
    """The gradients of the leaves after one pass."""
    leaves = [engine(float(number)) for number in program.numbers]
    guarded(program.run(leaves)[-1].backward, steps=FEW + 1000 * len(program.steps))
    return tuple(leaf.grad for leaf in leaves)


def outcomes(engine: type, programs: Iterable[Program]) -> list[Any]:
    """For each program the gradients after one pass, or what ended it.

    Nothing is tried any more after a pass without an end. The list is something to compare.
    """
    found: list[Any] = []
    for program in programs:
        try:
            found.append(passed(engine, program))
        except TooLong:
            return [*found, TooLong.__name__]
        except Exception as error:
            found.append(ending(error))
    return found


def ending(error: Exception) -> str:
    """What ended a pass, to be compared: other words of an error are another mistake."""
    deep = isinstance(error, (RecursionError, TooLong))
    return type(error).__name__ if deep else f"{type(error).__name__}: {error}"


@dataclass(frozen=True)
class Passes:
    """What the leaves hold after one pass and after two, after `zero`, and after a pass after it.

    `middle` is what other values hold after the first pass. `cleared` is what the leaves hold
    when everything but them was cleared, and `numbers` are their numbers after `zero`.
    """

    once: tuple
    again: tuple
    middle: tuple
    cleared: tuple
    zeroed: tuple
    numbers: tuple
    after: tuple


def passes(engine: type, program: Program) -> Passes:
    """Two passes, `zero` of the values in the middle, of the leaves, and one more pass.

    Raises what the engine raises.
    """
    leaves = [engine(float(number)) for number in program.numbers]
    values = program.run(leaves)
    guarded(values[-1].backward)
    once = tuple(leaf.grad for leaf in leaves)
    middle = tuple(v.grad for v in values[len(leaves) :] if v.grad is not None)
    guarded(values[-1].backward)
    again = tuple(leaf.grad for leaf in leaves)
    for value in values[len(leaves) :]:
        guarded(value.zero)
    cleared = tuple(leaf.grad for leaf in leaves)
    for leaf in leaves:
        guarded(leaf.zero)
    zeroed = tuple(leaf.grad for leaf in leaves)
    numbers = tuple(leaf.data for leaf in leaves)
    if numbers == tuple(float(number) for number in program.numbers):
        guarded(values[-1].backward)
    after = tuple(leaf.grad for leaf in leaves)
    return Passes(once, again, middle, cleared, zeroed, numbers, after)


def stopped(program: Program, error: Exception) -> Mistake:
    """A fact about a pass that raised. Raises `Blank` for what is not written yet."""
    if is_stub(error):
        raise Blank from None
    if isinstance(error, TooLong):
        told = _("For {program} yours did not come to an end, so it was stopped. {which}")
        return fact(told, program=program, which=which(error))
    if isinstance(error, RecursionError):
        told = _("For {program} your calls inside calls go too deep for Python: RecursionError.")
        return fact(told, program=program)
    told = _("For {program} yours stops: {kind}: {error}.{where}")
    error_told = str(error).rstrip(".")
    return fact(
        told, program=program, kind=type(error).__name__, error=error_told, where=where(error)
    )


def counterexample(engine: type, programs: Iterable[Program]) -> Mistake | None:
    """The first program that the engine gets wrong, as a sentence; None if there is none."""
    if not callable(getattr(engine, "backward", None)):
        raise Unreadable(
            _("There is no `backward` in your class yet: `Value.backward = backward`.")
        )
    for program in programs:
        try:
            mine = passed(engine, program)
        except Exception as error:
            return stopped(program, error)
        for leaf, number, slope in zip(given.LEAVES, mine, program.slopes):
            if not isinstance(number, (int, float, NoneType)):
                told = _(
                    "For {program} yours puts {kind} into {leaf}.grad: a number belongs there."
                )
                return fact(told, program=program, kind=kind(number), leaf=leaf)
            if not near(number, slope):
                told = _("For {program} yours gives {leaf}.grad {number}; a nudge says {slope}.")
                return fact(
                    told, program=program, leaf=leaf, number=said(number), slope=said(slope)
                )
    return None


def near(number: Any, slope: float) -> bool:
    """Whether a gradient is the slope; None and what is no number are near nothing."""
    plain = isinstance(number, (int, float)) and not isinstance(number, bool)
    return plain and abs(number - slope) <= TOLERANCE * max(1.0, abs(slope))
