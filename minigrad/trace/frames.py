"""From the events of a recorded pass to frames: one plain dict for each step on the screen.

A frame is JSON and complete in itself: it states every mark and every changing text of its
step, so that a player may jump to any frame without having shown the ones before it.

======== ==================================================================================
step     position in the list, from 0 (a screen counts from 1)
coarse   the coarse step it belongs to; equal to ``step`` when ``detail="coarse"``
tags     what happens here, any of ``"send"``, ``"leaf"``, ``"skip"``, ``"error"``, ``"end"``:
         the places "jump to next …" looks for
title    ``"run AddBackward0 (made b)"``
sentence plain words, the only text a screen reader is given at a step
marks    ``{element key: [mark, …]}``; an element without an entry has no mark
labels   ``{element key: {slot: text}}``; a slot without an entry is empty
panel    ``[[label, text], …]``: what this step does (NOW, CAME IN, RULE, SEND, …); a text may
         have several lines
rules    ``{"words": text, "symbols": text, "code": text}``: the local derivatives of this
         step in three spellings (lines parted by a newline); the RULE row shows symbols
table    ``[[label, text], …]``: what stands after the step (READY, WAITING, KEPT, .grad)
row      ``[node run, parts, incoming, sends]``: the step as one row of a table of text
question None, or what "ask me" asks *before* this frame is shown:
         ``{"kind": "choice", "text": …, "options": […], "answer": index, "reply": …}`` or
         ``{"kind": "number", "text": …, "answer": float, "reply": …}``
======== ==================================================================================

Element keys are those of the graph (``trace.graph.as_dict()``): ``v0`` a value, ``n0`` a
node, ``e0`` an edge. The node that adds into a leaf's ``.grad`` and the leaf itself always
carry the same marks and labels, because a picture shows one or the other. Marks are

* on nodes and leaves: ``now``, ``ready``, ``waiting``, ``done``, ``error``; on nodes also
  ``kept`` (saved values are there) and ``freed`` (they are gone);
* on edges: ``sent`` (a gradient has travelled it), ``now`` (it travels it in this step) and
  ``skipped`` (nothing is sent: nobody asked).

Slots are ``status`` on nodes and leaves (``"▶ now"``, ``"1 of 2 in"``, ``"ready"``, ``"✓"``),
``grad`` on leaves (``".grad 7"``), ``saved`` on nodes (``"keeps a = 3, b = 4"``, ``"freed"``) and
``gradient`` on edges (``"×3 → 3"`` from a node to an operand, ``"3"`` into a node).
``graph.room`` holds the widest text that each slot will ever show, so that a picture can be
laid out once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import words
from .display import labels, marks
from .model import Graph
from .numbers import raw
from .panel import panel, row, table
from .questions import question_before
from .state import State
from .steps import pieces, turns

if TYPE_CHECKING:
    from .survey import Survey

LIMIT = 500  #: frames given at once unless a range is asked for

DETAILS = ("coarse", "fine")


class Story:
    """Tells a list of events as frames."""

    def __init__(
        self, survey: Survey, graph: Graph, events: list[dict], keep: bool, hooked: list[str]
    ):
        self.index = survey.index
        self.graph = graph
        self.events = events
        self.keep = keep
        self.hooked = hooked
        self.leaves = [op for op in survey.graph.operations if op.kind == "accumulate"]
        grads = {op.key: survey.nodes[op.key].variable.grad for op in self.leaves}
        self.first_grads = {key: raw(grad) for key, grad in grads.items() if grad is not None}
        runs = [event["node"] for event in events if event["kind"] == "run"]
        self.place_in_line = {key: place for place, key in enumerate(runs)}

    def frames(
        self, detail: str, start: int, stop: int, follow: tuple[int, ...] | None
    ) -> list[dict]:
        """The frames from ``start`` up to ``stop``; the last one says if there are more."""
        if detail not in DETAILS:
            raise ValueError(f"detail must be 'coarse' or 'fine', not {detail!r}")
        state, chosen, step = State(self, follow), [], 0
        for number, turn in enumerate(turns(self.events)):
            asked = number > 0 and start <= step < stop  # the first step is no surprise
            question = question_before(state, turn, number - 1) if asked else None
            for piece in [turn] if detail == "coarse" else pieces(turn):
                state.fresh.clear()
                for event in piece:
                    state.apply(event)
                if start <= step < stop:
                    place = {"step": step, "coarse": number}
                    chosen.append({**place, **told(state, turn, piece), "question": question})
                question = None  # it is asked once, before the turn
                step += 1
            state.finish()
        if chosen and stop < step:
            rest = f"steps {start + 1} to {stop} of {step}; frames(start={stop}) goes on"
            chosen[-1]["panel"].append(["MORE", rest])
        return chosen


def told(state: State, turn: list[dict], piece: list[dict]) -> dict:
    """What a frame says after the events of ``piece``, a part of a node's ``turn``."""
    operation = state.operations[state.now]
    title = f"run {state.node_text(operation)}"
    if operation.kind == "operation":
        title = f"run {operation.node} (made {state.index.made(operation)})"
    rows, rules = panel(state, operation, piece)
    return {
        "tags": tags(piece),
        "title": title,
        "sentence": words.sentence(state, operation, piece),
        "marks": marks(state),
        "labels": labels(state),
        "panel": rows,
        "rules": rules,
        "table": table(state),
        "row": row(state, operation, turn),
    }


TAGS = {"send": "send", "accumulate": "leaf", "skip": "skip", "error": "error", "end": "end"}


def tags(piece: list[dict]) -> list[str]:
    """The places in a piece that "jump to next …" looks for."""
    kinds = {event["kind"] for event in piece}
    return [tag for kind, tag in TAGS.items() if kind in kinds]
