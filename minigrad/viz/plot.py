"""A curve at a point: its tangent, chords of nudges, axes. Plain numbers become SVG.

The tangent has the slope it is given, and the chords pass through points of the curve: where the
slope is wrong, the picture shows it.
"""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from .measure import text_width
from .shapes import escape
from .style import LIGHT

Point = tuple[float, float]

DASHES = {"curve": "", "tangent": "9 5", "chord": "2 5"}
ON_PAPER = {
    "curve": LIGHT["blue"],
    "tangent": LIGHT["gradtext"],
    "chord": LIGHT["pasttext"],
    "ink": LIGHT["ink"],
    "ground": LIGHT["card"],
    "axis": LIGHT["pasttext"],
}  #: of a picture that does not know its page
STEEPEST = 4.0  # a window that is so many times as high as the middle of the curve is cut
FONT_SIZE = 14
DOT = 5
LEAST_APART = 17  # pixels between two numbers of an axis
BESIDE = 14  # pixels from the numbers of the upward axis to the curve
WAYS = ((24, "start"), (-12, "end"), (-12, "start"), (24, "end"))  #: from a point to its word
FURTHER = ((14, 10), (14, 0), (14, 40), (14, -30))  #: where the curve is in the way of all those
ASCENT, DESCENT = 11, 3  # pixels of a word above its ground line and below it
EDGE = 1e5  # so far outside of the picture nothing is drawn


@dataclass(frozen=True)
class Chord:
    """A straight line through two points of the curve, and the word beside its end."""

    start: Point
    end: Point
    word: str = ""

    @property
    def slope(self) -> float:
        return (self.end[1] - self.start[1]) / (self.end[0] - self.start[0])


@dataclass(frozen=True)
class Plot:
    """A curve as points, the place `here` on it, and the slope there, None to draw no tangent.

    Points that are nan or infinite are gaps. `across` is what the x axis counts.
    """

    curve: Sequence[Point]
    here: Point
    slope: float | None
    chords: Sequence[Chord] = ()
    across: str = "x"
    up: str = "value"
    width: int = 560
    height: int = 340
    margin: int = 52

    @cached_property
    def window(self) -> tuple[Point, Point]:
        """The smallest x and value that are shown, and the largest."""
        xs = [x for x, _y in self.curve]
        ys = sorted(y for _x, y in self.curve if math.isfinite(y)) or [0.0]
        low, high = ys[0], ys[-1]
        few = len(ys) // 20
        inner_low, inner_high = ys[few], ys[-1 - few]
        middle = inner_high - inner_low
        if middle and high - low > STEEPEST * middle:  # a pole: the rest has to stay readable
            low, high = inner_low - 0.5 * middle, inner_high + 0.5 * middle
        points = [
            self.here,
            *(point for chord in self.chords for point in (chord.start, chord.end)),
        ]
        shown = [y for _x, y in points[:1] if math.isfinite(y)]
        low, high = min([low, *shown]), max([high, *shown])
        if low == high:
            low, high = low - 1, high + 1
        return (min(xs), low), (max(xs), high)

    @cached_property
    def heights(self) -> list[float]:
        """The values that the upward axis names."""
        (_left, low), (_right, high) = self.window
        shown = {low, high, *([self.here[1]] if math.isfinite(self.here[1]) else [])}
        room = self.height - 2 * self.margin
        return _apart(sorted(shown), self.here[1], LEAST_APART * (high - low) / room)

    def _across(self) -> list[float]:
        """What the x axis names: its ends, too, where they do not run into the place itself."""
        (left, low), (right, _high) = self.window

        def clear(x: float) -> bool:
            two = sum(text_width(_digits(one), FONT_SIZE) for one in (x, self.here[0]))
            return abs(self.place((x, low))[0] - self.place((self.here[0], low))[0]) > two / 2 + 4

        named = dict.fromkeys((left, self.here[0], right))
        return [x for x in named if x == self.here[0] or clear(x)]

    @cached_property
    def left(self) -> float:
        """Where the curve begins: the longest number of the upward axis has room beside it."""
        widest = max(text_width(_digits(y), FONT_SIZE) for y in self.heights)
        return max(self.margin, math.ceil(widest) + BESIDE)

    def place(self, point: Point) -> Point:
        """Where a point of the curve lies in the picture."""
        (left, low), (right, high) = self.window
        across = (point[0] - left) / ((right - left) or 1.0)
        up = (point[1] - low) / (high - low)
        return (
            round(self.left + across * (self.width - self.left - self.margin), 1),
            round(self.height - self.margin - up * (self.height - 2 * self.margin), 1),
        )

    def line(self, through: Point, slope: float) -> list[Point]:
        """The part of a straight line that stays within the picture."""
        (left, low), (right, high) = self.window
        x, y = through
        ends = [left, right]
        if slope:
            ends = sorted([*ends, x + (low - y) / slope, x + (high - y) / slope])[1:3]
        return [(end, y + slope * (end - x)) for end in ends]

    def svg(
        self,
        colors: Mapping[str, str],
        title: str,
        alt: str,
        legend: Sequence[tuple[str, str]] = (),
    ) -> str:
        """The picture as SVG text; `legend` are kinds of lines, keys of `DASHES`, and their words.

        `colors` has `curve`, `tangent`, `chord`, `ink`, `ground` and `axis`; with `halo`, words
        stand out in it from what they lie on.
        """
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
            f'width="{self.width}" height="{self.height}" role="img" '
            'style="max-width:100%;height:auto" font-family="sans-serif" '
            f'font-size="{FONT_SIZE}">'
            f"<title>{escape(title)}</title><desc>{escape(alt)}</desc>"
            f'<rect width="{self.width}" height="{self.height}" fill="{colors["ground"]}"/>'
            f"{self._curve(colors)}{self._axes(colors)}{self._lines(colors)}"
            f"{self._points(colors)}{self._legend(colors, legend)}</svg>"
        )

    def _curve(self, colors: Mapping[str, str]) -> str:
        """The curve in pieces, between its gaps; what lies outside is cut off by a frame."""
        pieces: list[list[Point]] = [[]]
        for point in self.curve:
            if not math.isfinite(point[1]):
                pieces.append([])
                continue
            x, y = self.place(point)
            pieces[-1].append((x, min(max(y, -EDGE), EDGE)))
        drawn = "".join(
            f'<polyline points="{_written(piece)}" fill="none" stroke="{colors["curve"]}" '
            'stroke-width="3"/>'
            for piece in pieces
            if len(piece) > 1
        )
        inside = f'y="2" width="{self.width}" height="{self.height - self.margin}"'
        frame = f'viewBox="0 2 {self.width} {self.height - self.margin}"'
        return f"<svg {inside} {frame}>{drawn}</svg>"

    def _straight(self) -> list[tuple[str, Point, float]]:
        """Chords and tangent: the kind of line, a point on it, its slope."""
        drawn = [("chord", chord.start, chord.slope) for chord in self.chords]
        if self.slope is not None:
            drawn.append(("tangent", self.here, self.slope))
        return [line for line in drawn if math.isfinite(line[2])]

    def _lines(self, colors: Mapping[str, str]) -> str:
        return "".join(
            f'<polyline points="{_written(map(self.place, self.line(through, slope)))}" '
            f'stroke="{colors[kind]}" stroke-width="2" stroke-dasharray="{DASHES[kind]}"/>'
            for kind, through, slope in self._straight()
        )

    def _points(self, colors: Mapping[str, str]) -> str:
        """The place itself, and the other ends of the chords, each with a word."""
        if not math.isfinite(self.here[1]):
            return ""
        halo = colors.get("halo", "")
        drawn = [self._dot(self.here, colors["ink"])]
        words = [_text(*self._beside(), colors["ink"], f"({_few(self.here)})", halo)]
        for chord in self.chords:
            for end in (chord.start, chord.end):
                if end != self.here and self._inside(end):
                    drawn.append(self._dot(end, colors["chord"]))
            if chord.word and self._inside(chord.end):
                words.append(self._word(chord.end, -10, "end", colors["chord"], chord.word, halo))
        return "".join(words + drawn if halo else drawn + words)

    def _beside(self) -> tuple[float, float, str]:
        """Where the word of the place itself stands: over no other point and no line, if it can.

        Else it stands on as little of them as it can, and rather on a line than on a point.
        """
        text = f"({_few(self.here)})"
        ends = [end for chord in self.chords for end in (chord.start, chord.end)]
        dots = [self.place(end) for end in ends if end != self.here and self._inside(end)]
        drawn = list(self._drawn())

        def covered(at: tuple[float, float, str]) -> tuple[int, int]:
            left, right = _ends(at, text)
            top, bottom = at[1] - ASCENT, at[1] + DESCENT

            def under(points: Iterable[Point], gap: float) -> int:
                return sum(
                    left - gap < x < right + gap and top - gap < y < bottom + gap for x, y in points
                )

            return under(dots, DOT), under(drawn, 2)

        usual = [self._word_at(self.here, *way, text) for way in WAYS]
        return min((*usual, *self._further(text)), key=covered)

    def _further(self, text: str) -> Iterator[tuple[float, float, str]]:
        """More places for the word of the place itself, as far as they lie within the picture."""
        x, y = self.place(self.here)
        for across, down in FURTHER:
            sides = (x + across, y + down, "start"), (x - across + 10, y + down, "end")
            for at in (*sides, *([(x, y + down, "middle")] if abs(down) > FONT_SIZE else [])):
                left, right = _ends(at, text)
                fits = self.left <= left and right <= self.width
                if fits and FONT_SIZE <= at[1] <= self.height - self.margin:
                    yield at

    def _drawn(self) -> Iterator[Point]:
        """What is drawn in lines, and the words of the chords, as places in the picture."""
        for start, end in pairwise(self.curve):
            if math.isfinite(start[1] + end[1]):
                yield from self._steps(self.place(start), self.place(end))
        for _kind, through, slope in self._straight():
            yield from self._steps(*map(self.place, self.line(through, slope)))
        for chord in self.chords:
            if chord.word and self._inside(chord.end):
                at = self._word_at(chord.end, -10, "end", chord.word)
                left, right = _ends(at, chord.word)
                middle = at[1] - ASCENT / 2
                yield from self._steps((left, middle), (right, middle))

    def _steps(self, start: Point, end: Point) -> Iterator[Point]:
        """Places of a line, 2 pixels apart; what leads out of the picture ends at its edge."""
        (x, y), (right, bottom) = ((x, min(max(y, 0), self.height)) for x, y in (start, end))
        count = int(max(abs(right - x), abs(bottom - y)) / 2) + 1
        for step in range(count + 1):
            yield x + (right - x) * step / count, y + (bottom - y) * step / count

    def _inside(self, point: Point) -> bool:
        x, y = self.place(point)
        return 0 <= x <= self.width and 0 <= y <= self.height

    def _dot(self, point: Point, color: str) -> str:
        x, y = self.place(point)
        return f'<circle cx="{x}" cy="{y}" r="{DOT}" fill="{color}"/>'

    def _word(self, point: Point, dy: float, anchor: str, color: str, text: str, halo: str) -> str:
        x, y, anchor = self._word_at(point, dy, anchor, text)
        return _text(x, y, anchor, color, text, halo)

    def _word_at(self, point: Point, dy: float, anchor: str, text: str) -> tuple[float, float, str]:
        x, y = self.place(point)
        if anchor == "start" and x > self.width - 110:
            anchor = "end"
        if y + dy > self.height - self.margin:
            x, dy = x + 10, -12
            slope = self.chords[0].slope if self.slope is None and self.chords else self.slope
            if slope and slope > 0 and x > self.left + 110:
                x, anchor = x - 10, "end"  # a rising line has room on its other side
        if anchor == "end" and x - 10 < text_width(text, FONT_SIZE):
            x, anchor = x + 10, "start"
        return x, y + dy, anchor

    def _axes(self, colors: Mapping[str, str]) -> str:
        """Both axes with three numbers each, and what they count."""
        (left, low), _highest = self.window
        axis, ink = colors["axis"], colors["ink"]
        bottom, edge = self.height - self.margin + 6, self.left - 6
        drawn = f'<path d="M{edge} 8V{bottom}H{self.width - 8}" fill="none" stroke="{axis}"/>'
        for x in self._across():
            across = self.place((x, low))[0]
            drawn += f'<path d="M{across} {bottom}v5" stroke="{axis}"/>'
            drawn += _text(across, bottom + 20, "middle", ink, _digits(x))
        for y in self.heights:
            down = self.place((left, y))[1]
            drawn += f'<path d="M{edge} {down}h-5" stroke="{axis}"/>'
            drawn += _text(edge + 2, down + 5, "end", ink, _digits(y))
        drawn += _text(self.width - 8, bottom + 36, "end", ink, self.across)
        return drawn + _text(edge - 40, 18, "start", ink, self.up)

    def _legend(self, colors: Mapping[str, str], legend: Sequence[tuple[str, str]]) -> str:
        left = self.left + 14
        return "".join(
            f'<line x1="{left}" x2="{left + 36}" y1="{24 + 22 * i}" y2="{24 + 22 * i}" '
            f'stroke="{colors[kind]}" stroke-width="3" stroke-dasharray="{DASHES[kind]}"/>'
            + _text(left + 46, 29 + 22 * i, "start", colors["ink"], words)
            for i, (kind, words) in enumerate(legend)
        )


def image(svg: str, alt: str) -> str:
    """SVG as an image that carries itself: pages that strip SVG show it, too."""
    source = f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode('ascii')}"
    return f'<img src="{source}" alt="{escape(alt)}" style="max-width:100%;height:auto">'


def card(inside: str) -> str:
    """HTML on a white card: a stored picture cannot know its page, and keeps the light palette."""
    style = f"background:#fff;color:#111;border:1px solid {LIGHT['edge']};border-radius:4px"
    return f'<div style="{style};display:inline-block;max-width:100%;padding:6px">{inside}</div>'


def _apart(numbers: list[float], kept: float, least: float) -> list[float]:
    """Those that stand `least` apart from `kept`, and `kept`: written closer they would overlap."""
    return [y for y in numbers if y == kept or not math.isfinite(kept) or abs(y - kept) >= least]


def _ends(at: tuple[float, float, str], text: str) -> tuple[float, float]:
    """Where a word begins and ends that is written at a place; see `_text`."""
    x, _y, anchor = at
    wide = text_width(text, FONT_SIZE)
    left = {"start": x, "middle": x - wide / 2, "end": x - 10 - wide}[anchor]
    return left, left + wide


def _digits(number: float) -> str:
    return f"{number:.4g}" if abs(number) >= 100 else f"{number:.3g}"


def _few(point: Point) -> str:
    return ", ".join(f"{number:.5g}" for number in point)


def _written(points: Sequence[Point]) -> str:
    return " ".join(f"{x},{y}" for x, y in points)


def _text(x: float, y: float, anchor: str, color: str, text: str, halo: str = "") -> str:
    x -= 10 if anchor == "end" else 0
    place = f'x="{round(x, 1)}" y="{round(y, 1)}" text-anchor="{anchor}"'
    below = f' stroke="{halo}" stroke-width="5" paint-order="stroke"' if halo else ""
    return f'<text {place} fill="{color}"{below}>{escape(text)}</text>'
