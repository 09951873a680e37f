"""``%load_ext minigrad``: errors in a notebook end in the reader's line, with what helps below.

The frames of this package are left out of a traceback, and what `why` knows of an error without a
note is printed under it, also of one that Python itself or PyTorch raised. Others are shown as they
were.
"""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any

from . import reader
from .last_error import beyond_notes, from_notes


def show_errors_short(shell: Any) -> None:
    """Let an IPython shell show errors without the frames of this package."""

    def handler(shell: Any, kind: type, error: BaseException, traceback: Any, tb_offset=None):
        sys.last_type, sys.last_value, sys.last_traceback = kind, error, traceback
        reader.STOPPED.update(reader.stopped(traceback))
        shown = without_package(traceback)
        told = shell.InteractiveTB.structured_traceback(kind, error, shown, tb_offset=tb_offset)
        told = [*told, *([] if from_notes(error) else beyond_notes(error))]
        shell._showtraceback(kind, error, told)
        return told

    shell.set_custom_exc((Exception,), handler)


def show_errors_as_before(shell: Any) -> None:
    """Take `show_errors_short` back."""
    shell.set_custom_exc((), None)


def without_package(traceback: TracebackType | None) -> TracebackType | None:
    """The same traceback without the frames of this package; whole where nothing else is in it.

    >>> without_package(None)
    """
    frames = []
    while traceback is not None:
        frames.append(traceback)
        traceback = traceback.tb_next
    own = [each for each in frames if not is_ours(each)]
    shown: TracebackType | None = None
    for each in reversed(own or frames):
        shown = TracebackType(shown, each.tb_frame, each.tb_lasti, each.tb_lineno)
    return shown


def is_ours(traceback: TracebackType) -> bool:
    """Whether a frame runs code of this package."""
    return traceback.tb_frame.f_code.co_filename.startswith(reader.PACKAGE)
