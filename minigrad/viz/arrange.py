"""Blocks in their places, and the ports at which lines touch them.

Graphviz says what stands in which column and in which order; how far the columns are apart is
decided here, by the labels between them. From here on a picture has two directions: *along* the
flow (to the right, or downwards) and *across* it, so that one geometry serves both.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .blocks import PORT, STATE, Block, Side, turned
from .closer import draw_together
from .dot import ABOVE, GAP, lean
from .drawing import Drawing, Wire
from .layout import Positions
from .measure import text_width
from .shapes import points_at, way_along

SPARE = 24, 12  #: a gap is so much wider than the widest label in it, on one line and on two
TWINS = 60  #: so much wider where lines lie between the same two blocks
CROWD = 40  #: and so much for each line beyond two that ends at the same block
STEEP = 0.28  #: how far lines go down for each pixel to the side
VIEW = 872, 430  #: the part of a page in which a picture is seen
PLAYED = 872, 260  #: and the part between the buttons and the rows of a player
DEEP, NARROW = 64, 44  #: between rows, with labels and without; the least between columns


@dataclass
class Arranged:
    """Where lines start and end, (along, across), by wire; and what Graphviz said of their ways."""

    starts: np.ndarray
    ends: np.ndarray
    column: dict[str, int]  #: by place of a block
    knots: list[tuple[float, float, float]]  #: of each column: Graphviz's middle, start, thickness
    routes: dict[str, np.ndarray]  #: Graphviz's Bézier points
    gaps: list[float]  #: from one column to the next


def label_widths(wire: Wire) -> tuple[float, float]:
    """The width of a wire's label on one line, and the least that it takes on two."""
    parts = text_width(wire.factor, STATE, True), text_width(wire.sent, STATE, True)
    return sum(parts), max(parts)


def arrange(
    drawing: Drawing,
    positions: Positions,
    limit: float,
    gaps: list[float] | None = None,
    apart: float | None = None,
) -> Arranged:
    """Put all blocks in their places; labels are on two lines where ``limit`` needs it.

    A picture that cannot keep the limit is as short as it can be. Given ``gaps`` stand between
    its columns as they are. Leaves are no more than ``apart`` where it is given.
    """
    columns = _columns(drawing, positions)
    shift = lean(drawing)
    thick = [max(_thickness(drawing, block) for block in column) for column in columns]
    gaps = gaps or _gaps(drawing, columns, thick, limit, positions)
    at, knots = 0.0, []
    for column, size, gap in zip(columns, thick, [*gaps, 0]):
        _place_column(drawing, column, at, size, positions, shift)
        centers = [turned(positions.centers[block.place], drawing.down)[0] for block in column]
        knots.append((min(centers), at, size))
        at += size + gap
    if apart is not None:
        draw_together(drawing, columns, apart)
    starts, ends = _ports(drawing)
    column = {block.place: n for n, blocks in enumerate(columns) for block in blocks}
    routes = {
        key: np.array([turned(point, drawing.down) for point in points])
        for key, points in positions.routes.items()
    }
    return Arranged(starts, ends, column, knots, routes, gaps)


def share_seen(size: tuple[float, float]) -> float:
    """Which part of a picture is seen at once, in the part of a page that is for it."""
    return math.prod(min(room / side, 1) for room, side in zip(VIEW, size))


def arrows_seen(drawing: Drawing) -> int:
    """Of how many arrows both blocks are seen at once in a player, with the state of the upper."""
    count = 0
    for wire in drawing.wires:
        ends = drawing.blocks[wire.source], drawing.blocks[wire.target]
        wide = max(b.x + b.width for b in ends) - min(b.x for b in ends)
        high = max(b.y + b.height for b in ends) - min(b.y for b in ends) + ABOVE
        count += wide <= PLAYED[0] and high <= PLAYED[1]
    return count


def most_seen(drawing: Drawing) -> float:
    """No more than this share is seen of a picture that grows downwards, however it is laid out.

    Its longest chain has to find a place, which is known without an engine.
    """
    widest = max((block.width for block in drawing.blocks.values()), default=0)
    return share_seen((max(widest, 1), max(longest(drawing), 1)))


def longest(drawing: Drawing) -> float:
    """The least length of a picture along its flow: that of its longest chain."""
    into = defaultdict(list)
    for wire in drawing.wires:
        into[wire.target].append(wire.source)
    reach: dict[str, float] = {}
    stack = list(drawing.blocks)
    while stack:
        place = stack[-1]
        waits = [source for source in into[place] if source not in reach]
        if waits:
            stack += waits
            continue
        stack.pop()
        before = max((reach[source] + NARROW for source in into[place]), default=0)
        reach[place] = before + _thickness(drawing, drawing.blocks[place])
    return max(reach.values(), default=0)


def _thickness(drawing: Drawing, block: Block) -> float:
    return block.height if drawing.down else block.width


def _columns(drawing: Drawing, positions: Positions) -> list[list[Block]]:
    """Blocks that Graphviz gave the same rank, in the order of the flow."""
    blocks = drawing.blocks.values()
    at = {b.place: turned(positions.centers[b.place], drawing.down)[0] for b in blocks}
    columns: list[list[Block]] = []
    last = -np.inf
    for block in sorted(blocks, key=lambda block: at[block.place]):
        if at[block.place] - last > 3:
            columns.append([])
        columns[-1].append(block)
        last = at[block.place]
    return columns


def _gaps(
    drawing: Drawing,
    columns: list,
    thick: list[float],
    limit: float,
    positions: Positions,
) -> list[float]:
    """Wide enough for every label between two neighbours; labels break where it gets too wide."""
    many = len(columns) - 1
    column = {block.place: n for n, blocks in enumerate(columns) for block in blocks}
    if drawing.down:
        labelled = any(wire.factor or wire.sent for wire in drawing.wires)
        rows = [DEEP if labelled else NARROW] * many
        for wire in drawing.wires:  # lines to far blocks get room, or they would lie flat
            first, last = column[wire.source], column[wire.target]
            (x, _), (other, _) = positions.centers[wire.source], positions.centers[wire.target]
            if last - first == 1:
                rows[first] = max(rows[first], min(abs(x - other) * STEEP, 2 * DEEP))
        return rows
    one, two = [GAP] * many, [NARROW] * many
    pairs = Counter((wire.source, wire.target) for wire in drawing.wires)
    inputs = Counter(wire.target for wire in drawing.wires)
    for wire in drawing.wires:
        first, last = column[wire.source], column[wire.target]
        if last - first == 1:
            more = TWINS if pairs[wire.source, wire.target] > 1 else 0
            more += CROWD * max(inputs[wire.target] - 2, 0)
            more += sum(drawing.blocks[place].hangs_over for place in (wire.source, wire.target))
            for gaps, width, spare in zip((one, two), label_widths(wire), SPARE):
                gaps[first] = max(gaps[first], width + spare + more)
    over = (text.x + text.width - b.width for b in columns[-1] for text in b.texts())
    solid = sum(thick) + max([0, *over])
    limit = limit if solid + sum(two) <= limit else 0
    while solid + sum(one) > limit and one != two:
        widest = max(range(len(one)), key=lambda n: one[n] - two[n])
        one[widest] = two[widest]
    return one


def fewest_labels(drawing: Drawing, positions: Positions) -> list[int]:
    """The gaps between columns by how many labels stand in them, the fewest first."""
    columns = _columns(drawing, positions)
    column = {block.place: n for n, blocks in enumerate(columns) for block in blocks}
    labels = Counter(column[w.source] for w in drawing.wires if w.factor or w.sent)
    return sorted(range(len(columns) - 1), key=lambda gap: labels[gap])


def _place_column(
    drawing: Drawing,
    column: list[Block],
    at: float,
    size: float,
    positions: Positions,
    shift: float,
) -> None:
    """Operations stand where their lines come in, values where theirs leave."""
    for block in column:
        spare = size - _thickness(drawing, block)
        first = at + (spare if block.kind in ("leaf", "unasked", "value", "stub") else 0)
        x, y = positions.centers[block.place]
        if drawing.down:
            block.x, block.y = x - shift - block.axis, first
            continue
        middle = block.height / 2
        users = sum(wire.source == block.place for wire in drawing.wires)
        if block.kind == "leaf" and users == 1:
            middle = block.outlets[block.key].middle
        block.x, block.y = first, y - middle


# -- ports -------------------------------------------------------------------------------------


def _ports(drawing: Drawing) -> tuple[np.ndarray, np.ndarray]:
    """The first and the last point of the middle of each wire."""
    leaving, arriving = defaultdict(list), defaultdict(list)
    for number, wire in enumerate(drawing.wires):
        leaving[wire.source, _outlet(drawing, wire)].append(number)
        arriving[wire.target].append(number)
    starts, ends = np.zeros((2, len(drawing.wires), 2))
    for (place, side), numbers in leaving.items():
        other = {n: _middle(drawing, drawing.wires[n].target) for n in numbers}
        for number, point in _spread(drawing, place, side, numbers, other):
            starts[number] = point
    for place, numbers in arriving.items():
        side = drawing.blocks[place].inlet
        for number, point in _spread(drawing, place, side, numbers, starts[:, 1]):
            ends[number] = point
    return starts, ends


def uncrossed(
    drawing: Drawing, arranged: Arranged, curves: np.ndarray, meets: np.ndarray
) -> np.ndarray:
    """The starts, where lines on a way around blocks leave in the order in which they part.

    Such a line may go to the left of a block that stands to the right.
    """
    starts, leaving = arranged.starts.copy(), defaultdict(list)
    for number, wire in enumerate(drawing.wires):
        leaving[wire.source, _outlet(drawing, wire)].append(number)
    for (place, _side), numbers in leaving.items():
        if len(numbers) < 2 or not meets[numbers].any():
            continue
        next_column = arranged.knots[arranged.column[place] + 1][1]
        across = {n: np.interp(next_column, *curves[n].T) for n in numbers}
        before = sorted(numbers, key=lambda n: starts[n, 1])
        after = sorted(before, key=lambda n: round(across[n], 1))
        starts[after] = starts[before]
    return starts


def _outlet(drawing: Drawing, wire: Wire) -> Side:
    """The side of its source at which a line begins."""
    outlets = drawing.blocks[wire.source].outlets
    return outlets.get(wire.value) or outlets.get("") or next(iter(outlets.values()))


def _middle(drawing: Drawing, place: str) -> float:
    block = drawing.blocks[place]
    return block.x + block.axis if drawing.down else block.y + block.height / 2


def _spread(
    drawing: Drawing, place: str, side: Side, numbers: list[int], other
) -> Iterator[tuple[int, tuple[float, float]]]:
    """Lines at one side, sorted by where their other ends are, so that they do not cross."""
    block = drawing.blocks[place]
    u, v = (block.y, block.x) if drawing.down else (block.x, block.y)
    wires = drawing.wires
    numbers = sorted(numbers, key=lambda n: (round(other[n], 1), wires[n].argument, n))
    many = max(len(numbers) - 1, 1)
    room = side.middle - 10 if side.last else side.length - (16 if side.length < 60 else 20)
    apart = min(PORT, room / many)
    if side.length >= 28 * many + 34 and not side.last:
        apart = 28
    first = side.middle - apart * (len(numbers) - 1) * (1 if side.last else 0.5)
    for place, number in enumerate(numbers):
        yield number, (u + side.at, v + first + apart * place)


# -- ways around blocks ---------------------------------------------------------------------------


def detour(drawing: Drawing, arranged: Arranged, number: int) -> np.ndarray:
    """A way through the gaps that Graphviz left in the columns between, straight in each column.

    The result is a chain of Bézier points: one S from gap to gap.
    """
    wire = drawing.wires[number]
    first, last = arranged.column[wire.source], arranged.column[wire.target]
    points, stops = [arranged.starts[number]], []
    route = arranged.routes[wire.key]
    for center, at, size in arranged.knots[first + 1 : last]:
        across = np.interp(center, route[:, 0], route[:, 1])
        stops += [(at, across), (at + size, across)]
    for stop in (*stops, arranged.ends[number]):
        before, stop = points[-1], np.array(stop)
        half = (before[0] + stop[0]) / 2
        points += [np.array([half, before[1]]), np.array([half, stop[1]]), stop]
    return np.array(points)


def bezier(points: np.ndarray, count: int) -> np.ndarray:
    """Points on a chain of cubic Bézier curves, about evenly far apart."""
    pieces = (len(points) - 1) // 3
    t = np.linspace(0, pieces, 20 * count)
    piece = np.minimum(t.astype(int), pieces - 1)
    t = (t - piece)[:, None]
    a, b, c, d = (points[3 * piece + k] for k in range(4))
    line = a * (1 - t) ** 3 + b * 3 * t * (1 - t) ** 2 + c * 3 * t**2 * (1 - t) + d * t**3
    way = way_along(line)
    return points_at(line, way, np.linspace(0, way[-1], count))
