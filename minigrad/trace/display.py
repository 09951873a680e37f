"""What a picture shows of a state: marks and labels, by element, and the room they need."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from . import words
from .model import Operation
from .numbers import brief
from .state import State
from .steps import turns

if TYPE_CHECKING:
    from .frames import Story


def marks(state: State) -> dict[str, list[str]]:
    """The marks of all elements that have one."""
    found: dict[str, list[str]] = {}
    for key, operation in state.operations.items():
        status, _ = state.status(key)
        kept = ("freed" if key in state.freed else "kept") if operation.saved else ""
        if status or kept:
            for element in places(operation):
                found[element] = [mark for mark in (status, kept) if mark]
    for key, mark in state.edge_marks.items():
        found[key] = [mark, "now"] if key in state.fresh else [mark]
    return _drawn(state, found, ["now"])


def labels(state: State) -> dict[str, dict[str, str]]:
    """The text of every slot that says something."""
    found: dict[str, dict[str, str]] = {}
    for key, operation in state.operations.items():
        slots = {"status": state.status(key)[1]}
        if operation.kind == "accumulate":
            slots["grad"] = f".grad {state.grad_text(key, brief)}"
        elif operation.saved:
            slots["saved"] = "freed" if key in state.freed else words.lunch_box(operation)
        slots = {slot: text for slot, text in slots.items() if text}
        if slots:
            found.update((element, dict(slots)) for element in places(operation))
    for key, text in state.edge_texts.items():
        found[key] = {"gradient": text}
    return _drawn(state, found, {"status": f"▶ now: {state.speaker(state.now)}"})


def places(operation: Operation) -> list[str]:
    """An AccumulateGrad and its leaf are shown in one place."""
    both = operation.kind == "accumulate"
    return [operation.key, operation.makes] if both else [operation.key]


def _drawn(state: State, entries: dict[str, Any], running: Any) -> dict[str, Any]:
    """Leave out what a collapsed graph does not draw; ``running`` is said of its stand-in."""
    graph = state.story.graph
    if not graph.stands_for:
        return entries
    hidden = {*graph.stands_for, *graph.stands_for.values()}
    shown = {key: entry for key, entry in entries.items() if key not in hidden}
    if state.now in hidden:
        shown[graph.stands_for.get(state.now, state.now)] = running
    return shown


def room_for(story: Story) -> dict[str, dict[str, str]]:
    """The longest text of every slot in any frame, so that a picture is laid out once."""
    state = State(story)
    room: dict[str, dict[str, str]] = defaultdict(dict)
    for chunk in turns(story.events):
        for event in chunk:
            state.apply(event)
        state.finish()
    for key, text in state.edge_texts.items():
        room[key]["gradient"] = text
    for key, operation in state.operations.items():
        parts = state.parts[key]
        states = ["▶ now"] + ["✗ stopped"] * (key in state.failed)
        states += [f"{parts} of {parts} in"] * (parts > 1)
        for element in places(operation):
            room[element]["status"] = max(states, key=len)
            if operation.kind == "accumulate":
                texts = [brief(story.first_grads[key])] if key in story.first_grads else ["None"]
                texts.append(state.grad_text(key, brief))
                room[element]["grad"] = f".grad {max(texts, key=len)}"
            elif operation.saved:
                room[element]["saved"] = words.lunch_box(operation)
    for key in set(story.graph.stands_for.values()) & set(state.operations):
        names = [state.speaker(hidden) for hidden in state.operations]
        room[key] = {"status": f"▶ now: {max(names, key=len)}"}
    return {key: dict(slots) for key, slots in room.items()}
