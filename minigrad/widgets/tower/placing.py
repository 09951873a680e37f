"""Where everything in the picture of a tower stands: plain numbers, and no Graphviz.

The way forward on the first floor goes to the right. A walk back goes the other way, so the floor
that it leaves behind begins above the end of the one below it and goes to the left, and so on.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from .floors import Built, Floor

COLUMN, ROW = 88, 46  #: from one oval to the next
NAMES = 118  #: for what stands beside the floors
BOX = 104  #: how wide the boxes of results are
PAD, GAP = 8, 20  #: inside of a floor, and between two
MOST_DRAWN = 24  #: operations of a floor that are drawn one by one
BLOCK = 3  #: columns that the others take

Spot = tuple[float, float]


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


@dataclass
class Placed:
    """The middles of ovals and leaves by their keys, and the floors, the lowest first."""

    width: float
    height: float
    bands: list[Band]
    spots: dict[int, Spot] = field(default_factory=dict)


def place(built: Built) -> Placed:
    """Find a place for all floors of a tower."""
    bands = [Band(floor, folded=len(floor.operations) > MOST_DRAWN) for floor in built.floors]
    columns: dict[int, float] = dict.fromkeys(built.leaves.values(), 0.0)
    ends: list[tuple[float, float]] = []  # of each floor: its last column, that of its result
    start, way = 1.0, 1
    for band in bands:
        last = _columns(band, start, way, columns)
        made = band.floor.root is not None
        ends.append((last, last + way * 1.15 if made else last))
        start, way = last, -way
    low = min([*columns.values(), *(end for _last, end in ends)])
    high = max([*columns.values(), *(end for _last, end in ends)])
    left = NAMES + BOX / 2 + 8

    def x(column: float) -> float:
        return left + (column - low) * COLUMN

    placed = Placed(x(high) + BOX / 2 + 8, 0, bands)
    y = GAP / 2
    for number in range(len(bands) - 1, -1, -1):
        band, (last, end) = bands[number], ends[number]
        leaves = [built.leaves[name] for name in built.values] if number == 0 else []
        rows = _rows(band, columns, leaves)
        band.top, band.height = y, max(map(len, rows.values()), default=1) * ROW + 2 * PAD
        middle = y + band.height / 2
        for column, keys in rows.items():
            for row, key in enumerate(keys):
                offset = row - (len(keys) - 1) / 2
                placed.spots[key] = (x(column), middle + offset * ROW)
        if band.folded:
            reach = (BLOCK - 1) * COLUMN
            center = x(last) - reach / 2 if last > end - 2 and end > last else x(last) + reach / 2
            band.block = (center, reach + COLUMN * 0.8)
            placed.spots |= {node.key: (center, middle) for node in band.floor.operations}
        band.result = (x(end), middle)
        band.end = placed.spots.get(band.floor.root) if band.floor.root is not None else None
        y += band.height + GAP
    placed.height = y - GAP / 2
    return placed


def _columns(band: Band, start: float, way: int, columns: dict[int, float]) -> float:
    """Give the operations of a floor a column each; returns the last one."""
    if band.folded:
        return start + way * (BLOCK - 1)
    depths: dict[int, int] = {}
    for node in band.floor.operations:  # what an operation uses was made before it
        depths[node.key] = 1 + max((depths.get(one, 0) for one in node.uses), default=0)
        columns[node.key] = start + way * (depths[node.key] - 1)
    root = band.floor.root
    return columns.get(root, start) if root in depths else start


def _rows(band: Band, columns: dict[int, float], leaves: list[int]) -> dict[float, list[int]]:
    """The keys that stand in each column of a floor, from top to bottom."""
    rows: dict[float, list[int]] = defaultdict(list)
    for key in leaves:
        rows[columns[key]].append(key)
    for node in () if band.folded else band.floor.operations:
        rows[columns[node.key]].append(node.key)
    return rows
