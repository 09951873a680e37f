"""What a board shows in one state: buttons, parts, one sentence."""

from __future__ import annotations

import json
from dataclasses import dataclass
from html import escape
from typing import Any

State = Any
"""Plain JSON: a str, a number, a list or a dict of them. Equal JSON is the same screen."""


def key_of(state: State) -> str:
    """The one text of a state, by which its screen is found.

    >>> key_of({"b": 1, "a": [True, None]})
    '{"a":[true,null],"b":1}'
    """
    return json.dumps(state, sort_keys=True, separators=(",", ":"))


def coded(words: str) -> str:
    """Escape words for the HTML of a part, and set what stands between backquotes as code.

    >>> coded("`a < b`, a question")
    '<code>a &lt; b</code>, a question'
    """
    pieces = escape(words, quote=False).split("`")
    pieces[1::2] = (f"<code>{piece}</code>" for piece in pieces[1::2])
    return "".join(pieces)


@dataclass(frozen=True)
class Button:
    """A button; what stands in its text between backquotes is set as code.

    Args:
        says: its text.
        to: the state that pressing it leads to.
        pressed: None for an action; for a choice, whether it is the chosen one.
        off: a reason why it cannot be pressed now; it is shown, and can be reached and read.
        key: a key that presses it, too, such as ``"ArrowLeft"``.
        name: what a screen reader calls it, where its text is a sign.
        plays: whether a button beside it presses it again and again, until it is off.
    """

    says: str
    to: State
    pressed: bool | None = None
    off: str = ""
    key: str = ""
    name: str = ""
    plays: bool = False


@dataclass(frozen=True)
class Part:
    """A part of a screen.

    Args:
        key: a name that it keeps from screen to screen.
        html: what is shown. Its maker escapes what it takes from elsewhere.
        text: the same as text.
        title: a heading above it.
        beside: whether it stands right of the part before it, as far as the card is wide enough.
        stays: beside, and so on cards of middle width, too.
        share: how much of the width it takes, compared with its neighbors.

    In ``html``, elements with ``data-to='STATE'``, JSON, act as buttons. ``<input data-input="n">``
    hands what was typed to the board's ``entered``, when Enter or an element with ``data-enter`` is
    pressed; a range, a check box or a choice does so at once, and with ``data-leave`` it is done
    when the box is left, for this box alone. Pressing a button lets each box show its state again.
    A box with ``data-once`` and ``value=""`` is empty after what was typed is answered. What has
    ``data-answer`` stands below the screen as text, too: the way to answer its question. In a table
    with ``data-grid`` arrow keys press the ``data-to`` cell next to the one that has the focus; the
    cell with ``aria-current`` is where the Tab key arrives. ``data-key`` tells siblings apart that
    come and go, so that the focus stays where it was.
    """

    key: str
    html: str
    text: str
    title: str = ""
    beside: bool = False
    stays: bool = False
    share: int = 1


Rows = tuple[tuple[str, tuple[Button, ...]], ...]


@dataclass(frozen=True)
class Screen:
    """What is shown in one state; ``rows`` and ``actions`` are groups of buttons with a label."""

    title: str
    place: str
    rows: Rows
    parts: tuple[Part, ...]
    sentence: str
    actions: Rows

    @property
    def buttons(self) -> tuple[Button, ...]:
        """All buttons, the choices first."""
        return tuple(one for _label, some in (*self.rows, *self.actions) for one in some)
