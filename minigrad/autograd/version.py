"""Versions: how often the memory of a tensor was written to in place."""

from __future__ import annotations

from ..messages import message
from .grad_mode import state


class VersionCounter:
    """Counts the in-place writes to one piece of memory.

    It remembers where the last few came from (a place of :mod:`.caller`, or None where that is
    unknown), for the note on the error when a derivative needed the old value.
    """

    __slots__ = ("value", "writers")

    def __init__(self) -> None:
        self.value = 0
        self.writers: tuple = ()

    def wrote(self, place: tuple | None) -> None:
        """Count a write that the reader's program made at ``place``."""
        self.value += 1
        self.writers = (*self.writers[-7:], place)


# -- inference tensors -----------------------------------------------------------------------------


class _Uncounted(VersionCounter):
    """The counter that does not count."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__()
        self.value = -1

    def wrote(self, place: tuple | None) -> None:
        """A write in inference mode, which nobody needs to know of."""


UNCOUNTED = _Uncounted()


def allow(refusal: str) -> None:
    """Raise the message of this name about an inference tensor outside inference mode."""
    if state.here.new_counter is not UNCOUNTED:
        raise RuntimeError(message(refusal))
