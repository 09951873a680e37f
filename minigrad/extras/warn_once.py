"""Whether warnings that appear once per process appear every time."""

from __future__ import annotations

from ..autograd.caller import Warned


def set_warn_always(always: bool, /) -> None:
    """Whether warnings that appear once per process appear every time."""
    Warned.always = bool(always)


def is_warn_always_enabled() -> bool:
    """Whether warnings that appear once per process appear every time."""
    return Warned.always
