"""What ``checkup`` returns: sentences on what stands out, and a row for each parameter."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from ..gradients.passes import counted
from ..words.answer import as_told
from ..words.sentences import say

MOST = 3  #: names that one finding lists
SHOWN = 40  #: parameters of the table that are printed
HEADS = ("parameter", "asks", "in optimizer", "reached by loss", ".grad", "passes added up")


@dataclass(frozen=True)
class Row:
    """What is known of one parameter; None where nobody can tell."""

    name: str
    asks: bool
    optimized: bool | None
    reached: bool | None
    grad: str
    rounds: int | None

    def cells(self) -> tuple[str, ...]:
        """The row as it is printed; empty where nobody can tell."""
        said = {True: say("yes"), False: say("no"), None: ""}
        known = (said[self.asks], said[self.optimized], said[self.reached])
        return (self.name, *known, self.grad, "" if self.rounds is None else counted(self.rounds))


def names(rows: Iterable[Row]) -> str:
    """The names of a few parameters in words, and how many more there are."""
    return shortened([row.name for row in rows])


def shortened(found: list[str]) -> str:
    """A few names in words, and how many more there are."""
    shown, more = ", ".join(found[:MOST]), len(found) - MOST
    return say("and-more", shown=shown, more=more) if more > 0 else shown


class Checkup:
    """What stands out, as sentences in ``findings``, and a ``Row`` for each parameter in ``rows``.

    It prints as text, and in a notebook as a table.
    """

    def __init__(self, rows: list[Row], findings: Iterable[str], own: bool = True):
        self.rows = rows
        self.findings = [*as_told(findings, own)]

    def table(self) -> list[tuple[str, ...]]:
        """The head and a line for each parameter, without the columns of which nothing is known."""
        lines = [HEADS, *(row.cells() for row in self.rows)]
        told = [at for at, head in enumerate(HEADS) if any(line[at] for line in lines[1:])]
        return [tuple(line[at] for at in told) for line in lines] if self.rows else []

    def __str__(self) -> str:
        table = self.table()[: SHOWN + 1]
        widths = [max(map(len, column)) for column in zip(*table)]
        lines = (map(str.ljust, line, widths) for line in table)
        lines = ("  ".join(cells).rstrip() for cells in lines)
        return "\n".join([*self.findings, "", *lines, *self._rest()]).rstrip()

    __repr__ = __str__

    def _rest(self) -> list[str]:
        more = len(self.rows) - SHOWN
        return [say("more-rows", more=more)] if more > 0 else []

    def _repr_html_(self) -> str:
        first, *others = self.findings
        head, *lines = self.table() or [()]
        heads = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
        body = "".join(
            f'<tr><th scope="row">{escape(line[0])}</th>'
            + "".join(f"<td>{escape(cell)}</td>" for cell in line[1:])
            + "</tr>"
            for line in lines[:SHOWN]
        )
        said = "".join(f"<p>{escape(each)}</p>" for each in [*others, *self._rest()])
        table = f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
        return f"<p><b>{escape(first)}</b></p>{said}{table if lines else ''}"
