"""What an expression of a failing line stands for, looked up and never run."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from types import FrameType
from typing import Any

HOLD_MODULES = {"Sequential", "ModuleList", "ModuleDict"}


def value_of(thing: ast.expr, frame: FrameType, default: Any) -> Any:
    """What names and attributes stand for in a frame; nothing is called."""
    return among(thing, {**frame.f_globals, **frame.f_locals}, default)


def among(thing: ast.expr, known: Mapping[str, Any], default: Any) -> Any:
    """The same among values under names."""
    if isinstance(thing, ast.Name):
        return known.get(thing.id, default)
    if isinstance(thing, ast.Attribute):
        owner = among(thing.value, known, default)
        if thing.attr == "grad" and not getattr(owner, "is_leaf", True):
            return owner.grad if owner.retains_grad else None  # it would warn
        return default if owner is default else getattr(owner, thing.attr, default)
    if isinstance(thing, ast.Subscript):
        owner, at = among(thing.value, known, default), thing.slice
        place = at.value if isinstance(at, ast.Constant) else among(at, known, default)
        if type(owner).__name__ in HOLD_MODULES:
            owner = dict(owner._modules) if isinstance(place, str) else [*owner._modules.values()]
        if type(owner) is dict and isinstance(place, str | int):
            return owner.get(place, default)
        if type(owner) in (list, tuple) and type(place) is int:
            return owner[place] if -len(owner) <= place < len(owner) else default
    return default
