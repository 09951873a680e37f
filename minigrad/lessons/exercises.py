"""Exercises: a task, a judge, and a hint for every mistake that was foreseen.

A judge looks at an answer and returns None when it is right, else the name of the mistake it
recognizes, which is empty for a mistake that nobody foresaw. It never says what the answer is.
While anything is still blank it raises `Blank`; an answer it cannot read it refuses with
`Unreadable`, and a sentence that says what to hand in.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .cards import Card
from .words import _

NOT_YET, LOOK_AGAIN, YES = _("Not yet"), _("Look again"), _("Yes")
YOURS = _("Yours:")


class Blank(Exception):
    """Something in the answer is still to be filled in."""


class Unreadable(Exception):
    """The answer has not the form that the task asks for; the message says which form."""


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


UNFORESEEN = Mistake("", "", lambda mg: None)


@dataclass(frozen=True)
class Exercise:
    """A task with its judge.

    `mistakes` maps a short name to each foreseen mistake, `judge(answer)` returns such a name,
    or `""` for a wrong answer nobody foresaw, or None when the answer is right. `steps` are three
    pieces of help that grow with the attempts: the task in other words, where to look in the
    picture, the first half. `idea` restates in one sentence what a right answer shows.

    `picture()` draws what the task asks for, and `drawing(answer)` what was handed in, or returns
    None; both are left out where the words are enough.
    """

    name: str
    judge: Callable[[Any], str | None]
    mistakes: dict[str, Mistake]
    steps: tuple[str, str, str]
    idea: str
    picture: Callable[[], Any] | None = None
    drawing: Callable[[Any], Any] | None = None


@dataclass(frozen=True)
class Verdict(Card):
    """What `check` returns.

    `misconception` is the idea behind a recognized mistake, or None. `figure` shows what was
    handed in, where that can be drawn, to be compared with the picture of the task.
    """

    misconception: str | None = None
    figure: Any = None

    def __repr__(self) -> str:
        words = Card.__repr__(self)
        return words if self.figure is None else f"{words}\n{YOURS}\n{self.figure.text()}"

    def _repr_html_(self) -> str:
        html = Card._repr_html_(self)
        if self.figure is None:
            return html
        return f"{html}<div>{YOURS}</div>{self.figure._repr_mimebundle_()['text/html']}"

    @property
    def is_yes(self) -> bool:
        return self.heading == YES


_attempts: Counter[str] = Counter()


def judge(exercise: Exercise, answer: Any) -> Verdict:
    """Judge `answer` and say so; each wrong attempt at the same exercise gets more help."""
    try:
        refuse_blanks(answer)
        found = exercise.judge(answer)
    except (Blank, NotImplementedError):
        return Verdict(NOT_YET, (_("Fill in the blanks and run this cell again."),), "#6E6E6E")
    except Unreadable as refusal:
        return _look_again(exercise, str(refusal))
    if found is None:
        return Verdict(YES, (exercise.idea,), "#006B4E")
    mistake = exercise.mistakes.get(found, UNFORESEEN)
    figure = exercise.drawing(answer) if exercise.drawing else None
    return _look_again(exercise, mistake.hint, mistake.misconception or None, figure)


def _look_again(
    exercise: Exercise, hint: str, misconception: str | None = None, figure: Any = None
) -> Verdict:
    """The own hint of the mistake, and from the second attempt on one more step of help."""
    _attempts[exercise.name] += 1
    level = min(_attempts[exercise.name], len(exercise.steps))
    step = exercise.steps[level - 1] if level > 1 or not hint else ""
    words = tuple(sentence for sentence in (hint, step) if sentence)
    return Verdict(LOOK_AGAIN, words, "#A84300", misconception, figure)


def forget_attempts() -> None:
    """Start every exercise at its first hint again."""
    _attempts.clear()


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
    if isinstance(answer, dict):
        answer = tuple(answer.values())
    if isinstance(answer, (tuple, list)):
        for entry in answer:
            refuse_blanks(entry)


def call(function: Callable, *arguments: Any) -> Any:
    """Call a function that a learner wrote.

    Raises `Blank` when it has no body yet, and `Unreadable`, naming the error and what it was
    called with, when it fails.
    """
    if not callable(function):
        raise Unreadable(_("Hand in a function, not its result."))
    try:
        result = function(*arguments)
    except NotImplementedError:
        raise Blank from None
    except Exception as error:
        shown = ", ".join(str(argument) for argument in arguments)
        raise Unreadable(
            _("Called with {}, your function stopped: {}: {}").format(
                shown, type(error).__name__, error
            )
        ) from error
    refuse_blanks(result)
    return result


def is_tensor(answer: Any) -> bool:
    """True for a tensor of any engine that keeps a graph as PyTorch does."""
    return hasattr(type(answer), "grad_fn")


def number(value: Any) -> float:
    """Read a plain number, a 0-d tensor, or a tensor whose entries are all the same.

    Raises `Unreadable` for anything else.
    """
    plain = value.tolist() if hasattr(value, "tolist") else value
    while isinstance(plain, (tuple, list)) and plain and plain.count(plain[0]) == len(plain):
        plain = plain[0]
    if isinstance(plain, bool) or not isinstance(plain, (int, float)):
        raise Unreadable(_("A number is wanted here, and this is {!r}.").format(value))
    return float(plain)


def entries(answer: Any, names: tuple[str, ...]) -> tuple[float, ...]:
    """Read the numbers called `names` out of a dictionary, in that order."""
    if not isinstance(answer, dict) or set(answer) != set(names):
        wanted = ", ".join(f'"{name}"' for name in names)
        raise Unreadable(_("Keep the dictionary with the entries {}.").format(wanted))
    return tuple(number(answer[name]) for name in names)
