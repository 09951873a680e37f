"""The timeline: one column a line, one row a piece of memory, and the tickets below.

On a narrow card it is turned: one row a line. Both are made of the same cells.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from ...language import _
from ..screen import Part
from .lines import Line
from .message import Complaint, size
from .running import Cell, Check, Record, Ticket, shown
from .words import Trial, kept_text, nothing_text

NARROW = 2  #: pieces of memory that have a column on a narrow card


@dataclass(frozen=True)
class Look:
    """What of a trial is shown: up to which line, which letters, and the one that is pointed at."""

    trial: Trial
    line: int
    letter: str = ""

    @property
    def record(self) -> Record:
        return self.trial.record

    @property
    def complaint(self) -> Complaint | None:
        """What stopped the line that is shown, if a check of versions did."""
        found = self.trial.complaint
        return found if found and found.line == self.line else None

    @property
    def checks(self) -> list[Check]:
        """What backward has found so far."""
        return [check for check in self.record.checks if check.line <= self.line]

    @property
    def order(self) -> list[int]:
        """The pieces of memory that are there, those that nodes keep last, near to the tickets."""
        kept = [one.storage for one in self.record.tickets]
        there = [n for n, one in enumerate(self.record.storages)]
        return sorted(there, key=lambda number: (number in kept, number))

    def letters(self, *letters: str) -> str:
        """Marks of phrases; nothing where no message is shown."""
        if self.complaint is None:
            return ""
        there = [one for one in letters if one != "D" or "which is output" in self.message]
        return "".join(f' <b class="letter">{one}</b>' for one in there)

    @property
    def message(self) -> str:
        """The message of the line that stopped."""
        return self.record.stopped.message if self.record.stopped else ""

    def lit(self, letter: str) -> str:
        """The class of what the chosen phrase points at."""
        return " lit" if self.complaint and self.letter == letter else ""


def timeline(look: Look, at: Sequence[Any]) -> Part:
    """The picture: a table, the same turned for a narrow card, and as text.

    ``at`` are the states that show the lines, one after the other, as far as they run.
    """
    return Part("timeline", wide(look, at) + narrow(look), text(look))


# -- one column a line ----------------------------------------------------------------------------


def wide(look: Look, at: Sequence[Any]) -> str:
    """The table with one column a line; the head of a column leads to its line."""
    lines = look.record.lines
    head = "".join(_head(look, one, at) for one in lines)
    rows = "".join(_row(look, number) for number in look.order)
    tickets = "".join(f"<td>{_tickets(look, one.number)}</td>" for one in lines)
    keeps = f"{escape(_('tickets'))}<small>{escape(_('who keeps what'))}</small>"
    first = f'<th scope="col" class="name"><small>{escape(_("memory"))}</small></th>'
    return (
        f'<div class="wide scroll"><table class="timeline" style="--lines: {len(lines)}">'
        f"<thead data-grid><tr>{first}{head}</tr></thead><tbody>{rows}"
        f'<tr><th scope="row" class="name">{keeps}</th>{tickets}</tr></tbody></table></div>'
    )


def _head(look: Look, line: Line, at: Sequence[Any]) -> str:
    number = line.number
    here = number == look.line
    told = (
        f"<small>{'▶ ' if here else ''}{escape(_('line {}').format(number))}</small>"
        f"<code>{_breakable(line.text)}</code>"
    )
    if number <= len(at):
        more = ' aria-current="true"' if here else ""
        if number in (1, len(at)):
            more += f' data-press="{"Home" if number == 1 else "End"}"'
        told = f'<span data-to="{escape(json.dumps(at[number - 1]))}"{more}>{told}</span>'
    return f'<th scope="col" class="{"here" if here else ""}">{told}</th>'


def _breakable(text: str) -> str:
    """A line of code that may also break after a sign, not only at spaces; a number stays whole."""
    pieces = re.split(r"(?<=[=(])(?=[^\s=])|(?<=[^\d\s]\.)(?=\w)", text)
    return "<wbr>".join(escape(piece, quote=False) for piece in pieces)


def _row(look: Look, number: int) -> str:
    storage = look.record.storages[number]
    tickets = [one for one in look.record.tickets if one.storage == number]
    complained = look.complaint is not None and look.complaint.storage is storage
    head = escape(look.record.title(number))
    if complained:
        head = f'<span class="{look.lit("C").strip()}">{head}{look.letters("C")}</span>'
    small = f"<small>{escape(size(storage.size))}</small>" if tickets else ""
    cells = "".join(
        _tape(look, number, line.number, kept=bool(tickets)) for line in look.record.lines
    )
    if look.line < storage.since:
        head = small = ""
    return f'<tr><th scope="row" class="name">{head}{small}</th>{cells}</tr>'


def _tape(look: Look, number: int, line: int, kept: bool) -> str:
    storage = look.record.storages[number]
    cell = storage.cells.get(line)
    if cell is None or line > look.line:
        return "<td></td>"
    looked_at = [one for one in look.checks if one.line == line and one.ticket.storage == number]
    kinds = ["tape", cell.event or "goes-on", *(["kept"] if kept else [])]
    written = [at for at, one in storage.cells.items() if one.event == "counted" and at <= line]
    if written:
        kinds.append("written")
    inner = _value(look, number, line, cell) if cell.event or looked_at else ""
    return f'<td class="{" ".join(kinds)}">{inner}{_grad(look, number, line)}</td>'


def _value(look: Look, number: int, line: int, cell: Cell) -> str:
    """The value, the letters that point at it, and the version in a bead."""
    found = look.complaint
    storage = look.record.storages[number]
    mine = found is not None and found.storage is storage
    letters, lit = "", ""
    if mine:
        pointed = [
            *(["B"] if line == found.writer else []),
            *(["D"] if line == found.maker else []),
            *(["E"] if line == found.line else []),
        ]
        letters = look.letters(*pointed)
        lit = next((look.lit(one) for one in pointed if look.lit(one)), "")
    before = storage.cells.get(line - 1)
    value = _marked(cell.value, before.value) if before else escape(cell.value)
    on_value, on_bead = ("", lit) if look.letter == "E" else (lit, "")
    hidden = f"<i>{escape(_('changed, not counted'))}</i>" if cell.event == "hidden" else ""
    return (
        f'<span class="value{on_value}"><span>{value}</span>{letters}</span>'
        f'<span class="bead{on_bead}">v{cell.version}</span>{hidden}'
    )


def _marked(value: str, before: str) -> str:
    """A value, with the numbers in it marked that were others before."""
    now, then = value.split(", "), before.split(", ")
    if len(now) != len(then):
        return f'<b class="changed">{escape(value)}</b>'
    marked = []
    for one, old in zip(now, then, strict=True):
        bare = one.strip("[]")
        change = f'<b class="changed">{bare}</b>' if one != old else bare
        marked.append(one.replace(bare, change) if bare else one)
    return ", ".join(marked)


def _grad(look: Look, number: int, line: int) -> str:
    """The `.grad` that a line of backward leaves at a leaf."""
    storage, record = look.record.storages[number], look.record
    stops = record.stopped is not None and record.stopped.line == line
    if not record.lines[line - 1].calls_backward or stops:
        return ""
    there = record.grads_at.get(line, {})
    leaf = next((name for name in storage.names if name in there), None)
    if leaf is None:
        return ""
    grad = shown(there[leaf])
    wrong = " wrong" if look.trial.verdict == "wrong" else ""
    return f'<span class="value">.grad <b class="grad{wrong}">{escape(grad)}</b></span>'


def _tickets(look: Look, line: int) -> str:
    if line > look.line:
        return ""
    record = look.record
    made = [one for one in record.tickets if one.line == line]
    boxes = [_ticket(look, one) for one in made]
    boxes += [_found(look, one) for one in _worth_showing(look, line)]
    if not made:
        boxes += [f'<div class="ticket nothing">{_named(said)}</div>'
                  for said in nothing_text(record, line)]  # fmt: skip
    return "".join(boxes) + _thread(look, line)


def _ticket(look: Look, ticket: Ticket) -> str:
    found = look.complaint
    mine = found is not None and found.check.ticket is ticket
    first, last = (look.letters("A"), look.letters("F")) if mine else ("", "")
    lit = look.lit("A") or look.lit("F") if mine else ""
    said = _("keeps {}").format(kept_text(look.record, ticket, ""))
    node = _named(ticket.node)
    return f'<div class="ticket{lit}">{first.strip()} {node} {escape(said)}{last}</div>'


def _named(node: str) -> str:
    """The name of a node, which may break before "Backward"."""
    return escape(node).replace("Backward", "<wbr>Backward")


def _worth_showing(look: Look, line: int) -> list[Check]:
    """The check that failed and those whose value changed; else the first two."""
    checks = [one for one in look.checks if one.line == line]
    return [one for one in checks if not one.right or not one.same_value] or checks[:2]


def _found(look: Look, check: Check) -> str:
    ticket = check.ticket
    known = {"node": _named(ticket.node), "kept": ticket.version, "now": check.now}
    if not check.right:
        kind, said = "wrong", _("✗ {node}: kept v{kept}, now v{now}")
    elif check.same_value:
        kind, said = "right", _("✓ {node}: kept v{kept}, now v{now}")
    else:
        kind, said = "looks-right", _("{node}: kept v{kept}, now v{now}. It looks fine.")
    return f'<div class="ticket found {kind}">{escape(said).format(**known)}</div>'


def _thread(look: Look, line: int) -> str:
    """The thread from the tickets to the line of backward that compares them, as far as it is free.

    It would be broken by what else hangs between them.
    """
    checks = look.checks
    if not checks or not min(one.ticket.line for one in checks) < line < checks[0].line:
        return ""
    between = range(line, checks[0].line)
    if any(one.line in between for one in look.record.tickets):
        return ""
    if any(nothing_text(look.record, one) for one in between):
        return ""
    asked = escape(_("still v{}?").format(checks[0].ticket.version))
    return f'<div class="thread">{asked if line == checks[0].line - 1 else "&nbsp;"}</div>'


# -- one row a line -------------------------------------------------------------------------------


def narrow(look: Look) -> str:
    """The table turned: one row a line, columns for what matters most."""
    columns = _columns(look)
    heads = "".join(
        f'<th scope="col">{escape(look.record.title(one))}{_head_letter(look, one)}</th>'
        for one in columns
    )
    rows = "".join(_turned(look, line.number, columns) for line in look.record.lines)
    return (
        f'<table class="narrow turned"><thead><tr><th scope="col">{escape(_("line"))}</th>{heads}'
        f'<th scope="col">{escape(_("tickets"))}</th></tr></thead><tbody>{rows}</tbody></table>'
    )


def _columns(look: Look) -> list[int]:
    """Memory that nodes keep or that is written to, then leaves; no more than there is room for."""
    record = look.record
    kept = {one.storage for one in record.tickets}

    def weight(number: int) -> tuple:
        storage = record.storages[number]
        written = any(one.event in ("counted", "hidden") for one in storage.cells.values())
        leaf = any(name in record.raw_grads for name in storage.names)
        return (number in kept, written, leaf)

    heaviest = sorted(range(len(record.storages)), key=weight, reverse=True)[:NARROW]
    return [one for one in look.order if one in heaviest]


def _head_letter(look: Look, number: int) -> str:
    mine = look.complaint and look.complaint.storage is look.record.storages[number]
    return look.letters("C") if mine else ""


def _turned(look: Look, line: int, columns: list[int]) -> str:
    mark = "▶ " if line == look.line else ""
    kept = {one.storage for one in look.record.tickets}
    cells = "".join(_tape(look, one, line, kept=one in kept) for one in columns)
    text = escape(look.record.lines[line - 1].text)
    return (
        f'<tr><th scope="row">{mark}<code>{text}</code></th>{cells}'
        f"<td>{_tickets(look, line)}</td></tr>"
    )


# -- as text --------------------------------------------------------------------------------------


def text(look: Look) -> str:
    """The timeline as lines of text."""
    return "\n".join(line for one in look.record.lines for line in _told(look, one.number))


def _told(look: Look, line: int) -> Iterator[str]:
    mark = "▶" if line == look.line else " "
    yield f"{mark} {line}  {look.record.lines[line - 1].text}"
    if line > look.line:
        return
    for number in look.order:
        cell = look.record.storages[number].cells.get(line)
        looked_at = any(one.line == line and one.ticket.storage == number for one in look.checks)
        if cell and (cell.event or looked_at):
            uncounted = _(" changed, not counted") if cell.event == "hidden" else ""
            yield f"       {look.record.title(number)} = {cell.value}  v{cell.version}{uncounted}"
    made = [one for one in look.record.tickets if one.line == line]
    for ticket in made:
        yield f"       {ticket.node} " + _("keeps {}").format(kept_text(look.record, ticket, ""))
    for said in [] if made else nothing_text(look.record, line):
        yield f"       {said}"
    for check in _worth_showing(look, line):
        sign = "✗" if not check.right else "✓" if check.same_value else " "
        yield f"     {sign} {check.ticket.node}: " + _("kept v{}, now v{}").format(
            check.ticket.version, check.now
        )
