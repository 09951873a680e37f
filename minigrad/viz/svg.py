"""A drawing as SVG: every element in a group with an id, every changing text in its slot.

Lines are painted first, then blocks: a border that grows thick at a step covers a tip, never the
other way about. Nothing depends on the machine but the layout itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np

from minigrad.language import _

from .arrange import NARROW, arrange, fewest_labels
from .blocks import NAME, TEXT, Block, Box, clip, in_brief
from .curves import draw_curves
from .drawing import Drawing, Wire
from .labels import LINE, Label, first_line, label_size, second_line, told_whole
from .layout import Positions
from .shapes import BIG, DOTS, HEAD, curve, ellipse, escape, head, r, rect, text, way_along
from .states import place_words

MARGIN = 4  #: thick borders reach into it
FITS = 872  #: a picture no wider than this stands on a page as it is; a wider one scrolls
BESIDE_FILES = 800  #: so much of a page is left beside JupyterLab's files on a screen of 1280
UPRIGHT = 490  #: so high a picture that grows downwards is seen whole in a window of 720
TOO_WIDE = 1.12  #: a picture that is no more than so much too large for that has narrower gaps
STEP = 6  #: by which a gap gets narrower
WIDER = 3  #: so often a gap gets wider, by two such steps, for a label without a place
APART = 8, 16, 24, 32, 48, 64  #: so far leaves are apart, besides what is written there
FEW = 40  #: of so many lines it is tried what a label has room for
END = ' text-anchor="end"'
BRIEF = ' dx="7" data-brief=""'  #: of a number that is told without the terms of its sum


Texts = Mapping[str, Mapping[str, str]]
Marks = Mapping[str, list[str]]


class Painter:
    """A drawing with everything in its place."""

    def __init__(self, drawing: Drawing, positions: Positions):
        self.drawing = drawing
        self.states = [block.state_at for block in drawing.blocks.values()]
        self.apart: float | None = None
        moves = len(drawing.wires) <= FEW and not drawing.down
        self.across = not moves
        gaps = self._arrange(positions)
        if moves and self.labels:
            gaps = self._draw_together(positions, self._widen(positions, gaps))
        room = UPRIGHT if drawing.down else BESIDE_FILES
        if 1 < self.size[drawing.down] / room <= TOO_WIDE:
            self._squeeze(positions, gaps, room)
        if None in self.labels.values() and not self.across:
            self.across = True
            self._arrange(positions, self.gaps)

    def _arrange(self, positions: Positions, gaps: list[float] | None = None) -> list[float]:
        """Put everything in its place; returns how far the columns are apart."""
        for block, at in zip(self.drawing.blocks.values(), self.states):
            block.state_at, block.brief = at, False
        arranged = arrange(self.drawing, positions, FITS - 2 * MARGIN, gaps, self.apart)
        self.column = arranged.column
        self.curves = draw_curves(self.drawing, arranged)
        self.labels = place_words(self.drawing, self.curves, self.across)
        self._to_corner()
        self.gaps = arranged.gaps
        return self.gaps

    def _draw_together(self, positions: Positions, gaps: list[float]) -> list[float]:
        """Put leaves closer together, if as many labels keep a place and factors."""
        said, height = self._counted(), self.size[1]
        for self.apart in APART:
            self._arrange(positions, gaps)
            if self.size[1] >= height:
                break
            wider = self._widen(positions, gaps, 1)
            if self._counted() >= said:
                return wider
        self.apart = None
        self._arrange(positions, gaps)
        return gaps

    def _widen(self, positions: Positions, gaps: list[float], most: int = WIDER) -> list[float]:
        """Make a gap wider whose label has no place, if that gives it one without a need to scroll.

        A picture that scrolls in any case may be as wide as its labels need. In one that does not,
        the same is done for a label that lost its factor, or is as near to another line as to its
        own.
        """
        crowded = self.size[0] <= FITS
        for key, label in list(self.labels.items()):
            missing, wire, said = label is None, self._wires[key], self._counted()
            if not (missing or (crowded and not (label.alone and told_whole(wire, label)))):
                continue
            first, last = sorted((self.column[wire.source], self.column[wire.target]))
            wider, scrolls = list(gaps), self.size[0] > FITS
            for _more in range(most if last - first == 1 else 0):
                wider[first] += 2 * STEP
                self._arrange(positions, wider)
                if not scrolls and self.size[0] > BESIDE_FILES:
                    break
                now = self._counted()
                if now[0] > said[0] or (not missing and now > said):
                    gaps = wider
                    break
            self._arrange(positions, gaps)
        return gaps

    def _squeeze(self, positions: Positions, whole: list[float], room: float) -> None:
        """Make the gaps narrower, those with the fewest labels first, so that a picture has room.

        Every label has to keep its place and its factor. Where that is too little, the picture
        stays as it was: it would be narrow, and scroll all the same.
        """
        said, gaps, side = self._said(), list(whole), int(self.drawing.down)
        for at in fewest_labels(self.drawing, positions):
            while self.size[side] > room and gaps[at] - STEP >= NARROW:
                gaps[at] -= STEP
                self._arrange(positions, gaps)
                if self._said() != said:
                    gaps[at] += STEP
                    self._arrange(positions, gaps)
                    break
        if self.size[side] > room:
            self._arrange(positions, whole)

    def _said(self) -> dict[str, bool | None]:
        """Which labels have found a place, and which of them with their factor."""
        return {key: label and label.factor for key, label in self.labels.items()}

    def _counted(self) -> tuple[int, int, int]:
        """How many labels have found a place, with their factor, and with no other line as near."""
        placed = [label for label in self.labels.values() if label]
        factors, alone = (label.factor for label in placed), (label.alone for label in placed)
        return len(placed), sum(factors), sum(alone)

    def _to_corner(self) -> None:
        """Move everything so that the picture starts at its margin."""
        low, high = self._corners()
        by = MARGIN - low
        for block in self.drawing.blocks.values():
            block.x, block.y = block.x + by[0], block.y + by[1]
        for label in self.labels.values():
            if label:
                label.x, label.y = label.x + by[0], label.y + by[1]
        for lines in (self.curves.forward, self.curves.gradient):
            lines[:] = [(line[:, ::-1] if self.drawing.down else line) + by for line in lines]
        self.size = tuple(math.ceil(side) for side in high - low + 2 * MARGIN)

    def _corners(self) -> tuple[np.ndarray, np.ndarray]:
        boxes = [(0.0, 0.0, 0.0, 0.0)] if not self.drawing.blocks else []
        for b in self.drawing.blocks.values():
            boxes.append((b.x, b.y, b.x + b.width, b.y + b.height))
            for t in b.texts():
                boxes.append((b.x + t.x, b.y + t.y, b.x + t.x + t.width, b.y + t.y + t.height))
        for key, label in self.labels.items():
            if label:
                width, height = self._label_size(key, label)
                x, y = label.x - width / 2, label.y - height / 2
                boxes.append((x, y, x + width, y + height))
        for line in (*self.curves.forward, *self.curves.gradient):
            line = line[:, ::-1] if self.drawing.down else line
            boxes.append((*line.min(0), *line.max(0)))
        found = np.array(boxes)
        return found[:, :2].min(0), found[:, 2:].max(0)

    def _label_size(self, key: str, label: Label) -> tuple[float, float]:
        return label_size(self._wires[key], label), LINE * label.lines

    @cached_property
    def _wires(self) -> dict[str, Wire]:
        return {wire.key: wire for wire in self.drawing.wires}

    # -- all of it --

    def paint(self, prefix: str, marks: Marks, labels: Texts | None, still: bool = False) -> str:
        """All elements; ``labels`` None shows the picture at rest.

        What is ``still`` for good has no names to be found by, and only the signs that it shows.
        """
        self.prefix, self.marks, self.told, self.still = prefix, marks, labels, still
        parts = [self.edge(number) for number in range(len(self.drawing.wires))]
        parts += [self.block(block) for block in self.drawing.blocks.values()]
        return "\n".join(parts)

    def group(self, key: str, classes: str, inside: str, more: str = "", same: str = "") -> str:
        """A group that bears marks. ``same`` is the key of an element whose marks it shows."""
        full = " ".join([classes, *self.marks.get(same or key, ())])
        if self.still:
            return f'<g class="{full}"{more}>{inside}</g>'
        name = f'id="{self.prefix}-{key}" '
        return f'<g {name}class="{full}" data-class="{classes}"{more}>{inside}</g>'

    def slot(
        self,
        key: str,
        slot: str,
        rest: str = "",
        kind: str = "",
        more: str = "",
        line: Callable[[str], str] = str,
    ) -> str:
        """A changing piece of text, as it stands in its ``line``."""
        said = rest if self.told is None else self.told.get(key, {}).get(slot, rest)
        said = line(said)
        if self.still:
            return f'<tspan class="{kind or slot}"{more}>{escape(said)}</tspan>' if said else ""
        where = f'id="{self.prefix}-{key}-{slot}" class="{kind or slot}"{more}'
        return f"<tspan {where}>{escape(said)}</tspan>"

    # -- lines --

    def edge(self, number: int) -> str:
        wire, curves, view = self.drawing.wires[number], self.curves, self.drawing.view
        parts, classes = [], "edge" if wire.asked else "edge plain"
        if view != "backward":
            line = curves.forward[number]
            way = way_along(line)
            parts += [curve("f", line, way), head("fh", line, way, HEAD)]
        else:
            classes += " always"
        if wire.asked and view != "forward":
            line = curves.gradient[number][::-1]
            way = way_along(line)
            tips = head("gh", line, way, HEAD) + head("gh big", line, way, BIG)
            parts.append(f'<g class="gradient">{curve("g", line, way)}{tips}</g>')
        if self.labels.get(wire.key):
            parts.append(self.label(wire, self.labels[wire.key]))
        return self.group(wire.key, classes, "".join(parts))

    def label(self, wire: Wire, label: Label) -> str:
        at = f' x="{r(label.x)}" y="{r(label.y + (4.5 if label.lines == 1 else -3))}"'
        first, second = (first_line, second_line) if label.arrow == 2 else (str, str)
        below = f' x="{r(label.x)}" dy="15"' if label.lines == 2 else ""
        below += ' data-arrow=""' if label.arrow == 2 else ""  # for `drawing.js`
        shown = label.factor and wire.factor
        factor = self.slot(wire.key, "factor", line=first) if shown else ""
        sent = self.slot(wire.key, "sent", more=below, line=second)
        return f'<text class="label mid"{at}>{factor}{sent}</text>'

    # -- blocks --

    def block(self, block: Block) -> str:
        parts = {"operation": self.operation, "node": self.node, "group": self.module}
        parts["repeat"] = self.repeat
        inside = parts.get(block.kind, self.box_alone)(block)
        if block.says_state:
            inside += self.state(block)
        if block.under:
            kind = "under small dim" + (" mid" if block.under_middle else "")
            x, y = block.under_at
            for number, line in enumerate(block.under.split("\n")):
                inside += text(kind, x, y + 14 * number, line)
        where = f' transform="translate({r(block.x)} {r(block.y)})"'
        if block.kind == "stub":
            return f'<g class="stub"{where}>{inside}</g>'
        if block.group and block.kind == "group":
            where += f' data-open="{block.key}"'
        return self.group(block.key, block.kind, inside, where)

    def operation(self, block: Block) -> str:
        boxes = "".join(self.box(box) for box in block.boxes)
        return boxes + self.oval(block)

    def oval(self, block: Block) -> str:
        o = block.oval
        inputs = [wire for wire in self.drawing.wires if wire.target == block.place]
        numbers = "".join(self.ordinal(block, w) for w in inputs if w.ordinal)
        x = o.x + (5 if numbers and not self.drawing.down else 0)
        y = o.y + block.size * 0.35 + (4 if numbers and self.drawing.down else 0)
        size = f' style="font-size:{r(block.size)}px"'
        sign = text("sign mid", x, y, block.sign, size)
        return ellipse("o", *o) + sign + numbers

    def ordinal(self, block: Block, wire: Wire) -> str:
        """Which operand comes in, just inside of the outline."""
        number = self.drawing.wires.index(wire)
        o, end = block.oval, self.curves.forward[number][-1] - (block.x, block.y)
        if self.drawing.view == "both" and wire.asked:
            end = (end + self.curves.gradient[number][-1] - (block.x, block.y)) / 2
        way = np.array([o.x - end[0], o.y - end[1]])
        x, y = end + way / max(np.hypot(*way), 1) * 10
        return text("ordinal mid", x, y + 4.2, wire.ordinal)

    def box(self, box: Box) -> str:
        """The box of a result, in a group of its own inside of its block."""
        inside = rect("b outer", *box.rect) + self.lines(box)
        x, y = box.rect.x + box.rect.width, box.rect.y + box.rect.height
        at, side = ((x + 6, y - 6), "start") if self.drawing.down else ((x, y + 28), "end")
        word = text("changed-word", *at, _("changed"), f' text-anchor="{side}"')
        return self.group(box.key, "value", inside + word)

    def lines(self, box: Box) -> str:
        x, y = box.text
        first = y + 5 - 8 * (len(box.lines) - 1)
        return "".join(
            f'<text class="mid" x="{r(x)}" y="{r(first + 16 * n)}">{_pieces(line)}</text>'
            for n, line in enumerate(box.lines)
        )

    def box_alone(self, block: Block) -> str:
        box = block.boxes[0]
        inside = rect("b outer", *box.rect)
        if block.kind == "leaf":
            x, y, width, height = box.rect
            inside += rect("in", x + 3.5, y + 3.5, width - 7, height - 7)
        if block.kind == "stub":
            inside += '<path class="in" d="M5 0V24"/>'
        word = text("changed-word", box.rect.width, block.height + 14, _("changed"), END)
        inside = f'<g class="value">{inside}{self.lines(box)}{word}</g>'
        return inside + (self.tray(block) if block.tray else "")

    def tray(self, block: Block) -> str:
        x, y = block.tray.middle
        name = '<tspan class="mono">.grad</tspan> '
        number = self.slot(block.key, "grad", block.grad, self.grad_class(block.key, block.grad))
        return rect("tray", *block.tray) + (
            f'<text class="mid small" x="{r(x)}" y="{r(y + 4.3)}">{name}{number}</text>'
        )

    def grad_class(self, key: str, rest: str) -> str:
        said = rest if self.told is None else self.told.get(key, {}).get("grad", rest)
        return "grad" if said == "None" else "grad full"

    def state(self, block: Block) -> str:
        x, y = block.state_at
        lit = self.marks.get(block.key, ()) if self.still else DOTS
        drawn = ((name, inside) for name, inside in DOTS.items() if name in lit)
        dots = "".join(f'<g class="dot dot-{name}">{inside}</g>' for name, inside in drawn)
        word = self.slot(block.key, "state", kind="word")
        brief = {"more": BRIEF, "line": in_brief} if block.brief else {"more": ' dx="7"'}
        number = self.slot(block.key, "came", **brief)
        said = f'<text x="13" y="4.4">{word}{number}</text>'
        return f'<g class="state" transform="translate({r(x)} {r(y)})">{dots}{said}</g>'

    def node(self, block: Block) -> str:
        """A node of the backward graph."""
        tray = self.tray(block) if block.tray else ""
        x, y = block.boxes[0].text
        name = f'<text class="mid nm small" x="{r(x)}" y="{r(y - 3)}">{escape(block.sign)}</text>'
        said = "".join(t for line in block.boxes[0].lines for _, t in line)
        return tray + ellipse("o", *block.oval) + name + text("mid small", x, y + 12, said)

    def module(self, block: Block) -> str:
        """A closed group."""
        opener = (
            '<g class="opener" transform="translate(14 16)">'
            '<rect x="-7" y="-7" width="14" height="14" rx="2"/><path d="M-4 0H4M0 -4V4"/></g>'
        )
        parts = [rect("m", 0, 0, block.width, block.height, 6), opener]
        parts.append(text("nm", 27, 20.5, clip(block.group.name, NAME)))
        if block.group.about:
            parts.append(text("small dim", 9, 39, clip(block.group.about, TEXT)))
        told = any(key for key, *_ in block.rows)
        if told:  # what stands at the right of each row; without a word it is read as the value
            place = f'x="{r(block.width - 9)}" y="39"{END}'
            parts.append(f'<text class="small dim mono" {place}>.grad</text>')
        top = 46 if block.group.about or told else 32
        if block.rows:
            parts.append(f'<path class="hair" d="M0.5 {top}H{r(block.width - 0.5)}"/>')
        for number, (key, name, grad) in enumerate(block.rows):
            y = top + 14 + 19 * number
            place = f'x="{r(block.width - 9)}" y="{r(y)}"{END}'
            parts.append(text("small", 9, y, name))
            if key:
                slot = self.slot(key, "grad", grad, self.grad_class(key, grad))
                parts.append(f'<text class="small" {place}>{slot}</text>')
            else:
                parts.append(f'<text class="small dim" {place}>{escape(grad)}</text>')
        return "".join(parts)

    def repeat(self, block: Block) -> str:
        """Equal groups in a row, a cell for each."""
        head = (
            f'<text x="9" y="17"><tspan class="nm">{escape(clip(block.group.name, NAME))}</tspan>'
            f" × {len(block.cells)}</text>"
        )
        parts = [rect("m", 0, 0, block.width, block.height, 6), head]
        for member, label, (x, y, width, height) in block.cells:
            tick = '<path class="tick" d="M22 9l3 3 4 -5.5"/>'
            inside = rect("", 0, 0, width, height, 3) + tick
            inside += text("mid small", 16, 22, label)
            where = f' transform="translate({r(x)} {r(y)})" data-open="{member.key}"'
            parts.append(self.group(member.key, "cell", inside, where))
        return "".join(parts)


def _pieces(line: list[tuple[str, str]]) -> str:
    """The pieces of a line in a box; a shape stands a little apart."""
    gap = [' dx="5"' if n and kind == "sh" else "" for n, (kind, _) in enumerate(line)]
    return "".join(
        f'<tspan class="{kind}"{apart}>{escape(said)}</tspan>'
        for (kind, said), apart in zip(line, gap)
    )
