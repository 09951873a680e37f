"""The values of a program around an input: straight pieces, with jumps between them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import minigrad as mg
from minigrad.viz.plot import Chord, Plot, Point

from ...language import _
from ..board import Part
from .drawn import shown
from .programs import PROGRAMS, Program
from .running import Replay, Run

SAMPLES = 96  #: places at which the program is run
FINER = 12  #: halvings with which a jump is found between two of them
SIZE = (400, 152)
COLORS = {
    "curve": "var(--mg-blue)",
    "tangent": "var(--mg-gradtext)",
    "chord": "var(--mg-gradtext)",
    "ink": "var(--mg-ink)",
    "ground": "var(--mg-card)",
    "halo": "var(--mg-card)",
    "axis": "var(--mg-past)",
}


def curve(program: Program, at: float, found: Run) -> Part:
    """The program's values around the input, and the line of the present piece."""
    points = _points(program.name, *_window(at, at))
    said = _("f in pieces. The dashed line has the slope {}, that of this run's piece.")
    return _part(points, (at, found.value), found.gradient, (), said.format(shown(found.gradient)))


def curve_of_replay(recorded: float, at: float, name: str, found: Replay, guarded: bool) -> Part:
    """The program's values, and the line that the tape stands for."""
    points = _points(name, *_window(*sorted((recorded, at))))
    said = _("f in pieces, and the one line that the tape stands for, with the slope {}.")
    said = said.format(shown(found.gradient))
    end = (at, found.value)
    if recorded == at or found.true.stopped:
        return _part(points, end, found.gradient, (), said)
    word = _("tape")
    if found.refused is None:
        word = ""
    elif guarded:
        word = _("refused")
    line = Chord((recorded, found.recorded.value), end, word)
    gap = (at, float("nan"))  # a point between two gaps is not drawn, and has its place
    return _part((*points, gap, end), (at, found.true.value), None, (line,), said)


def _part(
    points: Sequence[Point], here: Point, slope: float | None, lines: Sequence[Chord], said: str
) -> Part:
    plot = Plot(points, here, slope, lines, "a", "f(a)", *SIZE)
    title = _("f, in pieces")
    return Part("curve", plot.svg(COLORS, title, said), said, title, beside=True, share=5)


def _window(low: float, high: float) -> tuple[float, float]:
    """Some pieces around inputs of one sign; otherwise both inputs, and a little more."""
    if low <= 0 <= high:
        more = 0.45 * (high - low)
        return low - more, high + more
    ends = (0.3 * low, 1.5 * high) if low > 0 else (1.5 * low, 0.3 * high)
    return ends


@lru_cache(32)
def _points(name: str, low: float, high: float) -> tuple[tuple[float, float], ...]:
    """Values of the program, each by a run of its own; nan between two pieces."""
    function = PROGRAMS[name].function
    points: list[tuple[float, float]] = []
    step = (high - low) / SAMPLES
    before = None
    for i in range(SAMPLES + 1):
        x = low + step * i or step / 2  # 0 has no value
        here = _value(function, x)
        if before is not None and before[2] != here[2]:
            left, right = _jump(function, before, here)
            points += [left[:2], (left[0], float("nan")), right[:2]]
        points.append(here[:2])
        before = here
    return tuple(points)


def _value(function: Any, x: float) -> tuple[float, float, float]:
    """An input, the value there, and the slope of its piece."""
    leaf = mg.tensor(x, requires_grad=True)
    result = function(leaf)
    result.backward()
    return x, result.item(), leaf.grad.item()


def _jump(function: Any, left: Any, right: Any) -> tuple[Any, Any]:
    """The last place of the left one's piece, and the first of the right one's, by halving."""
    ends = []
    for inner, outer in ((left, right), (right, left)):
        for _round in range(FINER):
            middle = _value(function, (inner[0] + outer[0]) / 2)
            if middle[2] == inner[2]:
                inner = middle
            else:
                outer = middle
        ends.append(inner)
    return ends[0], ends[1]
