"""A still picture of a slope: the curve, its tangent by autograd, and chords by nudges.

The tangent is drawn with the slope that `autograd.grad` returns, so the picture is a check: were
the slope wrong, the line would cut through the curve.
"""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import Any

import minigrad as mg

from ..language import _
from ..viz.plot import ON_PAPER, Chord, Plot, card, image

SAMPLES = 60
NUDGES = (1.0, 0.5, 0.1, 0.001)
DRAWN = 3  # a chord of the last one could not be told from the tangent


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
            "the curve; dotted chords of the nudges {} have the slopes {}."
        )
        drawn = self.chords[:DRAWN]
        nudges, slopes = (", ".join(f"{number:.6g}" for number in told) for told in zip(*drawn))
        return said.format(self.at, self.value, self.slope, nudges, slopes)

    def __repr__(self) -> str:
        rows = [f"{_('nudge')} {nudge:g}: {chord:.6g}" for nudge, chord in self.chords]
        return "\n".join([self.alt, f"autograd: {self.slope:g}", *rows])

    def _repr_html_(self) -> str:
        return card(f"{image(self.svg(), self.alt)}{self._table()}")

    def svg(self) -> str:
        """The picture as SVG, with its alt text inside."""
        here = (self.at, self.value)
        drawn = [
            Chord(here, (self.at + nudge, self.value + slope * nudge), f"+ {nudge:g}")
            for nudge, slope in self.chords[:DRAWN]
        ]
        nudges = ", ".join(f"{nudge:g}" for nudge, _slope in self.chords[:DRAWN])
        legend = (
            ("curve", _("the curve")),
            ("tangent", _("tangent, slope {:g} by autograd").format(self.slope)),
            ("chord", _("chords, by nudges of {}").format(nudges)),
        )
        plot = Plot(self.curve, here, self.slope, drawn, up=_("value"))
        return plot.svg(ON_PAPER, _("a curve, its tangent and a chord"), self.alt, legend)

    def _table(self) -> str:
        rows = "".join(
            f'<tr style="background:#fff;color:#111"><td>{nudge:g}</td>'
            f"<td>{chord:.6g}</td><td>{chord - self.slope:.6g}</td></tr>"
            for nudge, chord in self.chords
        )
        heads = (_("nudge"), _("slope of the chord"), _("minus autograd's {:g}"))
        cells = "".join(f'<th scope="col">{escape(h.format(self.slope))}</th>' for h in heads)
        head = f"<thead><tr>{cells}</tr></thead>"
        return f'<table style="color:#111">{head}<tbody>{rows}</tbody></table>'
