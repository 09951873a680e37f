"""A question as HTML that needs no kernel, no script and no style sheet.

It is what a notebook stores, so it is made of elements that JupyterLab shows in a notebook that
is not trusted: paragraphs, a list, and an answer that unfolds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

#: The colors of JupyterLab's theme; white where there are none, or they are not let through.
PAPER = "background:var(--jp-layout-color1,#fff);color:var(--jp-content-font-color1,#111)"
_CARD = f"{PAPER};border:1px solid #6e6e6e;border-radius:6px;padding:8px 12px"
_CODE = "background:#8882;color:inherit;white-space:pre-wrap"  # gray on any paper


def card(
    question: str,
    options: Sequence[tuple[str, bool]],
    below: Iterable[str],
    summary: str = "",
    behind: str = "",
) -> str:
    """A question on a card.

    `options` are texts with whether each is chosen, `below` the lines under them, and `behind`
    unfolds under `summary`.

    >>> html = card("Which?", [("a", False), ("b", True)], [])
    >>> print(html[html.index("<ul>") :])
    <ul><li>a</li><li><strong>● b</strong></li></ul></div>
    """
    parts = [f"<p><strong>{code(question)}</strong></p>"]
    listed = "".join(
        f"<li><strong>● {code(said)}</strong></li>" if chosen else f"<li>{code(said)}</li>"
        for said, chosen in options
    )
    if listed:
        parts.append(f"<ul>{listed}</ul>")
    parts += [f"<p>{code(line)}</p>" for line in below if line]
    if behind:
        parts.append(
            f"<details><summary>{escape(summary)}</summary><p>{code(behind)}</p></details>"
        )
    return f'<div class="minigrad-quiz" style="{_CARD}">{"".join(parts)}</div>'


def code(words: str) -> str:
    """Escape `words` for HTML and set what stands between backquotes as code.

    >>> html = code("`a < b`, a question")
    >>> html[html.index(">") :]
    '>a &lt; b</code>, a question'
    """
    pieces = escape(words, quote=False).split("`")
    pieces[1::2] = (f'<code style="{_CODE}">{piece}</code>' for piece in pieces[1::2])
    return "".join(pieces)
