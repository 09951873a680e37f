"""What the playground says: numbers, and a few sentences about them."""

from __future__ import annotations

import math

from ...language import _
from .errors import spelled
from .measured import NUDGES, Measured

ROUNDING = 1e-12  # smaller differences show in none of the digits


def few(number: float) -> str:
    """A number in six digits."""
    return _named(number) or f"{number + 0.0:.6g}".replace("-", "−")


def many(number: float) -> str:
    """A number in ten digits: of a nudge, the last ones are what it is about."""
    return _named(number) or f"{number + 0.0:.10g}".replace("-", "−")


def signed(number: float) -> str:
    """A difference, in two digits: `−0.25`, and `1e-6` as one types it."""
    digits, _e, power = f"{number + 0.0:.2g}".partition("e")
    return _named(number) or digits.replace("-", "−") + (f"e{int(power)}" if power else "")


def _named(number: float) -> str:
    if math.isnan(number):
        return "nan"
    return "" if math.isfinite(number) else ("inf" if number > 0 else "−inf")


def place(found: Measured) -> str:
    """Where it stands: the number that is moved, and the result."""
    row = found.row
    return f"`{row.place.name}` = {few(row.value)}, `{found.result}` = {few(found.value)}"


def told(found: Measured) -> str:
    """What there is to see, in a few sentences."""
    row, result = found.row, found.result
    here = _("At `{}` = {}").format(row.place.name, few(row.value))
    if math.isnan(found.value):
        said = _("{} the result is nan, which is no number: there is no slope.")
        return said.format(here) + _all_the_same(row.slope)
    if math.isinf(found.value):
        said = _("{} the result is infinite: there is no slope.")
        return said.format(here) + _all_the_same(row.slope)
    if found.kink:
        low, high = map(few, found.kink)
        said = _("{} there is no single slope: it is {} from below and {} from above.")
        picks = _("Autograd picks {}. No nudge can say which one is right.")
        return f"{said.format(here, low, high)} {picks.format(few(row.slope))}"
    said = _("{} the value of `{}` is {}.").format(here, result, few(found.value))
    if not math.isfinite(row.slope):
        no_line = _("Autograd's slope is {}: there is no tangent to draw.")
        return f"{said} {no_line.format(few(row.slope))}"
    if not math.isfinite(row.nudged):
        gone = _("Autograd's slope is {}. The nudge leads to where the expression has no value.")
        return f"{said} {gone.format(few(row.slope))}"
    if not _says_the_same(found):  # the slope is told in all digits: the value may be equal to it
        said = _("{} the value of `{}` is {}.").format(here, result, many(found.value))
    return f"{said} {_compared(found)}"


def _all_the_same(slope: float) -> str:
    """What autograd says where there is no slope, unless that is nan as well."""
    if math.isnan(slope):
        return ""
    said = _(" Autograd does not check that: its rules give {} all the same.")
    return said.format(few(slope))


def _says_the_same(found: Measured) -> bool:
    """Whether the nudge finds autograd's slope, but for rounding."""
    return abs(found.row.difference) <= ROUNDING * max(1.0, abs(found.row.slope))


def _compared(found: Measured) -> str:
    row, nudge = found.row, spelled(found.nudge)
    if row.difference == 0:
        said = _("Autograd's slope is {}, and a nudge of {} says the same.")
        return said.format(few(row.slope), nudge)
    if _says_the_same(found):
        said = _("Autograd's slope is {}, and a nudge of {} says the same, up to rounding.")
        return said.format(few(row.slope), nudge)
    said = _("Autograd's slope is {}; a nudge of {} says {}, off by {}.")
    told = said.format(many(row.slope), nudge, many(row.nudged), signed(abs(row.difference)))
    if _spoiled(found):
        told += " " + _("Smaller is no longer better: rounding spoils the difference.")
    return told


def _spoiled(found: Measured) -> bool:
    """Whether a larger nudge comes closer, so that it is not the chord's length that is wrong."""
    larger = [abs(gap) for nudge, gap in found.differences.items() if nudge > found.nudge]
    closest = min((gap for gap in larger if math.isfinite(gap)), default=math.inf)
    return found.nudge <= NUDGES[4] and abs(found.row.difference) > 2 * closest
