"""Lesson 05, the way back: judges of the walk, of counting, of leaves. Its words are in `05.toml`.

The way forward is judged in `engine_forward`. Formulas are made in `engine_programs`, and
`engine_trial` tries an engine on them.
"""

from typing import Any

from ..language import _
from . import engine_programs as given
from .engine_order import fault_of_the_list
from .engine_programs import Program
from .engine_steps import built
from .engine_trial import (
    DEFINES,
    attempt,
    counterexample,
    ending,
    expect_class,
    fact,
    leaves_of,
    outcomes,
    passes,
    refuse_unfinished,
    said,
    stopped,
)
from .exercises import Mistake, Unreadable
from .guard import TooLong

Found = str | Mistake | None


# --- 05-4 to 05-7b: the walk ------------------------------------------------------------------

ROADS = Program((1,), tuple(("+", place, place) for place in range(25)), "25 times y = y + y")
MANY_ROADS = Program((1,), tuple(("+", place, place) for place in range(60)), "60 times y = y + y")
CHAIN = Program((1, 1), (("+", 0, 1), *(("+", place, 1) for place in range(2, 4001))),
                "a chain of 4,000 additions")  # fmt: skip


def judge_one_road(answer: Any, name: str) -> Found:
    """Judge formulas in which every value is used once."""
    expect_class(answer, name)
    return counterexample(answer, given.programs(given.ONCE))


def judge_two_roads(answer: Any, name: str) -> Found:
    """Judge formulas that use their leaves several times."""
    expect_class(answer, name)
    programs = [*given.SMALL[given.ONCE], *given.programs(given.LEAF)]
    return counterexample(answer, programs)


def judge_order(answer: Any, name: str) -> Found:
    """Judge formulas of any shape, none of them long."""
    expect_class(answer, name)
    found = counterexample(answer, [*given.programs(given.ANY), ROADS])
    return found and (fault_of_the_list(answer) or found)


def judge_ready(answer: Any, name: str) -> Found:
    """Judge formulas of any shape and size."""
    expect_class(answer, name)
    return counterexample(answer, [*given.programs(given.ANY), MANY_ROADS, CHAIN])


def on_one_road(answer: type) -> Any:
    """How an engine does on formulas with one road: something to compare."""
    return outcomes(answer, given.SMALL[given.ONCE])


def on_two_roads(answer: type) -> Any:
    """The same, where leaves are used several times."""
    return outcomes(answer, given.SMALL[given.LEAF])


def in_any_order(answer: type) -> Any:
    """The same on formulas of any shape, none of them long."""
    programs = (*given.SMALL[given.ANY], *given.SMALL[given.LEAF], ROADS)
    return outcomes(answer, programs)


def any_size(answer: type) -> Any:
    """The same on formulas of any shape and size."""
    programs = (*given.SMALL[given.ANY], *given.SMALL[given.ONCE], MANY_ROADS, CHAIN)
    return outcomes(answer, programs)


# --- 05-7a: counting --------------------------------------------------------------------------


def judge_counts(answer: Any, name: str) -> Found:
    """Judge a function that counts the parts of every value behind a result."""
    if not callable(answer) or isinstance(answer, type):
        raise Unreadable(
            _("Hand in your function: `check({name!r}, count_parts)`.").format(name=name)
        )
    refuse_unfinished(answer, DEFINES[name])
    for program in given.programs(given.ANY, 60):
        found = _miscounted(answer, program)
        if found:
            return found
    return None


def _miscounted(answer: Any, program: Program) -> Mistake | None:
    values = leaves_of(program)
    counts = attempt(answer, values[-1])
    if not hasattr(counts, "get"):
        raise Unreadable(
            _("Return the dictionary of counts; this is {counts!r}.").format(counts=counts)
        )
    used = [place for _sign, *places in program.steps for place in places]
    for place, (value, name) in enumerate(zip(values, program.names(), strict=True)):
        mine, true = counts.get(value, 0), used.count(place)
        if mine != true:
            told = _("For {program}, the parts that come to {value}: {true}; yours counts {mine}.")
            return fact(told, program=program, true=true, mine=mine, value=name or value.op)
    return None


def counted(answer: Any) -> Any:
    """The counts by place for small programs, or how it ended."""
    found: list[Any] = []
    for program in (*given.SMALL[given.ANY], *given.SMALL[given.LEAF]):
        values = leaves_of(program)
        try:
            counts = attempt(answer, values[-1])
            found.append([counts.get(value) for value in values])
            found.append(sorted(counts[key] for key in counts if isinstance(key, float)))
        except Exception as error:
            found.append(ending(error))
    return found


# --- 05-8: leaves -----------------------------------------------------------------------------


def judge_leaves(answer: Any, name: str) -> Found:
    """Judge two passes, what stays in the middle, and zero."""
    expect_class(answer, name)
    if not callable(getattr(answer, "zero", None)):
        raise Unreadable(_("There is no `zero` in your class yet: `Value.zero = zero`."))
    found = counterexample(answer, given.programs(given.ANY, 60))
    if found:
        return found
    for program in given.programs(given.ANY, 60):
        found = _judge_passes(answer, program)
        if found:
            return found
    return None


def _judge_passes(answer: type, program: Program) -> Mistake | None:
    try:
        done = passes(answer, program)
    except Exception as error:
        return stopped(program, error)
    for leaf, slope in zip(given.LEAVES, program.slopes):
        place = given.LEAVES.index(leaf)
        if done.again[place] != 2 * slope:
            told = _("For {program} two passes leave {leaf}.grad {mine}; each brings {slope}.")
            mine = said(done.again[place])
            return fact(told, program=program, leaf=leaf, mine=mine, slope=said(slope))
    if done.middle:
        told = _("After a pass for {program} a value in the middle still holds {mine}.")
        return fact(told, program=program, mine=said(done.middle[0]))
    if any(number is not None for number in done.zeroed):
        told = _("After `zero` the `.grad` of a leaf is {mine}. A fresh value has None there.")
        return fact(told, mine=said(next(n for n in done.zeroed if n is not None)))
    for place, leaf in enumerate(given.LEAVES[: len(program.numbers)]):
        if done.cleared[place] != done.again[place]:
            told = _("For {program} a `zero` of y, or of another result, changes {leaf}.grad."
                     " It is to clear the one value that it is given.")  # fmt: skip
            return fact(told, program=program, leaf=leaf)
        if done.numbers[place] != program.numbers[place]:
            told = _("After `zero` the number in {leaf} is {mine}, and it was {true}. Only `.grad`"
                     " is to be cleared.")  # fmt: skip
            true = said(program.numbers[place])
            return fact(told, leaf=leaf, mine=said(done.numbers[place]), true=true)
    if done.after != done.once:
        told = _("For {program} a pass after `zero` leaves other numbers than the first one did.")
        return fact(told, program=program)
    return None


def again(answer: type) -> Any:
    """Two passes, zero and a third one: something to compare."""
    found: list[Any] = []
    for program in given.SMALL[given.ANY][:4]:
        try:
            found.append(passes(answer, program))
        except Exception as error:
            found.append(ending(error))
    return found


# --- 05-9: a program with a loop --------------------------------------------------------------

STARTS = (0.5, 3.0, 200.0, 999.0, 1.25, -0.5, -3.0, -600.0)


def judge_doubling(answer: Any, name: str) -> Found:
    """Judge the function of note 2.21 at several starts, with the reference engine."""
    if not callable(answer) or isinstance(answer, type):
        raise Unreadable(_("Hand in your function: `check({name!r}, doubling)`.").format(name=name))
    refuse_unfinished(answer, DEFINES[name])
    value_of = built()["Value"]
    wrong = []
    for start in STARTS:
        a = value_of(start)
        true = _doubled(start)
        try:
            end = attempt(answer, a)
        except Unreadable as refusal:
            return _stopped_at(start, refusal)
        if isinstance(end, (int, float)):
            return "numbers are returned" if start > 0 else "a number below zero"
        if not isinstance(end, value_of):
            raise Unreadable(_("Return a Value; this is {end!r}.").format(end=end))
        if end.data != true:
            wrong.append((start, end.data, true))
            continue
        end.backward()
        if end is not a and (a.grad is None or abs(a.grad - true / start) > 1e-9 * abs(a.grad)):
            told = _("At a = {start:g} the number is right, and the gradient is {mine}.")
            return fact(told, start=start, mine=said(a.grad))
    if not wrong:
        return None
    if all(start < 0 and mine * 100 == true for start, mine, true in wrong):
        return "one branch"
    start, mine, true = wrong[0]
    told = _("At a = {start:g} yours gives {mine:g}, and the note's function {true:g}.")
    return fact(told, start=start, mine=mine, true=true)


def _stopped_at(start: float, refusal: Unreadable) -> Found:
    """What is said about a function that raised, or did not come to an end, at this start."""
    error = refusal.__cause__
    if isinstance(error, TooLong):
        if start < 0:
            return "never ends"
        told = _("At a = {start:g} your loop did not come to an end, so it was stopped. After each"
                 " round b is to be twice what it was before.")  # fmt: skip
        return fact(told, start=start)
    read_of_a_number = isinstance(error, AttributeError) and error.name == "data"
    if read_of_a_number and isinstance(error.obj, (int, float)):
        return "a number in the loop"
    raise refusal


def _doubled(a: float) -> float:
    b = a * 2
    while abs(b) < 1000:
        b = b * 2
    return b if b > 0 else 100 * b
