"""The number line of `never zeroed`: where w is after each round, and what the step used."""

from __future__ import annotations

from itertools import pairwise

from ...language import _
from .drawn import middle, path, picture, rect, text
from .numbers import said
from .running import Run

BEST = 3.0  #: where the loss is lowest
LOW, HIGH = -0.5, 6.5  #: the part of the line that is shown
MOST = 13.5  #: no gradient in the tray is larger


def orbit(run: Run) -> str:
    """Both sizes of the picture."""
    alt = describe(run)
    return _drawn(run, 1196, "long wide", alt) + _drawn(run, 556, "long narrow", alt)


def describe(run: Run) -> str:
    """What the picture says, in words."""
    if not run.moments:
        return _("A number line with w at 0 and the lowest loss at 3.")
    where = ", ".join(said(moment.value) for moment in run.moments)
    return _("A number line. The lowest loss is at 3. w was at 0, then at {}.").format(where)


def _drawn(run: Run, width: float, kind: str, alt: str) -> str:
    def place(w: float) -> float:
        return 24 + (w - LOW) / (HIGH - LOW) * (width - 48)

    line = 104
    drawn = f'<path class="axis" d="M{place(LOW):g} {line}H{place(HIGH):g}"/>'
    for w in range(7):
        drawn += f'<path class="axis" d="M{place(w):g} {line}v6"/>'
        drawn += middle("small dim", place(w), line + 22, str(w))
    drawn += f'<path class="best" d="M{place(BEST):g} 18V{line}"/>'
    drawn += middle("small", place(BEST), 13, _("lowest loss: w = 3"))
    spots = [0.0, *(moment.value for moment in run.moments)]
    for number, (start, end) in enumerate(pairwise(spots), start=1):
        newest = number == len(spots) - 1
        drawn += _hop(place(start), place(end), line, newest)
    for number, w in enumerate(spots):
        here = number == len(spots) - 1
        look, size = ("spot now", 7) if here else ("spot", 4)
        drawn += f'<circle class="{look}" cx="{place(w):g}" cy="{line}" r="{size}"/>'
    drawn += middle("nm", place(spots[-1]), line + 40, f"w = {said(spots[-1])}")
    return picture(width, 262, kind, alt, drawn + _bars(run, width))


def _hop(start: float, end: float, line: float, newest: bool) -> str:
    """The way of one step: to the right above the line; the newest is the thickest."""
    high = min(70, 20 + abs(end - start) * 0.35)
    bend = line - high
    points = ((start, line - 6), (start, bend), (end, bend), (end, line - 6))
    return f'<path class="hop{" now" if newest else ""}" d="{path(points)}"/>'


def _bars(run: Run, width: float) -> str:
    """One bar for each round: what was in the tray when the step was taken."""
    floor, room = 216, min(90.0, (width - 30) / 12)
    drawn = text("small dim", 8, 166, _("in the tray at each step"))
    drawn += f'<path class="hair" d="M8 {floor}H{width - 8:g}"/>'
    for number, moment in enumerate(run.moments):
        held = sum(moment.tray or ())
        high, x = abs(held) / MOST * 34, 20 + number * room
        top = floor - high if held > 0 else floor
        newest = number == len(run.moments) - 1
        look = "brick new" if newest else "brick"
        drawn += rect(look, x, top, room / 2, max(high, 1))
        beside = floor + 14 if held > 0 else floor - 5
        drawn += middle(
            "small came" if newest else "small dim", x + room / 4, beside, said(held, 3)
        )
    return drawn
