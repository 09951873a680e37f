"""A curve at a point: what stands at its axes can be read."""

import re

import pytest

from minigrad.viz.measure import text_width
from minigrad.viz.plot import ON_PAPER, Plot

NUMBER = re.compile(r'<text x="([\d.-]+)" y="[\d.-]+" text-anchor="end" fill="#\w+">(-?[\d.e+-]+)<')


def plot(low, high):
    """A straight line from `low` to `high`, at its middle."""
    curve = [(x / 8, low + (high - low) * x / 8) for x in range(9)]
    return Plot(curve, curve[4], high - low)


@pytest.mark.parametrize("ends", [(-3500, -2000), (-0.979, 0), (-1.23e8, -1), (-1e-5, 1e-5)])
def test_a_number_beside_the_axis_keeps_its_sign(ends):
    numbers = NUMBER.findall(plot(*ends).svg(ON_PAPER, "", ""))
    assert len(numbers) >= 2
    for x, number in numbers:
        assert text_width(number, 14) <= float(x), number


def test_short_numbers_leave_the_curve_where_it_is():
    assert plot(0, 25).left == plot(0, 1).left == plot(0, 1).margin
