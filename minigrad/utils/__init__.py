"""Utilities: ``utils.checkpoint``, which trades time for memory."""

from . import checkpoint

__all__ = ["checkpoint"]
