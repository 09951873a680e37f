"""Small questions: a row of buttons, a number box, or a list to tick, with a line that replies.

    replies = ["Not quite: the two add.", "Right."]
    q = choice("Which slope?", ["6", "7"], reply=lambda chosen: replies[chosen])
    q                # buttons, and below them a line that a screen reader speaks when it changes
    q.give("7")      # the same from Python
    q.answer         # '7': kept here, in a variable of the notebook
    q.kept           # 1: which option, whatever language it is written in

This module knows no lesson: what is right, and what to say, is up to `reply`. What is stored with
a notebook is HTML that needs no kernel: the question, its options, and how to answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..language import _
from .availability import installed
from .live_view import with_live_view
from .quiz_html import card
from .words import QUIZ as WORDS

MARK = "●"

__all__ = ["Choice", "Number", "Quiz", "Ticks", "choice", "number", "ticks"]


def choice(question: str, options: Sequence[str], **more: Any) -> Choice:
    """Ask for one of `options`, with a row of buttons. See `Quiz` for the other arguments.

    >>> q = choice("Which slope?", ["5", "6", "7"])
    >>> q.give("7"), q.kept
    ('You said 7.', 2)
    """
    return Choice(question, options, **more)


def number(question: str, **more: Any) -> Number:
    """Ask for a number, with a text box. See `Quiz` for the other arguments.

    >>> q = number("Which slope at 2?")
    >>> q.give(7), q.answer
    ('You said 7.', 7.0)
    """
    return Number(question, **more)


def ticks(question: str, options: Sequence[str], **more: Any) -> Ticks:
    """Ask which of `options` hold, with a list to tick. See `Quiz` for the other arguments.

    >>> q = ticks("Which are leaves?", ["x", "a", "y"])
    >>> q.give(["y", "x"]), q.answer, q.kept
    ('You said x, y.', ('x', 'y'), (0, 2))
    """
    return Ticks(question, options, **more)


class Quiz:
    """What the three kinds of question share.

    Args:
        question: what is asked. In HTML, text between backquotes is set as code.
        reply: called with each answer as it is kept: the index of the chosen option, the indices
            of the ticked ones, the number. The text it returns is shown; by default "You said …".
        line: what the line below the buttons says before there is an answer.
        behind: the answer, folded away where the question is shown without buttons.
        reveal: whether the answer is shown openly, everywhere.
    """

    controls = ""  # which controls ask for it: "buttons", "ticks" or "box"

    def __init__(
        self,
        question: str,
        *,
        reply: Callable[[Any], str] | None = None,
        line: str = "",
        behind: str = "",
        reveal: bool = False,
    ):
        self.question = question
        self.kept: Any = None
        self.line = line
        self.behind = behind
        self.reveal = reveal
        self._reply = reply or self._you_said
        self._face: Any = None

    @property
    def answer(self) -> Any:
        """The answer as one would say it: the text of an option, texts, a number, or None."""
        return None if self.kept is None else self.said(self.kept)

    def give(self, answer: Any) -> str:
        """Answer with the text of an option, with several, or with a number; return the reply.

        Raises `ValueError` or `TypeError` for what cannot be an answer to this question.
        """
        return self.take(self.read(answer))

    def take(self, kept: Any) -> str:
        """Do what a click does: keep the answer, show the reply, and return it."""
        self.keep(kept, str(self._reply(kept)))
        return self.line

    def keep(self, kept: Any, line: str) -> None:
        """Show an answer and a line without replying; None takes an answer back."""
        self.kept, self.line = kept, line
        if self._face is not None:
            self._face.follow()

    def read(self, answer: Any) -> Any:
        """Turn what was given into what is kept, or raise."""
        raise NotImplementedError

    def said(self, kept: Any) -> Any:
        """What is kept, as one would say it."""
        return kept

    def spell(self, kept: Any) -> str:
        """What is kept, as text."""
        return str(self.said(kept))

    @property
    def revealed(self) -> str:
        """The answer where it is shown openly, else nothing."""
        return _(WORDS["answer_is"]).format(self.behind) if self.reveal and self.behind else ""

    def text(self) -> str:
        """The question as plain text."""
        lines = [self.question, *self._text_options(), self._still(), self.revealed]
        return "\n".join(line for line in lines if line)

    def html(self) -> str:
        """The question as HTML that needs no kernel and no script."""
        behind = "" if self.reveal else self.behind
        below = (self._still(), self.revealed)
        return card(self.question, self._marked_options(), below, _(WORDS["answer"]), behind)

    def widget(self) -> Any:
        """The live question as an ipywidgets widget; raises `ImportError` without ipywidgets."""
        if self._face is None:
            from .quiz_face import Face

            self._face = Face(self)
        return self._face.box

    def __repr__(self) -> str:
        return self.text()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        return with_live_view(self.text(), self.html(), self.widget)

    def _still(self) -> str:
        """The line where nothing can be pressed: the reply so far, or how to answer."""
        if self.kept is not None:
            return self.line
        return _(WORDS["run"] if installed("ipywidgets") else WORDS["no_buttons"])

    def _you_said(self, kept: Any) -> str:
        return _(WORDS["you_said"]).format(self.spell(kept))

    def _text_options(self) -> list[str]:
        return []

    def _marked_options(self) -> list[tuple[str, bool]]:
        """Each option with whether it is chosen."""
        return []


class Choice(Quiz):
    """One of several options. Raises `ValueError` for less than two, or two that are the same."""

    controls = "buttons"

    def __init__(self, question: str, options: Sequence[str], **more: Any):
        self.options = distinct(options)
        super().__init__(question, **more)

    def read(self, answer: Any) -> int:
        return index_of(answer, self.options)

    def said(self, kept: int) -> str:
        return self.options[kept]

    def _text_options(self) -> list[str]:
        marked = (f"{MARK} {option}" if on else option for option, on in self._marked_options())
        return [f"[ {' | '.join(marked)} ]"]

    def _marked_options(self) -> list[tuple[str, bool]]:
        return [(option, i == self.kept) for i, option in enumerate(self.options)]


class Ticks(Quiz):
    """Any number of options, in their own order. Raises `ValueError` as `Choice` does."""

    controls = "ticks"

    def __init__(self, question: str, options: Sequence[str], **more: Any):
        self.options = distinct(options)
        super().__init__(question, **more)

    def read(self, answer: str | Iterable[str]) -> tuple[int, ...]:
        given = [answer] if isinstance(answer, str) else answer
        return tuple(sorted({index_of(option, self.options) for option in given}))

    def said(self, kept: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(self.options[i] for i in kept)

    def spell(self, kept: tuple[int, ...]) -> str:
        return ", ".join(self.said(kept)) or "–"

    def _text_options(self) -> list[str]:
        return [f"[{MARK if on else ' '}] {option}" for option, on in self._marked_options()]

    def _marked_options(self) -> list[tuple[str, bool]]:
        return [(option, i in (self.kept or ())) for i, option in enumerate(self.options)]


class Number(Quiz):
    """A finite number."""

    controls = "box"

    def read(self, answer: Any) -> float:
        try:
            said = float(answer.replace(",", ".") if isinstance(answer, str) else answer)
        except ValueError:
            said = math.nan
        if not math.isfinite(said):
            raise ValueError(_(WORDS["not_a_number"]).format(repr(answer)))
        return said

    def spell(self, kept: float) -> str:
        return f"{kept:g}"

    def _text_options(self) -> list[str]:
        return ["[ ______ ]"]


def distinct(options: Sequence[str]) -> tuple[str, ...]:
    """Check that there are at least two options and that no two are the same."""
    options = tuple(options)
    if len(options) < 2 or len(set(options)) < len(options):
        raise ValueError(f"a question needs two or more different options, not {options!r}")
    return options


def index_of(answer: Any, options: tuple[str, ...]) -> int:
    """Return which option `answer` is; `ValueError` lists the options when it is none."""
    if answer not in options:
        known = ", ".join(repr(option) for option in options)
        raise ValueError(f"{answer!r} is no option; choose from {known}")
    return options.index(answer)
