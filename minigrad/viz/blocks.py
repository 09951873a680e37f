"""The blocks of a picture: what stands in each, how large it is, where its parts are.

An operation and the tensor it made are one block: an oval docked to a box. Lengths are pixels,
measured from the upper left corner of the block. In a picture that grows to the right the oval
stands left of its box and lines go from left to right; in one that grows downwards the oval
stands above its box, and what is said about a block stands to the right of the oval.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from minigrad.language import _
from minigrad.trace.model import Group, Value
from minigrad.trace.numbers import equals

from .measure import clip, text_width

MAIN, SMALL, STATE = 14, 12, 13  #: font sizes
NAME, TEXT = 24, 30  #: how many characters of a name and of a value are shown
DOCK = 9  #: how far oval and box overlap
PORT = 24  #: how far the lines at one side of a block are apart

Slots = Mapping[str, str]


class Rect(NamedTuple):
    """A rectangle by its upper left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2


class Oval(NamedTuple):
    """An ellipse by its center."""

    x: float
    y: float
    rx: float
    ry: float


class Side(NamedTuple):
    """Where lines may touch a block: ``at`` along them, around ``middle`` across them."""

    at: float
    middle: float
    length: float
    last: bool = False  #: whether ``middle`` is where the last line goes, not the middle one


@dataclass
class Box:
    """The box of a value: its key, its lines of (class, text) pieces, where it is."""

    key: str
    lines: list[list[tuple[str, str]]]
    rect: Rect
    text: tuple[float, float]  #: the middle of its lines


@dataclass
class Block:
    """One node of the layout. ``key`` is the element whose marks and labels it bears."""

    place: str
    key: str
    kind: str  #: operation, leaf, unasked, value, stub, group, repeat, node
    width: float = 0
    height: float = 0
    oval: Oval | None = None
    boxes: list[Box] = field(default_factory=list)
    tray: Rect | None = None
    grad: str = "None"
    sign: str = ""
    size: float = 20
    under: str = ""  #: the class of the node, what it keeps, "no grad"; of several lines, an error
    under_at: tuple[float, float] = (0, 0)
    under_middle: bool = False
    state_at: tuple[float, float] = (0, 0)
    state_width: float = 0
    brief_width: float = 0  #: of a state that says what a sum comes to, and not its terms
    brief: bool = False  #: whether only that has room
    says_state: bool = True
    group: Group | None = None
    rows: list[tuple[str, str, str]] = field(default_factory=list)  #: (value, name, .grad)
    cells: list[tuple[Group, str, Rect]] = field(default_factory=list)
    inlet: Side | None = None
    outlets: dict[str, Side] = field(default_factory=dict)
    middle: float | None = None  #: between the lines that leave it, if that is not its own
    x: float = 0
    y: float = 0

    @property
    def axis(self) -> float:
        """Where a block that grows downwards has its middle line."""
        if self.oval:
            return self.oval.x
        return self.width / 2 if self.middle is None else self.middle

    @property
    def told_width(self) -> float:
        """How wide the state is as it is told here."""
        return self.brief_width if self.brief else self.state_width

    @property
    def hangs_over(self) -> float:
        """How far what stands below an oval alone reaches over each of its sides."""
        if self.kind != "operation" or not self.under_middle:
            return 0
        return max(text_width(self.under, SMALL) - self.width, 0) / 2

    def texts(self) -> list[Rect]:
        """The room of what is written beside the block: its state, and what stands below it."""
        found = []
        if self.says_state and self.state_width:
            x, y = self.state_at
            found.append(Rect(x - 8, y - 9, self.told_width, 18))
        if self.under:
            x, y = self.under_at
            lines = self.under.split("\n")
            wide = max(text_width(line, SMALL) for line in lines)
            high = 14 * len(lines)
            found.append(Rect(x - wide / 2 * self.under_middle, y - 11, wide, high))
        return found


@dataclass
class Needs:
    """What is known about a block before it has a size."""

    down: bool
    inputs: int = 0
    users: Mapping[str, int] = field(default_factory=dict)
    ordered: bool = False
    room: Slots = field(default_factory=dict)
    tray: bool = True
    classes: bool = True
    few: bool = True  #: whether there are so few lines that words may reach between them
    twofold: bool = True  #: whether a gradient's line runs beside each line

    rooms: Mapping[str, Slots] = field(default_factory=dict)

    def uses(self, key: str) -> int:
        return self.users.get(key, 0)

    def widest(self, key: str) -> str:
        """The widest ``.grad`` that will be told of a value."""
        return self.rooms.get(key, {}).get("grad", "")


def turned(point: tuple[float, float], down: bool) -> tuple[float, float]:
    """(along the flow, across it) as (right, down) or the other way about: it is the same turn.

    >>> turned((3, 1), down=True)
    (1, 3)
    """
    return (point[1], point[0]) if down else point


# -- what is written in a box ---------------------------------------------------------------


def shape_text(shape: tuple[int, ...] | None) -> str:
    """``2×2``; nothing for a single number."""
    return "×".join(str(size) for size in shape) if shape else ""


def size_text(value: Value) -> str:
    """``2×2``, ``2×2 bfloat16``: the shape, and a dtype that rounds visibly."""
    return f"{shape_text(value.shape)} {value.dtype}".strip()


def no_gradient(value: Value) -> str:
    """What is said of a value that asks for no gradient."""
    return _("frozen") if value.frozen else _("no grad")


def lines_of(value: Value) -> list[list[tuple[str, str]]]:
    """``a = 3`` on one line, or the name with the shape above the value.

    Without a name the shape stands below: at the top of a box it would be read as one.
    """
    name, text = clip(value.name, NAME), clip(value.text, TEXT)
    shape = size_text(value)
    known = text not in ("", "?")
    head = [("nm", name)] if name else []
    if not shape and known and (not name or _wide([("nm", equals(name, text))]) <= 66):
        return [[*head, ("v", equals("", text) if name else text)]]
    if shape and known and name:
        return [[*head, ("sh", shape)], [("v", text)]]
    if shape and name:
        return [head, [("sh", shape)]]
    return [line for line in (head, [("v", text)] * known, [("sh", shape)] * bool(shape)) if line]


def _wide(line: list[tuple[str, str]]) -> float:
    gap = 5 * sum(kind == "sh" for kind, _ in line[1:])
    sizes = {"nm": (MAIN, True), "v": (MAIN, False), "sh": (SMALL, False)}
    return gap + sum(text_width(text, *sizes[kind]) for kind, text in line)


def wide(lines: list[list[tuple[str, str]]]) -> float:
    """The width of the widest line."""
    return max((_wide(line) for line in lines), default=0)


def in_brief(came: str) -> str:
    """What a sum comes to, without its terms; nothing while several parts wait for another one.

    The player does the same to a text that changes.

    >>> in_brief("3 + (−4) = −1"), in_brief("0.333 + 0.333 ≈ 0.667"), in_brief("3 + ?")
    ('−1', '≈0.667', '3 + ?')
    >>> in_brief("3 + 4 + ?")
    ''
    """
    total = re.sub("^.* (?:= |(≈) )", r"\1", came)
    return re.sub(r"^.* \+ .* \+ \?$", "", total)


def state_width(room: Slots, brief: bool = False) -> float:
    """Dot, word and number, as wide as they will ever be."""
    if not any(room.get(slot) for slot in ("state", "came")):
        return 0
    state, came = room.get("state", ""), room.get("came", "")
    rows = [(state, came)]
    sign = " = " if " = " in came else " ≈ "
    if sign in came:  # while parts are waited for, the sum is not there yet
        known = came.partition(sign)[0].rpartition(" + ")[0]
        rows = [(state, f"{sign.strip(' =')}{known} + ?"), (_("ready"), came)]
    if brief:
        rows = [(state, in_brief(came)) for state, came in rows]
    return 21 + max(
        text_width(state, STATE, True) + 7 * bool(came) + text_width(came, STATE, True)
        for state, came in rows
    )
