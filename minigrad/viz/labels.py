"""Where the number of a gradient stands: beside its arrow, over nothing else.

All places beside the curve are tried and the cheapest is taken; a label that finds none loses its
factor, then waits in the details below the picture.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrange import label_widths
from .blocks import STATE
from .curves import Curves
from .drawing import Drawing, Wire
from .measure import text_width

LINE = 15  #: height of a line of text
WORST = 29  #: a place that costs so much is none
GAPS = np.array([5.0, 8, 11, 15, 20])
ALONG = 0.5 + np.array([0, *(side * k / 50 for k in range(1, 23) for side in (1, -1))])
MIDDLE = 9  #: so many places are tried first; most labels find theirs there
AWAY = 50  #: what a place costs a whole arrow away from its middle
ASIDE = 2  #: between a label and what is written beside it
APART = 6, 2  #: between two labels, to the side and up
SPARE = 3, 2  #: so far a label stays from lines, to the side and up


@dataclass
class Label:
    """The middle of a label, on the screen; how it is written."""

    x: float
    y: float
    factor: bool = True
    lines: int = 1


def place_labels(drawing: Drawing, curves: Curves) -> dict[str, Label | None]:
    """A label for each wire that will carry one; None where there is no place."""
    field = _Field(drawing, curves)
    found: dict[str, Label | None] = {}
    length = [np.abs(np.diff(curve, axis=0)).sum() for curve in curves.gradient]
    for number in np.argsort(length, kind="stable"):
        wire = drawing.wires[number]
        if wire.factor or wire.sent:
            found[wire.key] = field.place(wire, curves.gradient[number])
    return found


class _Field:
    """What is drawn already: points of lines, and rectangles of blocks and words."""

    def __init__(self, drawing: Drawing, curves: Curves):
        self.down = drawing.down
        asked = [n for n, wire in enumerate(drawing.wires) if wire.asked and drawing.view == "both"]
        lines = [*curves.forward, *(curves.gradient[n] for n in asked)]
        self.points = self.screen(np.concatenate([dense(line) for line in lines]))
        rects = []
        for block in drawing.blocks.values():
            rects.append((block.x - 2, block.y - 2, block.width + 4, block.height + 4))
            for x, y, width, height in block.texts():
                rects.append((block.x + x - ASIDE, block.y + y - 3, width + 2 * ASIDE, height + 6))
        self.rects = np.array([(x, y, x + w, y + h) for x, y, w, h in rects])

    def screen(self, points: np.ndarray) -> np.ndarray:
        return points[..., ::-1] if self.down else points

    def place(self, wire: Wire, curve: np.ndarray) -> Label | None:
        one, two = label_widths(wire)
        sent = text_width(wire.sent, STATE, True)
        tries = [(one, 1, True), (two, 2, True), (sent, 1, False)]
        wide = abs(curve[-1, 0] - curve[0, 0])
        if not self.down and one > wide + 6:
            tries = tries[1:]
        if not wire.factor.strip("→ "):
            tries = [(one, 1, True), (sent, 1, False)]
        if not (wire.factor and wire.sent):
            tries = [(one, 1, True)]
        for width, lines, factor in tries:
            size = np.array([width, LINE * lines])
            cost, center = self.best(curve, size)
            if cost < WORST:
                corner = center - size / 2
                around = [*(corner - APART), *(corner + size + APART)]
                self.rects = np.vstack([self.rects, around])
                return Label(float(center[0]), float(center[1]), factor, lines)
        return None

    def best(self, curve: np.ndarray, size: np.ndarray) -> tuple[float, np.ndarray]:
        """The cheapest place beside a curve and what it costs."""
        found = self.cheapest(curve, size, ALONG[:MIDDLE])
        nowhere_else = found[0] <= AWAY * abs(ALONG[MIDDLE] - 0.5)
        return found if nowhere_else else self.cheapest(curve, size, ALONG)

    def cheapest(
        self, curve: np.ndarray, size: np.ndarray, along: np.ndarray
    ) -> tuple[float, np.ndarray]:
        """The cheapest of some places along a curve."""
        way = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(curve, axis=0).T))])
        at = np.searchsorted(way, along * way[-1]).clip(0, len(curve) - 1)
        point, normal = self.screen(curve[at]), self.screen(normals_at(curve, at))
        support = np.abs(normal) @ (size / 2)
        centers = point[:, None] + normal[:, None] * (support[:, None] + GAPS)[..., None]
        low, high = centers.reshape(-1, 2) - size / 2, centers.reshape(-1, 2) + size / 2
        near = self.near(low.min(0) - SPARE, high.max(0) + SPARE)
        cost = (np.abs(along - 0.5)[:, None] * AWAY + (GAPS - 5)).ravel()
        cost += 30 * lines_under(near, low, high) + self.things_under(low, high)
        for number in cost.argsort(kind="stable"):
            if cost[number] >= WORST:
                break
            place, gap = divmod(int(number), len(GAPS))
            if not self.parted(near, point[place], normal[place], GAPS[gap], support[place]):
                return float(cost[number]), centers[place, gap]
        return np.inf, centers[0, 0]

    def parted(self, near: np.ndarray, point, normal, gap: float, support: float) -> bool:
        """Whether another line lies between a curve and the middle of a label beside it."""
        x, y = point + normal * gap / 2
        if (np.hypot(near[0] - x, near[1] - y) < gap / 2 - 1).any():
            return True
        ways = np.arange(gap + LINE / 4, gap + support, LINE / 4)
        x, y = (point + normal * ways[:, None]).T[..., None]
        return bool((np.hypot(near[0] - x, near[1] - y) < LINE / 4).any())

    def near(self, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """The points of lines in a rectangle, as two rows of coordinates."""
        x, y = self.points.T
        return self.points[(low[0] < x) & (x < high[0]) & (low[1] < y) & (y < high[1])].T

    def things_under(self, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """What each place costs by the blocks and words it would overlap."""
        left, top, right, bottom = self.rects.T
        first, last = low.min(0), high.max(0)
        near = (first[0] < right) & (left < last[0]) & (first[1] < bottom) & (top < last[1])
        left, top, right, bottom = self.rects[near].T
        wide = np.minimum(high[:, :1], right) - np.maximum(low[:, :1], left)
        tall = np.minimum(high[:, 1:], bottom) - np.maximum(low[:, 1:], top)
        area = np.maximum(wide, 0) * np.maximum(tall, 0)
        return ((area > 0) * 40 + area * 0.3).sum(axis=1)


def lines_under(points: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """How many points of lines each place covers."""
    x, y = points
    over = (low[:, :1] - SPARE[0] < x) & (x < high[:, :1] + SPARE[0])
    over &= (low[:, 1:] - SPARE[1] < y) & (y < high[:, 1:] + SPARE[1])
    return over.sum(axis=1)


def normals_at(curve: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Unit normals at some of the points of a curve, to the side on which the gradient runs."""
    step = curve[(at + 1).clip(max=len(curve) - 1)] - curve[(at - 1).clip(min=0)]
    length = np.maximum(np.hypot(*step.T), 1e-9)
    return np.stack([-step[:, 1] / length, step[:, 0] / length], axis=-1)


def label_size(wire: Wire, label: Label) -> float:
    """How wide a label is."""
    if not label.factor:
        return text_width(wire.sent, STATE, True)
    return label_widths(wire)[label.lines - 1]


def dense(line: np.ndarray) -> np.ndarray:
    """The points of a line without those that add nothing: about three pixels apart."""
    way = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    at = np.linspace(0, way[-1], max(int(way[-1] / 3), 2))
    return np.stack([np.interp(at, way, line[:, k]) for k in (0, 1)], axis=-1)
