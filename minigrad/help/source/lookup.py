"""What an expression of a failing line stands for, looked up and never run."""

from __future__ import annotations

import ast
from types import FrameType
from typing import Any

HOLD_MODULES = {"Sequential", "ModuleList", "ModuleDict"}


def value_of(thing: ast.expr, frame: FrameType, default: Any) -> Any:
    """What names and attributes stand for in a frame; nothing is called."""
    if isinstance(thing, ast.Name):
        return {**frame.f_globals, **frame.f_locals}.get(thing.id, default)
    if isinstance(thing, ast.Attribute):
        owner = value_of(thing.value, frame, default)
        if thing.attr == "grad" and not getattr(owner, "is_leaf", True):
            return owner.grad if owner.retains_grad else None  # it would warn
        return default if owner is default else getattr(owner, thing.attr, default)
    if isinstance(thing, ast.Subscript):
        owner, at = value_of(thing.value, frame, default), thing.slice
        place = at.value if isinstance(at, ast.Constant) else value_of(at, frame, default)
        if type(owner).__name__ in HOLD_MODULES:
            owner = dict(owner._modules) if isinstance(place, str) else [*owner._modules.values()]
        if type(owner) is dict and isinstance(place, str | int):
            return owner.get(place, default)
        if type(owner) in (list, tuple) and type(place) is int:
            return owner[place] if -len(owner) <= place < len(owner) else default
    return default
