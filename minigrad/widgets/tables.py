"""The head and the rows of a table whose first column names its rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def rows(
    head: Sequence[str],
    body: Iterable[Sequence[str]],
    here: int | None = None,
    style: str = "",
) -> str:
    """What stands in a table: `thead` and `tbody`, with everything escaped.

    `here` is the number of the row that stands out, and `style` goes into every row of the body.

    >>> rows(("", "bytes"), [("tanh", "<4")])
    '<thead><tr><th scope="col"></th><th scope="col">bytes</th></tr></thead><tbody><tr><th scope="row">tanh</th><td>&lt;4</td></tr></tbody>'
    """  # noqa: E501
    top = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    styled = f' style="{style}"' if style else ""
    told = "".join(
        f'<tr{" class=here" if number == here else ""}{styled}><th scope="row">{escape(name)}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        + "</tr>"
        for number, (name, *cells) in enumerate(body)
    )
    return f"<thead><tr>{top}</tr></thead><tbody>{told}</tbody>"
