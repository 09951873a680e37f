"""Frames on their way to a browser: each one tells only what differs from the frame before it.

A frame states every mark and every label of its step, which is what a reader of one frame wants.
In a large graph, step after step repeats nearly all of it; packed, a pass of hundreds of steps
stays small. `player.js` unpacks.
"""

from __future__ import annotations

from typing import Any

Frame = dict[str, Any]


def pack(frames: list[Frame]) -> list[Frame]:
    """Return frames whose marks and labels hold changes only; None takes an entry away.

    >>> first = {"marks": {"n0": ["now"], "n1": ["ready"]}, "labels": {}}
    >>> second = {"marks": {"n1": ["ready"], "n2": ["now"]}, "labels": {}}
    >>> pack([first, second])[1]["marks"]
    {'n2': ['now'], 'n0': None}
    """
    packed = []
    before: Frame = {"marks": {}, "labels": {}}
    for frame in frames:
        changes = {part: _changes(before[part], frame[part]) for part in ("marks", "labels")}
        packed.append(frame | changes)
        before = frame
    return packed


def _changes(before: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    changed = {key: value for key, value in now.items() if before.get(key) != value}
    return changed | {key: None for key in before if key not in now}
