"""Small questions: a row of buttons, a number box, or a list to tick, with a line that replies.

    q = choice("Which slope?", ["5", "6", "7"], reply=lambda said: f"You said {said}. It is 7.")
    q                # buttons, and below them a line that a screen reader speaks when it changes
    q.give("7")      # the same from Python
    q.answer         # '7': kept here, in a variable of the notebook

This module knows no lesson: what is right, and what to say, is up to `reply`. Without ipywidgets
the question, its options and what unfolds below them are HTML or plain text.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from .availability import installed
from .words import QUIZ as WORDS

_CARD = "background:#fff;color:#111;border:1px solid #6e6e6e;border-radius:6px;padding:0 12px"

__all__ = ["Choice", "Number", "Quiz", "Ticks", "choice", "number", "ticks"]


def choice(question: str, options: Sequence[str], **more: Any) -> Choice:
    """Ask for one of `options`, with a row of buttons. See `Quiz` for the other arguments.

    >>> q = choice("Which slope?", ["5", "6", "7"])
    >>> q.give("7")
    'You said 7.'
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
    >>> q.give(["x"]), q.answer
    ('You said x.', ('x',))
    """
    return Ticks(question, options, **more)


class Quiz:
    """What the three kinds of question share.

    Args:
        question: what is asked. In HTML, text between backquotes is set as code.
        reply: called with each answer; the text it returns is shown. By default "You said …".
        line: what the line says before there is an answer.
        answer: an answer given earlier, if there is one; it is not replied to again.
        behind: text that unfolds below the question where there are no widgets.
    """

    def __init__(
        self,
        question: str,
        *,
        reply: Callable[[Any], str] | None = None,
        line: str = "",
        answer: Any = None,
        behind: str = "",
    ):
        self.question = question
        self.line = line
        self.behind = behind
        self.answer = None if answer is None else self.read(answer)
        self._reply = reply or (lambda said: WORDS["you_said"].format(self.spell(said)))
        self._face = None

    def give(self, answer: Any) -> str:
        """Answer as a click does: keep the answer, show the reply, and return it.

        Raises `ValueError` or `TypeError` for what cannot be an answer to this question.
        """
        answer = self.read(answer)
        self.line = str(self._reply(answer))
        self.answer = answer
        if self._face is not None:
            self._face.follow()
        return self.line

    def read(self, answer: Any) -> Any:
        """Turn what was given into an answer, or raise."""
        raise NotImplementedError

    def spell(self, answer: Any) -> str:
        """An answer as a learner would write it."""
        return str(answer)

    def text(self) -> str:
        """The question as plain text."""
        lines = [self.question, *self._text_options(), self.line]
        return "\n".join(line for line in lines if line)

    def html(self) -> str:
        """The question as HTML that needs no kernel and no script."""
        parts = [f"<p><strong>{code(self.question)}</strong></p>"]
        options = "".join(f"<li>{code(option)}</li>" for option in self._html_options())
        if options:
            parts.append(f"<ul>{options}</ul>")
        if self.line:
            parts.append(f"<p>{code(self.line)}</p>")
        if self.behind:
            summary = escape(WORDS["answer"])
            parts.append(
                f"<details><summary>{summary}</summary><p>{code(self.behind)}</p></details>"
            )
        return f'<div class="minigrad-quiz" style="{_CARD}">{"".join(parts)}</div>'

    def widget(self) -> Any:
        """The live question as an ipywidgets widget; raises `ImportError` without ipywidgets."""
        if self._face is None:
            from .quiz_face import Face

            self._face = Face(self)
        return self._face.box

    def __repr__(self) -> str:
        return self.text()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        bundle = {"text/plain": self.text(), "text/html": self.html()}
        if installed("ipywidgets"):
            bundle |= live_view(self.widget())
        return bundle

    def _text_options(self) -> list[str]:
        return []

    def _html_options(self) -> list[str]:
        return []


class Choice(Quiz):
    """One of several options. Raises `ValueError` for less than two, or two that are the same."""

    def __init__(self, question: str, options: Sequence[str], **more: Any):
        self.options = distinct(options)
        super().__init__(question, **more)

    def read(self, answer: Any) -> str:
        return one_of(self.options, answer)

    def _text_options(self) -> list[str]:
        return [f"[ {' | '.join(self.options)} ]"]

    def _html_options(self) -> list[str]:
        return list(self.options)


class Ticks(Quiz):
    """Any number of options, in their own order. Raises `ValueError` as `Choice` does."""

    def __init__(self, question: str, options: Sequence[str], **more: Any):
        self.options = distinct(options)
        super().__init__(question, **more)

    def read(self, answer: Any) -> tuple[str, ...]:
        given = [answer] if isinstance(answer, str) else list(answer)
        said = {one_of(self.options, option) for option in given}
        return tuple(option for option in self.options if option in said)

    def spell(self, answer: tuple[str, ...]) -> str:
        return ", ".join(answer) or "–"

    def _text_options(self) -> list[str]:
        return [f"[ ] {option}" for option in self.options]

    def _html_options(self) -> list[str]:
        return list(self.options)


class Number(Quiz):
    """A finite number."""

    def read(self, answer: Any) -> float:
        try:
            said = float(answer.replace(",", ".") if isinstance(answer, str) else answer)
        except ValueError:
            said = math.nan
        if not math.isfinite(said):
            raise ValueError(WORDS["not_a_number"].format(answer))
        return said

    def spell(self, answer: float) -> str:
        return f"{answer:g}"

    def _text_options(self) -> list[str]:
        return ["[ ______ ]"]


def distinct(options: Sequence[str]) -> tuple[str, ...]:
    """Check that there are at least two options and that no two are the same."""
    options = tuple(options)
    if len(options) < 2 or len(set(options)) < len(options):
        raise ValueError(f"a question needs two or more different options, not {options!r}")
    return options


def one_of(options: tuple[str, ...], answer: Any) -> str:
    """Return `answer` if it is an option; else `ValueError` lists the options."""
    if answer not in options:
        known = ", ".join(repr(option) for option in options)
        raise ValueError(f"{answer!r} is no option; choose from {known}")
    return answer


def live_view(widget: Any) -> dict[str, Any]:
    """The part of a widget's output that a front end turns into the live widget."""
    kind = "application/vnd.jupyter.widget-view+json"
    shown = widget._repr_mimebundle_()
    data = shown[0] if isinstance(shown, tuple) else shown
    return {kind: data[kind]}


def code(words: str) -> str:
    """Escape `words` for HTML and set what stands between backquotes as code.

    >>> code("`a < b`, a question")
    '<code>a &lt; b</code>, a question'
    """
    pieces = escape(words, quote=False).split("`")
    return "".join(f"<code>{p}</code>" if odd % 2 else p for odd, p in enumerate(pieces))
