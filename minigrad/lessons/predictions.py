"""Predict before you run: a choice is kept, and the run shows it next to what came out.

There is no score, and going on without an answer is always allowed. Every option that can be
wrong has a reply of its own, because each comes from an idea that many people share.
"""

from typing import Any

from ..language import _
from ..widgets.words import QUIZ as WORDS
from .asking import Asked, verdict
from .cards import Card


class Prediction(Asked):
    """A question to answer before a cell is run; `outcome` is for that cell."""

    has_run = False

    def invitation(self) -> str:
        """Ask for a guess; once the run has shown the answer there is nothing to guess."""
        return "" if self.has_run else super().invitation()

    def reply(self) -> str:
        """Nothing yet about right or wrong: that is for the run to show."""
        return super().reply() if self.has_run else _(WORDS["go_on"])

    def forget(self) -> None:
        """Take the guess back, and the run with it."""
        self.has_run = False
        super().forget()

    def outcome(self, shown: Any) -> Card:
        """Put the guess next to `shown`, which the cell has just computed.

        The reply to the guess follows. When `shown` is not what the lesson expects, because the
        code was changed, only the two are put side by side, with the reason if it was foreseen.
        """
        shown, right = as_words(shown), self.question.right
        said = () if self.guess is None else (self.you_said(),)
        it_is = _(WORDS["it_is"]).format(shown)
        beside = " ".join((*said, it_is))
        if shown != (self.question.shows or right.says):
            foreseen = self.question.otherwise.get(shown)
            if foreseen:
                return Card(it_is, (*said, _(foreseen)))
            return Card(_(WORDS["changed"]), (beside,))
        self.has_run = True
        self._tell()
        if self.guess is None:
            return Card(it_is, (_(right.reply),))
        replies = dict.fromkeys((_(self.chosen.reply), _(right.reply)))
        return Card(verdict(self.chosen), (beside, *replies))


def as_words(shown: Any) -> str:
    """Write a computed value as an option would: 7 for `tensor(7.)`, a node by its name.

    >>> as_words(7.0), as_words(None), as_words((3, 2)), as_words([2.0, 4.5]), as_words(40000)
    ('7', 'None', '3 and 2', '[2, 4.5]', '40,000')
    """
    if hasattr(shown, "next_functions"):
        return shown.name()
    if hasattr(shown, "tolist"):
        shown = shown.tolist()
    if isinstance(shown, tuple):
        return _(" and ").join(as_words(entry) for entry in shown)
    if isinstance(shown, list):
        return f"[{', '.join(as_words(entry) for entry in shown)}]"
    if isinstance(shown, int) and not isinstance(shown, bool):
        return f"{shown:,}"
    return f"{shown:g}" if isinstance(shown, float) else str(shown)
