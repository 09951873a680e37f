"""Warnings that stand at the line of the reader's program, however deep inside we are."""

from __future__ import annotations

import sys
import warnings
from typing import ClassVar

from .caller import PACKAGE


class Warned:
    """What was said once per process, and whether it is said again."""

    always = False
    given: ClassVar[set[str]] = set()


def due(text: str) -> bool:
    """Whether a warning that appears once per process is to appear now."""
    new = Warned.always or text not in Warned.given
    Warned.given.add(text)
    return new


def warn(text: str) -> None:
    """Warn at the line of the reader's program, however deep inside this package we are."""
    found, level = sys._getframe(1), 2
    while found is not None and found.f_code.co_filename.startswith(PACKAGE):
        found, level = found.f_back, level + 1
    warnings.warn(text, UserWarning, stacklevel=level)


def warn_once(text: str) -> None:
    """Warn at the reader's line, once per process."""
    if due(text):
        warn(text)
