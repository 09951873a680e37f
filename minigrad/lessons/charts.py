"""Curves on a scale of powers of ten, and small pictures of digits: what a training looks like.

Each curve has a dash and a name of its own, so none is told by its color alone.
"""

from __future__ import annotations

import base64
import math
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from .digits import DARKEST

LOOKS = {  # color and dash
    "now": ("var(--mg-blue,#0072B2)", ""),
    "other": ("var(--mg-gradtext,#A84300)", "6 3"),
    "whole": ("var(--mg-dim,#5A5A5A)", "1.5 3"),
}
INK, DIM, LINE = "var(--mg-ink,#111)", "var(--mg-dim,#5A5A5A)", "var(--mg-line,#d0d0d0)"
LEFT, RIGHT, TOP, BOTTOM = 44, 8, 12, 24


@dataclass(frozen=True)
class Curve:
    """Numbers over turns; None is a turn without a number. `look` is one of `LOOKS`."""

    name: str
    numbers: Sequence[float | None]
    look: str = "now"


@dataclass(frozen=True)
class Chart:
    """Curves over `turns` turns, from 10 to the power of `low` to that of `high`.

    What is less than the lowest is drawn on the floor.
    """

    curves: tuple[Curve, ...]
    turns: int
    low: int
    high: int
    alt: str
    size: tuple[int, int] = (560, 190)
    every: int = 1  #: turns from one point of a curve to the next
    letters: int = 12  #: the font size, before the chart is made to fit

    def svg(self, least: int = 0) -> str:
        """The whole chart, as wide as there is room, and no narrower than `least` pixels."""
        width, height = self.size
        body = self._ground() + "".join(map(self._curve, self.curves))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" aria-label="{escape(self.alt)}" '
            f'style="max-width:100%;min-width:{least}px;height:auto" '
            f'font-family="sans-serif" font-size="{self.letters}">'
            f"<title>{escape(self.alt)}</title>{body}</svg>"
        )

    @property
    def left(self) -> int:
        """Where the curves begin: behind a label as long as 0.001."""
        return max(LEFT, 6 + round(2.6 * self.letters))

    def _x(self, turn: float) -> float:
        return round(self.left + turn / self.turns * (self.size[0] - self.left - RIGHT), 1)

    def _y(self, number: float) -> float:
        power = min(max(math.log10(number) if number > 0 else -99, self.low), self.high)
        share = (power - self.low) / (self.high - self.low)
        return round(self.size[1] - BOTTOM - share * (self.size[1] - TOP - BOTTOM), 1)

    def _ground(self) -> str:
        floor, end = self.size[1] - BOTTOM, self.size[0] - RIGHT
        letters, drawn = self.letters, ""
        for power in range(self.low, self.high + 1):
            y = self._y(10.0**power)
            drawn += f'<path d="M{self.left} {y:g}H{end}" stroke="{LINE}" fill="none"/>'
            drawn += _text(self.left - 6, y + letters // 3, f"{10.0**power:g}", DIM, "end")
        for turn in range(0, self.turns + 1, 20):
            x = min(self._x(turn), self.size[0] - 0.65 * letters)  # not over the right side
            drawn += _text(x, floor + letters * 4 // 3, str(turn), DIM, "middle")
        return drawn

    def _curve(self, curve: Curve) -> str:
        color, dash = LOOKS[curve.look]
        numbered = list(enumerate(curve.numbers))[:: self.every]
        there = [(turn, n) for turn, n in numbered if n is not None]
        if not there:
            return ""
        points = " ".join(f"{self._x(turn):g} {self._y(n):g}" for turn, n in there)
        x, y = self._x(there[-1][0]), self._y(there[-1][1])
        line = (
            f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"'
            + (f' stroke-dasharray="{dash}"' if dash else "")
            + "/>"
        )
        if curve.look == "now":
            line += f'<circle cx="{x:g}" cy="{y:g}" r="4" fill="{color}"/>'
        elif len(there) == 1:  # a line of one point is not seen, and a ring is, around a disc too
            line += f'<circle cx="{x:g}" cy="{y:g}" r="6" fill="none" stroke="{color}"/>'
        return line


def _text(x: float, y: float, said: str, color: str, anchor: str = "start") -> str:
    return f'<text x="{x:g}" y="{y:g}" fill="{color}" text-anchor="{anchor}">{escape(said)}</text>'


def legend(curves: Sequence[Curve]) -> str:
    """A line of HTML that names the curves, each with a piece of its line."""
    named = []
    for curve in curves:
        color, dash = LOOKS[curve.look]
        named.append(
            '<span style="white-space:nowrap;margin-right:14px"><svg width="30" height="10" '
            f'aria-hidden="true"><path d="M0 5H30" stroke="{color}" stroke-width="2" '
            f'stroke-dasharray="{dash or "none"}"/></svg> {escape(curve.name)}</span>'
        )
    return f'<div style="font-size:13px;line-height:20px">{"".join(named)}</div>'


def digit_image(pixels: np.ndarray, alt: str, side: int = 40) -> str:
    """An 8 × 8 digit as an `<img>`, black on white; the same bytes on every machine."""
    grey = (255 - pixels.reshape(8, 8).astype(int) * 255 // DARKEST).astype(np.uint8)
    rows = b"".join(b"\0" + row.tobytes() for row in grey)
    head = struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0)
    coded = b"\x89PNG\r\n\x1a\n" + b"".join(
        _chunk(*chunk) for chunk in ((b"IHDR", head), (b"IDAT", _stored(rows)), (b"IEND", b""))
    )
    source = base64.b64encode(coded).decode("ascii")
    return (
        f'<img src="data:image/png;base64,{source}" alt="{escape(alt)}" width="{side}" '
        f'height="{side}" style="image-rendering:pixelated;border:1px solid #6e6e6e">'
    )


def _chunk(kind: bytes, held: bytes) -> bytes:
    check = struct.pack(">I", zlib.crc32(kind + held))
    return struct.pack(">I", len(held)) + kind + held + check


def _stored(held: bytes) -> bytes:
    """A zlib stream with nothing pressed: how much another zlib presses is its own affair."""
    size = struct.pack("<HH", len(held), len(held) ^ 0xFFFF)
    return b"\x78\x01\x01" + size + held + struct.pack(">I", zlib.adler32(held))
