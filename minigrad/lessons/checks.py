"""What a checklist is: its checks, each with a mark and a sentence, as text and as HTML."""

from dataclasses import dataclass
from html import escape
from typing import Any

from ..language import _
from ..widgets.quiz_html import PAPER
from ..widgets.quiz_html import code as as_html
from ..widgets.tables import rows
from .cards import framed

RIGHT, WRONG, WEAK, OPEN = "right", "wrong", "weak", "open"
MARKS = {RIGHT: "✓", WRONG: "✗", WEAK: "!", OPEN: "–"}
TITLES = {  # in English: looked up when they are shown
    "forward": "forward runs",
    "count": "as many gradients as inputs",
    "shapes": "shapes match",
    "none": "None where needed",
    "jacobian": "nudging agrees",
    "second": "second order",
    "saved": "changes in place are noticed",
    "points": "good test points",
}


@dataclass(frozen=True)
class Check:
    """One line of the list: which check, how it came out, a sentence, and the numbers behind it.

    `facts` are the same for two functions that fail in the same way, whatever their names are.
    """

    key: str
    state: str
    says: str = ""
    facts: tuple = ()
    tables: tuple[tuple[str, list[list[str]]], ...] = ()

    @property
    def line(self) -> str:
        title = _(TITLES[self.key])
        return (
            f"{MARKS[self.state]} {title}: {self.says}"
            if self.says
            else f"{MARKS[self.state]} {title}"
        )


@dataclass(frozen=True)
class Checklist:
    """What `checklist` returns: printed, it is the report."""

    function: type
    checks: tuple[Check, ...]

    @property
    def failed(self) -> Check | None:
        """The first check that failed."""
        return next((check for check in self.checks if check.state == WRONG), None)

    def text(self) -> str:
        lines = []
        for check in self.checks:
            lines.append(check.line)
            for heading, cells in check.tables:
                lines += [f"    {heading}", *_aligned(cells)]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return self.text()

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, str]:
        return {"text/plain": self.text(), "text/html": self._repr_html_()}

    def _repr_html_(self) -> str:
        words = {RIGHT: _("right"), WRONG: _("wrong"), WEAK: _("take care"), OPEN: _("not reached")}
        items = "".join(
            f'<div><span aria-label="{escape(words[c.state])}">{MARKS[c.state]}</span>'
            f"{as_html(c.line[1:])}{_html_tables(c.tables)}</div>"
            for c in self.checks
        )
        width = "60em" if any(c.tables for c in self.checks) else "46em"  # three beside each other
        return framed(items, "#A84300" if self.failed else "#006B4E", width)


def _aligned(cells: list[list[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "    " + "  ".join(cell.rjust(w) for cell, w in zip(row, widths, strict=True))
        for row in cells
    ]


def _html_tables(tables: tuple) -> str:
    if not tables:
        return ""
    drawn = "".join(
        '<table style="color:inherit;display:inline-table;margin:.3em 1.2em .3em 0">'
        f"<caption>{escape(heading)}</caption>{rows(head, body, style=PAPER)}</table>"
        for heading, (head, *body) in tables
    )
    return f"<div>{drawn}</div>"
