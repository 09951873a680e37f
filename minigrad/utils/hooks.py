"""The handle of a hook, and the mark of hooks that may be left out when a tensor is pickled."""

from __future__ import annotations

from collections.abc import Callable

from ..autograd.graph import RemovableHandle
from ..extras.copying import warn_if_has_hooks

__all__ = ["RemovableHandle", "unserializable_hook", "warn_if_has_hooks"]


def unserializable_hook(f: Callable) -> Callable:
    """Mark a hook of which pickling a tensor need not warn."""
    f.__torch_unserializable__ = True
    return f
