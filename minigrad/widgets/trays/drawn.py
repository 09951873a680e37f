"""The few shapes that the pictures of trays are made of, in the vocabulary of `minigrad.viz`."""

from __future__ import annotations

import json
import math
from functools import lru_cache
from typing import Any

from minigrad.viz.shapes import ellipse, escape, r, rect, text

from ...language import _

__all__ = ["ellipse", "escape", "r", "rect", "text"]

Points = tuple[tuple[float, float], ...]

BLADES = (
    '<circle cx="-5.4" cy="6" r="3"/><circle cx="5.4" cy="6" r="3"/>'
    '<path d="M-3.9 3.4 4.6 -9M3.9 3.4 -4.6 -9"/>'
)
#: The hatching of what has been in a tray for a while.
HATCH = (
    '<pattern id="{}" width="7" height="7" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><rect class="ground" width="7" height="7"/>'
    '<path class="stripe" d="M0 0V7"/></pattern>'
)


def middle(kind: str, x: float, y: float, said: str) -> str:
    """A text around x."""
    return text(f"mid {kind}".strip(), x, y, said)


def path(points: Points) -> str:
    """The way of a line through two points, or of a curve with two more that bend it."""
    (x, y), *others = points
    letter = "L" if len(points) == 2 else "C"
    rest = " ".join(f"{r(u)} {r(v)}" for u, v in others)
    return f"M{r(x)} {r(y)}{letter}{rest}"


@lru_cache(256)
def arrow(points: Points, kind: str, size: float = 9) -> str:
    """A line of the kind "f", a value, or "g", a gradient, with its head."""
    (u, v), (x, y) = points[-2:]
    length = math.hypot(x - u, y - v) or 1.0
    along, aside = ((x - u) / length, (y - v) / length), size * 0.45
    base = (x - size * along[0], y - size * along[1])
    corners = [
        (x, y),
        (base[0] - aside * along[1], base[1] + aside * along[0]),
        (base[0] + aside * along[1], base[1] - aside * along[0]),
    ]
    head = " ".join(f"{r(a)} {r(b)}" for a, b in corners)
    shaft = (*points[:-1], base)
    return f'<path class="{kind}" d="{path(shaft)}"/><path class="{kind}h" d="M{head}Z"/>'


def button(inside: str, label: str, to: Any, pressed: bool) -> str:
    """A part of a picture that leads to another state; the board makes a button of it."""
    look, name = "switch on" if pressed else "switch", escape(label)
    return (
        f'<g class="{look}" data-key="{name}" aria-pressed="{str(pressed).lower()}" '
        f'aria-label="{name}" data-to="{escape(json.dumps(to))}">{inside}</g>'
    )


def pill(place: tuple[float, float, float], says: str, label: str, to: Any, on: bool) -> str:
    """A switch with a word on it, as wide as its place says; 24 pixels high, and 44 can be hit."""
    x, y, width = place
    inside = rect("hit", x, y - 10, width, 44) + rect("pill", x, y, width, 24, 12)
    inside += middle("small", x + width / 2, y + 16, f"{'●' if on else '○'} {says}")
    return button(inside, label, to, on)


def scissors(x: float, y: float, label: str, to: Any, cut: bool) -> str:
    """Scissors on the lane of the gradient, black where they have cut."""
    scale = 0.8 if cut else 0.72
    inside = f'<circle class="hit" cx="{r(x)}" cy="{r(y)}" r="22"/>'
    inside += f'<circle class="ring" cx="{r(x)}" cy="{r(y)}" r="{15 if cut else 13}"/>'
    inside += f'<g class="blades" transform="translate({r(x)} {r(y)})scale({scale})">{BLADES}</g>'
    if cut:
        inside += middle("small nm", x, y + 31, "detach()")
        inside += middle("small dim", x, y + 46, _("gradient stops"))
    return button(inside, label, to, cut)


def picture(width: float, height: float, kind: str, alt: str, inside: str) -> str:
    """A whole picture; `kind` says where it is shown: "wide", "narrow" or everywhere, ""."""
    return (
        f'<svg class="{f"minigrad-figure trays {kind}".strip()}" width="{r(width)}" '
        f'height="{r(height)}" viewBox="0 0 {r(width)} {r(height)}" role="group" '
        f'aria-label="{escape(alt)}">{inside}</svg>'
    )
