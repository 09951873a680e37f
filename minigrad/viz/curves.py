"""Lines: the curve of each wire, twice, forward and gradient, from outline to outline.

All wires are computed at once, as arrays (wire, sample, 2). Coordinates are (along, across) as in
`arrange`. The two curves are one shifted by ±`OFFSET` along its normal, so they are 14 px apart
everywhere; each is cut off by itself where it meets the outlines of its two blocks.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace

import numpy as np

from .arrange import Arranged, bezier, detour, uncrossed
from .blocks import Block
from .drawing import Drawing

OFFSET = 7
SAMPLES = 200
INTO = 30, 30  #: how far curves are drawn on into the source and the target
CLEAR = 8  #: how far a curve stays from blocks that are not its own
BEND = 46, 10  #: so much farther apart twins are in their middle, to the right and downwards
BORDER = 0.75  #: half of a border


@dataclass
class Curves:
    """Polylines by wire, both from source to target: ``gradient`` is the one on the other side."""

    forward: list[np.ndarray]
    gradient: list[np.ndarray]
    own: np.ndarray  #: which wires take the straight way, met by no block
    side: np.ndarray  #: 1 where the gradient runs below or to the right, −1 where to the left


def draw_curves(drawing: Drawing, arranged: Arranged) -> Curves:
    """The curves of all wires."""
    if not drawing.wires:
        return Curves([], [], np.zeros(0, bool), np.zeros(0))
    bends = twins(drawing)
    # Downwards both of two twins have their gradient outside, where its number has room.
    side = np.where(drawing.down & (bends < 0), -1, 1)
    middle, meets = _ways(drawing, arranged, bends)
    starts = uncrossed(drawing, arranged, middle, meets)
    if (starts != arranged.starts).any():
        arranged = replace(arranged, starts=starts)
        middle, meets = _ways(drawing, arranged, bends)
    long = extended(middle)
    sides = np.array([_sides(drawing.view, wire.asked) for wire in drawing.wires])
    sides = sides * side[:, None]
    source = Outlines(drawing, [wire.source for wire in drawing.wires])
    target = Outlines(drawing, [wire.target for wire in drawing.wires])
    forward = clip(shifted(long, sides[:, 0]), source, target)
    gradient = clip(shifted(long, sides[:, 1]), source, target)
    return Curves(forward, gradient, ~meets, side)


def _ways(drawing: Drawing, arranged: Arranged, bends: np.ndarray) -> tuple:
    """The middle of each wire, straight or around what it would meet, and which would."""
    middle = cubic(arranged.starts, arranged.ends)
    middle[:, :, 1] += bends[:, None] * np.sin(np.linspace(0, np.pi, SAMPLES)) ** 2
    meets = crossing(drawing, middle)
    for number in np.flatnonzero(meets):
        middle[number] = bezier(detour(drawing, arranged, number), SAMPLES)
    return middle, meets


def _sides(view: str, asked: bool) -> tuple[float, float]:
    """A line that has its way to itself runs in the middle."""
    return (-OFFSET, OFFSET) if view == "both" and asked else (0, 0)


def cubic(starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Curves that leave and arrive along the flow, with handles of half the distance."""
    t = np.linspace(0, 1, SAMPLES)
    half = (starts[:, 0] + ends[:, 0]) / 2
    late = 3 * t**2 * (1 - t) + t**3
    u = (
        starts[:, 0, None] * (1 - t) ** 3
        + half[:, None] * 3 * t * (1 - t)
        + ends[:, 0, None] * t**3
    )
    v = starts[:, 1, None] * (1 - late) + ends[:, 1, None] * late
    return np.stack([u, v], axis=-1)


def twins(drawing: Drawing) -> np.ndarray:
    """How far each curve bends away from those between the same two blocks, for their labels."""
    bends = np.zeros(len(drawing.wires))
    pairs = defaultdict(list)
    for number, wire in enumerate(drawing.wires):
        pairs[wire.source, wire.target].append(number)
    for numbers in pairs.values():
        for place, number in enumerate(numbers):
            bends[number] = BEND[drawing.down] * (place - (len(numbers) - 1) / 2)
    return bends


def extended(curves: np.ndarray) -> np.ndarray:
    """The curves with a straight piece along the flow at both ends."""
    before, after = (np.arange(count) for count in INTO)
    start, end = curves[:, :1], curves[:, -1:]
    head = start + np.stack([before - INTO[0], 0 * before], axis=-1)
    tail = end + np.stack([after + 1, 0 * after], axis=-1)
    return np.concatenate([head, curves, tail], axis=1)


def normals(curves: np.ndarray) -> np.ndarray:
    """Unit normals, to the side on which the gradient runs."""
    step = np.gradient(curves, axis=-2)
    length = np.maximum(np.hypot(step[..., 0], step[..., 1]), 1e-9)
    return np.stack([-step[..., 1] / length, step[..., 0] / length], axis=-1)


def shifted(curves: np.ndarray, by: np.ndarray) -> np.ndarray:
    """The curves moved along their normals, each by its own distance."""
    return curves + normals(curves) * by[:, None, None]


# -- outlines ------------------------------------------------------------------------------------


def outline(block: Block, down: bool) -> tuple[list, list]:
    """The ovals and rectangles whose union is the outline of a block, (along, across)."""
    ovals, rects = [], []
    if block.oval:
        o = block.oval
        ovals.append((block.x + o.x, block.y + o.y, o.rx + BORDER, o.ry + BORDER))
    frames = [box.rect for box in block.boxes if box.rect.width] + ([block.tray] * bool(block.tray))
    if block.group:
        frames = [(0, 0, block.width, block.height)]
    for x, y, width, height in frames:
        left, top = block.x + x - BORDER, block.y + y - BORDER
        rects.append((left, top, left + width + 2 * BORDER, top + height + 2 * BORDER))
    if down:
        ovals = [(y, x, ry, rx) for x, y, rx, ry in ovals]
        rects = [(y0, x0, y1, x1) for x0, y0, x1, y1 in rects]
    return ovals, rects


class Outlines:
    """The outline of one block for each wire, to ask which points lie inside."""

    def __init__(self, drawing: Drawing, places: list[str]):
        known = {place: outline(drawing.blocks[place], drawing.down) for place in set(places)}
        most = max(len(rects) for _, rects in known.values())
        self.ovals = np.full((len(places), 1, 4), [np.inf, 0, 1, 1])
        self.rects = np.full((len(places), most, 4), [np.inf, np.inf, -np.inf, -np.inf])
        for number, place in enumerate(places):
            ovals, rects = known[place]
            if ovals:
                self.ovals[number] = ovals
            self.rects[number, : len(rects)] = rects or self.rects[number, :0]

    def hold(self, points: np.ndarray) -> np.ndarray:
        """Which of the points (wire, sample, 2) are inside."""
        u, v = points[:, :, None, 0], points[:, :, None, 1]
        x, y, rx, ry = np.moveaxis(self.ovals[:, None], -1, 0)
        inside = (((u - x) / rx) ** 2 + ((v - y) / ry) ** 2 <= 1).any(axis=2)
        if self.rects.shape[1]:
            left, top, right, bottom = np.moveaxis(self.rects[:, None], -1, 0)
            inside |= ((left <= u) & (u <= right) & (top <= v) & (v <= bottom)).any(axis=2)
        return inside


def clip(curves: np.ndarray, source: Outlines, target: Outlines) -> list[np.ndarray]:
    """What is left of each curve between the outlines of its two blocks."""
    count = curves.shape[1]
    order = np.arange(count)
    entered = target.hold(curves)
    last = np.where(entered.any(axis=1), entered.argmax(axis=1), count - 1)
    within = source.hold(curves) & (order < last[:, None])
    first = np.where(within.any(axis=1), count - 1 - within[:, ::-1].argmax(axis=1), 0)
    last = np.maximum(last, first + 1)
    wires = np.arange(len(curves))
    start = _meet(curves[wires, first], curves[wires, first + 1], source)
    end = _meet(curves[wires, last], curves[wires, last - 1], target)
    return [
        np.concatenate([[start[k]], curves[k, first[k] + 1 : last[k]], [end[k]]])
        for k in range(len(curves))
    ]


def _meet(inside: np.ndarray, outside: np.ndarray, outlines: Outlines) -> np.ndarray:
    """Where the way from the one point to the other crosses the outline, by bisection."""
    for _ in range(12):
        half = (inside + outside) / 2
        held = outlines.hold(half[:, None])
        inside, outside = np.where(held, half, inside), np.where(held, outside, half)
    return (inside + outside) / 2


def crossing(drawing: Drawing, curves: np.ndarray) -> np.ndarray:
    """Which curves come too near to a block that is not their own, or to what is said of it."""
    owners, rects = [], []
    for block in drawing.blocks.values():
        whole = (-CLEAR, -CLEAR, block.width + 2 * CLEAR, block.height + 2 * CLEAR)
        for x, y, width, height in (whole, *block.texts()):
            owners.append(block.place)
            rects.append((block.x + x, block.y + y, block.x + x + width, block.y + y + height))
    rects = np.array(rects)
    if drawing.down:
        rects = rects[:, [1, 0, 3, 2]]
    left, top, right, bottom = rects.T
    (low_u, low_v), (high_u, high_v) = curves.min(axis=1).T, curves.max(axis=1).T
    near = (left < high_u[:, None]) & (low_u[:, None] < right)
    near &= (top < high_v[:, None]) & (low_v[:, None] < bottom)
    owners = np.array(owners)
    near &= ~np.array([(owners == w.source) | (owners == w.target) for w in drawing.wires])
    wires, met = np.nonzero(near)
    u, v = np.moveaxis(curves[wires, ::2], -1, 0)
    left, top, right, bottom = rects[met].T[..., None]
    inside = ((left < u) & (u < right) & (top < v) & (v < bottom)).any(axis=1)
    found = np.zeros(len(curves), bool)
    found[wires[inside]] = True
    return found
