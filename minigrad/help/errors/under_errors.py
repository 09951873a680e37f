"""What the core asks for under an error: its note, or the error as it is where help itself fails.

The error counts. So a fault of help's own is told below it, and never stands in its place.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from . import error_notes

FAILED = "(What would help here is missing: help itself failed with {}: {})"


def __getattr__(kind: str) -> Callable[..., Exception]:
    """The note of this name in :mod:`.error_notes`."""
    note = getattr(error_notes, kind)

    @wraps(note)
    def or_as_it_is(error: Exception, *args: Any, **kwargs: Any) -> Exception:
        try:
            return note(error, *args, **kwargs)
        except Exception as failure:
            error.add_note(FAILED.format(type(failure).__name__, failure))
            return error

    return or_as_it_is
