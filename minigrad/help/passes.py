"""How many backward passes are added up in a ``.grad``, as far as its version counter tells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..language import _
from . import reader

MOST_ROUNDS = 9  #: a version counter remembers the eight writers after the first
EMPTIES = re.compile(r"zero|[*]= ?0|mul_\(0|fill_\(|<\w+>$")  #: lines that empty a gradient


def rounds(grad: Any) -> int | None:
    """How many backward passes are added up in a ``.grad`` of minigrad; None where unknown.

    Of `MOST_ROUNDS` there may be more. Its version counter remembers its last writers: a pass
    leaves no line, `zero_()` leaves one, as do other writes, which empty nothing.
    """
    if grad is None or not hasattr(grad, "_counter"):
        return None
    writers = () if grad._counter is None else grad._counter.writers
    passes = 0
    for writer in reversed(writers):
        if writer is not None and EMPTIES.search(reader.spoken(writer)):
            return passes
        passes += writer is None
    return passes + 1


def added_up(grad: Any, name: str) -> Iterator[str]:
    """That the ``.grad`` of this name holds more than one pass, and how it starts anew."""
    if ((passes := rounds(grad)) or 0) > 1:
        yield f"""{counted(passes)} backward passes are added up in {name}.grad;
            optimizer.zero_grad() or {name}.grad = None before a pass lets it start anew."""


def counted(rounds: int) -> str:
    """A number of passes in words."""
    return _("{rounds} or more").format(rounds=rounds) if rounds >= MOST_ROUNDS else str(rounds)
