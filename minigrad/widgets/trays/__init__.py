"""Trays: who gets a `.grad`, what is in it now, and why.

trays()                  # y = (x + 1)(x + 2), with all its switches
trays("mean, then sum")  # starting from another preset
"""

from __future__ import annotations

from .widget import Trays, trays

__all__ = ["Trays", "trays"]
