"""A curve at a point: what stands at its axes can be read."""

import math
import re
from itertools import pairwise

import pytest

from minigrad.viz.measure import text_width
from minigrad.viz.plot import ON_PAPER, Chord, Plot

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


@pytest.mark.parametrize("at", [0, 0.001, 0.04, 0.5, 0.97, 1])
def test_numbers_of_the_lower_axis_do_not_run_into_each_other(at):
    drawn = Plot([(x / 100, x) for x in range(101)], (at, 100 * at), 100.0).svg(ON_PAPER, "", "")
    found = re.findall(r'<text x="([\d.]+)" y="314" text-anchor="middle" fill="#\w+">(.+?)<', drawn)
    assert f"{at:.3g}" in [number for _x, number in found]
    ends = [(float(x), text_width(number, 14) / 2) for x, number in found]
    for (left, half), (right, other) in pairwise(ends):
        assert left + half < right - other


def test_a_word_at_the_left_edge_is_not_cut_off():
    chord = Chord((1.0, 1.0), (0.0, 0.5), "refused")
    plotted = Plot([(0.0, 0.0), (1.0, 1.0)], (0.5, 0.5), None, (chord,))
    drawn = plotted.svg(ON_PAPER | {"halo": "#fff"}, "", "")
    (x, anchor) = re.search(
        r'<text x="([\d.]+)" y="[\d.]+" text-anchor="(\w+)"[^>]+>refused<', drawn
    ).groups()
    assert anchor == "start" or float(x) >= text_width("refused", 14)


def word(drawn, said):
    """The left end of a word in a picture, its right end, and its ground line."""
    found = re.search(
        rf'<text x="([\d.]+)" y="([\d.]+)" text-anchor="(\w+)"[^>]+>{re.escape(said)}<', drawn
    )
    x, y, wide = float(found[1]), float(found[2]), text_width(said, 14)
    left = {"start": x, "middle": x - wide / 2, "end": x - wide}[found[3]]
    return left, left + wide, y


@pytest.mark.parametrize("recorded", [(0.6, 0.29), (0.7, 0.3), (0.55, 0.35)])
def test_the_word_of_the_place_itself_covers_no_other_point(recorded):
    here = (0.5, 0.5)
    chord = Chord(recorded, (0.52, 0.1))
    plotted = Plot([(0.0, 0.0), (1.0, 1.0)], here, None, (chord,), width=400, height=184)
    left, right, bottom = word(plotted.svg(ON_PAPER | {"halo": "#fff"}, "", ""), "(0.5, 0.5)")
    for x, y in map(plotted.place, (chord.start, chord.end)):
        assert not (left - 4 < x < right + 4 and bottom - 14 < y < bottom + 4)


def kinked(function):
    """A curve with its kink in the origin, and a chord from there."""
    curve = [(x / 20, function(x / 20)) for x in range(-30, 31)]
    return Plot(curve, (0.0, 0.0), 0.0, (Chord((0.0, 0.0), (1.0, 1.0)),), height=286)


def in_pieces():
    """A tape recorded at 300 and repeated at 200: pieces of the curve lie on both sides."""
    gap = (200, math.nan)
    pieces = ((60, 1920), (62.5, 2000)), ((62.5, 1000), (125, 2000)), ((125, 1000), (250, 2000))
    curve = [point for piece in pieces for point in (*piece, gap)]
    curve += [(250, 1000), (450, 1800), gap, (200, 800)]
    tape = Chord((300, 1200), (200, 800), "tape")
    return Plot(curve, (200, 1600), None, (tape,), "a", "f(a)", 400, 184)


DRAWN = {"relu": kinked(lambda x: max(0.0, x)), "abs": kinked(abs), "in pieces": in_pieces()}


@pytest.mark.parametrize("plotted", DRAWN.values(), ids=DRAWN)
def test_the_word_of_the_place_itself_covers_no_line(plotted):
    said = f"({plotted.here[0]:g}, {plotted.here[1]:g})"
    left, right, bottom = word(plotted.svg(ON_PAPER | {"halo": "#fff"}, "", ""), said)
    for start, end in pairwise(plotted.curve):
        for part in range(101):
            along = [a + (b - a) * part / 100 for a, b in zip(start, end, strict=True)]
            if not math.isnan(along[1]):
                x, y = plotted.place(along)
                assert not (left < x < right and bottom - 11 < y < bottom + 3), (x, y)
