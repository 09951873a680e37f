"""How many backward passes are added up in a ``.grad``, as far as its version counter tells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from . import reader
from .order import is_emptied_somewhere, is_emptied_unseen
from .reach import stepped_by
from .recorded import last_pass
from .sentences import say

MOST_ROUNDS = 9  #: a version counter remembers the eight writers after the first
EACH = ", and so for each leaf that is stepped"
EMPTIES = re.compile(r"zero|[*]= ?0|mul_\(0|fill_\(|<\w+>$")  #: lines that empty a gradient


def rounds(leaf: Any) -> int | None:
    """How many backward passes are added up in a leaf's ``.grad``; None where unknown.

    Of `MOST_ROUNDS` there may be more. Its version counter remembers its last writers: a pass
    leaves no line, `zero_()` leaves one, as do other writes, which empty nothing. Of a tensor that
    was assigned to it nobody knows what that holds.
    """
    grad = leaf.grad
    if grad is None or not hasattr(grad, "_counter"):
        return None
    writers = () if grad._counter is None else grad._counter.writers
    passes = 0
    for writer in reversed(writers):
        if writer is not None and EMPTIES.search(reader.spoken(writer)):
            return passes
        passes += writer is None
    return None if leaf._meta.given is grad else passes + 1


def zeroed_at(leaf: Any) -> str | None:
    """The line that filled the ``.grad`` of a leaf with zeros, if no pass has come since."""
    return reader.spoken(leaf.grad._counter.writers[-1]) if rounds(leaf) == 0 else None


def added_up(leaf: Any, name: str, program: Any) -> Iterator[str]:
    """That the ``.grad`` of a leaf holds more than one pass, and how it starts anew.

    A leaf that was stepped, where no line of the program empties a gradient, is not meant to.
    """
    if ((passes := rounds(leaf)) or 0) < 2 or is_emptied_unseen(program.frame):
        return
    named = ((n, thing) for n, thing in program.variables.items() if n[0] != "_")
    own = (n for n, thing in named if any(each is leaf for each in stepped_by(thing)))
    optimizer = next(own, "")
    empty = f"{optimizer}.zero_grad()" if optimizer else f"{name}.grad = None"
    said = f"{counted(passes)} backward passes are added up in {name}.grad"
    is_open = not is_emptied_somewhere(program.frame)
    if is_open and (line := last_pass(leaf)):
        said += f" (the last one: {line})"
    if is_open and leaf._version > 1:
        yield f"{said}: no line empties it, so each step goes by all passes before it."
        yield f"Try: {empty} in each round, before backward(){'' if optimizer else EACH}."
    else:
        yield f"{said}; {empty} before a pass lets it start anew."


def counted(rounds: int) -> str:
    """A number of passes in words."""
    return say("or-more", rounds=rounds) if rounds >= MOST_ROUNDS else str(rounds)
