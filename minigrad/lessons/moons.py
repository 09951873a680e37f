"""Two moons of points, and pictures of the boundary that a model draws between them.

Kept apart from the lessons' words: this is what the very first page of the course trains on.
"""

import base64
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import numpy as np

import minigrad as mg

from ..language import _
from ..viz.plot import card

_LEFT, _RIGHT, _LOW, _HIGH = -1.6, 2.6, -1.15, 1.65
_PANEL, _TALL, _GAP, _CAPTION = 232, 155, 12, 40
_LEAST = 180  # pixels of a picture whose caption can be read; below that, another row begins
_COLUMNS, _ROWS = 72, 48
_MOMENTS = (0.0, 0.05, 0.25, 1.0)  # most of the way is made early

Moment = tuple[int, int, np.ndarray]  #: a turn, how many points are right, which cells are one kind

_BLUE, _ORANGE, _SOFT, _INK = "#0072B2", "#A84300", "#D5E8F3", "#111"

_UNIT = 0.5  # pixels that the place of a point is rounded to
_MARKS = (  # in those units; a point of a path each
    '<marker id="disc" viewBox="-5 -5 10 10" markerWidth="10" markerHeight="10" '
    f'markerUnits="userSpaceOnUse"><circle r="4" fill="{_BLUE}"/></marker>'
    '<marker id="cross" viewBox="-6 -6 12 12" markerWidth="12" markerHeight="12" '
    f'markerUnits="userSpaceOnUse"><path d="M-4-4l8 8m0-8l-8 8" stroke="{_ORANGE}" '
    'stroke-width="2.6"/></marker>'
)


def two_moons(count: int = 100, noise: float = 0.12) -> tuple[Any, Any]:
    """Make two interlocking half circles of `count` points each, the same ones every time.

    Returns the points, `2·count × 2`, and their kinds, `2·count × 1`: 1 for one moon, −1 for the
    other. Both are float32 and ask for no gradient.

    >>> points, kinds = two_moons()
    >>> points.shape, kinds.shape, kinds.sum()
    (torch.Size([200, 2]), torch.Size([200, 1]), tensor(0.))
    """
    angle = np.linspace(0, np.pi, count)
    one = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    other = np.stack([1 - np.cos(angle), 0.5 - np.sin(angle)], axis=1)
    shaken = np.random.default_rng(0).normal(0, noise, (2 * count, 2))
    points = (np.concatenate([one, other]) + shaken).astype(np.float32)
    kinds = np.repeat(np.array([1, -1], dtype=np.float32), count)[:, None]
    return mg.from_numpy(points), mg.from_numpy(kinds)


class Boundary:
    """Pictures of points of two kinds, and of where a model changes its mind between them.

    Displayed, it shows four of the moments that were taken, or the points alone. A model is a
    function from points to one number each; above 0 it says the first kind.

    >>> points, kinds = two_moons()
    >>> film = Boundary(points, kinds)
    >>> film.take(0, lambda at: at[:, 1:] - 0.25)
    >>> film
    The boundary between 200 points. Turn 0: 166 of 200 right.
    """

    def __init__(self, points: Any, kinds: Any):
        self.points, self.kinds = points.numpy(), kinds.numpy()[:, 0]
        self._taken: list[Moment] = []
        x = np.linspace(_LEFT, _RIGHT, 2 * _COLUMNS + 1)[1::2]
        y = np.linspace(_HIGH, _LOW, 2 * _ROWS + 1)[1::2]
        places = np.stack([*np.meshgrid(x, y)], axis=-1).reshape(-1, 2)
        self._places = mg.from_numpy(places.astype(np.float32))

    def take(self, turn: int, model: Callable[[Any], Any]) -> None:
        """Keep what `model` says at this turn; nothing of it is recorded."""
        with mg.no_grad():
            side = model(self._places).numpy().reshape(_ROWS, _COLUMNS) > 0
            said = model(mg.from_numpy(self.points)).numpy()[:, 0]
        self._taken.append((turn, int(((said > 0) == (self.kinds > 0)).sum()), side))

    @property
    def moments(self) -> list[Moment]:
        """The turns that are shown: the first, the last, and two between them."""
        last = len(self._taken) - 1
        places = dict.fromkeys(round(share * last) for share in _MOMENTS)
        return [self._taken[place] for place in places] if self._taken else []

    def __repr__(self) -> str:
        return self._said(self.moments)

    def _repr_html_(self) -> str:
        images = "".join(map(self._image, self.moments or [None]))
        return card(f'<div style="display:flex;flex-wrap:wrap">{images}</div>')

    def at(self, number: int) -> str:
        """One of the moments that were taken, as HTML.

        Raises `IndexError` where no such moment was taken.
        """
        return card(self._image(self._taken[number]))

    def _said(self, moments: Sequence[Moment]) -> str:
        """What a picture of these moments says, in words."""
        count = len(self.points)
        if not moments:
            return _("{} points in two moons.").format(count)
        told = _("Turn {}: {} of {} right.")
        turns = (told.format(turn, right, count) for turn, right, _side in moments)
        return " ".join([_("The boundary between {} points.").format(count), *turns])

    def _image(self, moment: Moment | None) -> str:
        """A moment, or the points alone: an image that others stand beside where there is room."""
        alt = self._said([moment] if moment else [])
        coded = base64.b64encode(self._svg(moment, alt).encode()).decode("ascii")
        widest = f"min(100%,{_PANEL + 2 * _GAP}px)"
        look = f"flex:1 1 {_LEAST}px;min-width:0;max-width:{widest};height:auto"
        source = f"data:image/svg+xml;base64,{coded}"
        return f'<img src="{source}" alt="{escape(alt)}" style="{look}">'

    def _svg(self, moment: Moment | None, alt: str) -> str:
        width, height = _PANEL + 2 * _GAP, _CAPTION + _TALL + _GAP
        panel = self._panel(*(moment or (None, 0, np.zeros((_ROWS, _COLUMNS), bool))))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" '
            f'height="{height}" viewBox="0 0 {width} {height}" font-family="sans-serif">'
            f"<title>{escape(alt)}</title><defs>{_MARKS}</defs>"
            f'<rect width="100%" height="100%" fill="#fff"/>'
            f'<g transform="translate({_GAP} {_CAPTION})">{panel}</g></svg>'
        )

    def _panel(self, turn: int | None, right: int, side: np.ndarray) -> str:
        count = len(self.points)
        head = "" if turn is None else _("turn {}: {} of {} right").format(turn, right, count)
        wide, tall = _PANEL / side.shape[1], _TALL / side.shape[0]
        inside = (
            f'<path transform="scale({wide:.5g} {tall:.5g}) translate(0 .5)" d="{_cells(side)}" '
            f'stroke="{_SOFT}" stroke-width="1.1"/>'
        )
        if turn is not None and side.all() == side.any():  # it changes its mind nowhere
            said = escape(_("no border yet: one kind everywhere"))
            inside += (
                f'<text x="{_PANEL / 2:g}" y="15" font-size="12" fill="{_INK}" '
                f'text-anchor="middle">{said}</text>'
            )
        frame = f'<rect width="{_PANEL}" height="{_TALL}" fill="none" stroke="#6E6E6E"/>'
        return (
            f'<text y="-12" font-size="14" fill="{_INK}">{escape(head)}</text>'
            f"{inside}{frame}{self._dots()}"
        )

    def _dots(self) -> str:
        """Discs for one kind and crosses for the other: color is never alone."""
        x = (self.points[:, 0] - _LEFT) / (_RIGHT - _LEFT) * _PANEL
        y = (_HIGH - self.points[:, 1]) / (_HIGH - _LOW) * _TALL
        places = np.rint(np.stack([x, y], axis=1) / _UNIT).astype(int)
        first = self.kinds > 0
        discs, crosses = _through(places[first]), _through(places[~first])
        return (
            f'<g fill="none" transform="scale({_UNIT})">'
            f'<path d="{discs}" style="marker:url(#disc)"/>'
            f'<path d="{crosses}" style="marker:url(#cross)"/></g>'
        )


def _through(places: np.ndarray) -> str:
    """A path from place to place, short to write: what is seen are the marks on it."""
    if not len(places):
        return ""
    steps = np.diff(places, axis=0).ravel().tolist()
    written = " ".join(map(str, [*places[0].tolist(), "l", *steps]))
    return "M" + written.replace(" l ", "l").replace(" -", "-")


def _cells(side: np.ndarray) -> str:
    """The cells that are True, each run of them in a row as one line."""
    drawn = []
    for row, cells in enumerate(side):
        edges = np.flatnonzero(np.diff(np.concatenate([[False], cells, [False]])))
        for start, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
            drawn.append(f"M{start} {row}h{end - start}")
    return "".join(drawn)
