"""What happened in a pass, as a flat list of events; a pure function of graph and hook log.

Every event is a dict with a ``kind`` and keys of graph elements; arrays are copies.

=========== ===================================================================================
start       ``root`` (value), ``seed``
deps        ``node``, ``n``: how many contributions this node waits for
ready       ``node``: all of them have come
run         ``node``, ``incoming``: one gradient per output, None where nothing came
local       ``node``, ``edge``, ``symbols``, ``code``, ``words``, ``number``: the derivative by one
            operand; ``symbols``, ``code`` and ``words`` None where only the operation itself
            knows, ``number`` None where its values are not known
send        ``edge``, ``grad``, ``buffer_before``, ``buffer_after``, ``arrived``, ``still_waits``
skip        ``edge`` or None, ``node``, ``argument``, ``why``
accumulate  ``leaf``, ``before``, ``added``, ``after``: into ``.grad``
capture     ``tensor``, ``grad``: a result that retains its gradient got it
hook        ``where`` (node), ``before``, ``after``: a hook of the reader replaced a gradient
rewrite     ``where`` (node), ``before``, ``after``: a hook of the reader changed ``.grad`` itself
free        ``node``, ``saved``: names of the values it let go of
error       ``node``, ``saved_version``, ``now_version``, ``message``
end         the pass is over
=========== ===================================================================================
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np

from .locals import local_derivative
from .model import Edge, Operation
from .numbers import ordinal, same

if TYPE_CHECKING:
    from .backward import Run
    from .survey import Survey

STALE = re.compile(r"is at version (\d+); expected version (\d+)")


def derive(
    survey: Survey,
    runs: list[Run],
    seed: np.ndarray,
    captured: dict[str, np.ndarray],
    failure: str | None,
    keep: bool,
) -> list[dict]:
    """The events of a pass in the order in which they happened.

    Args:
        survey: the graph and the numbers of its forward pass.
        runs: what the hooks saw, node by node.
        captured: the gradients of results that retain theirs.
        failure: the message of the error that ended the pass.
        keep: whether saved values outlive the pass.
    """
    return _Teller(survey, runs, seed, captured, failure, keep).tell()


class _Teller:
    """Walks along the log, doing the bookkeeping of the engine once more."""

    def __init__(self, survey, runs, seed, captured, failure, keep):
        self.survey = survey
        self.index = survey.index
        self.runs = runs
        self.seed = seed
        self.captured = captured
        self.failure = failure
        self.keep = keep
        self.events: list[dict] = []
        self.parts: dict[str, int] = defaultdict(int)
        self.arrived: dict[str, int] = defaultdict(int)
        self.buffers: dict[str, np.ndarray] = {}  # value -> sum of what came so far

    def emit(self, kind: str, **facts: Any) -> None:
        self.events.append({"kind": kind, **facts})

    def tell(self) -> list[dict]:
        root = self.survey.graph.roots[0]
        self.emit("start", root=root, seed=self.seed)
        self.tell_dependencies()
        self.buffers[root] = self.seed
        self.emit("ready", node=self.index.maker[root].key)
        for run in self.runs:
            self.tell_run(run)
        self.emit("end")
        return self.events

    def tell_dependencies(self) -> None:
        for edge in self.index.edges.values():
            if edge.argument is not None and edge.source in self.index.maker:
                self.parts[self.index.maker[edge.source].key] += 1
        for key in self.index.operations:
            self.emit("deps", node=key, n=self.parts[key])

    def tell_run(self, run: Run) -> None:
        operation = self.index.operations[run.key]
        self.tell_hooks(operation, run)
        self.emit("run", node=run.key, incoming=run.incoming)
        if run.outgoing is None:
            self.tell_error(run)
        elif operation.kind == "accumulate":
            self.emit(
                "accumulate",
                leaf=operation.makes,
                before=run.before,
                added=run.incoming[0],
                after=run.after,
            )
            self.tell_hook_after(run)
        else:
            self.tell_sends(operation, run)
            if operation.saved and not self.keep:
                self.emit("free", node=run.key, saved=distinct(operation))

    def tell_hooks(self, operation: Operation, run: Run) -> None:
        """What came in is what was sent, unless a hook of the reader replaced it."""
        for value, number in self.index.arrivals(operation):
            came = run.incoming[number]
            sent = self.buffers.get(value)
            if came is not None and sent is not None and not same(came, sent):
                self.emit("hook", where=run.key, before=sent, after=came)
            if value in self.captured:
                self.emit("capture", tensor=value, grad=self.captured[value])

    def tell_hook_after(self, run: Run) -> None:
        """``.grad`` is the sum, unless a hook of the reader did something with it at once."""
        added = run.incoming[0]
        if added is not None:
            total = added if run.before is None else run.before + added
            if run.after is None or not same(run.after, total):
                self.emit("rewrite", where=run.key, before=total, after=run.after)

    def tell_sends(self, operation: Operation, run: Run) -> None:
        edges = {edge.argument: edge for edge in self.index.operands[operation.key]}
        node = self.survey.nodes[operation.key]
        for argument in range(max([len(run.outgoing), *(a + 1 for a in edges)], default=0)):
            edge = edges.get(argument)
            asked = (
                argument < len(node.next_functions) and node.next_functions[argument][0] is not None
            )
            if not asked:
                self.tell_skip(operation, edge, argument)
                continue
            self.emit(
                "local",
                node=operation.key,
                edge=edge.key,
                **local_derivative(self.survey, operation, argument)._asdict(),
            )
            self.tell_send(edge, run.outgoing[argument])

    def tell_skip(self, operation: Operation, edge: Edge | None, argument: int) -> None:
        number = operation.constants.get(argument, "?")
        if edge is not None:
            why = f"{self.index.values[edge.source].name} asks for no gradient"
        elif number == "?":
            why = f"the {ordinal(argument)} operand asks for no gradient"
        else:
            why = f"{number} is a number"
        key = edge.key if edge is not None else None
        self.emit("skip", edge=key, node=operation.key, argument=argument, why=why)

    def tell_send(self, edge: Edge, grad: np.ndarray | None) -> None:
        receiver = self.index.maker[edge.source].key
        before = self.buffers.get(edge.source)
        if grad is not None:
            self.buffers[edge.source] = grad if before is None else before + grad
        self.arrived[receiver] += 1
        waits = self.parts[receiver] - self.arrived[receiver]
        self.emit(
            "send",
            edge=edge.key,
            grad=grad,
            buffer_before=before,
            buffer_after=self.buffers.get(edge.source),
            arrived=self.arrived[receiver],
            still_waits=waits,
        )
        if waits == 0:
            self.emit("ready", node=receiver)

    def tell_error(self, run: Run) -> None:
        message = self.failure or ""
        found = STALE.search(message)
        saved, now = (int(found[2]), int(found[1])) if found else (None, None)
        self.emit("error", node=run.key, saved_version=saved, now_version=now, message=message)


def distinct(operation: Operation) -> list[str]:
    """The names of what an operation keeps, each once: ``x * x`` keeps ``x`` twice."""
    return list(dict.fromkeys(kept.name for kept in operation.saved))
