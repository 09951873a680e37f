"""Where everything in the picture of a tower stands: plain numbers, and no Graphviz.

The way forward on the first floor goes to the right. A walk back goes the other way, so the floor
that it leaves behind begins above the end of the one below it and goes to the left, and so on. All
floors keep within the width that a card has in a notebook: where one would stand out it is moved by
whole columns, and one with more columns than fit goes on in a line above, the other way.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field

from .floors import Built, Floor

COLUMN, ROW = 84, 46  #: from one oval to the next
RX, RY = 34, 20  #: half the size of an oval
LEAF = (62, 34)
WIDEST = 796  #: of a card beside the list of files, in a window of 1280 pixels
MOST_COLUMNS = 8  #: side by side in a line of a floor
NAMES, HEAD = 118, 18  #: for what stands beside the floors, or in them where there is no room
BOX = 100  #: how wide the boxes of results are
ASIDE = 1.18  #: columns from the last oval to the result
PAD, GAP = 8, 22  #: inside of a floor, and between two
MOST_DRAWN = 24  #: operations of a floor that are drawn one by one
BLOCK = 3  #: columns that the others take

Spot = tuple[float, float]
Places = dict[float, list[int]]  #: the keys that stand in each column, from top to bottom


@dataclass
class Band:
    """One floor in the picture, from `top` downwards; `folded` floors are one block."""

    floor: Floor
    top: float = 0
    height: float = 0
    folded: bool = False
    block: tuple[float, float] = (0, 0)  #: the middle and the width of the block
    result: Spot = (0, 0)  #: the middle of the box with its result
    end: Spot | None = None  #: the middle of what made the result
    lines: list[Places] = field(default_factory=list)  #: the lowest first
    columns: tuple[int, float] = (0, 0)  #: of what made the result, and of the result


@dataclass
class Placed:
    """The middles of ovals and leaves by their keys, and the floors, the lowest first."""

    width: float
    height: float
    bands: list[Band]
    spots: dict[int, Spot] = field(default_factory=dict)
    head: float = 0  #: how much of a floor's height its name takes


def place(built: Built) -> Placed:
    """Find a place for all floors of a tower."""
    bands = [Band(floor, folded=len(floor.operations) > MOST_DRAWN) for floor in built.floors]
    reached = _columns(bands, [built.leaves[name] for name in built.values])
    low, high = reached
    width = (high - low) * COLUMN + 16
    beside = width + NAMES <= WIDEST
    placed = Placed(width + (NAMES if beside else 0), 0, bands, head=0 if beside else HEAD)
    left = 8 + (NAMES if beside else 0) - low * COLUMN
    y = GAP / 2
    for band in reversed(bands):
        y = _stand(band, placed, y, left) + GAP
    placed.height = y - GAP / 2
    return placed


def _columns(bands: list[Band], leaves: list[int]) -> tuple[float, float]:
    """Give all operations a line and a column; returns the columns where the picture ends."""
    low, high, start, way = 0.0, 0.0, 0, 1
    for band in bands:
        band.lines, end, way = _lines(band, way, leaves if band is bands[0] else [])
        made = band.floor.root is not None
        band.columns = (end, end + way * ASIDE if made else end)
        reach = _reach(band)
        moved = _moved(start, reach, (low, high))
        low, high = min(low, reach[0] + moved), max(high, reach[1] + moved)
        band.lines = [{x + moved: keys for x, keys in line.items()} for line in band.lines]
        band.columns = (end + moved, band.columns[1] + moved)
        start, way = end + moved, -way
    return low, high


def _lines(band: Band, way: int, leaves: list[int]) -> tuple[list[Places], int, int]:
    """The lines of a floor that begins at column 0; its last column, and where that looks to."""
    lines: list[Places] = [defaultdict(list)]
    if leaves:
        lines[0][0] = leaves
    first = 1 if leaves else 0
    if band.folded:
        return lines, first * way + way * (BLOCK - 1), way
    depths: dict[int, int] = {}
    at = {}
    for node in band.floor.operations:  # what an operation uses was made before it
        depths[node.key] = max((depths[one] + 1 for one in node.uses if one in depths), default=0)
        line, step = divmod(depths[node.key] + first, MOST_COLUMNS)
        at[node.key] = (line, step if line % 2 == 0 else MOST_COLUMNS - 1 - step)
        while len(lines) <= line:
            lines.append(defaultdict(list))
        lines[line][at[node.key][1] * way].append(node.key)
    line, end = at.get(band.floor.root, (0, first))
    return lines, end * way, way if line % 2 == 0 else -way


def _reach(band: Band) -> tuple[float, float]:
    """The columns where a floor ends on both sides."""
    oval, box = 0.48, BOX / 2 / COLUMN
    last, result = band.columns
    columns = [last, *(column for line in band.lines for column in line)]
    if band.folded:
        columns += [last + BLOCK - 1 if result < last else last - BLOCK + 1]
    return min(min(columns) - oval, result - box), max(max(columns) + oval, result + box)


def _moved(start: int, reach: tuple[float, float], taken: tuple[float, float]) -> int:
    """By how many columns a floor is moved: to `start`, or beside it as far as it has to be."""
    most = (WIDEST - 16) / COLUMN

    def wide(by: int) -> float:
        return max(taken[1], reach[1] + by) - min(taken[0], reach[0] + by)

    near = sorted(range(-MOST_COLUMNS, MOST_COLUMNS + 1), key=abs)
    fitting = (start + by for by in near if wide(start + by) <= most)
    return next(fitting, min((start + by for by in near), key=wide))


def _stand(band: Band, placed: Placed, top: float, left: float) -> float:
    """Place a floor and all that is on it; returns where it ends."""
    rows = [max(map(len, line.values()), default=1) for line in band.lines]
    band.top, band.height = top, sum(rows) * ROW + 2 * PAD + placed.head
    last, result = (left + column * COLUMN for column in band.columns)
    bottom = top + band.height - PAD
    for line, count in zip(band.lines, rows, strict=True):
        middle = bottom - count * ROW / 2
        for column, keys in line.items():
            for row, key in enumerate(keys):
                above = row - (len(keys) - 1) / 2
                placed.spots[key] = (left + column * COLUMN, middle + above * ROW)
        bottom -= count * ROW
    if band.folded:
        reach = (BLOCK - 1) * COLUMN
        center = last - math.copysign(reach / 2, result - last)
        band.block = (center, reach + COLUMN * 0.8)
        placed.spots |= {node.key: (center, middle) for node in band.floor.operations}
    band.result = (result, middle)
    band.end = placed.spots.get(band.floor.root) if band.floor.root is not None else None
    return top + band.height
