"""The picture of a tower: ovals floor by floor, and what each floor takes from those below it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from minigrad.viz import style
from minigrad.viz.plot import image

from ...language import _
from ..trays.drawn import arrow, ellipse, escape, middle, r, rect, text
from .floors import Built, Floor, Node
from .forward import Arrow, leading
from .placing import BOX, LEAF, RX, RY, Band, Placed, Spot, place
from .ways import Way, around, obstacles, rounded

HIGH = 36  #: a box with a result
#: What a picture that lies in no page needs beyond the style of figures.
ON_PAPER = (
    ".band{fill:#F4F6F8;stroke:#D0D5DA}.band.top{stroke:#111;stroke-width:2}"
    ".link{fill:none;stroke:#8A8A8A;stroke-width:1.4;stroke-dasharray:1.5 3.5}"
    ".links.top .link{stroke:#111}"
    ".name{paint-order:stroke;stroke:#F4F6F8;stroke-width:6px}"
)


def number(value: float) -> str:
    """A value as it stands in a box: four digits, a true minus sign.

    >>> number(12.0), number(-0.72686)
    ('12', '−0.7269')
    """
    said = f"{round(value, 4) + 0:.4g}" if math.isfinite(value) else str(value)
    return said.replace("-", "−")


def picture(built: Built) -> str:
    """The tower as SVG for a page that has the style sheet of the widget."""
    placed = place(built)
    body = "".join(_drawn(built, placed))
    width, height = r(placed.width), r(placed.height)
    return (
        f'<svg class="minigrad-figure tower" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" style="--least:{r(placed.width)}px" '
        f'role="img" aria-label="{escape(describe(built))}">'
        f"{body}</svg>"
    )


def still(built: Built) -> str:
    """The same as an image that carries its style, for where no script runs."""
    placed, alt = place(built), describe(built)
    body = "".join(_drawn(built, placed))
    width, height = r(placed.width), r(placed.height)
    drawn = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}"><style>{style.paper(body)}{ON_PAPER}</style>'
        f'<rect width="{width}" height="{height}" fill="#fff"/>{body}</svg>'
    )
    return image(drawn, alt)


def describe(built: Built) -> str:
    """What the picture says, in words: one sentence a floor, the lowest first."""
    return " ".join(_described(n, floor) for n, floor in enumerate(built.floors))


def _described(count: int, floor: Floor) -> str:
    what = f"{floor.name} = {number(floor.value)}"
    if floor.root is None:
        return _("Floor {}, {}, is empty.").format(count, what)
    listed = ", ".join(f"{n} {symbol}" for symbol, n in floor.counts.items())
    said = _("Floor {}, {}: {} new, {} in its graph.")
    return said.format(count, what, listed or _("nothing"), floor.total)


def _drawn(built: Built, placed: Placed) -> Iterator[str]:
    """The floors, the links between them, and on top of both what stands on each floor."""
    home = {n.key: b for b in placed.bands for n in b.floor.new}
    last = placed.bands[-1]
    arrows = [[*_leading(band, placed, home)] for band in placed.bands]
    solid = [one.followed for some in arrows for one in some]
    for band in placed.bands:
        top = " top" if band is last else ""
        yield rect(f"band{top}", 1, band.top, placed.width - 2, band.height, 4)
    for band in placed.bands:
        links = "".join(_links(band, placed, home, solid))
        yield f'<g class="links{" top" if band is last else ""}">{links}</g>'
    for count, (band, some) in enumerate(zip(placed.bands, arrows, strict=True)):
        yield _name(count, band, placed)
        pieces = [*map(_arrow, some)]
        pieces += [_leaf(node, placed, built) for node in band.floor.new if node.leaf]
        pieces += _block(band) if band.folded else _ovals(band, placed)
        yield "".join([*pieces, _result(band)])


def _name(count: int, band: Band, placed: Placed) -> str:
    """What a floor is called, and how many nodes it has."""
    floor = band.floor
    name = _("floor {}").format(count)
    if floor.root is None:
        said = _("no node")
    else:
        said = _("{} new, {} in all").format(len(floor.new), floor.total)
    y = band.top + (placed.head or band.height / 2)
    (u, v), (a, b) = ((10, y), (66, y)) if placed.head else ((10, y - 4), (10, y + 14))
    return text("nm name", u, v, name) + text("small dim name", a, b, said)


def _links(band: Band, placed: Placed, home: dict[int, Band], solid: list[Way]) -> Iterator[str]:
    """A dotted line for each node of another floor that made an operand here."""
    pairs = {
        (one, node.key)
        for node in band.floor.operations
        for one in node.uses
        if home[one] is not band
    }
    seen, there = set(), obstacles(placed)
    for one, key in sorted(pairs):
        start, end = placed.spots[one], placed.spots[key]
        if (start, end) not in seen:  # a floor in one block has one spot
            seen.add((start, end))
            way = around(start, end, (home[one], band), there, len(seen), solid)
            yield f'<path class="link" d="{rounded(way)}"/>'


def _leading(band: Band, placed: Placed, home: dict[int, Band]) -> Iterator[Arrow]:
    """The way forward on the floor: from operation to operation, and to its result."""
    if not band.folded:
        spots = [placed.spots[node.key] for node in band.floor.new]
        for node in band.floor.operations:
            used = [one for one in node.uses if home[one] is band]
            for turn, one in enumerate(used):
                twice = used.count(one) > 1
                bend = (-6 if used.index(one) == turn else 6) if twice else 0
                yield leading(placed.spots[one], placed.spots[node.key], bend, spots)
    if band.end is not None:
        x, y = band.result
        side = -1 if x > band.end[0] else 1
        reach = band.block[1] / 2 if band.folded else RX
        yield Arrow(((band.end[0] - side * reach, band.end[1]), (x + side * BOX / 2, y)))


def _arrow(one: Arrow) -> str:
    if one.curved or len(one.points) == 2:
        return f'<g class="edge">{arrow(one.points, "f")}</g>'
    (a, b), (c, d) = one.points[-2:]
    last = ((a + c) / 2, (b + d) / 2)  # the head begins behind the last corner
    shaft = rounded((*one.points[:-1], last))
    return f'<g class="edge"><path class="f" d="{shaft}"/>{arrow((last, (c, d)), "f")}</g>'


def _ovals(band: Band, placed: Placed) -> list[str]:
    return [_oval(node, placed.spots[node.key]) for node in band.floor.operations]


def _oval(node: Node, spot: Spot) -> str:
    x, y = spot
    inside = ellipse("o", x, y, RX, RY) + middle("", x, y - 2, node.symbol)
    inside += middle("small dim", x, y + 12, node.text)
    return f"<g><title>{escape(node.kind)}</title>{inside}</g>"


def _block(band: Band) -> list[str]:
    """A floor with too many operations to be told apart: how many there are of each."""
    (x, width), y = band.block, band.top + band.height / 2
    counts = [f"{n} {symbol}" for symbol, n in band.floor.counts.items()][:4]
    drawn = rect("m", x - width / 2, y - 17, width, 34, 6)
    return [drawn + middle("small", x, y + 4, ", ".join(counts))]


def _leaf(node: Node, placed: Placed, built: Built) -> str:
    (x, y), (wide, high) = placed.spots[node.key], LEAF
    drawn = rect("b", x - wide / 2, y - high / 2, wide, high)
    drawn += rect("in", x - wide / 2 + 3, y - high / 2 + 3, wide - 6, high - 6)
    return drawn + middle("", x, y + 5, f"{node.leaf} = {number(built.values[node.leaf])}")


def _result(band: Band) -> str:
    """The box with what the walk came to; dotted where nothing leads back from it."""
    (x, y), floor = band.result, band.floor
    drawn = rect("b", x - BOX / 2, y - HIGH / 2, BOX, HIGH)
    drawn += middle("small", x, y - 3, floor.name) + middle("nm", x, y + 13, number(floor.value))
    return f'<g class="value{" unasked" if floor.root is None else ""}">{drawn}</g>'
