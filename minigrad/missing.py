"""What minigrad leaves out says so, and where to read why."""

from __future__ import annotations


class NotSupported(AttributeError, NotImplementedError):
    """A name that PyTorch may have and minigrad has not.

    It is an ``AttributeError``, so that ``hasattr`` answers False.

    >>> import minigrad as mg
    >>> hasattr(mg, "fft")
    False
    """

    def __init__(self, owner: str, name: str):
        super().__init__(
            f"{owner} has no attribute '{name}'. What minigrad leaves out is listed in "
            "docs/differences.md."
        )
