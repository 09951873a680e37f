"""Warnings as PyTorch's C++ gives them: at the reader's line, some of them once per process."""

from __future__ import annotations

import warnings

from . import reader


class Warned:
    """Whether what was said once is said again."""

    always = False


GIVEN: set[str] = set()  # what was said once


def set_warn_always(always: bool, /) -> None:
    """Whether warnings that appear once per process appear every time."""
    Warned.always = bool(always)


def is_warn_always_enabled() -> bool:
    """Whether warnings that appear once per process appear every time."""
    return Warned.always


def due(text: str) -> bool:
    """Whether a warning that appears once per process is to appear now."""
    if Warned.always:
        return True
    new = text not in GIVEN
    GIVEN.add(text)
    return new


def warn(text: str) -> None:
    """Warn at the line of the reader's program, however deep inside this package we are."""
    found = reader.frame(skip=1)
    known = found.f_globals
    warnings.warn_explicit(
        text,
        UserWarning,
        found.f_code.co_filename,
        found.f_lineno,
        module=known.get("__name__", "<string>"),
        registry=known.setdefault("__warningregistry__", {}),
    )


def warn_once(text: str) -> None:
    """Warn at the reader's line, once per process."""
    if due(text):
        warn(text)
