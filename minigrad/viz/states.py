"""Where words stand beside blocks and lines: the state of a block over no line and no other one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

import numpy as np

from .blocks import Block
from .curves import Curves
from .drawing import Drawing
from .labels import Label, dense, place_labels

STEP, HIGHEST = 10, 20  #: so far apart are the places that are tried, and so high the highest
BESIDE = 30  #: so far a state may reach over the end of its block, or begin after its start
HIGH = 18  #: of a state
CORNER = 3  #: so many points of a line it may touch

Told = tuple[tuple[float, float], bool]  #: where a state stands, and whether in brief


def place_words(drawing: Drawing, curves: Curves, across: bool = False) -> dict[str, Label | None]:
    """Put states where nothing is below them, and return where the labels of wires stand then.

    ``across`` is as in `place_labels`. Where that costs a label its place, the states stay where
    they belong.
    """
    blocks = drawing.blocks.values()
    before = _told(blocks)
    points = [dense(line) for line in (*curves.forward, *curves.gradient)]
    if not drawing.down:
        ordered = in_order(points)
        place_roles(drawing, ordered)
        place_states(drawing, ordered)
    if not drawing.wires:
        return {}
    labels = place_labels(drawing, curves, points, across)
    moved = _told(blocks)
    if missing(labels) and moved != before:
        _put(blocks, before)
        others = place_labels(drawing, curves, points, across)
        if missing(others) < missing(labels):
            return others
        _put(blocks, moved)
    return labels


def missing(labels: dict[str, Label | None]) -> int:
    """How many labels have no place."""
    return sum(label is None for label in labels.values())


def _told(blocks: Iterable[Block]) -> list[Told]:
    return [(block.state_at, block.brief) for block in blocks]


def _put(blocks: Iterable[Block], states: list[Told]) -> None:
    for block, (place, brief) in zip(blocks, states):
        block.state_at, block.brief = place, brief


def in_order(lines: list[np.ndarray]) -> np.ndarray:
    """The points of all lines as two rows, from left to right."""
    points = np.concatenate(lines) if lines else np.zeros((0, 2))
    return points[points[:, 0].argsort()].T


def between(points: np.ndarray, left: float, right: float) -> np.ndarray:
    """Those of some points from left to right that lie between two of their places."""
    first, last = points[0].searchsorted((left, right))
    return points[:, first:last]


def place_roles(drawing: Drawing, points: np.ndarray) -> None:
    """Move what stands below an oval alone, and is wider, to where it covers least of lines."""
    for block in drawing.blocks.values():
        over = block.hangs_over
        if over:
            block.under_at = (block.oval.x, block.under_at[1])
            (x, y, width, height) = block.texts()[-1]
            left = block.x + x
            near = between(points, left - over, left + width + over)
            near = near[0, (block.y + y < near[1]) & (near[1] < block.y + y + height)]
            places = (0, -over / 2, over / 2, -over, over)
            covered = [((left + by < near) & (near < left + by + width)).sum() for by in places]
            by = places[int(np.argmin(covered))]
            block.under_at = (block.oval.x + by, block.under_at[1])


def place_states(drawing: Drawing, points: np.ndarray) -> None:
    """Write a state higher, or farther to a side, where it would run into something.

    One that finds no place then says a sum without its terms. Where that has no place, too, it
    stays where it belongs. In a picture that grows downwards states stand beside their blocks,
    where no line passes.
    """
    if len(drawing.blocks) < 2:
        return
    blocks = list(drawing.blocks.values())
    found = [(n, *rect) for n, block in enumerate(blocks) for rect in _rectangles(block)]
    owners, rects = np.array(found)[:, 0], np.array(found)[:, 1:]
    for number, block in enumerate(blocks):
        if not block.says_state or not block.state_width:
            continue
        reach = block.state_width + 2 * BESIDE
        near = between(points, block.x - reach, block.x + reach)
        taken = rects[owners != number]
        cost, best = _cheapest(block, taken, near)
        if cost > CORNER and 0 < block.brief_width < block.state_width:
            block.brief = True
            cost, best = _cheapest(block, taken, near)
            block.brief = cost <= CORNER
        if cost <= CORNER and (block.brief or best != block.state_at):
            block.state_at = best
            rects[owners == number] = list(_rectangles(block))


def _cheapest(
    block: Block, taken: np.ndarray, points: np.ndarray
) -> tuple[float, tuple[float, float]]:
    """The first of the places that cover the least, and how much that is."""
    costs: dict[tuple[float, float], float] = {}
    for place in _places(block):
        costs[place] = _cost(block, place, taken, points)
        if not costs[place]:
            break
    best = min(costs, key=costs.get)
    return costs[best], best


def _places(block: Block) -> Iterator[tuple[float, float]]:
    """Where a state may stand, the least aside first, and of those the lowest."""
    x, y = block.state_at
    left = max(block.told_width - block.width, 0) + BESIDE
    aside = sorted((*range(0, int(left) + 1, STEP), *range(-BESIDE, 0, STEP)), key=abs)
    for by, higher in product(aside, range(0, HIGHEST + 1, STEP)):
        yield x - by, y - higher


def _cost(block: Block, place: tuple[float, float], taken: np.ndarray, points: np.ndarray) -> float:
    """How much a state would cover: points of lines, or, which is worse, a block or a text."""
    left, top = block.x + place[0] - 8, block.y + place[1] - 9
    right, bottom = left + block.told_width, top + HIGH
    over = (taken[:, 0] < right) & (left < taken[:, 2])
    over &= (taken[:, 1] < bottom) & (top < taken[:, 3])
    x, y = points
    under = (left < x) & (x < right) & (top + 2 < y) & (y < bottom - 2)
    return 1000 * over.sum() + under.sum()


def _rectangles(block: Block) -> Iterator[tuple[float, float, float, float]]:
    """A block and its texts by their corners."""
    for x, y, width, height in ((0, 0, block.width, block.height), *block.texts()):
        yield block.x + x, block.y + y, block.x + x + width, block.y + y + height
