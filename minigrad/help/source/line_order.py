"""Which of two lines stands above the other, in a file or in cells, by the words for them."""

from __future__ import annotations

import re

from . import reader

CELL = re.compile(r"cell In\[(\d+)\]")


def at(line: str) -> tuple[str, int]:
    """Where a line, in words, stands: its text, and its number there."""
    number, name = reader.SPOKEN_LINE.match(line).groups()
    return name, int(number)


def order(line: str) -> tuple[int, int]:
    """What lines in words are sorted by: the number of the cell, 0 for a file, and of the line."""
    name, number = at(line)
    cell = CELL.fullmatch(name)
    return int(cell[1]) if cell else 0, number


def is_between(first: str, line: str, last: str) -> bool:
    """Whether three lines stand in one file, or in cells, in this order."""
    return is_above(first, line) and is_above(line, last)


def is_above(line: str, other: str) -> bool:
    """Whether two lines stand in one file, or in cells, in this order."""
    if not all(map(reader.SPOKEN_LINE.match, (line, other))):
        return False
    names = {at(line)[0], at(other)[0]}
    return (len(names) == 1 or all(map(CELL.fullmatch, names))) and order(line) < order(other)
