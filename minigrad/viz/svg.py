"""A laid-out graph as SVG: every element a group with an id, every changing text in its place.

Coordinates are rounded and nothing depends on the machine but the layout itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from html import escape

from .elements import LINE, SMALL, TRAY, Line, Shape
from .layout import Layout, Point, Route
from .measure import text_width
from .style import CSS

MARGIN = 24  #: white around the graph: badges and rings reach into it
BADGE = 20
SHIFT = 5  #: how far a gradient's line lies beside the forward line

Texts = Mapping[str, Mapping[str, str]]
Marks = Mapping[str, list[str]]


class Painter:
    """Draws the elements of one graph with one prefix for all ids."""

    def __init__(
        self,
        prefix: str,
        view: str,
        layout: Layout,
        shapes: Mapping[str, Shape],
        lines: Iterable[Line],
        room: Texts,
    ):
        self.prefix = prefix
        self.view = view
        self.layout = layout
        self.shapes = shapes
        self.lines = list(lines)
        self.room = room

    @property
    def size(self) -> tuple[float, float]:
        """Width and height with the margins, the right one wide enough for badges beside nodes."""
        badges = [slots["status"] for slots in self.room.values() if "status" in slots]
        beside = max((text_width(text, SMALL) for text in badges), default=0)
        right = max(MARGIN, beside + 14) if self.layout.downwards else MARGIN
        return self.layout.width + MARGIN + right, self.layout.height + 2 * MARGIN

    def paint(self, marks: Marks, labels: Texts | None, drawn: set[str] | None = None) -> str:
        """All elements as SVG, in one group; ``drawn`` limits them to some keys.

        ``labels`` None shows what each slot says when no step is told.
        """
        parts = [f'<g transform="translate({MARGIN} {MARGIN})">']
        for line in self.lines:
            if drawn is None or {line.source, line.target} <= drawn:
                parts.append(self.edge(line, marks, labels))
        for place, shape in self.shapes.items():
            if drawn is None or place in drawn:
                parts.append(self.node(place, shape, marks, labels))
        parts.append("</g>")
        return "\n".join(part for part in parts if part)

    # -- nodes --------------------------------------------------------------------------

    def node(self, place: str, shape: Shape, marks: Marks, labels: Texts | None) -> str:
        """A value, an operation, or the node that adds into a leaf."""
        if self.view == "backward" and "unasked" in shape.classes:
            return ""
        x, y = self.layout.centers[place]
        width, height = shape.size
        top = y - height / 2
        body = shape.body if shape.below or shape.form == "box" else height
        middle = top + body / 2
        parts = []
        if "ghost" in shape.classes:
            text = shape.lines[0][1]
            parts.append(_rect("outline", x, y, text_width(text, SMALL) + 8, LINE))
            parts.append(self._line_of(x, y, *shape.lines[0]))
        else:
            parts += self._outline(shape, x, middle, width, body)
            parts += self._lines_in(shape, x, middle)
        if shape.below:
            parts += self._tray(shape, x, top + body, width, labels)
        if {"leaf", "node"} & set(shape.classes):
            parts += self._badge(shape, x, middle, labels)
        return self._group(shape.key, shape.classes, marks, parts)

    def _outline(self, shape: Shape, x: float, y: float, width: float, height: float) -> list[str]:
        tray = TRAY if shape.below == "grad" else 0
        ring = "box" if tray else shape.form
        parts = [_form(ring, "ring", x, y + tray / 2, width + 12, height + tray + 12)]
        parts.append(_form(shape.form, "shape", x, y, width, height))
        if "leaf" in shape.classes:
            parts.append(_form("box", "inner", x, y, width - 6, height - 6))
        if {"leaf", "node"} & set(shape.classes):
            parts.append(_zigzag(shape.form, x, y, width, height))
        return parts

    def _lines_in(self, shape: Shape, x: float, y: float) -> list[str]:
        first = y - LINE * (len(shape.lines) - 1) / 2
        places = (first + LINE * number for number in range(len(shape.lines)))
        return [self._line_of(x, at, *line) for at, line in zip(places, shape.lines)]

    @staticmethod
    def _line_of(x: float, y: float, kind: str, text: str) -> str:
        return f'<text class="{kind}" x="{_r(x)}" y="{_r(y)}">{escape(text)}</text>'

    def _tray(
        self, shape: Shape, x: float, top: float, width: float, labels: Texts | None
    ) -> list[str]:
        y = top + TRAY / 2
        slot = self._slot(shape.key, shape.below, x, y, shape, labels)
        if shape.below == "grad":
            return [_rect("tray", x, y, width - 16, TRAY), slot]
        wide = max(text_width(t, SMALL) for t in self._candidates(shape, "saved")) + 10
        line = (
            f'<line class="strike" x1="{_r(x - wide / 2)}" y1="{_r(y)}" '
            f'x2="{_r(x + wide / 2)}" y2="{_r(y)}"/>'
        )
        return [_rect("lunch", x, y, wide, TRAY - 2, 4), slot, line]

    def _candidates(self, shape: Shape, slot: str) -> list[str]:
        return [self.room.get(shape.key, {}).get(slot, ""), shape.texts.get(slot, "")]

    def _badge(self, shape: Shape, x: float, y: float, labels: Texts | None) -> list[str]:
        """A pill for ``▶ now``, ``1 of 2 in``, ``ready``, ``✓``, on the side without edges."""
        widest = self.room.get(shape.key, {}).get("status", "")
        if not widest:
            return []
        wide = text_width(widest, SMALL) + 14
        if self.layout.downwards:
            x, y = x + shape.size[0] / 2 + wide / 2 - 10, y
        else:
            y -= shape.body / 2 + 6
        return [
            _rect("badge", x, y, wide, BADGE, BADGE / 2),
            self._slot(shape.key, "status", x, y, shape, labels),
        ]

    # -- edges --------------------------------------------------------------------------

    def edge(self, line: Line, marks: Marks, labels: Texts | None) -> str:
        """A forward line, a gradient's line beside it, and what the gradient says."""
        route = self.layout.routes[line.key]
        asked = "unasked" not in line.classes
        parts, classes = [], list(line.classes)
        if self.view != "backward":
            parts.append(f'<path class="forward" d="{_path(route)}"/>')
            parts.append(_tip("forward-tip", route.points[-1], route.head))
        elif not asked:
            return ""
        if self.view == "backward":
            classes.append("always")
            route = self._through(line, route)
        if asked and self.view != "forward":
            across = (SHIFT, 0) if self.layout.downwards else (0, SHIFT)
            shift = across if self.view == "both" else (0, 0)
            curve = _path(route, reverse=True)
            if self.view == "backward" and self._ghost(line.source):
                tip, curve = "", f"{curve} L{_pair(route.tail)}"
            else:
                tip = _tip("backward-tip", route.points[0], route.tail)
            parts.append(
                f'<g class="gradient-line" transform="translate({shift[0]} {shift[1]})">'
                f'<path class="backward" d="{curve}"/>{tip}</g>'
            )
        if line.number:
            x, y = _along(route, 0.85)
            x, y = (x - 11, y) if self.layout.downwards else (x, y + 13)
            parts.append(f'<text class="ordinal" x="{_r(x)}" y="{_r(y)}">{line.number}</text>')
        if asked and self.view != "forward" and line.room:
            x, y = route.label or _along(route, 0.5)
            parts.append(self._slot(line.key, "gradient", x, y, None, labels))
        return self._group(line.key, classes, marks, parts)

    def _ghost(self, place: str) -> bool:
        """Whether only the name of this value is written, on the line that passes it."""
        return "ghost" in self.shapes[place].classes

    def _through(self, line: Line, route: Route) -> Route:
        """Draw the line on to the middle of a value that has no box of its own."""
        tail, head = route.tail, route.head
        if self._ghost(line.source):
            tail = self.layout.centers[line.source]
        if self._ghost(line.target):
            head = self.layout.centers[line.target]
        return Route(route.points, tail, head, route.label)

    # -- groups and slots -----------------------------------------------------------------

    def _group(self, key: str, classes: list[str], marks: Marks, parts: list[str]) -> str:
        base = " ".join(classes)
        full = " ".join([base, *marks.get(key, ())])
        start = f'<g id="{self.prefix}-{key}" class="{full}" data-class="{base}">'
        return start + "".join(parts) + "</g>"

    def _slot(
        self,
        key: str,
        slot: str,
        x: float,
        y: float,
        shape: Shape | None,
        labels: Texts | None,
    ) -> str:
        if labels is not None:
            text = labels.get(key, {}).get(slot, "")
        else:
            text = shape.texts.get(slot, "") if shape is not None else ""
        where = f'id="{self.prefix}-{key}-{slot}" class="slot {slot}" x="{_r(x)}" y="{_r(y)}"'
        return f"<text {where}>{escape(text)}</text>"


def document(
    prefix: str, size: tuple[float, float], title: str, description: str, body: str
) -> str:
    """A whole figure: white card, style, title and description for a screen reader."""
    width, height = (math.ceil(side) for side in size)
    about = f"{prefix}-title {prefix}-desc"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" id="{prefix}" class="minigrad-figure" '
        f'role="img" aria-labelledby="{about}" viewBox="0 0 {width} {height}" '
        f'style="width:{width}px">\n'
        f'<title id="{prefix}-title">{escape(title)}</title>\n'
        f'<desc id="{prefix}-desc">{escape(description)}</desc>\n'
        f"<style>{CSS}</style>\n"
        f'<rect class="card" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>\n'
        f"{body}\n</svg>"
    )


# -- shapes -----------------------------------------------------------------------------


def _r(number: float) -> str:
    """One digit after the point, and none where it is 0."""
    return f"{round(number, 1):g}"


def _form(form: str, kind: str, x: float, y: float, width: float, height: float) -> str:
    if form == "oval":
        return (
            f'<ellipse class="{kind}" cx="{_r(x)}" cy="{_r(y)}" '
            f'rx="{_r(width / 2)}" ry="{_r(height / 2)}"/>'
        )
    return _rect(kind, x, y, width, height)


def _rect(kind: str, x: float, y: float, width: float, height: float, radius: float = 0) -> str:
    rounded = f' rx="{_r(radius)}"' if radius else ""
    return (
        f'<rect class="{kind}" x="{_r(x - width / 2)}" y="{_r(y - height / 2)}" '
        f'width="{_r(width)}" height="{_r(height)}"{rounded}/>'
    )


def _zigzag(form: str, x: float, y: float, width: float, height: float) -> str:
    """A border of teeth along the outline."""
    teeth = 2 * round((width + height) / 12)
    points = []
    for number in range(2 * teeth):
        reach = 1.0 if number % 2 else 1 + 8 / min(width, height)
        angle = math.pi * number / teeth
        cos, sin = math.cos(angle), math.sin(angle)
        if form == "box":
            far = max(abs(cos), abs(sin))
            cos, sin = cos / far, sin / far
        points.append(f"{_r(x + reach * cos * width / 2)} {_r(y + reach * sin * height / 2)}")
    return f'<path class="zigzag" d="M{" L".join(points)} Z"/>'


def _path(route: Route, reverse: bool = False) -> str:
    """The curve, with a straight piece to the end at which this line has no arrow."""
    points = route.points[::-1] if reverse else route.points
    far = route.head if reverse else route.tail
    start = f"M{_pair(far)} L{_pair(points[0])} C"
    return start + " ".join(_pair(point) for point in points[1:])


def _pair(point: Point) -> str:
    return f"{_r(point[0])} {_r(point[1])}"


def _tip(kind: str, base: Point, tip: Point) -> str:
    dx, dy = tip[0] - base[0], tip[1] - base[1]
    length = math.hypot(dx, dy) or 1
    nx, ny = -dy / length * 4, dx / length * 4
    left, right = (base[0] + nx, base[1] + ny), (base[0] - nx, base[1] - ny)
    return f'<path class="{kind}" d="M{_pair(left)} L{_pair(tip)} L{_pair(right)} Z"/>'


def _along(route: Route, part: float) -> Point:
    """A point on the curve: ``part`` 0 is its start, 1 its end."""
    pieces = (len(route.points) - 1) // 3
    piece = min(int(part * pieces), pieces - 1)
    t = part * pieces - piece
    a, b, c, d = route.points[3 * piece : 3 * piece + 4]
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
    x, y = (sum(w * p[i] for w, p in zip(weights, (a, b, c, d))) for i in (0, 1))
    return x, y
