"""Utilities: ``utils.checkpoint``, which trades time for memory, and the handles of hooks."""

from . import checkpoint, hooks

__all__ = ["checkpoint", "hooks"]
