"""How large each kind of block is, and where its parts are."""

from __future__ import annotations

import re
from textwrap import wrap

from minigrad.language import _
from minigrad.trace.model import Group, Operation, Value

from .blocks import (
    DOCK,
    MAIN,
    NAME,
    PORT,
    SMALL,
    TEXT,
    Block,
    Box,
    Needs,
    Oval,
    Rect,
    Side,
    lines_of,
    no_gradient,
    state_width,
    turned,
    wide,
)
from .measure import MONO, clean, clip, text_width

ORDINAL = 8, 20  #: so much wider is an oval with ordinals, beside a sign and beside a long word
INSIDE = 18  #: and so far inside of its outline its sign begins
ROLE = 24  #: so much wider than its block may be what a result is told to be
ERROR = 40, 2  #: the characters of a line, and the lines of an error's message


def in_lines(text: str, room: tuple[int, int]) -> str:
    r"""A text broken between words into a few lines; what has no place is cut off.

    >>> in_lines("one two three four", (9, 2))
    'one two\nthree…'
    """
    width, most = room
    lines = wrap(clean(text), width, max_lines=most, placeholder="…")
    return "\n".join(lines)


def operation(
    place: Operation, sign: str, made: list[Value], needs: Needs, told: str = ""
) -> Block:
    """An oval, docked to the boxes of the values it made; alone where nothing is known of them.

    Below it stands what its result is ``told`` to be, or else the class of the node.
    """
    block = Block(place.key, place.key, "operation", sign=sign)
    block.size = _sign_size(sign)
    known = [v for v in made if v.name or v.text not in ("", "?")]
    lines = needs.inputs if known else max(needs.inputs, *map(needs.uses, (v.key for v in made)), 0)
    reach = 24 if lines <= 2 else 10 + 8 * lines
    half = text_width(sign, block.size) / 2
    rx, ry = (27, 24) if known else (24, 20)
    rx = max(rx, half + 7)
    if needs.ordered:  # which stand farther inside of a low oval
        rx = max(rx + ORDINAL[len(sign) > 10], 0 if known else (half + INSIDE) / 0.8)
    rx, ry = (max(rx, reach), ry) if needs.down else (rx, max(ry, reach if known else reach - 4))
    boxes = [(value, lines_of(value)) for value in known]
    _dock(block, rx, ry, boxes, needs)
    if not known:
        out = Side(2 * ry if needs.down else 2 * rx, rx if needs.down else ry, 2 * ry)
        block.outlets = {value.key: out for value in made}
    block.state_width = state_width(needs.room)
    block.brief_width = state_width(needs.room, brief=True)
    block.under = place.node if needs.classes else ""
    _words_beside(block, needs, told if needs.classes else "")
    if place.kind == "error":
        block.under = in_lines(place.error or place.node, ERROR)
    return block


def _sign_size(sign: str) -> float:
    if len(sign) == 1:
        return 20
    return 17 if len(sign) <= 4 and not sign.isalpha() else 13 if len(sign) <= 5 else 12


def _dock(block: Block, rx: float, ry: float, boxes: list, needs: Needs) -> None:
    """An oval and its boxes: right of it, one below the other; or below it, side by side.

    `row` is how long the boxes are together, across the flow, and `inner` how far they reach along.
    """
    down = needs.down
    lengths = [_length(value, lines, needs) for value, lines in boxes]
    row, inner = sum(lengths), max([_reach(lines, down) for _, lines in boxes] or [0])
    across, along = (rx, ry) if down else (ry, rx)
    breadth = max(2 * across, row)
    block.width, block.height = turned((2 * along + inner, breadth), down)
    block.oval = Oval(*turned((along, breadth / 2), down), rx, ry)
    block.inlet = Side(0, breadth / 2, 2 * across)
    at = (breadth - row) / 2
    for (value, lines), length in zip(boxes, lengths):
        corner = turned((2 * along - DOCK, at), down)
        rect = Rect(*corner, *turned((inner + DOCK, length), down))
        middle = turned((2 * along + inner / 2, at + length / 2), down)
        block.boxes.append(Box(value.key, lines, rect, middle))
        block.outlets[value.key] = Side(2 * along + inner, at + length / 2, length)
        at += length


def _length(value: Value, lines: list, needs: Needs) -> float:
    """How much of its side a box takes: for its text and for the lines that leave it."""
    ports = PORT * (needs.uses(value.key) - 1)
    return max(wide(lines) + 16, ports + 28, 64) if needs.down else max(40, ports + 16)


def _reach(lines: list, down: bool) -> float:
    """How far a box reaches along the flow."""
    return 16 * len(lines) + 12 if down else max(wide(lines) + 14, 56)


def _words_beside(block: Block, needs: Needs, told: str) -> None:
    """State above, class or role below; right of the oval in a picture that grows downwards."""
    down = needs.down
    if told and (down or text_width(told, SMALL) <= block.width + ROLE):
        block.under = told
    if down:
        x, y = block.oval.x + block.oval.rx, block.oval.y
        block.state_at, block.under_at = (x + 16, y - 12), (x + 8, y + 8)
        return
    block.state_at, block.under_at = (10, -13), (0, block.height + 15)
    if told and needs.few and not block.boxes and text_width(told, SMALL) <= block.width + 2 * ROLE:
        block.under, block.under_middle = told, True
        block.under_at = (block.oval.x, block.height + 15)
        return
    if block.under != told and text_width(block.under, SMALL) > block.width:
        block.under = ""


def value(value: Value, kind: str, needs: Needs) -> Block:
    """A box alone: a leaf with its tray, a value that asks for no gradient, one from outside."""
    block = Block(value.key, value.key, kind, grad=value.grad or "None")
    lines = lines_of(value)
    users = needs.uses(value.key)
    leaf = kind == "leaf"
    block.state_width = state_width(needs.room) if leaf else 0
    block.says_state = leaf
    width = max(wide(lines) + (20 if leaf else 16), 66 if kind == "value" else 86)
    height = 42 if leaf and len(lines) > 1 else 36 if leaf else 40
    if needs.down:
        width = max(width, PORT * (users - 1) + 38)
    else:
        height = max(height, PORT * (users - 1) + 12)
    if leaf and needs.tray:
        grads = {block.grad, needs.room.get("grad", "")}
        numbers = max(text_width(text, SMALL, text != "None") for text in grads)
        long = 5 * MONO * SMALL + 4 + numbers + 18
        width = width if needs.down else max(width, long)
        if users > 1 and not needs.down:
            width = max(width, block.state_width)
        block.tray = Rect(5, height, width - 10, 20)
        if needs.down:  # beside the box: below it, all that leaves the value would leave .grad
            block.tray = Rect(width, height - 25, long - 10, 20)
    block.width, block.height = width, height
    if block.tray:
        right, bottom = (sum(block.tray[side::2]) for side in (0, 1))
        block.width, block.height = max(width, right), max(height, bottom)
    rect = Rect(0, 0, width, height)
    block.boxes = [Box(value.key, lines, rect, rect.middle)]
    block.state_at = (8, -13)
    if kind == "unasked":
        block.under, block.under_middle = no_gradient(value), not needs.down
        block.under_at = (width + 8, height / 2 + 4) if needs.down else (width / 2, height + 15)
    across, along = (width, height) if needs.down else (height, width)
    out = Side(along, across / 2, across)
    if block.tray and needs.twofold:  # the value leaves its box, the gradient meets the tray
        aside = 0 if needs.down else 3
        out = Side(along, across + aside, across + 20, last=True)
    block.outlets = {value.key: out}
    block.middle = out.middle - PORT / 2 * (users - 1) if out.last else width / 2
    return block


def stub(value: Value, place: str, down: bool) -> Block:
    """A much-used value again, small, near one of its uses."""
    lines = [[("nm", clip(value.name, NAME) or _("value"))]]
    block = Block(place, value.key, "stub", wide(lines) + 20, 24, says_state=False)
    rect = Rect(0, 0, block.width, 24)
    block.boxes = [Box(value.key, lines, rect, (block.width / 2 + 2.5, 12))]
    block.under, block.under_at = _("again"), (0, -6)
    if down:
        block.under_at = (block.width + 6, 16)
        block.outlets = {value.key: Side(24, block.width / 2, block.width)}
    else:
        block.outlets = {value.key: Side(block.width, 12, 24)}
    return block


def group(group: Group, parameters: list[Value], needs: Needs) -> Block:
    """A group as one box: its name with ⊞, what it is, and its own parameters."""
    block = Block(group.key, group.key, "group", group=group)
    block.rows = [_row(value) for value in parameters]
    rows = [
        text_width(name, SMALL)
        + max(text_width(said, SMALL, said != "None") for said in (grad, needs.widest(key)))
        for key, name, grad in block.rows
    ]
    told = any(key for key, *_ in block.rows)
    wides = [
        27 + text_width(clip(group.name, NAME), MAIN, True) + 9,
        9 + text_width(clip(group.about, TEXT), SMALL) + (14 + 5 * MONO * SMALL) * told + 9,
        9 + 14 + max(rows, default=0) + 9,
    ]
    height = (46 if group.about or told else 34) + (19 * len(block.rows) + 3 if block.rows else 0)
    _as_module(block, max(wides), height, needs)
    return block


def _row(parameter: Value) -> tuple[str, str, str]:
    """(value, name, .grad) of a parameter; without a value where it is frozen: that says it all."""
    name = clip(parameter.name.rpartition(".")[2].removesuffix("ᵀ"), 14)
    if parameter.frozen:
        return "", name, no_gradient(parameter)
    return parameter.key, name, parameter.grad or "None"


def repeat(group: Group, members: list[Group], needs: Needs) -> Block:
    """Equal groups in a row as one box with a cell for each."""
    block = Block(group.key, group.key, "repeat", group=group)
    across = min(len(members), 12)
    for number, member in enumerate(members):
        row, column = divmod(number, 12)
        label = re.split("[ .]", member.name)[-1]
        label = label if label.isdecimal() and len(label) < 4 else str(number)
        rect = Rect(12 + 36 * column, 25 + 38 * row, 32, 34)
        block.cells.append((member, label, rect))
    rows = -(-len(members) // 12)
    head = text_width(f"{clip(group.name, NAME)} × {len(members)}", MAIN, True) + 18
    _as_module(block, max(36 * across + 20, head), 25 + 38 * rows + 5, needs)
    return block


def _as_module(block: Block, width: float, height: float, needs: Needs) -> None:
    lines = max(needs.inputs, *needs.users.values(), 1)
    if needs.down:
        width = max(width, PORT * (lines - 1) + 28)
    else:
        height = max(height, PORT * (lines - 1) + 20)
    block.width, block.height = width, height
    length, middle = (width, width / 2) if needs.down else (height, height / 2)
    block.inlet = Side(0, middle, length)
    block.outlets = {"": Side(height if needs.down else width, middle, length)}
    block.state_width = state_width(needs.room)
    block.state_at = (width + 16, 17) if needs.down else (8, -13)


def node(key: str, name: str, said: str, kept: str, leaf: Value | None, needs: Needs) -> Block:
    """A node of the backward graph: its class, whose gradient arrives at it, what it keeps."""
    block = Block(leaf.key if leaf else key, key, "node", sign=name)
    block.boxes = [Box("", [[("sh", said)]] if said else [], Rect(0, 0, 0, 0), (0, 0))]
    inner = max(text_width(name, SMALL, True), text_width(said, SMALL))
    reach = 0 if needs.inputs <= 2 else 20 + 16 * needs.inputs
    block.width = max(inner * 1.12 + 16, reach if needs.down else 0)
    oval = max(48, 0 if needs.down else reach)
    block.grad = (leaf.grad or "None") if leaf else ""
    if leaf:
        block.tray = Rect(block.width / 2 - 48, oval - 4, 96, 20)
    block.height = oval + (16 if leaf else 0)
    block.oval = Oval(block.width / 2, oval / 2, block.width / 2, oval / 2)
    block.boxes[0].text = (block.width / 2, oval / 2)
    block.state_width = state_width(needs.room)
    block.under = clip(kept, 60)
    if needs.down:
        block.state_at = (block.width + 16, oval / 2 - 12)
        block.under_at = (block.width + 8, oval / 2 + 8)
        block.inlet = Side(0, block.width / 2, block.width)
        out = Side(block.height, block.width / 2, block.width)
    else:
        block.state_at, block.under_at = (10, -13), (block.width / 2, block.height + 15)
        block.under_middle = True
        block.inlet = Side(0, oval / 2, oval)
        out = Side(block.width, oval / 2, oval)
    block.outlets = {"": out}
    return block
