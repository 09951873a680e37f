"""A question of a lesson on the page, and the guess that was made."""

from typing import Any

from ..widgets import quiz
from .questions import Question
from .words import _

NO_GUESS = _("No guess yet: make one, it helps even when it is wrong.")


class Asked:
    """A question together with the learner's `guess`, which is None until one is made.

    Displayed, it is a row of buttons where ipywidgets is there; else its options, and the answer
    folded away.
    """

    def __init__(self, question: Question):
        self.question = question
        self.guess: str | None = None

    def choose(self, says: str) -> str:
        """Do what a button does: keep the guess and return what the page then says.

        Raises `ValueError`, with the options, for what is none of them.
        """
        option = self.question.option(says)
        self.guess = option.says
        return self.line

    @property
    def line(self) -> str:
        """What the page says below the buttons."""
        if self.guess is None:
            said = NO_GUESS
        else:
            said = _("You said {}. {}").format(self.guess, self.reply())
        return f"{said} {_('Answer: {}').format(self.answer)}" if _revealed() else said

    def reply(self) -> str:
        """What is said to the guess at once."""
        return self.question.option(self.guess).reply

    @property
    def answer(self) -> str:
        """The right option and why it is right."""
        right = self.question.right
        return f"{right.says}. {right.reply}"

    def quiz(self) -> quiz.Choice:
        """The question as the widget that shows it."""
        return quiz.choice(
            self.question.asks,
            [option.says for option in self.question.options],
            reply=self.choose,
            line=self.line,
            answer=self.guess,
            behind=self.answer,
        )

    def __repr__(self) -> str:
        return self.quiz().text()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return self.quiz()._repr_mimebundle_(include, exclude)


def _revealed() -> bool:
    """Whether `minigrad.lessons.reveal` is set; asked each time, as it may be set at any time."""
    from minigrad import lessons

    return lessons.reveal
