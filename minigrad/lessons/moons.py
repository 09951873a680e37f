"""Two moons of points, and pictures of the boundary that a model draws between them.

Kept apart from the lessons' words: this is what the very first page of the course trains on.
"""

import base64
from collections.abc import Callable
from html import escape
from typing import Any

import numpy as np

import minigrad as mg

from ..language import _
from ..viz.plot import card

_LEFT, _RIGHT, _LOW, _HIGH = -1.6, 2.6, -1.15, 1.65
_PANEL, _TALL, _GAP, _CAPTION = 232, 155, 12, 40
_COLUMNS, _ROWS = 72, 48
_MOMENTS = (0.0, 0.05, 0.25, 1.0)  # most of the way is made early

_BLUE, _ORANGE, _SOFT, _INK = "#0072B2", "#A84300", "#D5E8F3", "#111"


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
        self._taken: list[tuple[int, int, np.ndarray]] = []
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
    def moments(self) -> list[tuple[int, int, np.ndarray]]:
        """The turns that are shown: the first, the last, and two between them."""
        last = len(self._taken) - 1
        places = dict.fromkeys(round(share * last) for share in _MOMENTS)
        return [self._taken[place] for place in places] if self._taken else []

    @property
    def alt(self) -> str:
        """What the picture says, in words."""
        count = len(self.points)
        said = [_("{} points in two moons.").format(count)]
        if self._taken:
            said = [_("The boundary between {} points.").format(count)]
        told = _("Turn {}: {} of {} right.")
        return " ".join([*said, *(told.format(turn, n, count) for turn, n, _side in self.moments)])

    def __repr__(self) -> str:
        return self.alt

    def _repr_html_(self) -> str:
        return self._image(self.moments, self.alt)

    def at(self, number: int) -> str:
        """One of the moments that were taken, as HTML.

        Raises `IndexError` where no such moment was taken.
        """
        moment = self._taken[number]
        said = _("The boundary between {} points. Turn {}: {} of {} right.")
        count = len(self.points)
        return self._image([moment], said.format(count, *moment[:2], count))

    def _image(self, moments: list[tuple[int, int, np.ndarray]], alt: str) -> str:
        coded = base64.b64encode(self._svg(moments, alt).encode()).decode("ascii")
        source = f"data:image/svg+xml;base64,{coded}"
        least = 180 * len(moments or [None])  # so that the captions can be read
        return card(
            f'<div style="overflow-x:auto"><img src="{source}" alt="{escape(alt)}" '
            f'style="max-width:100%;min-width:{least}px;height:auto"></div>'
        )

    def svg(self) -> str:
        """The moments beside each other, or the points alone, on a white card."""
        return self._svg(self.moments, self.alt)

    def _svg(self, moments: list[tuple[int, int, np.ndarray]], alt: str) -> str:
        panels = moments or [(None, 0, np.zeros((_ROWS, _COLUMNS), bool))]
        width = len(panels) * (_PANEL + _GAP) + _GAP
        body = "".join(
            f'<g transform="translate({_GAP + number * (_PANEL + _GAP)} {_CAPTION})">'
            f"{self._panel(*moment)}</g>"
            for number, moment in enumerate(panels)
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" '
            f'height="{_CAPTION + _TALL + _GAP}" '
            f'viewBox="0 0 {width} {_CAPTION + _TALL + _GAP}" font-family="sans-serif">'
            f"<title>{escape(alt)}</title>"
            f'<defs><g id="dots">{self._dots()}</g></defs>'
            f'<rect width="100%" height="100%" fill="#fff"/>{body}</svg>'
        )

    def _panel(self, turn: int | None, right: int, side: np.ndarray) -> str:
        count = len(self.points)
        head = "" if turn is None else _("turn {}: {} of {} right").format(turn, right, count)
        inside = f'<path d="{_cells(side)}" fill="{_SOFT}"/>'
        if turn is not None and side.all() == side.any():  # it changes its mind nowhere
            said = escape(_("no border yet: one kind everywhere"))
            inside += (
                f'<text x="{_PANEL / 2:g}" y="15" font-size="12" fill="{_INK}" '
                f'text-anchor="middle">{said}</text>'
            )
        frame = f'<rect width="{_PANEL}" height="{_TALL}" fill="none" stroke="#6E6E6E"/>'
        return (
            f'<text y="-12" font-size="14" fill="{_INK}">{escape(head)}</text>'
            f'{inside}{frame}<use href="#dots"/>'
        )

    def _dots(self) -> str:
        """Discs for one kind and crosses for the other: color is never alone."""
        x = (self.points[:, 0] - _LEFT) / (_RIGHT - _LEFT) * _PANEL
        y = (_HIGH - self.points[:, 1]) / (_HIGH - _LOW) * _TALL
        drawn = zip(x.round(1).tolist(), y.round(1).tolist(), self.kinds > 0, strict=True)
        discs, crosses = "", ""
        for across, down, first in drawn:
            if first:
                discs += f"M{across:g} {down:g}h0"  # a stroke of no length with round ends
            else:
                crosses += f"M{across - 2:g} {down - 2:g}l4 4m0-4l-4 4"
        return (
            f'<path d="{discs}" stroke="{_BLUE}" stroke-width="4" stroke-linecap="round"/>'
            f'<path d="{crosses}" fill="none" stroke="{_ORANGE}" stroke-width="1.3"/>'
        )


def _cells(side: np.ndarray) -> str:
    """The cells that are True, each run of them in a row as one rectangle."""
    wide, tall = _PANEL / side.shape[1], _TALL / side.shape[0]
    drawn = []
    for row, cells in enumerate(side):
        edges = np.flatnonzero(np.diff(np.concatenate([[False], cells, [False]])))
        for start, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
            length = (end - start) * wide
            drawn.append(
                f"M{start * wide:.4g} {row * tall:.4g}h{length:.4g}v{tall + 0.2:.4g}h-{length:.4g}z"
            )
    return "".join(drawn)
