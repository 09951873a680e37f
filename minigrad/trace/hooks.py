"""Hooks on the nodes of a graph that write down what happens while a pass runs through them.

Each node gets two: one sees what came in, after the reader's own hooks; the other sees what goes
out. Together they make a `Turn`. The bookkeeping of the engine (what a node has been sent, how
many parts it waits for) is done along with it.
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from . import read
from .contents import equal
from .model import Edge, Operation
from .numbers import as_bfloat16, raw, same
from .sentences import say
from .survey import Survey
from .turns import Accumulation, Change, Send, Skip, Stop, Turn

PATIENCE = 60  #: seconds that another thread's pass waits for the end of a recording


class Recorder:
    """Writes the turns of one pass.

    Passes that run inside of this one, and those of other threads, are not told: a node that runs
    in the middle of another, or a leaf before all of its parts have come, belongs to one of them.
    Other threads wait at the nodes of this graph until everything is put back (`over`).

    Attributes:
        turns: what happened so far.
        retaining: the tensors of the graph that retain their gradient, by key.
        hooked: the operations whose nodes carry hooks of the reader.
        over: to be set when other threads may go on.

    Args:
        survey: the graph and its live nodes.
        seed: what the pass starts with.
        keep: whether saved values outlive the pass.
    """

    def __init__(self, survey: Survey, seed: np.ndarray, keep: bool):
        self.survey = survey
        self.index = survey.index
        self.retaining: Mapping[str, Any] = {}
        self.keep = keep
        self.turns: list[Turn] = []
        self.hooked: list[str] = []
        self.over = threading.Event()
        # On other devices the engine of PyTorch has threads of its own.
        on_cpu = all(str(getattr(t, "device", "cpu")) == "cpu" for t in survey.tensors.values())
        self._thread = threading.get_ident() if on_cpu else None
        self._arrived: Counter[str] = Counter()
        self._sums: dict[str, np.ndarray] = {survey.graph.roots[0]: seed}  # by value
        self._coarse: set[str] = set()  # values whose gradients are bfloat16
        self._ran: set[str] = set()
        self._grads: dict[str, np.ndarray | None] = {}  # what .grad was before, by node
        self._running: list[tuple[str, Turn | None]] = []  # None: a node of another pass

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Hooks on every node of the graph, taken away afterwards."""
        handles = []
        try:
            for key, node in self.survey.nodes.items():
                before, after = partial(self._before, key), partial(self._after, key)
                mine = [node.register_prehook(before), node.register_hook(after)]
                handles += mine
                if any(map(_has_others, mine)):
                    self.hooked.append(key)
            yield
        finally:
            for handle in handles:
                handle.remove()
            self.over.set()

    def _before(self, key: str, grad_outputs: tuple) -> None:
        if self._is_elsewhere():
            if not self.over.wait(PATIENCE):
                raise RuntimeError(say("error-waited"))
        else:
            turn = None if self._is_inner(key) else self._take(key, list(map(_copy, grad_outputs)))
            self._running.append((key, turn))

    def _after(self, key: str, grad_inputs: tuple, grad_outputs: tuple) -> None:
        turn = None if self._is_elsewhere() else self._finished(key)
        operation, node = self.index.operations[key], self.survey.nodes[key]
        if turn is not None and operation.kind == "accumulate":
            self._accumulate(turn, operation, _copy(node.variable.grad))
        elif turn is not None:
            self._note_bfloat16(operation, grad_inputs)
            self._send(turn, operation, node, list(map(_copy, grad_inputs)))

    # -- other passes -------------------------------------------------------------------

    def _is_elsewhere(self) -> bool:
        return self._thread is not None and threading.get_ident() != self._thread

    def _is_inner(self, key: str) -> bool:
        """Whether a node runs in a pass inside of this one; where that is unclear, refuse."""
        if self._running:
            return True
        operation = self.index.operations[key]
        early = self._arrived[key] < self.index.parts(operation)
        if key in self._ran or (early and operation.kind != "accumulate"):
            raise RuntimeError(say("error-twice", node=operation.node))
        return early

    def _finished(self, key: str) -> Turn | None:
        while self._running:  # a node of an inner pass may have failed on the way
            running, turn = self._running.pop()
            if running == key:
                return turn
        return None

    # -- one node -----------------------------------------------------------------------

    def _take(self, key: str, incoming: list[np.ndarray | None]) -> Turn:
        """What came in is what was sent, unless a hook of the reader replaced it."""
        operation = self.index.operations[key]
        self._ran.add(key)
        turn = Turn(key, incoming)
        self.turns.append(turn)
        if operation.kind == "accumulate":
            self._grads[key] = _copy(self.survey.nodes[key].variable.grad)
        for value, number in self.index.arrivals(operation):
            came, sent = incoming[number], self._sums.pop(value, None)
            if came is not None and sent is not None:
                if equal(came, sent):
                    incoming[number] = sent  # one copy is enough
                elif not same(came, sent):
                    turn.changes.append(Change(value, sent, came))
            retaining = self.retaining.get(value)
            if retaining is not None and retaining.grad is not None:
                turn.retained.append((value, raw(retaining.grad)))
        return turn

    def _accumulate(self, turn: Turn, operation: Operation, after: np.ndarray | None) -> None:
        """``.grad`` is the sum, unless a hook of the reader did something with it at once."""
        before, added = self._grads[operation.key], turn.incoming[0]
        turn.accumulation = Accumulation(before, added, after)
        if added is not None:
            total = added if before is None else self._sum(operation.makes, before, added)
            if after is None or not (equal(after, total) or same(after, total)):
                turn.rewrites.append(Change(operation.makes, total, after))

    def _send(self, turn: Turn, operation: Operation, node: Any, outgoing: list) -> None:
        edges = {edge.argument: edge for edge in self.index.operands[operation.key]}
        asked = {i for i, (target, _) in enumerate(node.next_functions) if target is not None}
        for argument in range(max([len(outgoing), *(a + 1 for a in edges)], default=0)):
            edge = edges.get(argument)
            if argument in asked:
                turn.sends.append(self._sent(edge, outgoing[argument]))
            else:
                number = operation.constants.get(argument, "?")
                constant = None if edge is not None or number == "?" else number
                turn.skips.append(Skip(argument, edge and edge.key, constant))
        if operation.saved and not self.keep:
            turn.freed = tuple(dict.fromkeys(kept.name for kept in operation.saved))

    def _sent(self, edge: Edge, grad: np.ndarray | None) -> Send:
        value = edge.source
        if grad is not None:
            before = self._sums.get(value)
            self._sums[value] = grad if before is None else self._sum(value, before, grad)
        self._arrived[self.index.maker[value].key] += 1
        return Send(edge.key, grad, self._sums.get(value))

    def _sum(self, value: str, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """A sum as the library rounds it."""
        total = left + right
        return as_bfloat16(total) if value in self._coarse else total

    def _note_bfloat16(self, operation: Operation, grads: tuple) -> None:
        for edge in self.index.operands[operation.key]:
            grad = grads[edge.argument] if edge.argument < len(grads) else None
            if "bfloat16" in str(getattr(grad, "dtype", "")):
                self._coarse.add(edge.source)

    def stop(self, error: BaseException) -> bool:
        """The node that was running could not go on; False if none was running."""
        if not self._running or self._running[0][1] is None:
            return False
        key, turn = self._running[0]
        turn.stop = stop_of(self.survey, self.index.operations[key], error)
        return True


def _has_others(handle: Any) -> bool:
    """Whether a hook that was just registered is not the only one in its place."""
    hooks = getattr(handle, "hooks", None)
    if hooks is None and hasattr(handle, "hooks_dict_ref"):
        hooks = handle.hooks_dict_ref()
    return hooks is not None and len(hooks) > 1


def _copy(tensor: Any) -> np.ndarray | None:
    return None if tensor is None else raw(tensor)


VERSIONS = re.compile(r"is at version (\d+); expected version (\d+)")
PLACE = re.compile(r"^Where: line (\d+) of .*?(?:: `(.*)`)? changed the value", re.MULTILINE)


def is_version_error(error: BaseException) -> bool:
    """Whether a value that a derivative needs was changed since it was kept."""
    return "modified by an inplace operation" in str(error)


def stop_of(survey: Survey, operation: Operation, error: BaseException) -> Stop:
    """What is known of the error that stopped an operation."""
    message = str(error)
    found = VERSIONS.search(message)
    if found is None:
        return Stop(message)
    now, kept = int(found[1]), int(found[2])
    changed = read.keeps(survey.nodes[operation.key]).changed
    slot = next(
        (slot for slot, said in changed.items() if VERSIONS.findall(said) == [found.groups()]), None
    )
    value = None if slot is None else _value_in(survey, operation, slot, now)
    return Stop(message, value, slot, kept, now, _place(error))


def _value_in(survey: Survey, operation: Operation, slot: str, now: int) -> str | None:
    """The value that an operation kept under a name, where one alone can be meant."""
    named = survey.index.in_slot(operation, slot)
    operands = [edge.source for edge in survey.index.operands[operation.key]]
    tensors = {key: survey.tensors.get(key) for key in operands}
    changed = [key for key, tensor in tensors.items() if getattr(tensor, "_version", None) == now]
    return named or (changed[0] if len(changed) == 1 else None)


def _place(error: BaseException) -> str:
    """The line that changed the value, if a note on the error tells it: ``line 5: y += 1``."""
    found = PLACE.search("\n".join(getattr(error, "__notes__", ())))
    if found is None:
        return ""
    return f"line {found[1]}" + (f": {found[2]}" if found[2] else "")
