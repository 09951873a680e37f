"""How a note is added to an error, and how notes speak of tensors.

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

from ..autograd.around import Around
from . import reader


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


class Help:
    """Where notes get what takes reading the program: :mod:`minigrad.help.for_notes`."""

    @staticmethod
    def load() -> Any:
        return Around.load("help.for_notes")


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


class Spoken:
    """A tensor as notes speak of it: ``{t}`` is the reader's name of it, or else a description.

    >>> import minigrad as mg
    >>> print(Spoken(mg.ones(2, 3), "y").size)
    has 6 elements (shape [2, 3])
    """

    def __init__(self, tensor: Any, otherwise: str = "the tensor"):
        self.tensor, self.otherwise = tensor, otherwise

    def __str__(self) -> str:
        return reader.name_of(self.tensor) or self.otherwise

    @property
    def shape(self) -> list[int]:
        return list(self.tensor.shape)

    @property
    def size(self) -> str:
        return f"has {self.tensor.numel()} elements (shape {self.shape})"

    @property
    def maker(self) -> str:
        return self.tensor._edge.node.name()  # its `grad_fn` may refuse to be asked for

    @property
    def made(self) -> str:
        helper = Help.load()
        line = "" if helper is None else helper.line_that_made(self.tensor)
        return f" ({line})" if line else ""

    @property
    def why_untracked(self) -> str:
        helper = Help.load()
        return "" if helper is None else helper.why_untracked(self.tensor, self.otherwise)

    @property
    def how_to_track(self) -> str:
        helper = Help.load()
        known = "" if helper is None else helper.what_to_do(self.tensor)
        return known or (
            "set requires_grad=True on the leaves you want gradients for before computing with it, "
            "and keep the way from them free of detach(), no_grad, .item() and tensor(...)."
        )


def note(why: str, do: str, otherwise: str = "the tensor") -> Callable[..., Exception]:
    """A function that adds this note to an error about a tensor, ``{t}``, or other thing, ``{it}``.

    Further facts are given by name, and ``where``, the line to blame.
    """

    def add(error: Exception, it: Any = None, where: str = "", **facts: Any) -> Exception:
        facts |= {"it": it, "t": Spoken(it, otherwise)}
        return noted(error, where=where, why=why.format(**facts), do=do.format(**facts))

    return add
