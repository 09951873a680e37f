"""Where the number of a gradient stands: beside its arrow, over nothing else.

The places beside its curve are tried, the best one first; a label that finds none free loses its
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
from .shapes import points_at, way_along

ARROW = "→ "  #: how the factor in a label ends
LINE = 15  #: height of a line of text
WORST = 29  #: a place that costs so much is none
GAPS = np.array([5.0, 8, 11, 15, 20])
ALONG = 0.5 + np.array([0, *(side * k / 50 for k in range(1, 23) for side in (1, -1))])
AWAY = 50  #: what a place costs a whole arrow away from its middle
COSTS = (np.abs(ALONG - 0.5)[:, None] * AWAY + (GAPS - 5)).ravel()  #: of each place beside a curve
BEST = np.array([n for n in COSTS.argsort(kind="stable") if COSTS[n] < WORST])
FIRST = 12  #: so many of the best are tried before all others: many labels find theirs there
ASIDE = 2  #: between a label and what is written beside it
APART = 6, 2  #: between two labels, to the side and up
SPARE = 3, 2  #: so far a label stays from lines, to the side and up
NEARER = 4  #: so much nearer to its arrow than to any other line nobody takes it for another's
AROUND = max(GAPS) + NEARER
WORTH = 14  #: what a place may cost more for that


@dataclass
class Label:
    """The middle of a label, on the screen; how it is written.

    ``alone`` says that no other line is as near to it as its own, and ``arrow`` on which of its
    lines the arrow stands.
    """

    x: float
    y: float
    factor: bool = True
    lines: int = 1
    alone: bool = True
    arrow: int = 1


def first_line(factor: str) -> str:
    """What stands above the arrow and the number.

    >>> first_line("×3 → "), first_line("→ ")
    ('×3', '')
    """
    return factor.removesuffix(ARROW).rstrip()


def second_line(sent: str) -> str:
    """An arrow and the number that it points to.

    >>> second_line("12"), second_line("")
    ('→ 12', '')
    """
    return f"{ARROW}{sent}" if sent else ""


def place_labels(
    drawing: Drawing, curves: Curves, points: list[np.ndarray], across: bool = False
) -> dict[str, Label | None]:
    """A label for each wire that will carry one; None where there is no place.

    With ``across`` one that finds none beside its gradient may stand across, beside the forward
    line of the same arrow. ``points`` are those of the forward lines and of the gradients' lines,
    as `dense` gives them.
    """
    field = _Field(drawing, points)
    found: dict[str, Label | None] = {}
    length = [np.abs(np.diff(curve, axis=0)).sum() for curve in curves.gradient]
    order = np.argsort(length, kind="stable")
    for curve, side in ((curves.gradient, curves.side), (curves.forward, -curves.side)):
        for number in order:
            wire = drawing.wires[number]
            if (wire.factor or wire.sent) and not found.get(wire.key):
                found[wire.key] = field.place(number, wire, curve[number], side[number])
        if not across or drawing.view != "both":
            break
    _alike(drawing, found)
    return found


def _alike(drawing: Drawing, found: dict[str, Label | None]) -> None:
    """A lone arrow before one of two numbers between the same blocks would ask what it means."""
    written = [(wire, label) for wire in drawing.wires if (label := found.get(wire.key))]
    bare = {(wire.source, wire.target) for wire, label in written if not label.factor}
    for wire, label in written:
        if (wire.source, wire.target) in bare and not wire.factor.strip("→ "):
            label.factor = False


class _Field:
    """What is drawn already: points of lines, and rectangles of blocks and words."""

    def __init__(self, drawing: Drawing, points: list[np.ndarray]):
        self.down = drawing.down
        wires = drawing.wires
        gradients = zip(wires, points[len(wires) :]) if drawing.view == "both" else ()
        lines = [*points[: len(wires)], *(line for wire, line in gradients if wire.asked)]
        asked = [n for n, wire in enumerate(wires) if wire.asked] if drawing.view == "both" else []
        owners = np.repeat([*range(len(wires)), *asked], [len(line) for line in lines])
        drawn = np.concatenate(lines)
        # In the order of the flow, so that those near a label are next to each other.
        order = drawn[:, 0].argsort()
        self.points, self.owners = self.screen(drawn[order]).T, owners[order]
        rects = []
        for block in drawing.blocks.values():
            rects.append((block.x - 2, block.y - 2, block.width + 4, block.height + 4))
            for x, y, width, height in block.texts():
                rects.append((block.x + x - ASIDE, block.y + y - 3, width + 2 * ASIDE, height + 6))
        self.rects = np.array([(x, y, x + w, y + h) for x, y, w, h in rects])

    def screen(self, points: np.ndarray) -> np.ndarray:
        return points[..., ::-1] if self.down else points

    def place(self, number: int, wire: Wire, curve: np.ndarray, side: float) -> Label | None:
        one, two = label_widths(wire)
        sent = text_width(wire.sent, STATE, True)
        # An arrow at the end of a line points at nothing: it goes to its number, if it has room.
        better = max(two, text_width(second_line(wire.sent), STATE, True))
        tries = [(one, 1, True), (better, 2, True), (two, 2, True), (sent, 1, False)]
        wide = abs(curve[-1, 0] - curve[0, 0])
        if not self.down and one > wide + 6:
            tries = tries[1:]
        if not wire.factor.strip("→ "):
            tries = [(one, 1, True), (sent, 1, False)]
        if not (wire.factor and wire.sent):
            tries = [(one, 1, True)]
        way = way_along(curve)
        at = np.minimum(way.searchsorted(ALONG * way[-1]), len(curve) - 1)
        normals = normals_at(curve, at) * side
        beside = self.screen(curve[at]), self.screen(normals)
        for width, lines, factor in tries:
            size = np.array([width, LINE * lines])
            found = self.free(number, *beside, size)
            if found is not None:
                center, alone = found
                corner = center - size / 2
                around = [*(corner - APART), *(corner + size + APART)]
                self.rects = np.vstack([self.rects, around])
                arrow = 2 if lines == 2 and width == better else 1
                return Label(float(center[0]), float(center[1]), factor, lines, alone, arrow)
        return None

    def free(
        self, wire: int, point: np.ndarray, normal: np.ndarray, size: np.ndarray
    ) -> tuple[np.ndarray, bool] | None:
        """The best place for a label of a size beside a curve, over nothing; None where is none.

        One that is nearer to another line is taken only where no good one is alone with its own.
        """
        support = np.abs(normal) @ (size / 2)
        centers = point[:, None] + normal[:, None] * (support[:, None] + GAPS)[..., None]
        centers = centers.reshape(-1, 2)[BEST]
        low, high = centers - size / 2, centers + size / 2
        first, last = low.min(0), high.max(0)
        near, _ = self.near(first - SPARE, last + SPARE)
        around, owners = self.near(first - AROUND, last + AROUND)
        others = around[:, owners != wire]
        rects = self.rects[overlap(self.rects, first, last)]
        best = None
        for some in (slice(FIRST), slice(FIRST, None)):
            taken = overlap(rects, low[some, None], high[some, None]).any(axis=1)
            taken |= cover(near, low[some], high[some])
            for number in np.flatnonzero(~taken) + (some.start or 0):
                if best is not None and COSTS[BEST[number]] > COSTS[BEST[best]] + WORTH:
                    return centers[best], False
                place, gap = divmod(int(BEST[number]), len(GAPS))
                if parted(near, point[place], normal[place], GAPS[gap], support[place]):
                    continue
                if away(others, low[number], high[number]) >= GAPS[gap] + NEARER:
                    return centers[number], True
                best = number if best is None else best
        return None if best is None else (centers[best], False)

    def near(self, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The points of lines in a rectangle, as two rows of coordinates, and whose they are."""
        flow = int(self.down)
        first, last = self.points[flow].searchsorted((low[flow], high[flow]))
        x, y = points = self.points[:, first:last]
        inside = (low[0] < x) & (x < high[0]) & (low[1] < y) & (y < high[1])
        return points[:, inside], self.owners[first:last][inside]


def away(points: np.ndarray, low: np.ndarray, high: np.ndarray) -> float:
    """How far a rectangle is from the nearest of the points."""
    beside = np.maximum(np.maximum(low[:, None] - points, points - high[:, None]), 0)
    return np.hypot(*beside).min(initial=np.inf)


def overlap(rects: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Which rectangles lie over another one, or over each of several."""
    left, top, right, bottom = rects.T
    over = (low[..., 0] < right) & (left < high[..., 0])
    return over & (low[..., 1] < bottom) & (top < high[..., 1])


def cover(points: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Which places lie over points of lines."""
    x, y = points
    over = (low[:, :1] - SPARE[0] < x) & (x < high[:, :1] + SPARE[0])
    over &= (low[:, 1:] - SPARE[1] < y) & (y < high[:, 1:] + SPARE[1])
    return over.any(axis=1)


def parted(near: np.ndarray, point, normal, gap: float, support: float) -> bool:
    """Whether another line lies between a curve and the middle of a label beside it."""
    x, y = point + normal * gap / 2
    if (np.hypot(near[0] - x, near[1] - y) < gap / 2 - 1).any():
        return True
    ways = np.arange(gap + LINE / 4, gap + support, LINE / 4)
    x, y = (point + normal * ways[:, None]).T[..., None]
    return bool((np.hypot(near[0] - x, near[1] - y) < LINE / 4).any())


def normals_at(curve: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Unit normals at some of the points of a curve, downwards or to the right."""
    step = curve[np.minimum(at + 1, len(curve) - 1)] - curve[np.maximum(at - 1, 0)]
    length = np.maximum(np.hypot(*step.T), 1e-9)
    return np.stack([-step[:, 1] / length, step[:, 0] / length], axis=-1)


def told_whole(wire: Wire, label: Label) -> bool:
    """Whether a label has its factor, if there is one."""
    return label.factor or not first_line(wire.factor)


def label_size(wire: Wire, label: Label) -> float:
    """How wide a label is."""
    if not label.factor:
        return text_width(wire.sent, STATE, True)
    if label.arrow == 2:
        return max(label_widths(wire)[1], text_width(second_line(wire.sent), STATE, True))
    return label_widths(wire)[label.lines - 1]


def dense(line: np.ndarray) -> np.ndarray:
    """The points of a line without those that add nothing: about three pixels apart."""
    way = way_along(line)
    return points_at(line, way, np.linspace(0, way[-1], max(int(way[-1] / 3), 2)))
