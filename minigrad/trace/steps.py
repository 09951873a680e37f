"""Cutting the events of a pass into steps: a turn for each node, and the pieces of a turn."""

from __future__ import annotations


def turns(events: list[dict]) -> list[list[dict]]:
    """The events of each node's turn; what comes before the first turn joins it."""
    found: list[list[dict]] = []
    ahead: list[dict] = []  # told before the node runs that they are about
    for event in events:
        kind = event["kind"]
        if kind == "run":
            found.append([*ahead, event])
            ahead = []
        elif kind in ("hook", "capture") or not found:
            ahead.append(event)
        else:
            found[-1].append(event)
    return found


def pieces(turn: list[dict]) -> list[list[dict]]:
    """Take, then multiply, send and add for each operand; the rest joins the last piece.

    Sending and adding are one event; as a piece of its own, sending is told as ``carry``.
    """
    found: list[list[dict]] = [[]]
    for event in turn:
        kind = event["kind"]
        if kind == "send":
            found += [[{**event, "kind": "carry"}], [event]]
        elif kind in ("local", "accumulate", "error"):
            found.append([event])
        else:
            found[-1].append(event)
    return found
