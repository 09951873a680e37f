"""What the board of finite differences says of one eps, and of the function as a whole."""

from __future__ import annotations

import math

from ...language import _
from ..playground.errors import spelled
from ..playground.words import few, many, signed
from .measured import ALIKE, POWERS, Measured, Point


def told(found: Measured, power: int) -> str:
    """The two numbers at this eps, gradcheck's answer, and what that means here."""
    double, single = (points[POWERS.index(power)] for points in found.points.values())
    if not found.is_finite:
        return _("At this x the function has no slope that is a number.")
    slope = many(found.slope["float64"])  # as many digits as what it is compared with
    said = _("With eps = {}, nudging says {} and backward says {}. {} {}")
    first = said.format(
        spelled(double.eps), many(double.nudged), slope, _gap(double), _answered(double, "float64")
    )
    if not math.isfinite(single.error):
        return f"{first} {_meaning(found, double)}".rstrip()
    other = _("In float32 they are {} apart, and it {}.")
    word = _("passes") if single.passes else _("fails")
    return f"{first} {other.format(signed(single.error), word)} {_meaning(found, double)}".rstrip()


def _gap(point: Point) -> str:
    if not math.isfinite(point.error):
        return _("The nudge leads to where the function has no value.")
    if point.error == 0:
        return _("They agree in every digit.")
    return _("They are {} apart.").format(signed(point.error))


def _answered(point: Point, dtype: str) -> str:
    said = _("gradcheck in {} passes.") if point.passes else _("gradcheck in {} fails.")
    return said.format(dtype)


def _meaning(found: Measured, point: Point) -> str:
    """Why they are as far apart as they are."""
    if found.sides:
        kink = _("x stands on a kink, with a slope of {} from below and {} from above.")
        both = " ".join((kink, _("No nudge can decide here.")))
        return both.format(*map(few, found.sides))
    if not math.isfinite(found.best.error):
        return ""
    if not found.meets:
        said = _("No eps in the list brings float64 closer than {}: that is not the nudge's fault.")
        told = said.format(signed(found.best.error))
        if point.passes:
            told += " " + _("It passes because gradcheck allows a thousandth.")
        return told
    if not math.isfinite(point.error):
        return ""
    if point.error <= ALIKE * max(1.0, abs(found.slope["float64"])):
        return _("That is all that float64 can tell.")
    if point.error == found.best.error:
        return _("No other eps in the list brings float64 closer.")
    shorter = point.eps > found.best.eps
    if shorter and (kink := found.kink_within(point.eps)) is not None:
        said = _("A smaller eps comes closer in float64: this one reaches over the kink at {}.")
        return said.format(few(kink))
    if shorter and not found.is_rounding(point):
        return _("A smaller eps comes closer in float64: the function bends less within it.")
    if point.eps < found.best.eps and found.is_rounding(point):
        return _("Rounding spoils it: both values agree in nearly all of their digits.")
    return ""


def question(found: Measured) -> str:
    """What is asked before anything is shown."""
    said = _("Backward says {}. At which eps does nudging come closest to that, in float64?")
    how = _("Press that eps, or one at random.")
    return f"{said.format(few(found.slope['float64']))} {how}"


def answered(found: Measured, power: int) -> str:
    """What the guess is worth; where nudging and backward never meet, no guess is right."""
    if found.sides or not found.meets:
        return _("You said {}. Here no eps brings them together.").format(spelled(10.0**-power))
    best = spelled(found.best.eps)
    if found.points["float64"][POWERS.index(power)].error == found.best.error:
        return _("You said {}. Right.").format(spelled(10.0**-power))
    return _("You said {}. Not quite: {} is closest.").format(spelled(10.0**-power), best)


def place(found: Measured) -> str:
    """Where the function is tried, and what backward says there."""
    return _("x = {}, backward says {}").format(few(found.case.at), few(found.slope["float64"]))
