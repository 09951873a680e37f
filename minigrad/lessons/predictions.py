"""Predict before you run: a choice is kept, and the run shows it next to what came out.

There is no score, and going on without an answer is always allowed. Every option that can be
wrong has a reply of its own, because each comes from an idea that many people share.
"""

from typing import Any

from .asking import NO_GUESS, Asked
from .cards import Card
from .words import _


class Prediction(Asked):
    """A question to answer before a cell is run; `outcome` is for that cell."""

    def reply(self) -> str:
        """Nothing yet about right or wrong: that is for the run to show."""
        return _("Go on: the run will show.")

    def outcome(self, shown: Any) -> Card:
        """Put the guess next to `shown`, which the cell has just computed.

        The reply to the guess follows. When `shown` is not what the lesson expects, because the
        code was changed, only the two are put side by side.
        """
        shown, question = as_words(shown), self.question
        said = None if self.guess is None else question.option(self.guess)
        you_said = _("You said {}.").format(said.says) if said else NO_GUESS
        if shown != (question.shows or question.right.says):
            return Card(_("Changed"), (you_said, _it_is(shown)))
        if said is None:
            return Card(_it_is(shown).rstrip("."), (question.right.reply, you_said))
        heading = _("As you said") if said.is_right else _("Not as you said")
        replies = (said.reply,) if said.is_right else (said.reply, question.right.reply)
        return Card(heading, (f"{you_said} {_it_is(shown)}", *replies))


def _it_is(shown: str) -> str:
    return _("It is {}.").format(shown)


def as_words(shown: Any) -> str:
    """Write a computed value as an option would: 7 for `tensor(7.)`, a node by its name.

    >>> as_words(7.0), as_words(None), as_words(3)
    ('7', 'None', '3')
    """
    if hasattr(shown, "next_functions"):
        return shown.name()
    if hasattr(shown, "item"):
        shown = shown.item()
    return f"{shown:g}" if isinstance(shown, float) else str(shown)
