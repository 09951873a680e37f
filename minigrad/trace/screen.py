"""The marks and labels on the screen: of elements, and of the boxes that hold several of them."""

from __future__ import annotations

from collections import Counter, defaultdict

from . import words
from .groups import scenes
from .model import Index


class Screen:
    """Marks and labels by element key. `changes` hands over what differs from the step before."""

    def __init__(self) -> None:
        self.marks: dict[str, list[str]] = {}
        self.labels: dict[str, dict[str, str]] = {}
        #: the widest text that each slot has shown so far
        self.room: dict[str, dict[str, str]] = defaultdict(dict)
        self._marks_before: dict[str, list[str] | None] = {}
        self._labels_before: dict[str, dict[str, str]] = {}

    def mark(self, key: str, marks: list[str]) -> None:
        self._marks_before.setdefault(key, self.marks.get(key))
        _put(self.marks, key, marks)

    def label(self, key: str, slots: dict[str, str]) -> None:
        self._labels_before.setdefault(key, self.labels.get(key, {}))
        _put(self.labels, key, slots)
        for slot, text in slots.items():
            if len(text) > len(self.room[key].get(slot, "")):
                self.room[key][slot] = text

    def changes(self) -> tuple[dict, dict]:
        """Marks and labels that differ from those of the last call; None takes one away."""
        marks = {key: self.marks.get(key) for key in self._marks_before}
        labels = {
            key: _differing(old, self.labels.get(key, {}))
            for key, old in self._labels_before.items()
        }
        changed = _differing(self._marks_before, marks), {k: s for k, s in labels.items() if s}
        self._marks_before, self._labels_before = {}, {}
        return changed


def _put(shown: dict, key: str, content: list | dict) -> None:
    """What an element shows now; nothing is not kept."""
    if content:
        shown[key] = content
    else:
        shown.pop(key, None)


def _differing(before: dict, now: dict) -> dict:
    return {key: now.get(key) for key in {**before, **now} if now.get(key) != before.get(key)}


def apply_changes(marks: dict, labels: dict, change: dict) -> None:
    """Bring whole marks and labels up to date with those of a changed frame."""
    for key, new in change["marks"].items():
        _put(marks, key, new or [])
    for key, slots in change["labels"].items():
        whole = {**labels.get(key, {}), **slots}
        _put(labels, key, {slot: text for slot, text in whole.items() if text is not None})


class Boxes:
    """Counts the marks of members, so that a box is brought up to date by the one that changed."""

    def __init__(self, index: Index, screen: Screen):
        self.index, self.screen = index, screen
        self.counts: dict[str, Counter[str]] = defaultdict(Counter)  # box -> marks of its members
        self.marks: dict[str, list[str]] = {}  # member -> its marks
        self.sizes = Counter(group for key in index.operations for group in index.around(key))
        self.bundles: dict[str, tuple[str, ...]] = {}
        self.holders: dict[str, list[str]] = defaultdict(list)  # edge -> bundles
        self.parts: dict[str, int] = {}  # bundle -> how many of its edges carry a gradient
        self.sent: Counter[str] = Counter()
        for scene in scenes(index.graph).values() if index.groups else ():
            for line in scene.lines:
                if line.bundle and line.key not in self.bundles:
                    self.bundles[line.key] = line.edges
                    sources = (index.edges[edge].source for edge in line.edges)
                    self.parts[line.key] = sum(source in index.maker for source in sources)
                    for edge in line.edges:
                        self.holders[edge].append(line.key)

    def _count(self, box: str, old: list[str], new: list[str]) -> Counter[str]:
        counts = self.counts[box]
        counts.subtract(old)
        counts.update(new)
        return counts

    def node(self, key: str, mark: str, came: str) -> None:
        """A node's mark, or what has come for it, has changed."""
        old, self.marks[key] = self.marks.get(key, []), [mark]
        for group in self.index.around(key):
            counts, size = self._count(group, old, [mark]), self.sizes[group]
            self._show_group(group, counts, size, came if size == 1 else "")

    def _show_group(self, group: str, counts: Counter[str], size: int, came: str) -> None:
        done = counts["done"]
        running = _first(counts, "error", "now", "ready", "waiting")
        mark = "done" if done == size else running or ("waiting" if done else "")
        if mark:
            self.screen.mark(group, [mark])
            state = {"state": words.group_state(mark, done, size)}
            self.screen.label(group, {**state, "came": came} if came else state)

    def edge(self, key: str, marks: list[str]) -> None:
        """The marks of an edge have changed."""
        old, self.marks[key] = self.marks.get(key, []), marks
        for bundle in self.holders.get(key, ()):
            counts, size = self._count(bundle, old, marks), len(self.bundles[bundle])
            mark = _first(counts, "error", "now", "held", "past")
            mark = mark or ("skipped" if counts["skipped"] == size else "")
            left = "left" if counts["left"] == size else ""
            self.screen.mark(bundle, [m for m in (mark, left) if m])

    def arrives(self, key: str, slots: dict[str, str]) -> None:
        """A part travels along an edge, with the labels of the edge."""
        for bundle in self.holders.get(key, ()):
            self.sent[bundle] += 1
            counted = {"sent": words.bundle_label(self.sent[bundle], self.parts[bundle])}
            self.screen.label(bundle, slots if self.sent[bundle] == 1 else counted)


def _first(counts: Counter[str], *marks: str) -> str:
    """The first of some marks that a member of a box has."""
    return next((mark for mark in marks if counts[mark] > 0), "")
