"""A still picture of a slope: the curve, its tangent by autograd, and a chord by a nudge.

The tangent is drawn with the slope that `autograd.grad` returns, so the picture is a check: were
the slope wrong, the line would cut through the curve.
"""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import Any

import minigrad as mg

from .words import _

WIDTH, HEIGHT, MARGIN = 560, 320, 36
SAMPLES = 60
NUDGES = (0.5, 0.1, 0.001)

_BLUE, _DARK_RED, _GRAY = "#0072B2", "#A84300", "#6E6E6E"


def slope_picture(function: Callable[[Any], Any], at: float, reach: float = 1.5) -> "SlopePicture":
    """Draw `function` around `at`, from `at - reach` to `at + reach`, with its slope there.

    `function` maps a 0-d tensor to a 0-d tensor; it is evaluated in float64. Raises what the
    function raises, and `RuntimeError` when its result does not depend on its argument.

    >>> picture = slope_picture(lambda x: (2 * x + 3) ** 2, at=1.0)
    >>> picture.value, picture.slope
    (25.0, 20.0)
    """
    x = mg.tensor(float(at), dtype=mg.float64, requires_grad=True)
    y = function(x)
    (slope,) = mg.autograd.grad(y, x)

    def value(x: float) -> float:
        return function(mg.tensor(float(x), dtype=mg.float64)).item()

    left = at - reach
    places = [left + 2 * reach * i / SAMPLES for i in range(SAMPLES + 1)]
    return SlopePicture(
        at=float(at),
        value=y.item(),
        slope=slope.item(),
        chords=tuple((nudge, (value(at + nudge) - y.item()) / nudge) for nudge in NUDGES),
        curve=tuple((place, value(place)) for place in places),
    )


@dataclass(frozen=True)
class SlopePicture:
    """The numbers of the picture: a point, the slope there, chords by nudges, and the curve."""

    at: float
    value: float
    slope: float
    chords: tuple[tuple[float, float], ...]
    curve: tuple[tuple[float, float], ...]

    @property
    def alt(self) -> str:
        """What the picture shows, in words."""
        said = _(
            "At x = {:g} the value is {:g}. The dashed tangent with autograd's slope {:g} touches "
            "the curve; the dotted chord of a nudge of {:g} has slope {:g}."
        )
        return said.format(self.at, self.value, self.slope, *self.chords[0])

    def __repr__(self) -> str:
        rows = [f"{_('nudge')} {nudge:g}: {chord:.6g}" for nudge, chord in self.chords]
        return "\n".join([self.alt, f"autograd: {self.slope:g}", *rows])

    def _repr_html_(self) -> str:
        return (
            '<div style="background:#fff;color:#111;display:inline-block;max-width:100%;'
            f'border:1px solid {_GRAY};border-radius:4px;padding:6px">{self.svg()}{self._table()}'
            "</div>"
        )

    def svg(self) -> str:
        """The picture as SVG, with its alt text inside."""
        frame = _Frame(self.curve)
        here, nudge = (self.at, self.value), self.chords[0][0]
        tangent = frame.line(here, self.slope)
        chord = frame.line(here, self.chords[0][1])
        beyond = (self.at + nudge, self.value + self.chords[0][1] * nudge)
        words = [
            (*frame.place(here), -12, "end", "#111", _("x = {:g}, value {:g}").format(*here)),
            (*frame.place(beyond), -14, "end", _GRAY, _("nudge {:g}").format(nudge)),
        ]
        return (
            f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" role="img" '
            'style="max-width:100%;height:auto" font-family="sans-serif" font-size="14">'
            f"<title>{escape(_('a curve, its tangent and a chord'))}</title>"
            f"<desc>{escape(self.alt)}</desc>"
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
            f'<polyline points="{frame.points(self.curve)}" fill="none" stroke="{_BLUE}" '
            'stroke-width="3"/>'
            f'<polyline points="{frame.points(chord)}" stroke="{_GRAY}" stroke-width="2" '
            'stroke-dasharray="2 5"/>'
            f'<polyline points="{frame.points(tangent)}" stroke="{_DARK_RED}" stroke-width="2" '
            'stroke-dasharray="9 5"/>'
            + _dot(frame, here, "#111")
            + _dot(frame, beyond, _GRAY)
            + "".join(_word(*word) for word in words)
            + self._legend()
            + "</svg>"
        )

    def _legend(self) -> str:
        lines = (
            (_BLUE, "", _("the curve")),
            (_DARK_RED, "9 5", _("tangent, slope {:g} by autograd").format(self.slope)),
            (_GRAY, "2 5", _("chord, slope {:g} by a nudge").format(self.chords[0][1])),
        )
        return "".join(
            f'<line x1="{MARGIN}" x2="{MARGIN + 36}" y1="{24 + 22 * i}" y2="{24 + 22 * i}" '
            f'stroke="{color}" stroke-width="3" stroke-dasharray="{dash}"/>'
            + _word(MARGIN + 46, 24 + 22 * i, 5, "start", "#111", text)
            for i, (color, dash, text) in enumerate(lines)
        )

    def _table(self) -> str:
        rows = "".join(
            f"<tr><td>{nudge:g}</td><td>{chord:.6g}</td><td>{chord - self.slope:.6g}</td></tr>"
            for nudge, chord in self.chords
        )
        heads = (_("nudge"), _("slope of the chord"), _("minus autograd's {:g}"))
        cells = "".join(f'<th scope="col">{escape(h.format(self.slope))}</th>' for h in heads)
        head = f"<thead><tr>{cells}</tr></thead>"
        return f'<table style="color:#111">{head}<tbody>{rows}</tbody></table>'


class _Frame:
    """Turns places of the curve into places of the picture."""

    def __init__(self, curve: tuple[tuple[float, float], ...]):
        xs, ys = zip(*curve, strict=True)
        self.left, self.right = min(xs), max(xs)
        self.low, self.high = min(ys), max(ys)

    def place(self, point: tuple[float, float]) -> tuple[float, float]:
        x, y = point
        across = (x - self.left) / (self.right - self.left or 1.0)
        up = (y - self.low) / (self.high - self.low or 1.0)
        return (
            round(MARGIN + across * (WIDTH - 2 * MARGIN), 1),
            round(HEIGHT - MARGIN - up * (HEIGHT - 2 * MARGIN), 1),
        )

    def points(self, curve: Any) -> str:
        return " ".join("{},{}".format(*self.place(point)) for point in curve)

    def line(self, through: tuple[float, float], slope: float) -> list[tuple[float, float]]:
        """The part of a straight line that stays within the picture."""
        x, y = through
        ends = [self.left, self.right]
        if slope:
            ends = sorted([*ends, x + (self.low - y) / slope, x + (self.high - y) / slope])[1:3]
        return [(end, y + slope * (end - x)) for end in ends]


def _dot(frame: _Frame, point: tuple[float, float], color: str) -> str:
    x, y = frame.place(point)
    return f'<circle cx="{x}" cy="{y}" r="5" fill="{color}"/>'


def _word(x: float, y: float, dy: float, anchor: str, color: str, text: str) -> str:
    x += {"end": -10, "start": 0}[anchor]
    place = f'x="{x}" y="{y + dy}" text-anchor="{anchor}"'
    return f'<text {place} fill="{color}">{escape(text)}</text>'
