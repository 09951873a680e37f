"""What is in a tray, as bricks: each backward lays one on top of those that are there."""

from __future__ import annotations

from ...language import _
from .drawn import HATCH, middle, picture, rect, text
from .numbers import said, summed
from .programs import NONE, ZERO
from .running import Moment, Run
from .still import still

UNIT = 22  #: pixels for one, as long as all bricks fit
HATCHING = "mg-trays-hatch"
Bricks = tuple[float, ...] | None


def _tray(bricks: Bricks, x: float, floor: float, width: float, high: float, now: bool) -> str:
    """A tray that stands on the line `floor`, `high` pixels high, with its bricks."""
    if bricks is None:
        ground = f'<path class="ground-line" d="M{x} {floor}H{x + width}"/>'
        return ground + middle("small dim", x + width / 2, floor - 10, _("no tray"))
    wall = f"M{x} {floor - high}V{floor}H{x + width}V{floor - high}"
    drawn = f'<path class="walls{" now" if now else ""}" d="{wall}"/>'
    if not bricks:
        return drawn + middle("small dim", x + width / 2, floor - high / 2, _("empty tray"))
    unit = min(UNIT, (high - 8) / sum(map(abs, bricks)))
    top = floor - 2
    for number, brick in enumerate(bricks):
        new = now and number == len(bricks) - 1 and number > 0
        height = abs(brick) * unit
        top -= height
        look = 'class="brick new"' if new else f'class="brick" style="fill:url(#{HATCHING})"'
        drawn += f'<rect {look} x="{x + 3}" y="{top:g}" width="{width - 6}" height="{height:g}"/>'
        if height >= 14:
            drawn += _number(x + width / 2, top + height / 2, brick, new)
    return drawn


def _number(x: float, y: float, brick: float, new: bool) -> str:
    words = f"+ {said(brick)}" if new else said(brick)
    width = 9 * len(words) + 8
    plate = "" if new else rect("plate", x - width / 2, y - 9, width, 18, 3)
    return plate + middle("came", x, y + 5, words)


def tray_beside(run: Run) -> str:
    """The tray of the first tensor as it is now, to stand beside the picture."""
    name, bricks = run.first, run.tray
    now = bool(run.moments) and run.moments[-1] in run.passes
    alt = _("Tray of {}: {}.").format(name, _listed(bricks))
    drawn = _tray(bricks, 14, 160, 84, 140, now)
    drawn += middle("", 56, 180, f"{name}.grad = {said(run.facts[name].grad)}")
    return picture(112, 190, "alone", alt, f"<defs>{HATCH.format(HATCHING)}</defs>{drawn}")


def _listed(bricks: Bricks) -> str:
    if bricks is None:
        return _("there is none")
    return summed(bricks) if bricks else _("empty")


SHOWN = 3  #: past and present trays


def trays_over_time(run: Run) -> str:
    """Past and present trays, and behind a hairline what clearing would do next."""
    moments = _shown(run)
    drawn = f"<defs>{HATCH.format(HATCHING)}</defs>"
    drawn += text("nm", 0, 13, _("Tray of x, for each of its four entries"))
    for number, moment in enumerate(moments):
        drawn += _moment(
            moment, 8 + 112 * number, moment is run.moments[-1] if run.moments else False
        )
    drawn += '<path class="hair" d="M343 8V208"/>' + text(
        "small dim", 356, 13, _("if you press now")
    )
    if run.tray is not None:
        drawn += text(
            "small dim", 0, 208, _("g = x.grad is a second name for what is in the tray.")
        )
    return picture(556, 216, "", describe(run), drawn + _next(run))


def _shown(run: Run) -> list[Moment]:
    return [Moment("at first", None, 0.0), *(m for m in run.moments if not m.error)][-SHOWN:]


def describe(run: Run) -> str:
    """What that picture says, in words."""
    held = ", ".join(_listed(moment.tray) for moment in _shown(run))
    alt = _("Tray of x over time: {}. Next, zero_() would empty it, and None take it away.")
    return alt.format(held)


def still_of(run: Run) -> str:
    """The tray over time as an image."""
    return still(trays_over_time(run), describe(run))


def _moment(moment: Moment, x: float, now: bool) -> str:
    what = _(moment.event) if moment.event == "at first" else moment.event
    held = summed(moment.tray) if moment.tray else said(None if moment.tray is None else 0.0)
    drawn = _tray(moment.tray, x, 154, 92, 116, now)
    drawn += middle("nm" if now else "", x + 46, 174, held)
    return drawn + middle("small nm" if now else "small dim", x + 46, 192, what)


def _next(run: Run) -> str:
    """What `zero_()` and `= None` would leave of the tray, and of a second name for it."""
    held = run.facts["x"].grad
    if held is None:
        drawn = middle("small dim", 400, 100, _("zero_() would fail:"))
        drawn += middle("small dim", 400, 116, _("there is no tray"))
        after = ""
    else:
        drawn = '<g class="next">' + _tray((), 360, 154, 80, 86, False) + "</g>"
        drawn += middle("", 400, 174, "0")
        after = middle("small dim", 400, 206, _("g becomes 0"))
        after += middle("small dim", 506, 206, _("g keeps {}").format(said(held)))
    drawn += _tray(None, 460, 154, 92, 0, False) + middle("", 506, 174, "None")
    names = middle("small", 400, 192, ZERO) + middle("small", 506, 192, NONE)
    return drawn + names + after
