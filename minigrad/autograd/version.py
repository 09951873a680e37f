"""Versions: how often the memory of a tensor was written to in place."""

from __future__ import annotations


class VersionCounter:
    """Counts the in-place writes to one piece of memory.

    It remembers where the last few came from (a place of :mod:`.caller`, or None where that is
    unknown), for the note on the error when a derivative needed the old value. Nodes that save one
    tensor in the same version share what they keep; ``saved`` refers to that weakly.
    """

    __slots__ = ("value", "writers", "saved")

    def __init__(self) -> None:
        self.value = 0
        self.writers: list = []
        self.saved = None

    def wrote(self, place: tuple | None) -> None:
        """Count a write that the reader's program made at ``place``."""
        self.value += 1
        self.writers.append(place)
        del self.writers[:-8]

    def check(self, use: str) -> None:
        """Nothing is refused here; the counter of an inference tensor does, naming the ``use``."""
