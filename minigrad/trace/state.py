"""The state of a pass while its events go by: who waits, what arrived, what is gone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from .model import Operation
from .numbers import brief, short

if TYPE_CHECKING:
    from .frames import Story


class State:
    """Where a pass stands. `apply` takes it one event further."""

    def __init__(self, story: Story, follow: tuple[int, ...] | None = None):
        self.story = story
        self.index = story.index
        self.operations = story.index.operations
        self.follow = follow  # the element to trace in large arrays
        self.parts: dict[str, int] = {}  # node -> how many contributions it waits for
        self.arrived: dict[str, int] = defaultdict(int)
        self.givers: dict[str, list] = defaultdict(list)  # value -> (array, name of the sender)
        self.numbers: dict[str, np.ndarray | None] = {}  # edge -> its local derivative
        self.ready: list[str] = []  # nodes, the next one first
        self.done: set[str] = set()
        self.failed: set[str] = set()
        self.freed: set[str] = set()
        self.edge_marks: dict[str, str] = {}
        self.edge_texts: dict[str, str] = {}
        self.fresh: set[str] = set()  # edges that carry something in this step
        self.grads = dict(story.first_grads)  # AccumulateGrad -> .grad of its leaf
        self.now: str | None = None
        self.came: list[np.ndarray | None] = []  # what came in for the node that runs

    # -- one event further ----------------------------------------------------------------

    def apply(self, event: dict) -> None:
        getattr(self, "on_" + event["kind"], lambda event: None)(event)

    def on_start(self, event: dict) -> None:
        self.givers[event["root"]].append((event["seed"], "the seed"))

    def on_deps(self, event: dict) -> None:
        self.parts[event["node"]] = event["n"]

    def on_ready(self, event: dict) -> None:
        if event["node"] not in self.ready:
            self.ready.append(event["node"])
        order = self.story.place_in_line
        self.ready.sort(key=lambda key: order.get(key, len(order)))

    def on_run(self, event: dict) -> None:
        self.now = event["node"]
        self.came = event["incoming"]
        if self.now in self.ready:
            self.ready.remove(self.now)
        for edge in self.index.results[self.now]:
            came = event["incoming"][edge.output]
            if came is not None:
                self.mark_edge(edge.key, "sent", brief(came))

    def on_carry(self, event: dict) -> None:
        if event["grad"] is not None:
            self.mark_edge(event["edge"], "sent", self.edge_text(event))

    def on_send(self, event: dict) -> None:
        edge = self.index.edges[event["edge"]]
        self.on_carry(event)
        receiver = self.index.maker[edge.source].key
        self.arrived[receiver] = event["arrived"]
        if event["grad"] is not None:
            giver = self.speaker(edge.target)
            self.givers[edge.source].append((event["grad"], giver))

    def on_skip(self, event: dict) -> None:
        if event["edge"] is not None:
            self.edge_marks[event["edge"]] = "skipped"

    def on_accumulate(self, event: dict) -> None:
        if event["after"] is None:
            self.grads.pop(self.now, None)
        else:
            self.grads[self.now] = event["after"]

    def on_free(self, event: dict) -> None:
        self.freed.add(event["node"])

    def on_error(self, event: dict) -> None:
        self.failed.add(event["node"])

    def on_local(self, event: dict) -> None:
        self.numbers[event["edge"]] = event["number"]

    def finish(self) -> None:
        """The node's turn is over."""
        if self.now not in self.failed:
            self.done.add(self.now)

    def mark_edge(self, key: str, mark: str, text: str) -> None:
        self.edge_marks[key] = mark
        self.edge_texts[key] = text
        self.fresh.add(key)

    def edge_text(self, event: dict) -> str:
        sent = brief(event["grad"])
        number = self.numbers.get(event["edge"])
        if number is None or np.size(number) == 0 or not (number == np.ravel(number)[0]).all():
            return f"→ {sent}"
        return f"×{short(np.ravel(number)[0])} → {sent}"

    # -- questions about it -----------------------------------------------------------------

    def status(self, key: str) -> tuple[str, str]:
        """The mark of a node and the words that go with it."""
        if key in self.failed:
            return "error", "✗ stopped"
        if key == self.now:
            return "now", "▶ now"
        if key in self.done:
            return "done", "✓"
        if key in self.ready:
            return "ready", "ready"
        parts = self.parts.get(key, 0)
        if parts > 1 or self.arrived[key]:
            return "waiting", f"{self.arrived[key]} of {parts} in"
        return "", ""

    def incoming(self) -> np.ndarray | None:
        """The gradient that came in, where there is only one."""
        return self.came[0] if len(self.came) == 1 else None

    def grad_text(self, key: str, printed: Callable) -> str:
        """``.grad`` of a leaf, by its AccumulateGrad."""
        return printed(self.grads[key]) if key in self.grads else "None"

    def speaker(self, key: str) -> str:
        """Whom a sentence speaks of: what a node made, or the node, where that is several."""
        operation = self.operations[key]
        return operation.node if len(operation.outputs) > 1 else self.index.made(operation)

    def node_text(self, operation: Operation, arrow: str = " → ") -> str:
        """``AddBackward0 → b``, ``AccumulateGrad(x)``."""
        made = self.index.made(operation)
        if operation.kind == "accumulate":
            return f"{operation.node}({made})"
        return f"{operation.node}{arrow}{made}"
