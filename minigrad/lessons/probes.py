"""Telling whether two functions agree, by trying them where nobody chose the points.

A formula can be written in many right ways, `8*x + 12` or `4*(2*x + 3)`, so answers are compared
by their values. The points are random, so that a constant does not pass, and seeded, so that the
same answer gets the same verdict every time.
"""

import random
from collections.abc import Callable

TOLERANCE = 1e-4


def points(count: int, low: float = -4.0, high: float = 4.0, seed: int = 2) -> list[float]:
    """Draw `count` seeded points between `low` and `high`.

    >>> points(2) == points(2), len(points(5))
    (True, 5)
    """
    draw = random.Random(seed)
    return [draw.uniform(low, high) for _ in range(count)]


def close(said: float, true: float) -> bool:
    """Compare with a tolerance, relative for large numbers; nan is close to nothing.

    >>> close(0.1 + 0.2, 0.3), close(3.0, 3.1)
    (True, False)
    """
    return abs(said - true) <= TOLERANCE * max(1.0, abs(true))


def agree(said: Callable[[float], float], true: Callable[[float], float], at: list[float]) -> bool:
    """True when both functions have close values at every one of the points."""
    return all(close(said(x), true(x)) for x in at)


def slope(function: Callable[[float], float], x: float, nudge: float = 1e-5) -> float:
    """The slope of `function` at `x` by a nudge to either side (central finite difference).

    >>> round(slope(lambda x: x * x, 3.0), 6)
    6.0
    """
    return (function(x + nudge) - function(x - nudge)) / (2 * nudge)
