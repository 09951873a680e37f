"""The line of the reader's program that called into this package.

A **place** is a pair (code, number of the instruction), which is cheap to keep: every write in
place keeps one. The number and the text of the line take longer to find, so they are found when
somebody asks for them (:mod:`minigrad.help.source.reader`).
"""

from __future__ import annotations

import os
import sys
from types import CodeType, FrameType

PACKAGE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "")

Place = tuple[CodeType, int]


def frame(skip: int = 0) -> FrameType | None:
    """The innermost frame that runs code from outside this package.

    The first ``skip`` frames are known to be inside: to look at one would take 150 ns.
    """
    found = sys._getframe(skip + 1)
    while found is not None and found.f_code.co_filename.startswith(PACKAGE):
        found = found.f_back
    return found


def place(skip: int = 0) -> Place | None:
    """Where the reader's program is now."""
    found = sys._getframe(skip + 1)
    while found is not None and found.f_code.co_filename.startswith(PACKAGE):
        found = found.f_back
    return None if found is None else (found.f_code, found.f_lasti)
