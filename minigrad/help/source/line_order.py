"""What the words for a line say of it: where it stands, its text, and what stands above it."""

from __future__ import annotations

import re

from . import reader

CELL = re.compile(r"cell In\[(\d+)\]")


def at(line: str) -> tuple[str, int]:
    """In which text a line, in words, stands, and its number there; empty and 0 if unknown.

    >>> at("line 3 of train.py: `y = x`"), at("an input at the prompt")
    (('train.py', 3), ('', 0))
    """
    found = reader.SPOKEN_LINE.match(line)
    return (found[2], int(found[1])) if found else ("", 0)


def without_text(line: str) -> str:
    """``line 3 of train.py`` of ``line 3 of train.py: `y = x```."""
    return line.partition(": `")[0]


def text_in(said: str) -> str:
    """The text of the line that is spoken of first in what is said, as it is quoted there."""
    return said.partition(": `")[2].rpartition("`")[0]


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
    names = {at(line)[0], at(other)[0]}
    is_known = "" not in names and (len(names) == 1 or all(map(CELL.fullmatch, names)))
    return is_known and order(line) < order(other)
