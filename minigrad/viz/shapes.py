"""SVG text of single shapes. Numbers have one digit after the point, and none where it is 0."""

from __future__ import annotations

from html import escape as _escape

import numpy as np

from .measure import clean

HEAD, BIG = (9, 8.4), (12, 10.4)  #: length and width of arrow heads
STRAIGHT = 1e-4  #: a line no longer than the way between its ends is straight; this is its slack
PIECES, PIECE = 8, 16  #: a curve has at least so many pieces, and none is longer

#: The dot of a state: four shapes and a cross, so that none is told by its color alone.
DOTS = {
    "now": '<circle class="full" r="8"/><path class="sign" d="M-2.6 -4.2L4.4 0L-2.6 4.2Z"/>',
    "ready": '<circle class="ring dashed" r="6.75"/><circle class="full" r="2.5"/>',
    "waiting": '<circle class="ring" r="6.75"/>'
    '<path class="full" d="M0 0V-6.75A6.75 6.75 0 0 1 0 6.75Z"/>',
    "done": '<circle class="full" r="8"/><path class="mark" d="M-3.6 .2L-1 2.9L3.8 -2.7"/>',
    "error": '<circle class="full" r="8"/><path class="mark" d="M-3 -3L3 3M3 -3L-3 3"/>',
}


def r(number: float) -> str:
    """A coordinate.

    >>> r(2.04), r(-0.04), r(13.27)
    ('2', '0', '13.3')
    """
    told = f"{number:.1f}".removesuffix(".0")
    return told if told != "-0" else "0"


def escape(text: str) -> str:
    """Text for SVG and HTML: nothing in it is markup, and nothing is forbidden there."""
    return _escape(clean(text))


def rect(kind: str, x: float, y: float, width: float, height: float, radius: float = 0) -> str:
    """A rectangle, its corners round where ``radius`` says so."""
    rounded = f' rx="{r(radius)}"' if radius else ""
    return (
        f'<rect class="{kind}" x="{r(x)}" y="{r(y)}" width="{r(width)}" '
        f'height="{r(height)}"{rounded}/>'
    )


def ellipse(kind: str, x: float, y: float, rx: float, ry: float) -> str:
    """An ellipse."""
    return f'<ellipse class="{kind}" cx="{r(x)}" cy="{r(y)}" rx="{r(rx)}" ry="{r(ry)}"/>'


def text(kind: str, x: float, y: float, said: str, more: str = "") -> str:
    """A text; ``said`` is escaped."""
    return f'<text class="{kind}" x="{r(x)}" y="{r(y)}"{more}>{escape(said)}</text>'


def pair(point: np.ndarray) -> str:
    """Both coordinates of a point."""
    return f"{r(point[0])} {r(point[1])}"


def head(kind: str, line: np.ndarray, way: np.ndarray, size: tuple[float, float]) -> str:
    """The head of an arrow whose line ends at its tip; ``way`` is that along the line."""
    tip, base = line[-1], before_end(line, way, size[0])
    way = tip - base
    across = np.array([-way[1], way[0]]) / max(np.hypot(*way), 1e-9) * size[1] / 2
    return (
        f'<path class="{kind}" d="M{pair(tip)} L{pair(base + across)} L{pair(base - across)} Z"/>'
    )


def way_along(line: np.ndarray) -> np.ndarray:
    """The length of a polyline up to each of its points."""
    return np.concatenate([[0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])


def points_at(line: np.ndarray, way: np.ndarray, at: np.ndarray) -> np.ndarray:
    """The points of a polyline at some lengths along it."""
    return np.stack([np.interp(at, way, line[:, k]) for k in (0, 1)], axis=-1)


def before_end(line: np.ndarray, way: np.ndarray, distance: float) -> np.ndarray:
    """The point at a distance before the end of a polyline."""
    at = max(way[-1] - distance, 0)
    return np.array([np.interp(at, way, line[:, k]) for k in (0, 1)])


def curve(kind: str, line: np.ndarray, way: np.ndarray) -> str:
    """A polyline as a smooth path, without the last pixels, where its head stands."""
    end = max(way[-1] - HEAD[0], 0.5)
    if way[-1] - np.hypot(*(line[-1] - line[0])) < STRAIGHT:
        last = before_end(line, way, way[-1] - end)
        return f'<path class="{kind}" d="M{pair(line[0])} L{pair(last)}"/>'
    pieces = max(PIECES, int(end / PIECE))
    at = np.linspace(0, end, pieces + 1)
    near = np.clip(np.stack([at - 0.5, at, at + 0.5]), 0, way[-1])
    found = points_at(line, way, near)
    points, tangents = found[1], found[2] - found[0]
    tangents /= np.maximum(np.hypot(*tangents.T), 1e-9)[:, None]
    reach = end / pieces / 3 * tangents
    steps = np.hstack([points[:-1] + reach[:-1], points[1:] - reach[1:], points[1:]])
    told = " ".join(map(r, steps.ravel().tolist()))
    return f'<path class="{kind}" d="M{pair(points[0])} C{told}"/>'


def document(
    prefix: str,
    size: tuple[int, int],
    many: bool,
    title: str,
    description: str,
    style: str,
    body: str,
) -> str:
    """A whole figure: style, card, and a title and description for a screen reader."""
    width, height = size
    about = f"{prefix}-title {prefix}-desc" if description else f"{prefix}-title"
    told = f'<desc id="{prefix}-desc">{escape(description)}</desc>\n' if description else ""
    fit = "" if many else "max-width:100%;height:auto;"
    sheet = f"<style>{style}</style>\n" if style else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" id="{prefix}" class="minigrad-figure" '
        f'role="img" aria-labelledby="{about}" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" style="{fit}display:block">\n'
        f'<title id="{prefix}-title">{escape(title)}</title>\n'
        f"{told}{sheet}"
        f'<rect class="card" width="{width}" height="{height}"/>\n{body}\n</svg>'
    )
