"""Frames on their way to a browser: each one tells only what differs from the frame before it.

A frame states every mark and every label of its step, which is what a reader of one frame wants.
In a large graph, step after step repeats nearly all of it; packed, a pass of hundreds of steps
stays small. The player adds the changes up.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Sequence
from typing import Any

from ..language import _

Frame = dict[str, Any]

MINUS = re.compile(r"(?<![\w.)])-(?=[\d.]|inf)")
WHOLE = re.compile(r"(?<=\d)\.0(?![\d.])")  #: what whole numbers need in Python alone
ZERO = re.compile(r"−0(?![\d.])")
MADE = re.compile(r"(?<=\w)→")  #: between a node and what it made; a gradient's arrow has room
READABLE = 15_000  #: characters of JSON that are stored as they are


def changes(frames: Sequence[Frame]) -> list[Frame]:
    """Return frames whose marks and labels hold changes only; None takes one away.

    Frames of a trace know their changes without being made one by one.

    >>> first = {"marks": {"n0": ["now"], "n1": ["ready"]}, "labels": {}}
    >>> second = {"marks": {"n1": ["ready"], "n2": ["now"]}, "labels": {}}
    >>> changes([first, second])[1]["marks"]
    {'n2': ['now'], 'n0': None}
    """
    if hasattr(frames, "changes"):
        return list(frames.changes())
    packed = []
    before: Frame = {"marks": {}, "labels": {}}
    for frame in frames:
        marks = _differ(before["marks"], frame["marks"])
        labels = {
            key: slots
            for key in {**before["labels"], **frame["labels"]}
            if (slots := _differ(before["labels"].get(key, {}), frame["labels"].get(key, {})))
        }
        packed.append({**frame, "marks": marks, "labels": labels})
        before = frame
    return packed


def for_reading(row: Sequence[str]) -> list[str]:
    """A row of the table of a pass as a page shows it: its numbers, its arrows, its start.

    >>> for_reading(["MulBackward0→y", "0", "[-1.0]", "-2.5 → AddBackward0→b"])
    ['MulBackward0 of y', 'the start', '[−1]', '−2.5 → AddBackward0 of b']
    """
    told = [ZERO.sub("0", WHOLE.sub("", MINUS.sub("−", text))) for text in row]
    told = [MADE.sub(_(" of "), text) for text in told]
    if len(told) > 1 and told[1] == "0":
        told[1] = _("the start")  # no other node sends it a part
    return told


def _differ(before: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    changed = {key: value for key, value in now.items() if before.get(key) != value}
    return changed | {key: None for key in before if key not in now}


def as_json(data: Any) -> str:
    """JSON without spaces, letters as they are."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def packed(data: dict[str, Any]) -> dict[str, Any]:
    """The data as they are, or deflated where they are long: ``{"deflated": base64}``.

    >>> packed({"name": "y"})
    {'name': 'y'}
    >>> list(packed({"name": "y" * 200_000}))
    ['deflated']
    """
    told = as_json(data)
    if len(told) <= READABLE:
        return data
    deflated = zlib.compress(told.encode("utf-8", "replace"), level=9)
    return {"deflated": base64.b64encode(deflated).decode("ascii")}
