"""The ways of arrows on a floor: from the rim of one oval to that of another, and through none.

An arrow that goes by a whole column swerves above or below it. Where it would meet an oval it has
nothing to do with, it takes the gaps between the ovals of the columns that it goes by.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from .placing import COLUMN, ROW, RX, RY, Spot
from .ways import Way, hits

AROUND = 16  #: how far an arrow swerves that goes by a column
ASLANT = ROW / 2 + 5  #: how far above or below an oval an arrow may begin to turn to it
NARROW = ROW  #: how much further an arrow goes rather than between two ovals
TURNED = 5  #: and rather than to turn
STEPS = 24  #: parts that a curve is looked at in

Lanes = tuple[float, ...]  #: the height in each column that a way goes by


@dataclass(frozen=True)
class Arrow:
    """An arrow by its points: those of a way with corners, or the four of a curve."""

    points: Way
    curved: bool = False

    @property
    def followed(self) -> Way:
        """The arrow as straight pieces."""
        return followed(self.points) if self.curved else self.points


def leading(start: Spot, end: Spot, bend: float, spots: Iterable[Spot]) -> Arrow:
    """An arrow from the rim of one oval to that of another, around what stands between them."""
    if abs(end[0] - start[0]) < 1.5 * COLUMN:
        return Arrow(straight(start, end, bend))
    curve = swerving(start, end)
    if is_free(curve, start, end, spots):
        return Arrow(curve, True)
    return Arrow(between(start, end, spots))


def straight(start: Spot, end: Spot, bend: float = 0) -> Way:
    """From rim to rim of two ovals; two arrows between the same ovals are told apart by `bend`."""
    (a, b), (c, d) = start, end
    turn = math.atan2((d - b) / RY, (c - a) / RX)
    dx, dy = RX * math.cos(turn), RY * math.sin(turn)
    return ((a + dx, b + dy + bend), (c - dx, d - dy + bend))


def swerving(start: Spot, end: Spot) -> Way:
    """The four points of a curve that goes above or below what stands between two ovals."""
    (a, b), (c, d) = start, end
    side, way = (1 if b >= d else -1), math.copysign(1, c - a)
    rim = (c - way * RX * 0.6, d + side * RY * 0.8)
    over = (b if side * b > side * d else d) + side * AROUND
    return ((a + way * RX, b), (a + (c - a) * 0.45, over), (c - way * COLUMN * 0.6, over), rim)


def followed(curve: Way) -> Way:
    """Points close to each other on a curve of four points."""
    return tuple(_on(curve, n / STEPS) for n in range(STEPS + 1))


def is_free(curve: Way, start: Spot, end: Spot, spots: Iterable[Spot]) -> bool:
    """Whether a curve of four points meets no oval but those that it begins and ends at."""
    others = [(*one, RX, RY) for one in spots if one not in (start, end)]
    return not hits(followed(curve), others)


def _on(curve: Way, part: float) -> Spot:
    """A point of a curve, by De Casteljau."""
    while len(curve) > 1:
        curve = tuple(
            (a + (c - a) * part, b + (d - b) * part) for (a, b), (c, d) in pairwise(curve)
        )
    return curve[0]


def between(start: Spot, end: Spot, spots: Iterable[Spot]) -> Way:
    """The way that turns least, through the gaps of the columns that it goes by."""
    (a, b), (c, d) = start, end
    way, known = math.copysign(1, c - a), list(spots)
    columns = [a + way * COLUMN * n for n in range(1, round(abs(c - a) / COLUMN))]
    gaps = [_gaps([v for u, v in known if abs(u - x) < 1] or [b]) for x in columns]
    every = [gap for one in gaps for gap in one]
    ways: dict[Lanes, float] = {(b,): 0.0}
    for some in gaps:
        ways = _nearest(ways, some, (min(every), max(every)))
    lanes = min(ways, key=lambda one: ways[one] + abs(one[-1] - d))[1:]
    points = []
    for x, lane in zip(columns, lanes, strict=True):
        points += [(x - way * COLUMN / 2, lane), (x + way * COLUMN / 2, lane)]
    corners = (start, *_aslant(start, points[0]), *points, *_aslant(end, points[-1]), end)
    turns = [
        here
        for before, here, after in zip(corners, corners[1:], corners[2:], strict=False)
        if not before[1] == here[1] == after[1]
    ]
    if not turns:
        return straight(start, end)
    return (_rim(start, turns[0]), *turns, _rim(end, turns[-1]))


def _nearest(
    ways: dict[Lanes, float], gaps: list[float], outer: tuple[float, float]
) -> dict[Lanes, float]:
    """The best way to each gap of the next column or beyond all ovals, and what it costs."""

    def cost(one: Lanes, gap: float) -> float:
        return ways[one] + abs(one[-1] - gap) + (TURNED if one[-1] != gap else 0)

    found = {}
    for gap in dict.fromkeys((*gaps, *outer)):
        last = min(ways, key=lambda one, gap=gap: cost(one, gap))
        found[*last, gap] = cost(last, gap) + (NARROW if gaps[0] < gap < gaps[-1] else 0)
    return found


def _gaps(heights: list[float]) -> list[float]:
    """Above, between and below the ovals of a column."""
    return sorted({height + side * ROW / 2 for height in heights for side in (-1, 1)})


def _aslant(oval: Spot, gap: Spot) -> list[Spot]:
    """Where a way that leads far up or down turns to an oval, in the gap beside its column."""
    far = gap[1] - oval[1]
    return [(gap[0], oval[1] + math.copysign(ASLANT, far))] if abs(far) > ASLANT else []


def _rim(oval: Spot, other: Spot) -> Spot:
    """Where a line from the middle of an oval leaves it."""
    dx, dy = other[0] - oval[0], other[1] - oval[1]
    part = 1 / math.hypot(dx / RX, dy / RY)
    return (oval[0] + dx * part, oval[1] + dy * part)
