"""A player as HTML that needs no kernel: a picture, the steps as text, and the player's data.

Where scripts run, in a trusted notebook or an exported page, the player takes the place of the
text. Where they do not, as on a code-hosting site, the picture is there, and the steps are there
to unfold one by one. The picture is an image, because notebooks that are not trusted let nothing
else of a picture through.

The player's code may stand anywhere on the page, once: an element waits in a queue on the window
until the code comes, so neither the order of cells nor when they are shown matters.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Sequence
from html import escape
from itertools import islice
from typing import Any

from ..language import _
from . import assets
from .packing import Frame, as_json, packed
from .quiz_html import PAPER

IMAGE = "image"  #: in the data, instead of a scene that the page has as its image
UNFOLDED = 60  #: steps told one by one where no script runs

_CARD = f"{PAPER};border:1px solid #6e6e6e;border-radius:8px;padding:12px"
#: a stored picture cannot know its page, and keeps the light palette
_ON_WHITE = "background:#fff;color:#111;border-radius:4px;margin:6px 0;overflow-x:auto"


def page(data: dict[str, Any], picture: str | None) -> str:
    """Return the HTML of a player, without its code.

    `data` is what the player is given; `picture` is an image as HTML, or None. The same data give
    the same HTML: the name by which a player finds its element is made from what it tells, not from
    how a Graphviz draws it.
    """
    frames = data["frames"][data["detail"]]
    parts = [
        f"<div><strong>{escape(data['title'])}</strong></div>",
        framed(picture) if picture else f"<pre>{escape(data['tree'])}</pre>",
        *steps(frames),
        *(f"<p>{escape(note)}</p>" for note in data["notes"]),
    ]
    said = as_json([data["title"], *(frame["sentence"] for frame in frames)])
    return element("minigrad-player", said, parts, as_json(packed(data)))


def framed(picture: str) -> str:
    """A picture in a card of any theme; what is wider than the card scrolls in its own box."""
    return f'<div style="{_ON_WHITE}">{picture}</div>'


def element(kind: str, said: str, parts: Iterable[str], told: str) -> str:
    """Return a card with `parts`, which a script replaces by what it makes of `told`.

    `kind` are its classes; from `said` comes the name by which the script finds it. Below the
    first part, its title, it says what to do where no script runs.
    """
    title, *others = parts
    hint = escape(_("In Jupyter, run this cell to press the buttons."))
    name = hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()[:10]
    html = "\n".join(
        [
            f'<div class="{kind}" data-player="{name}" style="{_CARD}">',
            title,
            f"<p><em>{hint}</em></p>",
            *others,
            f'<script type="application/json">{for_script(told)}</script>',
            "</div>",
            f'<script type="module">\n{_loader(name)}\n</script>',
        ]
    )
    return html.encode("utf-8", "replace").decode("utf-8")  # half a letter can be a name


def steps(frames: Sequence[Frame]) -> Iterable[str]:
    """One unfolding block for each frame: its title, its sentence, its rows in one table."""
    for number, frame in enumerate(islice(frames, UNFOLDED), 1):
        rows = "".join(
            f'<tr><th scope="row">{escape(label)}</th><td>{escape(text)}</td></tr>'
            for label, text in rows_of(frame)
        )
        yield (
            f"<details><summary>{number}. {escape(frame['title'])}</summary>"
            f"<p>{escape(frame['sentence'])}</p><table>{rows}</table></details>"
        )
    if len(frames) > UNFOLDED:
        more = _("{more} more steps are told where scripts run, or by .text().")
        yield f"<p>{escape(more.format(more=len(frames) - UNFOLDED))}</p>"


def rows_of(frame: Frame) -> Iterable[tuple[str, str]]:
    """The rows of all details of a frame, their pieces put together."""
    for section in frame["details"]:
        for label, text, *_rule in section["rows"]:
            yield label, plain(text)


def plain(text: str | list) -> str:
    """The text of a row, which comes in pieces; a piece in a list of its own is a gradient.

    >>> plain(["3 × 1 = ", ["3"], " → x"])
    '3 × 1 = 3 → x'
    """
    return "".join(piece if isinstance(piece, str) else piece[0] for piece in text)


def for_script(text: str) -> str:
    r"""Make JSON safe inside a script element, whose end is looked for in plain text.

    >>> print(for_script('["</script>"]'))
    ["\u003c/script>"]
    """
    return text.replace("<", "\\u003c")


# -- the code ---------------------------------------------------------------------------------


def code() -> str:
    """The player's code and style as an element of a page; one serves all players of the page."""
    style = as_json(packed({"css": assets.slim(assets.style())}))
    served = f'serve("{assets.version()}", {for_script(style)});'
    return f'<script type="module">\n{assets.slim(assets.script())}\n{served}\n</script>'


def _loader(name: str) -> str:
    """Let the elements of this player wait for the code, whether it has come or comes later."""
    found = f"""'.minigrad-player[data-player="{name}"]:not([data-waits])'"""
    queue = f'((window.minigradPlayers ??= {{}})["{assets.version()}"] ??= [])'
    return (
        f"for (const found of document.querySelectorAll({found})) {{\n"
        f'found.setAttribute("data-waits", "");\n{queue}.push(found);\n}}'
    )


class Holder:
    """Which cell of a notebook holds the code: the first one that shows a player.

    When that cell runs again its output is replaced, so it is given the code again. Where cells
    have no ids, as when a notebook is run without a front end, their text tells them apart. In
    Colab every output is a page of its own, so each of them needs the code.
    """

    def __init__(self) -> None:
        self.cell: str | None = None

    def needs_code(self) -> bool:
        """Whether what is shown now has to bring the code along."""
        cell = this_cell()
        if cell is None or "google.colab" in sys.modules:
            return True
        if self.cell is None:
            self.cell = cell
        return cell == self.cell


def this_cell() -> str | None:
    """What tells the notebook's cell that runs now from others; None outside of a notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    parent = shell.get_parent() or {}
    known = parent.get("metadata", {}).get("cellId")
    return known or parent.get("content", {}).get("code")


HOLDER = Holder()
