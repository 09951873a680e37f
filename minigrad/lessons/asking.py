"""A question of a lesson on the page, and the guess that was made."""

from collections.abc import Callable
from typing import Any
from weakref import WeakSet

from ..language import _
from ..widgets import quiz
from ..widgets.words import QUIZ as WORDS
from .questions import Option, Question


class Asked:
    """A question together with the learner's `guess`.

    The guess is the index of an option, or None until one is made; so it stays the same in every
    language. Displayed, the question is a row of buttons where ipywidgets is there; else its
    options, and the answer folded away. `revealed` tells whether the answer is to be shown.
    """

    def __init__(self, question: Question, revealed: Callable[[], bool] = lambda: False):
        self.question = question
        self.guess: int | None = None
        self._revealed = revealed
        self._displayed: WeakSet[quiz.Quiz] = WeakSet()

    def choose(self, says: str) -> str:
        """Guess the option with the text `says`, and return what the page then says.

        Raises `ValueError`, with the options, for what is none of them.
        """
        return self.pick(quiz.index_of(says, self._options()))

    def pick(self, index: int) -> str:
        """Do what a button does: keep the guess, and show it wherever the question is."""
        self.guess = index
        return self._tell()

    def forget(self) -> None:
        """Take the guess back."""
        self.guess = None
        self._tell()

    @property
    def line(self) -> str:
        """What the page says below the buttons."""
        if self.guess is None:
            return self.invitation()
        return f"{self.you_said()} {self.reply()}"

    def invitation(self) -> str:
        """What is said while there is no guess."""
        return _(WORDS["no_guess"])

    def you_said(self) -> str:
        """The guess, repeated."""
        return _(WORDS["you_said"]).format(_(self.chosen.says))

    def reply(self) -> str:
        """What is said to the guess at once: right or not, and why."""
        return f"{verdict(self.chosen)} {_(self.chosen.reply)}"

    @property
    def chosen(self) -> Option:
        """The option that was guessed."""
        return self.question.options[self.guess]

    @property
    def answer(self) -> str:
        """The right option and why it is right."""
        right = self.question.right
        return f"{_(right.says)}. {_(right.reply)}"

    def quiz(self) -> quiz.Choice:
        """The question as the widget that shows it; each follows the one guess."""
        shown = quiz.choice(
            _(self.question.asks),
            self._options(),
            reply=self.pick,
            behind=self.answer,
            reveal=self._revealed(),
        )
        shown.keep(self.guess, self.line)
        self._displayed.add(shown)
        return shown

    def _options(self) -> tuple[str, ...]:
        return tuple(_(option.says) for option in self.question.options)

    def _tell(self) -> str:
        line = self.line
        for shown in self._displayed:
            shown.keep(self.guess, line)
        return line

    def __repr__(self) -> str:
        return self.quiz().text()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        return self.quiz()._repr_mimebundle_(include, exclude)


def verdict(option: Option) -> str:
    """Right or not, in words."""
    return _(WORDS["right" if option.is_right else "not_quite"])
