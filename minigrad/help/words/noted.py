"""How a note is added to an error, and in which spelling sentences name this package.

A note has up to three lines::

    Where: the line of the reader's program that is to blame, when it is not the one that failed
    Why:   what happened
    Try:   what to do instead

It is added with ``add_note``, so Python and Jupyter print it under the message.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from ..source import reader


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
    """A sentence with the name under which the reader has imported this package.

    A line that is quoted stays as it is written.
    """
    own = reader.library()
    quoted = text.split("`")
    for at in range(0, len(quoted) if own else 0, 2):
        quoted[at] = re.sub(r"\b(torch|minigrad)\.(?=[a-z])", f"{own}.", quoted[at])
    said = "`".join(quoted)
    return said.replace("`with torch.", f"`with {own}.") if own else said


def in_own_spelling(tell: Callable[..., Iterable[str]]) -> Callable[..., Iterable[str]]:
    """The same sentences, with the name under which the reader has imported this package."""

    @wraps(tell)
    def told(*given: Any) -> Iterable[str]:
        return map(as_imported, tell(*given))

    return told
