"""Leaves of a column closer together than Graphviz puts them, near to what they go into.

Graphviz keeps one distance between all blocks of a picture, with room for a label and for what
stands above and below. What has no line coming in, a leaf or a stub, needs less.
"""

from __future__ import annotations

from itertools import pairwise

from .blocks import Block
from .drawing import Drawing

Run = list[Block]


def draw_together(drawing: Drawing, columns: list[Run], apart: float) -> None:
    """Move blocks without lines coming in, in every column through which no line passes.

    They keep their order, stay ``apart`` besides what is written above and below them, and stand
    as near as that lets them to the blocks that they go into.
    """
    number = {block.place: n for n, blocks in enumerate(columns) for block in blocks}
    spans = [(number[wire.source], number[wire.target]) for wire in drawing.wires]
    for n, blocks in enumerate(columns):
        if len(blocks) < 2 or any(first < n < last for first, last in spans):
            continue
        blocks = sorted(blocks, key=lambda block: block.y)
        start = 0
        for end in range(len(blocks) + 1):
            if end == len(blocks) or blocks[end].inlet:
                above, below = blocks[:start][-1:], blocks[end : end + 1]
                _place_run(drawing, blocks[start:end], above, below, apart)
                start = end + 1


def _place_run(drawing: Drawing, run: Run, above: Run, below: Run, apart: float) -> None:
    """Put blocks where they want to be, in their order, between a block above and one below."""
    if not run:
        return
    offsets = [0.0]
    for upper, lower in pairwise(run):
        offsets.append(offsets[-1] + distance(upper, lower, apart))
    low = above[0].y + distance(above[0], run[0], apart) if above else -float("inf")
    high = below[0].y - distance(run[-1], below[0], apart) if below else float("inf")
    high -= offsets[-1]
    if high < low:
        return
    wanted = [_wanted(drawing, block) - offset for block, offset in zip(run, offsets)]
    for block, offset, at in zip(run, offsets, in_order(wanted)):
        block.y = offset + min(max(at, low), high)


def distance(upper: Block, lower: Block, apart: float) -> float:
    """From the top of a block to the top of the next one below it, at the least."""
    below = max([upper.height, *(text.y + text.height for text in upper.texts())])
    above = min([0, *(text.y for text in lower.texts())])
    return below - above + apart


def _wanted(drawing: Drawing, block: Block) -> float:
    """Where a block stands if its lines run straight on the whole."""
    targets = [drawing.blocks[w.target] for w in drawing.wires if w.source == block.place]
    if not targets:
        return block.y
    middle = next(iter(block.outlets.values())).middle
    return sum(target.y + target.height / 2 for target in targets) / len(targets) - middle


def in_order(wanted: list[float]) -> list[float]:
    """The numbers nearest to those wanted of which none is less than the one before it.

    >>> in_order([1, 4, 2, 9])
    [1.0, 3.0, 3.0, 9.0]
    """
    pools: list[tuple[float, int]] = []  # the mean of some neighbours, and how many they are
    for number in wanted:
        mean, many = float(number), 1
        while pools and pools[-1][0] > mean:
            before, count = pools.pop()
            mean = (before * count + mean * many) / (count + many)
            many += count
        pools.append((mean, many))
    return [mean for mean, many in pools for _ in range(many)]
