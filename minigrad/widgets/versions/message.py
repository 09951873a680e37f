"""The famous message, phrase by phrase: what each phrase points at in the timeline."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...language import _
from .running import Check, Record, Storage

_MESSAGE = re.compile(
    r"(?P<A>one of the variables needed for gradient computation) has been "
    r"(?P<B>modified by an inplace operation): (?P<C>\[torch\.\w+ \[.*?\]\])"
    r"(?:, which is (?P<D>output \d+ of [\w:]+),)? is (?P<E>at version \d+); "
    r"(?P<F>expected version \d+) instead\.(?P<hint> Hint: .*)"
)


HINT = "hint"


@dataclass(frozen=True)
class Phrase:
    """A piece of the message; `letter` is empty for what points at nothing."""

    text: str
    letter: str = ""
    hint: bool = False


def phrases(message: str) -> tuple[Phrase, ...]:
    """The message in pieces; together they are the message.

    >>> [one.letter for one in phrases("a leaf Variable that requires grad is being used")]
    ['']
    """
    found = _MESSAGE.match(message)
    if found is None:
        return (Phrase(message),)
    pieces, end = [], 0
    for letter, text in found.groupdict().items():
        if text is not None:
            said = Phrase(text, letter) if letter != HINT else Phrase(text, hint=True)
            pieces += [Phrase(message[end : found.start(letter)]), said]
            end = found.end(letter)
    pieces.append(Phrase(message[end:]))
    return tuple(one for one in pieces if one.text)


@dataclass(frozen=True)
class Complaint:
    """What a message about versions is about: the check that failed, and the lines it means."""

    check: Check
    storage: Storage
    writer: int  #: the line that raised the version last
    maker: int  #: the line that made the tensor as it is now, which the message names

    @property
    def line(self) -> int:
        """The line that stopped."""
        return self.check.line


def complaint(record: Record) -> Complaint | None:
    """What stopped the program, if a check of versions did."""
    failed = [check for check in record.checks if not check.right]
    if not record.stale or not failed:
        return None
    ticket = failed[0].ticket
    storage = record.storages[ticket.storage]
    written = [line for line, cell in storage.cells.items() if cell.event == "counted"]
    remade = [line for line, cell in storage.cells.items() if cell.remade]
    maker = ticket.line if ticket.own_result or not remade else remade[-1]
    return Complaint(failed[0], storage, written[-1], maker)


def meaning(letter: str, found: Complaint, name: str) -> str:
    """What a phrase means here, as a sentence."""
    ticket = found.check.ticket
    return {
        "A": _("The ticket: {node} kept `{name}` for its derivative."),
        "B": _("Line {writer} wrote into `{name}`."),
        "C": _("How big `{name}` is, and of which type: {count}."),
        "D": _("Line {maker} made `{name}` as it is now. It is not the one that complains."),
        "E": _("`{name}` is at version {now} now."),
        "F": _("{node} kept `{name}` at version {kept}."),
    }[letter].format(
        node=ticket.node,
        name=name,
        writer=found.writer,
        maker=found.maker,
        count=size(found.storage.size),
        now=found.check.now,
        kept=ticket.version,
    )


def size(count: int) -> str:
    """How many numbers a piece of memory holds.

    >>> size(1), size(2)
    ('1 float', '2 floats')
    """
    return _("1 float") if count == 1 else _("{} floats").format(count)
