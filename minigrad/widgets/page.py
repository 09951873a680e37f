"""The stepper as HTML that needs no kernel: a picture, the steps as text, and the player.

Where scripts run, in a trusted notebook or an exported page, the player takes the place of the
text. Where they do not, as on a code-hosting site, the steps are there to unfold one by one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from html import escape
from typing import Any

from .assets import slim

_CARD = "background:#fff;color:#111;border:1px solid #6e6e6e;border-radius:6px;padding:12px"


def page(data: dict[str, Any], frames: list[dict[str, Any]]) -> str:
    """Return the HTML of a stepper.

    `data` is what the player is given, its `svg` included, or None where there is no picture;
    `frames` are the steps to tell as text. The same data give the same HTML: what tells two
    steppers of a page apart is made from what they tell, not from how a Graphviz draws it.
    """
    picture = data["svg"] or f"<pre>{escape(data['tree'])}</pre>"
    told = json.dumps({**data, "svg": None}, ensure_ascii=False, separators=(",", ":"))
    name = hashlib.sha256(told.encode()).hexdigest()[:10]
    return "\n".join(
        [
            f'<div class="minigrad-player" data-stepper="{name}" style="{_CARD}">',
            f"<strong>{escape(data['name'])}</strong>",
            picture,
            *steps(frames),
            *(f"<p>{escape(note)}</p>" for note in data["notes"]),
            f'<script type="application/json">{for_script(told)}</script>',
            "</div>",
            f"<style>\n{slim('player.css')}\n</style>",
            f'<script type="module">\n{slim("player.js")}\nstart("{name}");\n</script>',
        ]
    )


def steps(frames: list[dict[str, Any]]) -> Iterable[str]:
    """One unfolding block for each frame: its title, its sentence, its two tables in one."""
    for number, frame in enumerate(frames, 1):
        rows = "".join(
            f'<tr><th scope="row">{escape(label)}</th><td>{escape(text)}</td></tr>'
            for label, text in [*frame["panel"], *frame["table"]]
        )
        yield (
            f"<details><summary>{number}. {escape(frame['title'])}</summary>"
            f"<p>{escape(frame['sentence'])}</p><table>{rows}</table></details>"
        )


def for_script(text: str) -> str:
    r"""Make JSON safe inside a script element, whose end is looked for in plain text.

    >>> print(for_script('["</script>"]'))
    ["\u003c/script>"]
    """
    return text.replace("<", "\\u003c")
