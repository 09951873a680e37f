"""Exercises: a task, a judge, and a hint for every mistake that was foreseen.

A judge looks at an answer and returns None when it is right, else the name of the mistake it
recognizes, which is empty for a mistake that nobody foresaw. It never says what the answer is.
While anything is still blank it raises `Blank`; an answer it cannot read it refuses with
`Unreadable`, and a sentence that says what to hand in.
"""

import dis
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from numbers import Real
from types import FunctionType
from typing import Any

from ..language import _
from .cards import Card

# In English, as headings are looked up when they are shown.
NOT_YET, LOOK_AGAIN, YES = "Not yet", "Look again", "Yes"
ASKED_FOR, YOURS = "Asked for:", "Yours:"
ATTEMPTS = 3  # after so many a solution may be seen
LONGEST = 80  # characters of an argument that are shown when a function has stopped


class Blank(Exception):
    """Something in the answer is still to be filled in; a message says where, if not in it."""


class Unreadable(Exception):
    """The answer has not the form that the task asks for; the message says which form."""


class ReturnsNothing(Unreadable):
    """A function that is written, and ends without returning anything."""


class HoldsNone(Unreadable):
    """A function that is written, and returns several things of which one is None."""


@dataclass(frozen=True)
class Mistake:
    """A wrong answer that was foreseen.

    `misconception` is the idea behind it, `hint` what helps, and `wrong(mg)` makes an answer
    with this mistake: tests hand it in and expect this hint. It is given the engine, so that an
    answer can be built from tensors.
    """

    misconception: str
    hint: str
    wrong: Callable[[Any], Any]


@dataclass(frozen=True)
class Solution:
    """One right answer, as code to be typed, and why it is right."""

    answer: str
    because: str


UNFORESEEN = Mistake("", "", lambda mg: None)


@dataclass(frozen=True)
class Exercise:
    """A task with its judge.

    `mistakes` maps a short name to each foreseen mistake, `judge(answer)` returns such a name,
    or `""` for a wrong answer nobody foresaw, or None when the answer is right. `steps` are three
    pieces of help that grow with the attempts: the task in other words, where to look in the
    picture, the first half. `idea` restates in one sentence what a right answer shows.

    `judge` may also return a `Mistake` of its own making: a fact about a wrong answer that nobody
    foresaw. `solution` is one right answer.

    `scope()` makes the names that a snippet of this exercise may use besides `mg`.

    `picture()` draws what the task is about, and `drawing(answer)` what was handed in, or returns
    None; both are left out where the words are enough. The picture stands below every verdict but
    the last, so that it is in sight while the learner types.
    """

    name: str
    judge: Callable[[Any], str | Mistake | None]
    mistakes: dict[str, Mistake]
    steps: tuple[str, str, str]
    idea: str
    solution: Solution | None = None
    picture: Callable[[], Any] | None = None
    drawing: Callable[[Any], Any] | None = None
    scope: Callable[[], dict[str, Any]] = dict


@dataclass(frozen=True)
class Verdict(Card):
    """What `check` returns.

    `misconception` is the idea behind a recognized mistake, or None. `figure` shows what was
    handed in, where that can be drawn, to be compared with the picture of the task.
    """

    misconception: str | None = None
    figure: Any = None
    exercise: Exercise | None = field(default=None, repr=False)

    def solution(self) -> Card:
        """One right answer with its reason, once solved or from the third wrong attempt on."""
        if self.exercise is None or self.exercise.solution is None:
            return Card("No solution", (_("None is written down for this exercise."),))
        tried = _attempts[self.exercise.name]
        if tried < ATTEMPTS and self.exercise.name not in _solved:
            words = _("A solution is shown after {} attempts. So far there were {}.")
            return Card(NOT_YET, (words.format(ATTEMPTS, tried),), "#6E6E6E")
        shown = self.exercise.solution
        return Card("One way", (f"`{shown.answer.strip()}`", _(shown.because)), "#006B4E")

    @property
    def figures(self) -> list[tuple[str, Any]]:
        """The picture of the task until it is solved, and what was handed in, with headings."""
        shown = []
        if self.exercise is not None and self.exercise.picture and not self.is_yes:
            shown.append((_(ASKED_FOR), self.exercise.picture()))
        if self.figure is not None:
            shown.append((_(YOURS), self.figure))
        return shown

    def __repr__(self) -> str:
        drawn = (f"{heading}\n{figure.text()}" for heading, figure in self.figures)
        return "\n".join([Card.__repr__(self), *drawn])

    def _repr_html_(self) -> str:
        drawn = (
            f"<div>{heading}</div>{figure._repr_mimebundle_()['text/html']}"
            for heading, figure in self.figures
        )
        return "".join([Card._repr_html_(self), *drawn])

    @property
    def is_yes(self) -> bool:
        return self.heading == YES


_attempts: Counter[str] = Counter()
_solved: set[str] = set()


def judge(exercise: Exercise, answer: Any) -> Verdict:
    """Judge `answer` and say so; each wrong attempt at the same exercise gets more help."""
    try:
        refuse_blanks(answer)
        found = exercise.judge(answer)
    except Unreadable as refusal:
        return _look_again(exercise, str(refusal))
    except (Blank, NotImplementedError) as stop:
        if not (isinstance(stop, Blank) or is_stub(stop)):
            return _look_again(exercise, _stopped(stop))
        told = str(stop) if isinstance(stop, Blank) else ""
        words = told or _("Fill in the blanks and run this cell again.")
        return Verdict(NOT_YET, (words,), "#6E6E6E", exercise=exercise)
    if found is None:
        _solved.add(exercise.name)
        return Verdict(YES, (_(exercise.idea),), "#006B4E", exercise=exercise)
    mistake = found if isinstance(found, Mistake) else exercise.mistakes.get(found, UNFORESEEN)
    figure = exercise.drawing(answer) if exercise.drawing else None
    return _look_again(exercise, mistake.hint, mistake.misconception or None, figure)


def _look_again(
    exercise: Exercise, hint: str, misconception: str | None = None, figure: Any = None
) -> Verdict:
    """The own hint of the mistake, and from the second attempt on one more step of help."""
    _attempts[exercise.name] += 1
    level = min(_attempts[exercise.name], len(exercise.steps))
    step = exercise.steps[level - 1] if level > 1 or not hint else ""
    words = tuple(_(sentence) for sentence in (hint, step) if sentence)
    if _attempts[exercise.name] >= ATTEMPTS and exercise.solution:
        told = _("`check({name}).solution()` in a cell of its own shows one way, with its reason.")
        words += (told.format(name=f'"{exercise.name}"'),)
    return Verdict(LOOK_AGAIN, words, "#A84300", misconception, figure, exercise)


def forget_attempts() -> None:
    """Start every exercise at its first hint again."""
    _attempts.clear()
    _solved.clear()


def is_blank(answer: Any) -> bool:
    """True for `...`, None and `NotImplementedError`: what an exercise holds before it is done.

    >>> is_blank(...), is_blank(0)
    (True, False)
    """
    return answer is None or answer is ... or answer is NotImplementedError


def refuse_blanks(answer: Any) -> None:
    """Raise `Blank` when the answer, or an entry of the answer, is still blank."""
    if is_blank(answer):
        raise Blank
    for entry in _entries(answer):
        refuse_blanks(entry)


def _entries(answer: Any) -> tuple[Any, ...]:
    if isinstance(answer, dict):
        return tuple(answer.values())
    return tuple(answer) if isinstance(answer, (tuple, list)) else ()


def _holds_dots(answer: Any) -> bool:
    dots = answer is ... or answer is NotImplementedError
    return dots or any(map(_holds_dots, _entries(answer)))


def is_stub(error: BaseException) -> bool:
    """True for the `NotImplementedError` of a function that is still to be written.

    A subclass of it is an error, such as that of a misspelt name of minigrad, and so is one that
    minigrad or another library raises. `autograd.Function` raises for a method left out.
    """
    if type(error) is not NotImplementedError:
        return False
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    place = last.tb_frame.f_globals.get("__name__", "") if last is not None else ""
    library = place.partition(".")[0] in ("minigrad", "torch", "numpy")
    return not library or place == "minigrad.autograd.function"


def is_empty(function: Any) -> bool:
    """True for a Python function with nothing in its body, such as `pass` or a docstring.

    >>> def later(x):
    ...     pass
    >>> is_empty(later), is_empty(lambda x: print(x))
    (True, False)
    """
    code = getattr(function, "__code__", None)
    if code is None:
        return False
    names = {step.opname for step in dis.get_instructions(code)}
    return names <= {"RESUME", "NOP", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE"}


def _hands_over(function: Any) -> bool:
    """True for a Python function that has a `return` of something computed.

    >>> _hands_over(lambda x: print(x)), _hands_over(exec)
    (True, False)
    """
    code = getattr(function, "__code__", None)
    steps = [step.opname for step in dis.get_instructions(code)] if code else []
    return any(
        step == "RETURN_VALUE" and before != "LOAD_CONST" for before, step in pairwise(steps)
    )


def call(function: Callable, *arguments: Any) -> Any:
    """Call a function that a learner wrote.

    Raises `Blank` when it has no body yet, `ReturnsNothing` when it has one and returns None,
    `HoldsNone` when an entry of what it returns is None, and `Unreadable`, naming the error and
    what it was called with, when it fails.
    """
    if not callable(function):
        raise Unreadable(_("Hand in a function, not its result."))
    called = _("Called with {}.").format(", ".join(map(_in_short, arguments)))
    try:
        result = function(*arguments)
    except Exception as error:
        if is_stub(error):
            raise Blank from None
        raise Unreadable(f"{_stopped(error)} {called}") from error
    if result is None and not is_empty(function):
        told = _("Your function ran, and what its `return` hands over is None.")
        if not _hands_over(function):
            told = _("Your function ran, and returned nothing. What comes out follows `return`.")
        raise ReturnsNothing(f"{told} {called}")
    try:
        refuse_blanks(result)
    except Blank:
        if result is None or _holds_dots(result):
            raise
        told = _("Your function ran, and something in what it returns is None.")
        raise HoldsNone(f"{told} {called}") from None
    return result


def _in_short(argument: Any) -> str:
    """An argument as a sentence can bear it: a function by its name, a large one by its size."""
    if isinstance(argument, FunctionType):
        return argument.__name__
    shown = " ".join(str(argument).split())
    if len(shown) <= LONGEST:
        return shown
    if is_tensor(argument):
        return _("a tensor of shape {}").format(list(argument.shape))
    if isinstance(argument, (list, tuple)):
        return _("a {} of {} entries").format(type(argument).__name__, len(argument))
    return shown[:LONGEST] + "…"


def _stopped(error: BaseException) -> str:
    """What ended a function, as a sentence with a full stop."""
    told = _("Your function stopped: {}: {}").format(type(error).__name__, error).rstrip(": ")
    return told if told.endswith((".", "!", "?")) else f"{told}."


def is_tensor(answer: Any) -> bool:
    """True for a tensor of any engine that keeps a graph as PyTorch does."""
    return hasattr(type(answer), "grad_fn")


def number(value: Any) -> float:
    """Read a plain number, a 0-d tensor, or a table whose entries are all the same.

    Raises `Unreadable` for anything else, such as the tuple that `grad()` returns.
    """
    if isinstance(value, tuple):
        raise Unreadable(
            _(
                "This is a tuple, {!r}, and one number is wanted. `[0]` takes its first entry."
            ).format(value)
        )
    plain = value.tolist() if hasattr(type(value), "tolist") else value
    while isinstance(plain, (tuple, list)) and plain and plain.count(plain[0]) == len(plain):
        plain = plain[0]
    if isinstance(plain, bool) or not isinstance(plain, Real):
        raise Unreadable(_("A number is wanted here, and this is {!r}.").format(value))
    try:
        return float(plain)
    except OverflowError:
        raise Unreadable(_("This whole number is too large to be compared.")) from None


def entries(answer: Any, names: tuple[str, ...]) -> tuple[float, ...]:
    """Read the numbers called `names` out of a dictionary, in that order."""
    if not isinstance(answer, dict) or set(answer) != set(names):
        wanted = ", ".join(f'"{name}"' for name in names)
        raise Unreadable(_("Keep the dictionary with the entries {}.").format(wanted))
    return tuple(number(_without_quotes(answer[name])) for name in names)


def _without_quotes(entry: Any) -> Any:
    """A number that was put in quotes, as the number; anything else as it is."""
    try:
        return float(entry) if isinstance(entry, str) else entry
    except ValueError:
        return entry
