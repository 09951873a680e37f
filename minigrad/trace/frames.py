"""From the turns of a recorded pass to frames: one plain dict for each step on the screen.

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
details  the groups "This step", "After it" and "Kept", each with ``title``, ``of`` and ``rows``;
         `minigrad.trace.rows` says what a row is
rules    ``{"words": text, "symbols": text, "code": text}``: the local slopes of this
         step in three spellings (lines parted by a newline); the row shows symbols
row      ``[node run, parts, incoming, sends]``: the step as one row of a table of text
question None, or what "ask me" asks *before* this frame is shown; see `minigrad.trace.questions`
======== ==================================================================================

Element keys are those of the graph: ``v0`` a value, ``n0`` a node, ``e0`` an edge, ``m0`` a
group, and ``b0-m0`` a bundle of edges (`minigrad.trace.groups`). The node that adds into a leaf's
``.grad`` and the leaf itself carry the same marks and labels, because a picture shows one or the
other. Marks are

* on nodes, leaves and groups: ``now``, ``ready``, ``waiting``, ``done``, ``error``;
* on operand edges and bundles: ``now`` (a gradient travels in this step), ``held`` (it has
  arrived, the receiver has not run), ``past`` (the receiver has run), ``skipped`` (nothing is
  sent, because nobody asked), ``error``; besides, ``left`` where the operation is done;
* on a value that was changed after it was kept: ``changed``.

Slots are ``state`` and ``came`` on nodes, leaves and groups (``"1 of 2 parts"``, ``"3 + ?"``),
``grad`` on leaves (``"None"``, ``"7"``), ``factor`` and ``sent`` on edges and bundles
(``"×3 → "``, ``"3"``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .questions import question_before
from .rows import details, node_text, row
from .screen import apply_changes
from .sentences import say
from .walk import Event, Walk
from .words import sentence

if TYPE_CHECKING:
    from .recording import Trace

Frame = dict[str, Any]

DETAILS = ("coarse", "fine")
TAGS = {"add": "send", "accumulate": "leaf", "skip": "skip", "stop": "error"}


class Frames(Sequence[Frame]):
    """The steps of a pass, told when somebody asks for the first of them.

    Args:
        trace: the recorded pass.
        detail: ``"coarse"``, one frame a node, or ``"fine"``: take, multiply, send, add.

    Raises:
        ValueError: if ``detail`` is neither of the two words.
    """

    def __init__(self, trace: Trace, detail: str = "coarse"):
        if detail not in DETAILS:
            raise ValueError(f"detail must be 'coarse' or 'fine', not {detail!r}")
        self.trace = trace
        self.detail = detail
        self._whole = -1, {}, {}  # the last whole frame: its number, marks and labels

    def __len__(self) -> int:
        return len(self.changes())

    def __getitem__(self, k: Any) -> Any:
        places = range(len(self))[k]
        return [self._at(place) for place in places] if isinstance(k, slice) else self._at(places)

    def _at(self, k: int) -> Frame:
        last, marks, labels = self._whole if k >= self._whole[0] else (-1, {}, {})
        changes = self.changes()
        for number in range(last + 1, k + 1):
            apply_changes(marks, labels, changes[number])
        self._whole = k, marks, labels
        return {**changes[k], "marks": dict(marks), "labels": dict(labels)}

    def changes(self) -> list[Frame]:
        """The frames with only those marks and labels that differ from the frame before.

        A mark or the text of a slot that is None is taken away.
        """
        return self._told[0]

    @property
    def room(self) -> dict[str, dict[str, str]]:
        """The widest text of each slot in any frame, coarse or fine: ``{key: {slot: text}}``."""
        return self._told[1]

    @cached_property
    def _told(self) -> tuple[list[Frame], dict[str, dict[str, str]]]:
        walk = Walk(self.trace)
        frames = list(self._walked(walk))
        return frames, {key: dict(slots) for key, slots in walk.screen.room.items()}

    def _walked(self, walk: Walk) -> Iterator[Frame]:
        step = 0
        for number, turn in enumerate(self.trace.turns):
            # The first step is no surprise.
            question = question_before(walk, turn, number - 1) if number else None
            walk.begin(turn)
            events = walk.events(turn)
            ends = number == len(self.trace.turns) - 1
            pieces = [events] if self.detail == "coarse" else fine_pieces(events)
            whole = {"title": _title(walk), "row": row(walk, events)}
            for place, piece in enumerate(pieces):
                if place:
                    walk.settle()
                for event in piece:
                    walk.apply(event)
                groups, rules = details(walk, piece)
                tags = tags_of(piece)
                if ends and place == len(pieces) - 1:
                    tags.append("end")
                marks, labels = walk.screen.changes()
                yield {
                    "step": step,
                    "coarse": number,
                    "tags": tags,
                    **whole,
                    "sentence": sentence(walk, piece, first=number == 0),
                    "details": groups,
                    "rules": rules,
                    "marks": marks,
                    "labels": labels,
                    "question": None if place else question,
                }
                step += 1


def _title(walk: Walk) -> str:
    operation = walk.operations[walk.now]
    run = say("run-made", node=operation.node, made=walk.called(walk.now))
    if operation.kind == "accumulate":
        run = say("run", node=node_text(walk, operation))
    groups = (walk.index.groups[key] for key in walk.index.around(walk.now))
    module = next((group.path for group in groups if group.kind == "module"), "")
    return say("run-inside", module=module, run=run) if module else run


def tags_of(piece: list[Event]) -> list[str]:
    """The places in a piece that "jump to next …" looks for."""
    kinds = {event.kind for event in piece}
    return [tag for kind, tag in TAGS.items() if kind in kinds]


def fine_pieces(events: list[Event]) -> list[list[Event]]:
    """Take, then multiply, send and add for each operand; the rest joins the last piece."""
    found: list[list[Event]] = [[]]
    for event in events:
        if event.kind in ("rule", "carry", "add", "accumulate", "stop"):
            found.append([event])
        else:
            found[-1].append(event)
    return found
