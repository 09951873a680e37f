"""One walk over the turns of a pass: where it stands, and what changed on the screen.

The walk goes from event to event inside a turn (take, rule, carry, add, skip, accumulate, stop,
free). It touches only the elements that an event is about, so a step costs what changes in it.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import words
from .factors import Factor, factor_between
from .formulas import Rule, rule
from .model import Operation
from .numbers import Sum, above, on_arrow, sum_text
from .screen import Boxes, Screen
from .sentences import say
from .speakers import Speakers
from .turns import Send, Skip, Turn

if TYPE_CHECKING:
    from .recording import Trace


class Event(NamedTuple):
    """What happens next inside a turn; ``about`` is the send or skip it is about."""

    kind: str
    about: Send | Skip | None = None


class Part(NamedTuple):
    """A gradient that arrived at a value; sender and edge are None for the seed."""

    grad: np.ndarray | None
    giver: str | None
    edge: str | None = None


class Walk:
    """Where a pass stands. `begin` opens a turn, `apply` takes it one event further."""

    def __init__(self, trace: Trace):
        self.trace = trace
        self.index = trace.graph.index
        self.operations = self.index.operations
        self.speakers = Speakers(self.index)
        self.turn: Turn | None = None
        self.now: str | None = None
        self.place = {turn.node: place for place, turn in enumerate(trace.turns)}
        self.parts = {key: self.index.parts(o) for key, o in self.operations.items()}
        self.arrived: Counter[str] = Counter()  # node -> parts that have come
        self.given: dict[str, list[Part]] = defaultdict(list)  # value -> what has come
        self.totals: dict[str, np.ndarray | None] = {}  # value -> sum of what has come
        self.hooked: dict[str, np.ndarray | None] = {}  # value -> what a hook made of the sum
        #: value -> parts that will come
        self.expected = Counter({key: len(edges) for key, edges in self.index.uses.items()})
        self.rules: dict[str, tuple[Rule, Factor | None]] = {}  # edges of this turn
        self.status: dict[str, str] = {}  # node -> its mark; nothing where it was not reached
        self.ready: list[str] = []  # nodes, the next one first
        self.waiting: dict[str, None] = {}
        self.keeping = {key: o for key, o in self.operations.items() if o.saved}
        self.freed: list[str] = []
        self.leaves = [o.makes for o in self.operations.values() if o.kind == "accumulate"]
        self.grads: dict[str, np.ndarray] = {}  # leaf -> .grad; the one filled last comes last
        self.grads.update((k, trace.first_grads[k]) for k in self.leaves if k in trace.first_grads)
        self.edge_marks: dict[str, str] = {}
        self.fresh: list[str] = []  # edges that carry something in this step
        self.screen = Screen()
        self.boxes = Boxes(self.index, self.screen)
        for leaf in self.leaves:
            self.show(self.index.maker[leaf].key)
        (root,) = trace.graph.roots
        self.given[root].append(Part(trace.seed, None))
        self.totals[root] = trace.seed
        self.expected[root] += 1
        self.reached(self.index.maker[root].key)

    def events(self, turn: Turn) -> list[Event]:
        """What happens in a turn, operand by operand."""
        told: list[Send | Skip] = sorted([*turn.sends, *turn.skips], key=self.argument)
        events = [Event("take")]
        for about in told:
            kinds = ("skip",) if isinstance(about, Skip) else ("rule", "carry", "add")
            events += [Event(kind, about) for kind in kinds]
        if turn.accumulation is not None:
            events.append(Event("accumulate"))
        if turn.stop is not None:
            events.append(Event("stop"))
        if turn.freed:
            events.append(Event("free"))
        return events

    def argument(self, about: Send | Skip) -> int:
        return about.argument if isinstance(about, Skip) else self.index.edges[about.edge].argument

    # -- turns and their events ------------------------------------------------------------

    def begin(self, turn: Turn) -> None:
        """The node before is done, and the next one is on."""
        before, self.now, self.turn = self.now, turn.node, turn
        self.rules = {}
        if before is not None:
            self.status[before] = "done"
            for edge in self.index.operands[before]:
                self.mark_edge(edge.key)
            self.show(before)
        if turn.node in self.ready:
            self.ready.remove(turn.node)
        self.status[turn.node] = "now"
        self.settle()
        for value, _ in self.index.arrivals(self.operations[turn.node]):
            for edge in self.index.uses[value]:
                if self.edge_marks.get(edge.key) == "held":
                    self.mark_edge(edge.key, "past")

    def settle(self) -> None:
        """What travelled in the step before has arrived and is held."""
        for key in self.fresh:
            if self.edge_marks[key] == "now":
                self.mark_edge(key, "held")
        self.fresh = []

    def apply(self, event: Event) -> None:
        handler: Callable = getattr(self, "on_" + event.kind)
        handler(event.about)

    def on_take(self, _: None) -> None:
        for value, _before, after in self.turn.changes:
            self.hooked[value] = after
        self.show(self.now)

    def on_rule(self, send: Send) -> None:
        edge = self.index.edges[send.edge]
        operation = self.operations[edge.target]
        made, target = map(self.speakers.written, (operation.makes, edge.source))
        if len(operation.outputs) > 1:
            made = self.called(edge.target)
        found = rule(self.trace.survey, operation, edge.argument, made, target)
        self.rules[send.edge] = found, factor_between(self.incoming(), found.number, send.grad)

    def on_carry(self, send: Send) -> None:
        slots = {}
        if send.grad is not None:
            factor = words.factor_label(self.rules[send.edge][1])
            slots = {"factor": factor, "sent": on_arrow(send.grad)}
            self.screen.label(send.edge, slots)
            self.fresh.append(send.edge)
            self.mark_edge(send.edge, "now")
        self.boxes.arrives(send.edge, slots)

    def on_add(self, send: Send) -> None:
        edge = self.index.edges[send.edge]
        receiver = self.receiver(send).key
        self.arrived[receiver] += 1
        self.given[edge.source].append(Part(send.grad, edge.target, send.edge))
        self.totals[edge.source] = send.after
        if self.awaits(receiver):
            self.waiting[receiver] = None
            self.status[receiver] = "waiting"
        else:
            self.waiting.pop(receiver, None)
            self.reached(receiver)
        self.show(receiver)

    def on_skip(self, skip: Skip) -> None:
        if skip.edge is not None:
            self.mark_edge(skip.edge, "skipped")

    def on_accumulate(self, _: None) -> None:
        leaf, after = self.operations[self.now].makes, self.turn.accumulation.after
        if self.turn.rewrites:
            after = self.turn.rewrites[-1].after
        self.grads.pop(leaf, None)
        if after is not None:
            self.grads[leaf] = after
        self.show(self.now)

    def on_stop(self, _: None) -> None:
        self.status[self.now] = "error"
        self.show(self.now)
        value = self.turn.stop.value
        if value is not None:
            self.screen.mark(value, ["changed"])
            for edge in self.index.operands[self.now]:
                if edge.source == value:
                    self.mark_edge(edge.key, "error")

    def on_free(self, _: None) -> None:
        if self.keeping.pop(self.now, None) is not None:
            self.freed.append(self.now)

    # -- what is shown ---------------------------------------------------------------------

    def reached(self, key: str) -> None:
        """A node has all of its parts."""
        self.status[key] = "ready"
        if key not in self.ready:
            insort(self.ready, key, key=lambda k: self.place.get(k, len(self.place)))

    def awaits(self, key: str) -> bool:
        return self.arrived[key] < self.parts[key]

    def show(self, key: str) -> None:
        """Bring the mark and the labels of a node, and of its leaf, up to date."""
        operation, status = self.operations[key], self.status.get(key, "")
        slots, places, leaf = {}, [key], operation.kind == "accumulate"
        if status:
            in_grad = status == "done" and leaf and self.alone(operation.makes)
            came = "" if in_grad else words.came(self, operation)
            if came:
                slots["came"] = came
            took = "took" if came and status == "done" else status  # "done 3" reads as turn 3
            slots["state"] = words.state(took, self.arrived[key], self.parts[key])
        if leaf:
            places.append(operation.makes)  # both are shown in one place
            grad = self.grads.get(operation.makes)
            slots["grad"] = "None" if grad is None else above(grad)
        for element in places:
            if status or element in self.screen.marks:
                self.screen.mark(element, [status] if status else [])
            self.screen.label(element, slots)
        self.boxes.node(key, status, slots.get("came", ""))

    def alone(self, leaf: str) -> bool:
        """Whether one part is all that came for a leaf, into an empty ``.grad``."""
        return self.expected[leaf] == 1 and leaf not in self.trace.first_grads

    def mark_edge(self, key: str, mark: str | None = None) -> None:
        """An edge has a new mark, or its operation is done."""
        if mark is not None:
            self.edge_marks[key] = mark
        done = self.status.get(self.index.edges[key].target) == "done"
        marks = [m for m in (self.edge_marks.get(key), "left" if done else None) if m]
        self.screen.mark(key, marks)
        self.boxes.edge(key, marks)

    # -- questions about it ----------------------------------------------------------------

    def incoming(self) -> np.ndarray | None:
        """The gradient that came in, where there is only one."""
        return self.turn.incoming[0] if len(self.turn.incoming) == 1 else None

    def came_in(self) -> Iterator[tuple[str, np.ndarray | None]]:
        """The values whose gradients the running node takes, after the hooks."""
        for value, number in self.index.arrivals(self.operations[self.now]):
            yield value, self.turn.incoming[number]

    def receiver(self, send: Send) -> Operation:
        return self.index.maker[self.source(send)]

    def source(self, send: Send) -> str:
        """The value that a send goes to."""
        return self.index.edges[send.edge].source

    def came_for(self, value: str) -> list[np.ndarray]:
        """The parts that have come for a value, without those that count as zero."""
        return [part.grad for part in self.given[value] if part.grad is not None]

    def sum_of(self, value: str, digits: int) -> Sum | None:
        """The parts that have come for a value as a sum, if it can be written truly."""
        parts = self.came_for(value)
        few = 1 < len(parts) <= words.TERMS
        return sum_text(parts, self.totals[value], digits) if few else None

    # -- what is said of it ----------------------------------------------------------------

    def of(self, send: Send) -> str:
        """What a sentence calls the value that a send goes to."""
        return self.speakers.of(self.source(send))

    def called(self, key: str) -> str:
        """What a list calls what an operation made."""
        return self.speakers.made(self.operations[key], name=True)

    def say(self, key: str, subject: Operation, **slots: Any) -> str:
        """A sentence that may begin with what an operation made."""
        text = say(key, made=self.speakers.made(subject), **slots)
        return self.speakers.opening(text, subject.makes)
