"""The screens of a board on their way to a browser, and as text.

Screens repeat each other: most have the rows of buttons and many of the parts of their neighbors.
So each different piece is stored once, and a screen is a list of numbers of pieces.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from html import escape, unescape
from typing import Any

from . import stored
from .packing import as_json, packed
from .quiz_html import code
from .screen import Button, Part, Rows, Screen, key_of
from .words import board_words

_TO = re.compile(r"""data-to=("|')(.*?)\1""", re.S)


def data_of(name: str, first: str, screens: Mapping[str, Screen]) -> dict[str, Any]:
    """What a browser is given: the screens by the text of their state, pieces stored once."""
    pieces: dict[str, int] = {}

    def number(piece: Any) -> int:
        return pieces.setdefault(as_json(piece), len(pieces))

    numbered = {
        key: {
            "title": number(screen.title),
            "place": number(screen.place),
            "rows": number(_groups(screen.rows)),
            "parts": [number(_part(part)) for part in screen.parts],
            "sentence": number(screen.sentence),
            "actions": number(_groups(screen.actions)),
        }
        for key, screen in screens.items()
    }
    # What deflates them looks back only so far: pieces of a kind are kept side by side.
    by_kind = sorted(pieces, key=_kind)
    place = {pieces[piece]: at for at, piece in enumerate(by_kind)}
    return {
        "name": name,
        "first": first,
        "pieces": [json.loads(piece) for piece in by_kind],
        "screens": {key: _renumbered(told, place) for key, told in numbered.items()},
        "words": board_words(),
    }


def _kind(piece: str) -> str:
    """The key of a part, or what sort of thing a piece is."""
    told = json.loads(piece)
    return told["key"] if isinstance(told, dict) else f" {type(told).__name__}"


def _renumbered(screen: dict[str, Any], place: dict[int, int]) -> dict[str, Any]:
    return {
        name: [place[one] for one in at] if isinstance(at, list) else place[at]
        for name, at in screen.items()
    }


def _groups(groups: Rows) -> list[Any]:
    return [[label, [_button(button) for button in buttons]] for label, buttons in groups]


def _button(button: Button) -> dict[str, Any]:
    told = {
        "pressed": button.pressed,
        "off": button.off,
        "key": button.key,
        "name": button.name,
        "plays": button.plays or None,
    }
    given = {name: said for name, said in told.items() if said not in (None, "")}
    return {"says": button.says, "to": key_of(button.to), **given}


def _part(part: Part) -> dict[str, Any]:
    told = {"title": part.title, "beside": part.beside, "stays": part.stays}
    given = {name: said for name, said in told.items() if said}
    return {
        "key": part.key,
        "html": _TO.sub(_spelled, part.html),
        "text": part.text,
        "share": part.share,
        **given,
    }


def _spelled(found: re.Match[str]) -> str:
    """Spell the state of an element as `key_of` does."""
    return f'data-to="{escape(key_of(json.loads(unescape(found[2]))))}"'


# -- as text ----------------------------------------------------------------------------------


def told(screen: Screen) -> str:
    """A screen as text: its head, its buttons in brackets, its parts, its sentence."""
    head = screen.title + (f" · {screen.place}" if screen.place else "")
    blocks = [head.replace("`", ""), _listed(screen.rows), *map(part_text, screen.parts)]
    blocks += [screen.sentence.replace("`", ""), _listed(screen.actions)]
    return "\n\n".join(block for block in blocks if block)


def part_text(part: Part) -> str:
    """A part as text, under its heading."""
    return "\n".join(said for said in (part.title, part.text) if said)


def _listed(groups: Rows) -> str:
    lines = []
    for label, buttons in groups:
        said = [f"[{_mark(button)}{button.says.replace('`', '')}]" for button in buttons]
        lines.append(" ".join([f"{label}:", *said] if label else said))
    return "\n".join(lines)


def _mark(button: Button) -> str:
    return "● " if button.pressed else "off: " if button.off else ""


# -- as a page --------------------------------------------------------------------------------


def page(
    data: dict[str, Any],
    first: Screen,
    unfolded: Iterable[tuple[str, Screen]],
    figure: str,
    captioned: bool = False,
) -> str:
    """The HTML of a board, without its code.

    Where no script runs it is a card with ``figure`` or the first screen as text, its sentence,
    and the screens of ``unfolded`` under their summaries. A ``captioned`` figure shows other
    moments than the first screen, of which only the title is left then.
    """
    place, sentence = ("", "") if captioned else (first.place, first.sentence)
    parts = [
        f"<div><strong>{code(first.title)}</strong> {code(place)}</div>",
        stored.framed(figure) if figure else _parts(first),
        *([f"<p>{code(sentence)}</p>"] if sentence else []),
        *(
            f"<details><summary>{code(summary)}</summary><p>{code(screen.sentence)}</p>"
            f"{_parts(screen)}</details>"
            for summary, screen in unfolded
        ),
    ]
    sentences = [data["pieces"][screen["sentence"]] for screen in data["screens"].values()]
    said = as_json([data["name"], *data["screens"], *sentences])
    return stored.element("minigrad-player minigrad-board", said, parts, as_json(packed(data)))


def _parts(screen: Screen) -> str:
    style = 'style="white-space:pre-wrap"'
    return "".join(f"<pre {style}>{escape(part_text(part))}</pre>" for part in screen.parts)
