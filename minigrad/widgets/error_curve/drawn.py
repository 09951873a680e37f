"""The picture and the table of finite differences: error against eps, both in powers of ten."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from minigrad.viz.plot import ON_PAPER

from ...language import _
from ..board import Part
from ..packing import as_json
from ..playground.errors import spelled, ten
from ..playground.words import many, signed
from .measured import DTYPES, EPS, POWERS, Measured, Point

WIDTH, HEIGHT = 400, 325
MOST_WIDTH = 430  #: larger, its letters would outgrow those of the table
LEFT, RIGHT, TOP, BOTTOM = 52, 10, 54, 46
LOWEST = -15  # below it every float64 is only noise
INK = {
    "float64": "var(--mg-blue)",
    "float32": "var(--mg-gradtext)",
    "allowed": "var(--mg-dim)",
    "ink": "var(--mg-ink)",
    "axis": "var(--mg-edge)",
    "ground": "var(--mg-card)",
}
PAPER = {
    "float64": ON_PAPER["curve"],
    "float32": ON_PAPER["tangent"],
    "allowed": ON_PAPER["axis"],
    "ink": ON_PAPER["ink"],
    "axis": ON_PAPER["axis"],
    "ground": ON_PAPER["ground"],
}  #: of a picture that does not know its page
DASHES = {"float64": "", "float32": "8 4", "allowed": "2 5"}
SIGNS = {"float64": "circle", "float32": "square"}

To = Callable[[int], Any]


def picture(found: Measured, power: int, alt: str, asked: bool = False) -> Part:
    """The chart, with a line at the chosen eps; empty as long as a guess is asked for."""
    if asked:
        return Part("chart", chart(found, None, INK, alt, asked), _("error: ?"), share=5)
    words = [
        f"{dtype}: {_('closest at')} {spelled(best.eps)}, {signed(best.error)}"
        for dtype, best in ((dtype, closest(found.points[dtype])) for dtype in DTYPES)
        if best
    ]
    return Part("chart", chart(found, power, INK, alt), "\n".join(words), share=5)


def closest(points: Sequence[Point]) -> Point | None:
    """The point of the smallest error, if any error is a number."""
    known = [point for point in points if math.isfinite(point.error)]
    return min(known, key=lambda point: point.error, default=None)


def chart(
    found: Measured, power: int | None, colors: Mapping[str, str], alt: str, asked: bool = False
) -> str:
    """Error against eps as SVG. An error of exactly 0 stands on the lower edge, hollow."""
    points = [point for dtype in DTYPES for point in found.points[dtype]]
    sizes = [p.error for p in points] + [p.allowed for p in points]
    logs = [math.log10(size) for size in sizes if size and math.isfinite(size)]
    low = max(LOWEST, math.floor(min(logs, default=-1)))
    high = max(low + 1, math.ceil(max(logs, default=0)))

    def across(power: float) -> float:
        return round(LEFT + (power - 0.6) / (12.4 - 0.6) * (WIDTH - LEFT - RIGHT), 1)

    def up(size: float) -> float:
        level = max(low, math.log10(size)) if size else low
        return round(HEIGHT - BOTTOM - (level - low) / (high - low) * (HEIGHT - TOP - BOTTOM), 1)

    drawn = _frame(low, high, across, up, colors)
    if power is not None:
        x = across(power)
        drawn += f'<path d="M{x} {TOP - 6}V{HEIGHT - BOTTOM}" stroke="{colors["axis"]}"/>'
    allowed = [(across(n), up(p.allowed)) for n, p in _finite(found.points["float64"], "allowed")]
    drawn += "" if asked else _line(allowed, "allowed", colors)
    for dtype in () if asked else reversed(DTYPES):
        places = [
            (across(n), up(p.error), p.error == 0, n == power)
            for n, p in _finite(found.points[dtype], "error")
        ]
        drawn += _line([place[:2] for place in places], dtype, colors)
        drawn += "".join(_dot(dtype, colors, *place) for place in places)
    title = escape(_("error against eps"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{MOST_WIDTH}" height="{HEIGHT * MOST_WIDTH // WIDTH}" role="img" '
        'style="max-width:100%;height:auto" font-family="sans-serif" font-size="13.5">'
        f"<title>{title}</title>"
        f'<desc>{escape(alt)}</desc><rect width="{WIDTH}" height="{HEIGHT}" '
        f'fill="{colors["ground"]}"/>{drawn}{_legend(colors)}</svg>'
    )


def _finite(points: Sequence[Point], what: str) -> list[tuple[int, Point]]:
    pairs = zip(POWERS, points, strict=True)
    return [(power, point) for power, point in pairs if math.isfinite(getattr(point, what))]


def _frame(low: int, high: int, across: Callable, up: Callable, colors: Mapping[str, str]) -> str:
    """Both axes, with a word at some powers of ten."""
    bottom, axis, ink = HEIGHT - BOTTOM, colors["axis"], colors["ink"]
    drawn = f'<path d="M{LEFT} {TOP - 6}V{bottom}H{WIDTH - RIGHT}" fill="none" stroke="{axis}"/>'
    for power in POWERS:
        x = across(power)
        drawn += f'<path d="M{x} {bottom}v4" stroke="{axis}"/>'
        if power % 3 == 1:
            drawn += _text(x, bottom + 18, "middle", ink, ten(-power))
    for level in range(high, low - 1, -2 if high - low > 8 else -1):
        y = up(10.0**level)
        drawn += f'<path d="M{LEFT} {y}h-4" stroke="{axis}"/>'
        drawn += _text(LEFT - 8, y + 5, "end", ink, ten(level))
    drawn += _text(WIDTH - RIGHT, bottom + 38, "end", ink, _("eps, smaller and smaller →"))
    return drawn + _text(4, 40, "start", ink, _("error"))


def _line(places: Sequence[tuple[float, float]], kind: str, colors: Mapping[str, str]) -> str:
    points = " ".join(f"{x},{y}" for x, y in places)
    return (
        f'<polyline points="{points}" fill="none" stroke="{colors[kind]}" stroke-width="2" '
        f'stroke-dasharray="{DASHES[kind]}"/>'
    )


def _dot(dtype: str, colors: Mapping[str, str], x: float, y: float, hollow: bool, now: bool) -> str:
    """A circle or a square, larger at the chosen eps."""
    size = 6 if now else 4
    look = f'fill="{colors["ground" if hollow else dtype]}" stroke="{colors[dtype]}"'
    if SIGNS[dtype] == "circle":
        return f'<circle cx="{x}" cy="{y}" r="{size}" {look}/>'
    corner = f'x="{round(x - size, 1)}" y="{round(y - size, 1)}"'
    return f'<rect {corner} width="{2 * size}" height="{2 * size}" {look}/>'


def _legend(colors: Mapping[str, str]) -> str:
    words = {
        "float64": "float64",
        "float32": "float32",
        "allowed": _("gradcheck passes up to here"),
    }
    drawn = ""
    for number, (kind, said) in enumerate(words.items()):
        x, y = LEFT + 16 + 150 * (number % 2), 14 + 22 * (number // 2)
        drawn += _line([(x, y), (x + 36, y)], kind, colors)
        if kind in SIGNS:
            drawn += _dot(kind, colors, x + 18, y, False, False)
        drawn += _text(x + 44, y + 5, "start", colors["ink"], said)
    return drawn


def _text(x: float, y: float, anchor: str, color: str, text: str) -> str:
    place = f'x="{x}" y="{y}" text-anchor="{anchor}"'
    return f'<text {place} fill="{color}">{escape(text)}</text>'


# --- The table ----------------------------------------------------------------------------------


def table(found: Measured, power: int | None, to: To, asked: bool = False) -> Part:
    """A row for each eps: what nudging says, and in either dtype how far off, and the verdict."""
    columns = {
        "float64": [_("nudging says"), _("off by"), _("gradcheck")],
        "float32": [_("off by"), _("gradcheck")],
    }
    rows = [
        [spelled(EPS[at]), *["?"] * 5] if asked else _cells(found, at) for at in range(len(EPS))
    ]

    def mark(n: int) -> str:
        return " data-answer" if asked else " aria-current=true" if n == power else ""

    body = "".join(
        f'<tr{" class=here" if n == power else ""}><th scope="row"><span '
        f'data-to="{escape(as_json(to(n)))}"{mark(n)}>'
        f"{escape(cells[0])}</span></th>"
        + "".join(f"<td>{escape(cell)}</td>" for cell in cells[1:])
        + "</tr>"
        for n, cells in zip(POWERS, rows, strict=True)
    )
    groups = "".join(
        f'<th scope="colgroup" colspan="{len(named)}">{dtype}</th>'
        for dtype, named in columns.items()
    )
    named = "".join(
        f'<th scope="col">{escape(one)}</th>' for some in columns.values() for one in some
    )
    html = (
        '<div class="scroll"><table class="facts errors" data-grid '
        f'aria-label="{escape(_("finite differences by eps"))}"><thead><tr>'
        f'<th rowspan="2" scope="col">eps</th>{groups}</tr><tr>{named}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )
    told = [f"{dtype}: {one}" for dtype, some in columns.items() for one in some]
    lines = [["eps", *told], *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    text = "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
    return Part("table", html, text, beside=True, stays=True, share=7)


def _cells(found: Measured, at: int) -> list[str]:
    cells = [spelled(EPS[at]), many(found.points["float64"][at].nudged)]
    for dtype in DTYPES:
        point = found.points[dtype][at]
        cells += [signed(point.error), verdict(point.passes)]
    return cells


def verdict(passes: bool) -> str:
    """The word for what gradcheck answered."""
    return _("passes") if passes else _("fails")
