"""Runs the lines of a program and writes down what happens to versions: plain data.

The record holds, line by line, the value and the version of each piece of memory, what each new
node keeps at which version, what `backward` found when it looked, and the message if it stopped.
It is read off public attributes (`_version`, `grad_fn`, `_saved_...`), so that a program of real
PyTorch is recorded by the same code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

import minigrad as mg
from minigrad.trace import numbers

from ...language import _
from .lines import Line, Refused

VERSIONS = re.compile(r"is at version (\d+); expected version (\d+)")


@dataclass(frozen=True)
class Cell:
    """A piece of memory after a line: its value as text, its version, what the line did to it."""

    value: str
    version: int
    event: str  #: "made", "counted" (written, version raised), "hidden" (not raised) or ""
    remade: bool  #: whether the line gave it a `grad_fn`, or another one


@dataclass
class Storage:
    """A piece of memory: the names that reach it, and its cell after each line that ran.

    ``names`` are there with the line that gave the name to something else, 0 if none did.
    """

    names: dict[str, int] = field(default_factory=dict)
    size: int = 0
    cells: dict[int, Cell] = field(default_factory=dict)
    since: int = 0  #: the line that made it
    joined: dict[int, str] = field(default_factory=dict)  #: lines that gave it another name

    @property
    def first(self) -> str:
        """The name that it got first."""
        return next(iter(self.names))


@dataclass(frozen=True)
class Ticket:
    """What a node keeps for its derivative: `storage` is None for a tensor that has no name.

    ``number`` is the text of a plain number that it keeps, such as the 2 of ``x * 2``.
    """

    node: str
    line: int
    storage: int | None
    version: int
    times: int
    own_result: bool
    number: str = ""


@dataclass(frozen=True)
class Check:
    """What `backward` found: the version now; whether it is the kept one; whether the value is."""

    line: int
    ticket: Ticket
    now: int
    right: bool
    same_value: bool


@dataclass(frozen=True)
class Stopped:
    """The line that raised, the type of the exception and its message."""

    line: int
    kind: str
    message: str


@dataclass
class Record:
    """What happened. Gradients are those of the leaves by name, at the end and after each line."""

    lines: tuple[Line, ...]
    storages: list[Storage] = field(default_factory=list)
    tickets: list[Ticket] = field(default_factory=list)
    nothing_kept: dict[int, list[str]] = field(default_factory=dict)
    checks: list[Check] = field(default_factory=list)
    stopped: Stopped | None = None
    raw_grads: dict[str, list | None] = field(default_factory=dict)
    grads_at: dict[int, dict[str, list | None]] = field(default_factory=dict)

    @property
    def stale(self) -> bool:
        """Whether a check of versions stopped the program."""
        return self.stopped is not None and bool(VERSIONS.search(self.stopped.message))

    @property
    def result_written_in_place(self) -> bool:
        """Whether a node keeps a result that its own line wrote over another value.

        A hook is given that result apart from the memory it is then written to, so what
        `gradients` finds without copies does not count.
        """
        return any(
            one.own_result
            and one.storage is not None
            and self.storages[one.storage].cells[one.line].event == "counted"
            for one in self.tickets
        )

    def title(self, storage: int) -> str:
        """The names of a piece of memory; with a line, where another one has the name, too."""
        mine = self.storages[storage]
        here = [name for name, until in mine.names.items() if not until]
        if not here:
            name, until = next(iter(mine.names.items()))
            return _("{} before line {}").format(name, until)
        older = [one for one in self.storages[:storage] if any(map(one.names.get, here))]
        named = ", ".join(here)
        return _("{} since line {}").format(named, mine.since) if older else named


def run(lines: Sequence[Line], library: ModuleType = mg) -> Record:
    r"""Run a program and record it. Raises `Refused` for what the small language does not allow.

    >>> from minigrad.widgets.versions.lines import read
    >>> text = "a = tensor([1., 3.], requires_grad=True)\nb = a + 2\nloss = (b * b).mean()"
    >>> record = run(read(text + "\nb[0] = 1000.0\nloss.backward()"))
    >>> [(one.node, record.title(one.storage), one.version, one.times) for one in record.tickets]
    [('MulBackward0', 'b', 0, 2)]
    >>> [(one.now, one.right) for one in record.checks], record.stopped.line
    ([(1, False)], 5)
    """
    return _Recorder(lines, library).run()


def gradients(lines: Sequence[Line], copies: bool, library: ModuleType = mg) -> dict[str, Any]:
    """The leaves' gradients where nodes keep copies, or memory that is never checked.

    With copies they are those of the function that the forward pass computed. Without, they are
    what `backward` would give if it did not compare versions.
    """
    hooks = import_module(f"{library.__name__}.autograd.graph").saved_tensors_hooks
    names: dict[str, Any] = {}
    leaves: dict[str, Any] = {}

    def pack(tensor: Any) -> Any:
        return tensor.detach().clone() if copies else tensor.detach()

    with hooks(pack, lambda kept: kept):
        for line in lines:
            try:
                line.run(names, library)
            except Refused:
                raise
            except Exception:
                break
            _meet_leaves(names, leaves)
    return _grads(leaves)


def _meet_leaves(names: dict[str, Any], leaves: dict[str, Any]) -> None:
    for name, tensor in names.items():
        if tensor is not None and tensor.is_leaf and tensor.requires_grad:
            leaves.setdefault(name, tensor)


def _grads(leaves: dict[str, Any]) -> dict[str, list | None]:
    return {
        name: None if leaf.grad is None else numbers.raw(leaf.grad).tolist()
        for name, leaf in leaves.items()
    }


def shown(values: Any) -> str:
    """Numbers as a reader wants them: `[1000, 5]`.

    >>> shown([1000.0, 5.0]), shown(None)
    ('[1000, 5]', 'None')
    """
    return "None" if values is None else numbers.show(values)


class _Recorder:
    """One run, with what has to be remembered between two lines."""

    def __init__(self, lines: Sequence[Line], library: ModuleType):
        self.record = Record(tuple(lines))
        self.library = library
        self.names: dict[str, Any] = {}
        self.leaves: dict[str, Any] = {}
        self.holders: list[Any] = []  # a tensor of each storage, whose version is shown
        self.alive: list[Any] = []  # so that no memory is used twice
        self.makers: dict[int, Any] = {}  # of each storage, after the line before
        self.values: dict[int, Any] = {}  # likewise
        self.nodes: set[Any] = set()
        self.kept: dict[Any, list[tuple]] = {}  # of each node: tickets, tensors, their values then

    def run(self) -> Record:
        for line in self.record.lines:
            before = dict(self.names)
            looked = self._look(line) if line.calls_backward else []
            try:
                line.run(self.names, self.library)
            except Refused:
                raise
            except Exception as error:
                self.record.stopped = Stopped(line.number, type(error).__name__, str(error))
            self._checked(looked)
            self.alive += [*self.names.values()]
            _meet_leaves(self.names, self.leaves)
            self._meet_names(line.number, before)
            self._write_cells(line.number)
            self.record.grads_at[line.number] = _grads(self.leaves)
            if self.record.stopped:
                break
            self._meet_nodes(line.number)
        self.record.raw_grads = _grads(self.leaves)
        return self.record

    # -- memory

    def _meet_names(self, line: int, before: dict[str, Any]) -> None:
        storages = self.record.storages
        for name, tensor in self.names.items():
            if tensor is None or before.get(name) is tensor:
                continue
            found = self._storage(tensor)
            if found is None:
                found = len(storages)
                self.holders.append(tensor if tensor._base is None else tensor._base)
                storages.append(Storage(size=self.holders[-1].numel(), since=line))
            for number, storage in enumerate(storages):
                if number != found and storage.names.get(name) == 0:
                    storage.names[name] = line
            if storages[found].names and name not in storages[found].names:
                storages[found].joined[line] = name
            storages[found].names[name] = 0

    def _storage(self, tensor: Any) -> int | None:
        """Which of the known pieces of memory a tensor lies in."""
        place = tensor.data_ptr()
        for number, holder in enumerate(self.holders):
            start = holder.data_ptr()
            if start <= place < start + holder.numel() * holder.element_size():
                return number
        return None

    def _write_cells(self, line: int) -> None:
        for storage, holder in zip(self.record.storages, self.holders, strict=True):
            value, version = numbers.raw(holder), holder._version
            last = storage.cells.get(line - 1)
            if last is None:
                event = "made"
            elif version != last.version:
                event = "counted"
            else:
                unchanged = np.array_equal(value, self.values[id(storage)], equal_nan=True)
                event = "" if unchanged else "hidden"
            maker = holder.grad_fn
            remade = maker is not None and maker is not self.makers.get(id(storage))
            self.makers[id(storage)] = maker
            self.values[id(storage)] = value
            storage.cells[line] = Cell(shown(value), version, event, remade)

    # -- nodes

    def _meet_nodes(self, line: int) -> None:
        """Write down what the nodes that this line made keep."""
        new = sorted(
            {node for each in self.names.values() for node in self._behind(each)},
            key=lambda node: node._sequence_nr(),
        )
        for node in new:
            if node in self.nodes or node.name().endswith("AccumulateGrad"):
                continue
            self.nodes.add(node)
            tickets = self._tickets(node, line)
            self.kept[node] = tickets
            self.record.tickets += [ticket for ticket, _tensor, _values in tickets]
            if not tickets:
                self.record.nothing_kept.setdefault(line, []).append(node.name())

    def _behind(self, tensor: Any) -> Iterator[Any]:
        """All nodes that lead to a tensor."""
        waiting = [tensor.grad_fn] if tensor is not None and tensor.grad_fn is not None else []
        seen = set(waiting)
        while waiting:
            node = waiting.pop()
            yield node
            inner = {one for one, _number in node.next_functions if one is not None} - seen
            seen |= inner
            waiting += inner

    def _tickets(self, node: Any, line: int) -> list[tuple[Ticket, Any, Any]]:
        found: dict[tuple, list] = {}
        plain: dict[tuple, str] = {}
        for name in dir(node):
            if not name.startswith("_saved_"):
                continue
            try:
                saved = getattr(node, name)
            except RuntimeError as error:  # the line itself has written to it since
                expected = VERSIONS.search(str(error))
                written = self._written_in(line)
                if expected is None or written is None:
                    continue
                found.setdefault((written, int(expected[2]), False), []).append(None)
                continue
            if hasattr(saved, "data_ptr"):
                self.alive.append(saved.detach())
                key = (self._storage(saved), saved._version, name == "_saved_result")
                found.setdefault(key, []).append(self.alive[-1])
                if key[0] is None and saved.grad_fn is None and saved.dim() == 0:
                    plain[key] = numbers.show(numbers.raw(saved))
        return [
            (
                Ticket(
                    node.name(),
                    line,
                    place,
                    version,
                    len(aliases),
                    result,
                    plain.get((place, version, result), ""),
                ),
                aliases[0],
                None if aliases[0] is None else numbers.raw(aliases[0]),
            )
            for (place, version, result), aliases in found.items()
        ]

    def _written_in(self, line: int) -> int | None:
        events = ((n, one.cells[line].event) for n, one in enumerate(self.record.storages))
        return next((number for number, event in events if event == "counted"), None)

    # -- backward

    def _look(self, line: Line) -> list[Check]:
        """What `backward` is going to find, node after node in its order."""
        root = self.names.get(line.root)
        order = sorted(self._behind(root), key=lambda node: -node._sequence_nr())
        found = []
        for node in order:
            for ticket, alias, values in self.kept.get(node, []):
                if ticket.storage is not None:
                    now = self.holders[ticket.storage]._version
                    same = alias is not None and np.array_equal(
                        numbers.raw(alias), values, equal_nan=True
                    )
                    found.append(Check(line.number, ticket, now, now == ticket.version, same))
        return found

    def _checked(self, looked: list[Check]) -> None:
        """Keep what it came to look at: up to the first wrong version, if that stopped it."""
        stopped = self.record.stopped
        if stopped and not self.record.stale:
            return
        for check in looked:
            self.record.checks.append(check)
            if stopped and not check.right:
                break
