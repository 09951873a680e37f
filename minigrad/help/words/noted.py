"""How a note is added to an error, and in which spelling sentences name this package.

A note has up to three lines::

    Where: the line of the reader's program that is to blame, when it is not the one that failed
    Why:   what happened
    Try:   what to do instead

It is added with ``add_note``, so Python and Jupyter print it under the message.
"""

from __future__ import annotations

import re

from ..source import reader
from ..source.variables import BY_ID

PACKAGE = re.compile(r"(?<![\w./])(torch|minigrad)\.(?=[a-z])(?!py\b)")
LAYERS = re.compile(r"(?<![\w.])nn\.(?=[A-Z])")
A_LINE = re.compile(r"(?:\bline \d+ of [^:`]*|\bcell In\[\d+\][^:`]*): $")  #: before its text


def noted(error: Exception, *, where: str = "", why: str = "", do: str = "") -> Exception:
    """The same error with a note.

    >>> print(*noted(RuntimeError("no"), why="It rains.", do="wait.").__notes__)
    Why:   It rains.
    Try:   wait.
    """
    lines = {"Where: ": where, "Why:   ": as_imported(why), "Try:   ": as_imported(do)}
    told = {label: re.sub(r"\n\s*", " ", text) for label, text in lines.items() if text}
    error.add_note("\n".join(map("".join, told.items())))
    return error


def asks_by_grad() -> bool:
    """Whether the reader's line calls ``autograd.grad`` rather than ``backward``."""
    place = reader.place()
    line = "" if place is None else reader.spoken(place)
    return ".backward(" not in line and bool(re.search(r"\bgrad\(", line))


def as_imported(text: str) -> str:
    """A sentence in the reader's spelling: the name under which this package was imported.

    A line that is quoted stays as it is written; a remedy that is quoted does not. A key by
    ``id()`` is another one in each run, and is left out.
    """
    if (own := reader.library()) is None:
        return text
    parts, room = text.split("`"), "nn" if "nn" in reader.variables() else f"{own}.nn"
    for at, part in enumerate(parts):
        if at % 2 == 0 or not A_LINE.search(parts[at - 1]):
            parts[at] = BY_ID.sub("[...]", LAYERS.sub(f"{room}.", PACKAGE.sub(f"{own}.", part)))
    return "`".join(parts)
