"""The pictures of the playground: plot, graph, table, and how far off each nudge is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from minigrad.viz.plot import DASHES, ON_PAPER, Chord, Plot, image

from ...language import _
from ..board import Part
from .boxes import as_code
from .errors import chart, spelled
from .measured import Measured, Row
from .words import few, many, place, signed, told

COLORS = {
    "curve": "var(--mg-blue)",
    "tangent": "var(--mg-gradtext)",
    "chord": "var(--mg-pasttext)",
    "ink": "var(--mg-ink)",
    "ground": "var(--mg-card)",
    "axis": "var(--mg-edge)",
}


FLAT = 120  #: pixels: above a plot, a graph of this height leaves it in sight


def picture(found: Measured) -> Part:
    """The curve with its point, tangent and chord."""
    row = found.row
    here = (row.value, found.value)
    slope = row.slope if math.isfinite(row.slope) and math.isfinite(found.value) else None
    chords = []
    if math.isfinite(row.nudged):
        ends = [(row.value + move, found.value_at(found.by, move)) for move in _moves(found)]
        if ends[0][0] != ends[1][0]:
            chords.append(Chord(*ends))
    plot = Plot(found.curve, here, slope, chords, row.place.name, found.result, 560, 286)
    title = _("a curve, its tangent and a chord")
    html = plot.svg(COLORS, title, told(found).replace("`", "")) + _legend(found, slope, chords)
    said = [_("point: {}").format(place(found).replace("`", ""))]
    if slope is not None:
        said.append(_("tangent: slope {}").format(many(slope)))
    if chords:
        said.append(_("chord: slope {}").format(many(row.nudged)))
    return Part("curve", html, "\n".join(said))


def still(found: Measured, nudges: Sequence[float]) -> str:
    """The point, the tangent and chords of several nudges, as an image for where no script runs."""
    row, result = found.row, found.result
    here = (row.value, found.value)
    if not math.isfinite(row.slope + found.value):
        return ""
    ends = [(row.value + nudge, found.value_at(found.by, nudge)) for nudge in nudges]
    chords = [
        Chord(here, end, f"+ {spelled(nudge)}")
        for nudge, end in zip(nudges, ends, strict=True)
        if math.isfinite(end[1])
    ]
    listed = ", ".join(map(spelled, nudges))
    legend = (
        ("curve", f"{result} = {found.expression.text}"),
        ("tangent", _("tangent, slope {} by autograd").format(many(row.slope))),
        ("chord", _("chords, by nudges of {}").format(listed)),
    )
    said = _("{} Chords of the nudges {} have the slopes {}.")
    slopes = ", ".join(many(chord.slope) for chord in chords)
    alt = said.format(told(found).replace("`", ""), listed, slopes)
    plot = Plot(found.curve, here, row.slope, chords, row.place.name, result)
    return image(plot.svg(ON_PAPER, _("a curve, its tangent and a chord"), alt, legend), alt)


def _moves(found: Measured) -> tuple[float, float]:
    return (-found.nudge if found.both else 0.0, found.nudge)


def _legend(found: Measured, slope: float | None, chords: list) -> str:
    lines = [("curve", f"{found.result} = {found.expression.text}")]
    if slope is not None:
        lines.append(("tangent", _("tangent, slope {} by autograd").format(many(slope))))
    if chords:
        words = _("chord of the nudge {}, slope {}")
        lines.append(("chord", words.format(spelled(found.nudge), many(found.row.nudged))))
    items = "".join(
        f'<span><svg width="36" height="8" aria-hidden="true"><path d="M0 4H36" fill="none" '
        f'stroke="{COLORS[kind]}" stroke-width="3" stroke-dasharray="{DASHES[kind]}"/></svg> '
        f"{escape(words)}</span>"
        for kind, words in lines
    )
    return f'<div class="legend">{items}</div>'


def graph(found: Measured) -> Part:
    """The graph with values and gradients."""
    drawn = found.graph.svg(styled=False)
    text = found.graph.text()
    if drawn is None:
        return Part("graph", f"<pre>{escape(text)}</pre>", text, beside=True)
    least = found.graph.size[0]  # shrunk, it could not be read: it scrolls
    reached = f'tabindex="0" role="group" aria-label="{escape(_("graph"))}"'
    look = "graph flat" if found.graph.size[1] <= FLAT else "graph"
    html = f'<div class="{look}" {reached} style="--least:{least}px">{drawn}</div>'
    return Part("graph", html, text, beside=True)


def numbers(found: Measured) -> Part:
    """The table of what autograd says and what the nudge says, and how far off each nudge is."""
    heads = (
        _("leaf"),
        _("value"),
        _("autograd"),
        _("nudge {}").format(spelled(found.nudge)),
        _("difference"),
    )
    rows = [_cells(row) for row in found.rows]
    top = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    body = "".join(
        f'<tr{" class=here" if row.place == found.by else ""}><th scope="row">'
        f"{as_code(cells[0])}</th>"
        + "".join(f"<td>{escape(cell)}</td>" for cell in cells[1:])
        + "</tr>"
        for row, cells in zip(found.rows, rows, strict=True)
    )
    table = (
        '<div class="scroll"><table class="facts">'
        f"<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"
    )
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    lines = [
        "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        for line in (heads, *rows)
    ]
    if _errors(found):
        lines += ["", f"{_('how far off each nudge is')}:"]
        lines += [f"{spelled(h):>6}  {signed(gap)}" for h, gap in found.differences.items()]
    return Part("numbers", table + _errors(found), "\n".join(lines), beside=True)


def _errors(found: Measured) -> str:
    """How far off each nudge is; at a kink there is nothing to be off from."""
    if found.kink is not None or not math.isfinite(found.row.slope + found.value):
        return ""
    heading = f'<p class="small-note">{escape(_("how far off each nudge is"))}</p>'
    return heading + chart(found.differences, found.nudge, COLORS)


def _cells(row: Row) -> tuple[str, ...]:
    value, slope, nudged = few(row.value), many(row.slope), many(row.nudged)
    return row.place.name, value, slope, nudged, signed(row.difference)
