"""The ways of dotted lines from floor to floor, between what they have nothing to do with.

A line that cannot go straight turns in the gaps between two columns and between two floors.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import islice, pairwise, product

from ..trays.drawn import r
from .placing import BOX, COLUMN, GAP, LEAF, ROW, RX, RY, Band, Placed, Spot

Way = tuple[Spot, ...]
Obstacle = tuple[float, float, float, float]  #: a middle, and half the width and height

GUTTER = GAP / 2  #: the middle between two floors
NEAR = 2  #: how close a line may come to what it goes by
CROSSED = 300  #: how much longer a line may be that crosses an arrow less
MOST_TRIED = 24  #: ways that are compared
TURN = 14  #: pixels of a corner that are rounded


def obstacles(placed: Placed) -> list[Obstacle]:
    """All ovals, leaves and results of a tower."""
    found = []
    for band in placed.bands:
        for node in band.floor.new:
            half = (LEAF[0] / 2, LEAF[1] / 2) if node.leaf else (RX, RY)
            if node.leaf or not band.folded:
                found.append((*placed.spots[node.key], *half))
        if band.folded:
            found.append((band.block[0], band.result[1], band.block[1] / 2, RY))
        found.append((*band.result, BOX / 2, RY))
    return found


def around(
    start: Spot,
    end: Spot,
    bands: tuple[Band, Band],
    there: list[Obstacle],
    lane: int = 0,
    arrows: Sequence[Way] = (),
) -> Way:
    """A short way that goes through nothing but its ends, as far as there is one.

    `bands` are the floors of `start` and of `end`, and `there` is what stands in the tower. Ways of
    different lanes do not lie on each other where they turn. Where a straight line would cross some
    of the `arrows`, a longer way that crosses fewer is taken.
    """
    others = [one for one in there if one[:2] not in (start, end)]
    straight = (start, end)
    hit = hits(straight, others)
    if not hit and not crossed(straight, arrows):
        return straight
    ways = sorted(_turning(start, end, bands, lane), key=_length)
    free = (way for way in ways if not hits(way, others))
    if hit:
        return next(free, straight)
    tried = [straight, *islice(free, MOST_TRIED)]
    return min(tried, key=lambda way: _length(way) + CROSSED * crossed(way, arrows))


def _turning(start: Spot, end: Spot, bands: tuple[Band, Band], lane: int) -> list[Way]:
    """Ways down or up a gap beside each end, and from one to the other between the floors."""
    down = 1 if end[1] > start[1] else -1
    across, along = (lane % 5 - 2) * 4, (lane % 3 - 1) * 2.5
    first, last = (
        across + (band.top + band.height + GUTTER if side > 0 else band.top - GUTTER)
        for band, side in zip(bands, (down, -down), strict=True)
    )
    sides = (along - COLUMN / 2, 0, along + COLUMN / 2)
    ways = []
    for a, b in product(sides, sides):
        u, v = start[0] + a, end[0] + b
        out = [(u, start[1] + down * ROW / 2)] if a else []
        back = [(v, end[1] - down * ROW / 2)] if b else []
        for between in ([(u, first), (v, last)], [(u, last), (v, last)], [(u, first), (v, first)]):
            ways.append(_plain([start, *out, *between, *back, end]))
        for gap in (start[0] + along + (n + 0.5) * COLUMN for n in range(-4, 4)):
            between = [(u, first), (gap, first), (gap, last), (v, last)]
            ways.append(_plain([start, *out, *between, *back, end]))
    return ways


def _plain(points: list[Spot]) -> Way:
    """The points without those that follow on themselves."""
    return tuple(one for n, one in enumerate(points) if not n or one != points[n - 1])


def _length(way: Way) -> float:
    return sum(math.dist(*pair) for pair in pairwise(way)) + 20 * len(way)


def crossed(way: Way, arrows: Sequence[Way]) -> int:
    """How many of the arrows a way crosses."""
    return sum(
        any(_cross(*one, *other) for one in pairwise(way) for other in pairwise(arrow))
        for arrow in arrows
    )


def _cross(a: Spot, b: Spot, c: Spot, d: Spot) -> bool:
    """Whether the line from `a` to `b` crosses the one from `c` to `d`."""
    return _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0


def _side(a: Spot, b: Spot, c: Spot) -> float:
    """On which side of the line from `a` to `b` a point lies."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def hits(way: Way, others: list[Obstacle]) -> bool:
    """Whether a way goes through what it has nothing to do with."""
    return any(_hits(a, b, *one) for a, b in pairwise(way) for one in others)


def _hits(start: Spot, end: Spot, u: float, v: float, w: float, h: float) -> bool:
    """Whether the point of a line that is nearest to the middle of an oval lies in it."""
    w, h = w + NEAR, h + NEAR
    (x, y), (c, d) = ((start[0] - u) / w, (start[1] - v) / h), ((end[0] - u) / w, (end[1] - v) / h)
    along, down = c - x, d - y
    length = along * along + down * down
    part = 0.0 if not length else min(1.0, max(0.0, -(x * along + y * down) / length))
    return math.hypot(x + part * along, y + part * down) < 1


def rounded(way: Way) -> str:
    """A way as the path of an SVG, with its corners rounded.

    >>> rounded(((0, 0), (0, 40), (40, 40)))
    'M0 0L0 26Q0 40 14 40L40 40'
    """
    drawn = [f"M{r(way[0][0])} {r(way[0][1])}"]
    for before, here, after in zip(way, way[1:], way[2:], strict=False):
        (a, b), (c, d) = _short_of(here, before), _short_of(here, after)
        drawn.append(f"L{r(a)} {r(b)}Q{r(here[0])} {r(here[1])} {r(c)} {r(d)}")
    return "".join([*drawn, f"L{r(way[-1][0])} {r(way[-1][1])}"])


def _short_of(corner: Spot, other: Spot) -> Spot:
    """The point a little before a corner, on the way from `other`."""
    length = math.dist(corner, other)
    part = min(TURN, length / 2) / length
    return (corner[0] + (other[0] - corner[0]) * part, corner[1] + (other[1] - corner[1]) * part)
