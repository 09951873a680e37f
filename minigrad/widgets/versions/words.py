"""What happens at each line, as a sentence, and the verdict on a program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ...language import _
from .lines import read
from .message import Complaint, complaint
from .running import Record, Ticket, gradients, run, shown

LEAF = "a leaf Variable that requires grad"


@dataclass(frozen=True)
class Trial:
    """A program that was run, and run again without checks.

    ``true`` are the gradients of what the forward pass computed, ``silent`` those that backward
    would give if it did not compare versions, None where that cannot be found out; both by the
    names of leaves.
    """

    record: Record
    true: dict[str, list | None]
    silent: dict[str, list | None] | None

    @property
    def complaint(self) -> Complaint | None:
        """What a check of versions complained about."""
        return complaint(self.record)

    @property
    def verdict(self) -> str:
        """``"stale"``, ``"stopped"`` by another error, ``"true"`` or ``"wrong"`` gradients."""
        if self.record.stale:
            return "stale"
        if self.record.stopped:
            return "stopped"
        return "true" if alike(self.record.raw_grads, self.true) else "wrong"


@lru_cache(256)
def tried(lines: tuple[str, ...]) -> Trial:
    """Run a program. Raises `Refused` for what the small language does not allow."""
    program = read("\n".join(lines))
    record = run(program)
    ran = program[: record.stopped.line] if record.stopped else program
    silent = None if record.result_written_in_place else gradients(ran, copies=False)
    return Trial(record, gradients(ran, copies=True), silent)


def alike(left: dict[str, list | None], right: dict[str, list | None]) -> bool:
    """Whether two sets of gradients are the same, but for rounding."""
    return left.keys() == right.keys() and all(
        (left[name] is None) == (right[name] is None)
        and (left[name] is None or np.allclose(left[name], right[name], 1e-5, equal_nan=True))
        for name in left
    )


def grads_text(grads: dict[str, list | None]) -> str:
    """Gradients by name, or the only one without its name.

    >>> grads_text({"a": [3.0, 5.0]}), grads_text({"a": None, "b": 1.0})
    ('[3, 5]', 'a.grad = None, b.grad = 1')
    """
    if len(grads) == 1:
        return shown(*grads.values())
    return ", ".join(f"{name}.grad = {shown(one)}" for name, one in grads.items())


def sentence(trial: Trial, line: int) -> str:
    """What the line did, or why it stopped."""
    record = trial.record
    stopped = record.stopped
    if stopped and stopped.line == line and not trial.complaint:
        return _stopped(stopped.message, line)
    if record.lines[line - 1].calls_backward:
        return _backward(trial, line)
    said = [*_memory(record, line), *_kept(record, line)]
    if not said:
        said.append(_("Line {} changes nothing that has a version.").format(line))
    return " ".join(said)


def _stopped(message: str, line: int) -> str:
    if LEAF in message:
        return _(
            "Line {} stops: the tensor is a leaf that asks for a gradient, so the write itself is "
            "refused."
        ).format(line)
    first = message.split(". ")[0].rstrip(".")
    return _("Line {} stops: {}.").format(line, first)


def _memory(record: Record, line: int) -> list[str]:
    said = []
    for storage in record.storages:
        cell, before = storage.cells.get(line), storage.cells.get(line - 1)
        if cell is None or not cell.event:
            continue
        name = next(
            (name for name, until in storage.names.items() if not until or until > line),
            storage.first,
        )
        known = {"line": line, "name": name, "now": cell.version}
        if cell.event == "made" and cell.version:
            text = _("Line {line} makes `{name}` and writes it: version {now}.")
        elif cell.event == "made":
            text = _("Line {line} makes `{name}`, at version {now}.")
        elif cell.event == "counted":
            text = _("Line {line} writes `{name}`: version {before} becomes {now}.")
            known["before"] = before.version
        else:
            text = _("Line {line} changes `{name}`, but the write is not counted: "
                     "the version stays {now}.")  # fmt: skip
        said.append(text.format(**known))
        backward_ran = any(one.calls_backward for one in record.lines[: line - 1])
        backward_comes = any(one.calls_backward for one in record.lines[line:])
        if cell.event != "made" and backward_ran and not backward_comes:
            said.append(_("No backward follows, so nobody needs the old value."))
    return said


def _kept(record: Record, line: int) -> list[str]:
    made = [ticket for ticket in record.tickets if ticket.line == line]
    said = [
        _("`{}` shares the memory of `{}`, and its version.").format(one.joined[line], one.first)
        for one in record.storages
        if line in one.joined
    ]
    said += [_("{} keeps {}.").format(one.node, kept_text(record, one)) for one in made]
    return said if made else [*said, *nothing_text(record, line)]


def nothing_text(record: Record, line: int) -> list[str]:
    """Which nodes of a line keep nothing; not said of a write, whose nodes stand for no value."""
    cells = (one.cells.get(line) for one in record.storages)
    nodes = record.nothing_kept.get(line, [])
    if not nodes or any(cell and cell.event == "counted" for cell in cells):
        return []
    if len(nodes) == 1:
        return [_("{} keeps no tensor.").format(*nodes)]
    return [_("{} and {} keep no tensor.").format(", ".join(nodes[:-1]), nodes[-1])]


def kept_text(record: Record, ticket: Ticket, mark: str = "`") -> str:
    """What a ticket is for: `b` at version 0, twice."""
    if ticket.number:
        return _("the number {}").format(ticket.number)
    if ticket.storage is None:
        what = _("its own result") if ticket.own_result else _("a tensor without a name")
    else:
        what = f"{mark}{record.storages[ticket.storage].first}{mark}"
        if ticket.own_result:
            what = _("its own result {}").format(what)
    times = _(", {} times").format(ticket.times) if ticket.times > 2 else ""
    if ticket.times == 2:
        times = _(", twice")
    return _("{} at version {}").format(what, ticket.version) + times


def _backward(trial: Trial, line: int) -> str:
    record = trial.record
    found = trial.complaint
    if found and found.line == line:
        return _("{node} kept `{name}` at version {kept}. Line {writer} made it version {now}, "
                 "so backward stops here.").format(
            node=found.check.ticket.node, name=found.storage.first, writer=found.writer,
            kept=found.check.ticket.version, now=found.check.now,
        )  # fmt: skip
    checks = [check for check in record.checks if check.line == line]
    changed = {check.ticket.storage for check in checks if not check.same_value}
    final = alike(record.grads_at[line], record.raw_grads)
    if trial.verdict == "wrong" and changed and final:
        storage = record.storages[min(changed)]
        hidden = [at for at, cell in storage.cells.items() if cell.event == "hidden"]
        said = _("No error, and a wrong gradient: {}. The true one is {}.")
        said = said.format(grads_text(record.raw_grads), grads_text(trial.true))
        if not hidden:
            return said
        uncounted = _("Line {} changed `{}` without counting it.")
        return said + " " + uncounted.format(hidden[-1], storage.first)
    if checks:
        finds = dict.fromkeys(
            _("{} finds `{}` at version {}, as kept.").format(
                check.ticket.node, record.storages[check.ticket.storage].first, check.now
            )
            for check in checks
        )
        said = list(finds)[:2]
        if changed:
            name = record.storages[min(changed)].first
            said.append(_("The value of `{}` is another one all the same.").format(name))
        return " ".join(said)
    written = [
        one.first for one in record.storages
        if any(cell.event in ("counted", "hidden") for at, cell in one.cells.items() if at < line)
    ]  # fmt: skip
    if written:
        name = written[0]
        if any(_is_called(record, ticket, name) for ticket in record.tickets):
            said = _("No node that leads to `{}` kept `{}`, so the write does no harm here.")
            return said.format(record.lines[line - 1].root, name)
        return _("Nobody kept `{}`, so the write does no harm.").format(name)
    return _("No node kept a tensor with a name, so there is nothing to compare.")


def because(trial: Trial, way: str, name: str) -> str:
    """Why a way to write gives what it gives."""
    record, found = trial.record, trial.complaint
    name = next(one.first for one in record.storages if name in one.names)
    keepers = [one.node for one in record.tickets if _is_called(record, one, name)]
    if found:
        said = _("{} kept {}.").format(found.check.ticket.node, f"v{found.check.ticket.version}")
        if way == "no_grad":
            said = _("`no_grad` stops the recording, not the counting. ") + said
        return said
    if record.stopped:
        return _("A leaf that asks for a gradient: the write itself is refused.")
    if way == "data":
        said = _("The value changed, the version did not.")
        if not keepers:
            said += " " + _("Nobody kept `{}`, so it does no harm.").format(name)
        return said
    if way == "clone":
        return _("The clone has its own memory and its own version.")
    if way == "away":
        if keepers:
            return _("A new tensor is made. The one that {} kept is untouched.").format(keepers[0])
        return _("A new tensor is made, nothing is written.")
    if way == "after":
        return _("Nobody needs `{}` any more.").format(name)
    return _("Nobody kept `{}`, so the write does no harm.").format(name)


def _is_called(record: Record, ticket: Ticket, name: str) -> bool:
    return ticket.storage is not None and name in record.storages[ticket.storage].names


def versions_of(trial: Trial, names: Sequence[str]) -> str:
    """The versions of the memory that names meant at first, at the end: ``v1``."""
    found = []
    for name in names:
        storage = next(one for one in trial.record.storages if name in one.names)
        found.append(f"v{list(storage.cells.values())[-1].version}")
    return ", ".join(found)
