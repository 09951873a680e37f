"""The parts of the v·J viewer as HTML and as text: v in its shape, the table of J, a sum.

Values say what they are by their place and their sign; the color of an entry of J only repeats it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from html import escape
from math import ceil, isfinite
from typing import Any

from ...language import _
from .cases import Case, Row

STEPS = 4  #: of the scale of entries, on each side
NOISE = 1e-6  #: of the largest entry of J: below it a product is shown as 0


def shown(value: float) -> str:
    """A number for the table: exact where it is short, else three decimals; a true minus sign.

    >>> [shown(value) for value in (2.0, 0.4000000059604645, -0.0598920, 1234567.8)]
    ['2', '0.4', '−0.060', '1.23e+06']
    """
    value += 0.0  # no −0
    exact = f"{value:g}"
    decimals = len(exact.partition(".")[2])
    if not isfinite(value) or ("e" not in exact and decimals <= 2):
        said = exact
    else:
        said = f"{value:.3f}" if 0.001 <= abs(value) < 1000 else f"{value:.3g}"
    return said.replace("-", "−")


def boxed(value: float) -> str:
    """A number alone in a box, with ≈ where it is rounded by more than float32 does.

    >>> [boxed(value) for value in (0.4000000059604645, -0.0598920)]
    ['0.4', '≈−0.060']
    """
    return f"≈{shown(value)}" if _is_rounded(value) else shown(value)


def _is_rounded(value: float) -> bool:
    said = float(shown(value).replace("−", "-"))
    return isfinite(value) and abs(said - value) > 1e-6 * abs(value)


def equals(numbers: Iterable[float]) -> str:
    """The sign between a sum and its total: ≈ where one of these numbers is shown rounded."""
    return "≈" if any(map(_is_rounded, numbers)) else "="


def factor(value: float) -> str:
    """A number after a ×: a negative one stands in brackets."""
    return f"({shown(value)})" if value < 0 else shown(value)


def without_noise(values: Row, jacobian: Sequence[Row]) -> Row:
    """Rounding errors that are small beside J become 0."""
    largest = _largest(jacobian)
    return tuple(0.0 if abs(value) < NOISE * largest else value for value in values)


def _largest(jacobian: Sequence[Row]) -> float:
    return max((abs(entry) for row in jacobian for entry in row if isfinite(entry)), default=0.0)


# --- The table --------------------------------------------------------------------------------


class Grid:
    """The table of J with what stands beside its rows and columns.

    Args:
        case: the function.
        rows: how many rows of J are known.
        to: ``to(row, column)`` gives the state that pressing a cell leads to; None for a table
            whose cells are not pressed.
        blank: whether the entries off the diagonal are left empty.
    """

    def __init__(
        self,
        case: Case,
        rows: int,
        to: Callable[[int, int], Any] | None = None,
        blank: bool = False,
    ):
        self.case, self.rows, self.to, self.blank = case, rows, to, blank
        self.largest = _largest(case.jacobian)

    def entry(self, i: int, j: int, chosen: bool) -> str:
        """One cell with an entry of J."""
        value = self.case.jacobian[i][j]
        said = "?" if i >= self.rows else "" if self.blank and i != j else boxed(value)
        spoken = _("row {}, column {}, {}").format(
            self.case.outputs[i], self.case.inputs[j], said or _("0, never computed")
        )
        looks = self._looks(value) if i < self.rows else "zero"
        return self._cell(said, spoken, f"{looks}{' chosen' * chosen}", self.place(i, j))

    def product(
        self, value: float | None, name: str, place: Any, chosen: bool, asked: bool = False
    ) -> str:
        """One cell with an entry of the product; None where there is none."""
        said = "—" if value is None else "?" if asked else boxed(value)
        spoken = _("{} gets {}").format(name, said)
        looks = f"product{' chosen' * chosen}"
        return self._cell(said, spoken, looks, place, current=chosen)

    def place(self, i: int, j: int) -> Any:
        return self.to(i, j) if self.to else None

    def _looks(self, value: float) -> str:
        if value == 0 or not isfinite(value) or not self.largest:
            return "zero"
        return f"{'plus' if value > 0 else 'minus'}{ceil(STEPS * abs(value) / self.largest)}"

    def _cell(self, said: str, spoken: str, looks: str, place: Any, current: bool = False) -> str:
        if place is None:
            return f'<td class="{looks}">{said}</td>'
        here = ' aria-current="true"' if current else ""
        return (
            f'<td class="{looks}"><span data-to="{as_state(place)}" '
            f'aria-label="{escape(spoken)}"{here}>{said or "&nbsp;"}</span></td>'
        )

    def scale(self) -> str:
        """The colors from the most negative entry to the most positive one."""
        steps = range(-STEPS, STEPS + 1)
        looks = ("zero" if s == 0 else f"{'plus' if s > 0 else 'minus'}{abs(s)}" for s in steps)
        boxes = "".join(f'<i class="{look}"></i>' for look in looks)
        ends = f"{shown(-self.largest)} … 0 … {shown(self.largest)}" if self.largest else "0"
        return (
            f'<div class="scale"><span>{escape(_("entries of J"))}</span>{boxes}'
            f"<span>{ends}</span></div>"
        )


def table(head: Iterable[str], body: Iterable[str], label: str, grid: bool) -> str:
    """A table of rows that are there as HTML; `grid` lets arrow keys go from cell to cell."""
    return (
        f'<div class="scroll"><table class="jacobian"{" data-grid" * grid} '
        f'aria-label="{escape(label)}"><thead><tr>{"".join(head)}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


def heading(said: str, scope: str, looks: str = "") -> str:
    """A cell that names a row or a column."""
    return f'<th scope="{scope}"{f" class={looks!r}" if looks else ""}>{escape(said)}</th>'


def weight(said: str, looks: str = "weight") -> str:
    """A cell with a number of v or u beside its row or above its column."""
    return f'<td class="{looks}">{escape(said)}</td>'


def as_text(rows: Sequence[Sequence[str]]) -> str:
    """Rows of words with the columns below each other."""
    wide = [max(len(row[i]) for row in rows if i < len(row)) for i in range(max(map(len, rows)))]
    lines = (" ".join(f"{said:>{wide[i]}}" for i, said in enumerate(row)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)


# --- v ----------------------------------------------------------------------------------------


def boxes(letter: str, names: Sequence[str], numbers: Row | None, shape: tuple[int, ...]) -> str:
    """Numbers to type in, in the shape of the tensor that they belong to."""
    columns = shape[-1] if shape else 1
    leave = "" if numbers is None else "data-leave "  # empty boxes are entered together
    cells = [
        f'<td><input type="text" {leave}data-input="{letter}{k}" data-key="{letter}{k}" '
        f'value="{"" if numbers is None else f"{numbers[k]:g}"}" '
        f'aria-label="{escape(_("{} for {}").format(letter, name))}"></td>'
        for k, name in enumerate(names)
    ]
    lines = [cells[k : k + columns] for k in range(0, len(cells), columns)]
    rows = "".join(f"<tr>{''.join(line)}</tr>" for line in lines)
    return f'<table class="boxes"><tbody>{rows}</tbody></table>'


def as_row(numbers: Row, chosen: int | None = None) -> str:
    """Numbers between brackets, one of them framed."""
    said = (
        f"<span{' class=chosen' * (k == chosen)}>{shown(n)}</span>" for k, n in enumerate(numbers)
    )
    return f'<p class="one-row">[ {" ".join(said)} ]</p>'


def row_text(numbers: Row) -> str:
    """The same as text.

    >>> row_text((1.0, 0.1))
    '[1, 0.1]'
    """
    return f"[{', '.join(map(shown, numbers))}]"


def choices(buttons: Iterable[tuple[str, Any, bool]]) -> str:
    """Buttons inside of a part: what they say, the state they lead to, whether they are chosen."""
    made = (
        f'<button type="button" data-key="{escape(said)}" data-to="{as_state(to)}" '
        f'aria-pressed="{str(chosen).lower()}">{escape(said)}</button>'
        for said, to, chosen in buttons
    )
    return f'<div class="groups">{"".join(made)}</div>'


def note(said: str) -> str:
    """A small note; what stands between backquotes is code."""
    pieces = escape(said).split("`")
    coded = (f"<code>{piece}</code>" if k % 2 else piece for k, piece in enumerate(pieces))
    return f'<p class="small-note">{"".join(coded)}</p>'


def written_out(terms: Sequence[tuple[float, float]], total: float | None, first: bool) -> str:
    """A sum of products as HTML; the number of v or u, the first or second of each, stands out."""
    pieces = []
    for one, other in terms:
        a, b = shown(one), factor(other)
        pieces.append(f"<b>{a}</b>×{b}" if first else f"{a}×<b>{b}</b>")
    end = "= —" if total is None else f"{_sign(terms, total)} {shown(total)}"
    return f'<p class="written-out">{" + ".join(pieces)} <span>{end}</span></p>'


def in_text(terms: Sequence[tuple[float, float]], total: float | None) -> str:
    """The same sum as text."""
    said = " + ".join(f"{shown(a)}×{factor(b)}" for a, b in terms)
    end = "= —" if total is None else f"{_sign(terms, total)} {shown(total)}"
    return f"{said} {end}"


def _sign(terms: Sequence[tuple[float, float]], total: float) -> str:
    return equals([total, *(number for term in terms for number in term)])


def as_state(state: Any) -> str:
    """A state for an attribute."""
    return escape(json.dumps(state))
