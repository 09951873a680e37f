"""What finite differences say of a function of one number, for every eps and in two dtypes.

A finite difference is (f(x + eps) − f(x − eps)) / (2 · eps), as `gradcheck` takes it. Whether
`gradcheck` lets the gradient pass is its own answer.
"""

from __future__ import annotations

import math
import sys
import warnings
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import minigrad as mg

from .cases import Case

POWERS = tuple(range(1, 13))
EPS = tuple(10.0**-power for power in POWERS)
DTYPES = ("float64", "float32")
ABSOLUTE, RELATIVE = 1e-5, 1e-3  # what gradcheck allows
SIDE, KINK = 1e-6, 1e-3  # slopes to either side that differ by more meet in a kink
HALVINGS = 40  # of a nudge: what two slopes differ by there is no bend but a kink
MEETS = 1e-6  # closer than that, relative to the slope, nudging and backward mean the same
ALIKE = 1e-12


@dataclass(frozen=True)
class Point:
    """One eps in one dtype: what nudging says, how far that is off, and gradcheck's answer."""

    eps: float
    nudged: float
    error: float
    passes: bool

    @property
    def allowed(self) -> float:
        """How far off gradcheck lets a gradient be."""
        return ABSOLUTE + RELATIVE * abs(self.nudged)


class Measured:
    """A case, tried.

    >>> from .cases import CASES
    >>> found = Measured(CASES["cube"])
    >>> found.slope["float64"], f"{found.points['float64'][0].error:.2g}"
    (12.0, '0.01')
    """

    def __init__(self, case: Case):
        self.case = case

    def value(self, dtype: str, x: float) -> Any:
        """f(x), as a tensor of that dtype."""
        with mg.no_grad():
            return self.case.function(mg.tensor(x, dtype=getattr(mg, dtype)))

    @cached_property
    def slope(self) -> dict[str, float]:
        """What backward says."""
        return {dtype: self._slope(dtype) for dtype in DTYPES}

    def _slope(self, dtype: str) -> float:
        x = self._leaf(dtype)
        y = self.case.function(x)
        return mg.autograd.grad(y, x)[0].item()

    def _leaf(self, dtype: str) -> Any:
        return mg.tensor(self.case.at, dtype=getattr(mg, dtype), requires_grad=True)

    @cached_property
    def points(self) -> dict[str, tuple[Point, ...]]:
        """For each dtype a point for each of `EPS`."""
        return {dtype: tuple(self._point(dtype, eps) for eps in EPS) for dtype in DTYPES}

    def _point(self, dtype: str, eps: float) -> Point:
        here = mg.tensor(self.case.at, dtype=getattr(mg, dtype))
        with mg.no_grad():
            high, low = self.case.function(here + eps), self.case.function(here - eps)
            nudged = ((high - low) / (2 * eps)).item()
        return Point(eps, nudged, abs(nudged - self.slope[dtype]), self._passes(dtype, eps))

    def _passes(self, dtype: str, eps: float) -> bool:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of float32, whose verdict is what is asked about
            check = mg.autograd.gradcheck
            x = self._leaf(dtype)
            try:
                return check(self.case.function, (x,), eps=eps, raise_exception=False)
            except RuntimeError:
                return False

    @cached_property
    def best(self) -> Point:
        """In float64, the point that is closest; the first one of several.

        A nudge that leads to where the function has no value is farther than any other.
        """
        points = self.points["float64"]
        return min(points, key=lambda point: math.inf if math.isnan(point.error) else point.error)

    @property
    def meets(self) -> bool:
        """Whether some eps brings nudging and backward together."""
        return self.best.error <= MEETS * max(1.0, abs(self.slope["float64"]))

    @cached_property
    def sides(self) -> tuple[float, float] | None:
        """The slopes from below and from above, where they differ however near one looks."""
        down, up = self._chords(SIDE)
        bent = abs(up - down) > KINK * max(1.0, abs(down), abs(up))
        if not bent:
            return None
        nearer, farther = (abs(b - a) for a, b in (self._chords(SIDE / 10), (down, up)))
        return (round(down, 4), round(up, 4)) if nearer > farther / 2 else None

    def _chords(self, step: float) -> tuple[float, float]:
        """The slopes of the chords of this length, to below and to above."""
        low, here, high = (
            self.value("float64", self.case.at + by).item() for by in (-step, 0.0, step)
        )
        return (here - low) / step, (high - here) / step

    def kink_within(self, eps: float) -> float | None:
        """The place of a kink that a nudge reaches over, halved down to; None where none is."""
        ends = [(x, self._slope_at(x)) for x in (self.case.at - eps, self.case.at + eps)]
        for _round in range(HALVINGS):
            middle = (ends[0][0] + ends[1][0]) / 2
            halves = (middle, self._slope_at(middle))
            left, right = (abs(halves[1] - end[1]) for end in ends)
            ends = [ends[0], halves] if left > right else [halves, ends[1]]
        (low, down), (high, up) = ends
        rise = abs(self.value("float64", high).item() - self.value("float64", low).item())
        bends = abs(up - down) > KINK * max(1.0, abs(down), abs(up))
        if not bends or not rise < MEETS:  # such as at a pole
            return None
        return round((low + high) / 2, 9) + 0.0

    def _slope_at(self, x: float) -> float:
        leaf = mg.tensor(x, dtype=mg.float64, requires_grad=True)
        return mg.autograd.grad(self.case.function(leaf), leaf)[0].item()

    def is_rounding(self, point: Point) -> bool:
        """Whether rounding alone could have made the error of a point in float64."""
        x = self.case.at
        size = max(abs(self.value("float64", x).item()), abs(self.slope["float64"] * x))
        return point.error <= 8 * sys.float_info.epsilon * size / point.eps

    @property
    def is_finite(self) -> bool:
        """Whether there is a number to compare with."""
        value = self.value("float64", self.case.at).item()
        return math.isfinite(self.slope["float64"]) and math.isfinite(value)
