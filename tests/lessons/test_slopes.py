"""The still picture of a slope shows the numbers that it says it shows."""

import re
import xml.etree.ElementTree as ET

import pytest

import minigrad as mg
from minigrad.lessons import slope_picture

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def square():
    return slope_picture(lambda x: (2 * x + 3) ** 2, at=1.0)


def drawing(picture):
    return ET.fromstring(picture.svg())


def test_value_slope_and_chords(square):
    assert (square.value, square.slope) == (25.0, 20.0)
    assert [round(chord, 6) for _, chord in square.chords] == [24.0, 22.0, 20.4, 20.004]


def test_all_lines_pass_through_the_point(square):
    curve, *lines = (
        [tuple(map(float, point.split(","))) for point in line.get("points").split()]
        for line in drawing(square).iter(f"{SVG}polyline")
    )
    here = drawing(square).find(f"{SVG}circle")
    x, y = float(here.get("cx")), float(here.get("cy"))
    assert len(lines) == 4  # three chords and the tangent
    for line in lines:
        (x0, y0), (x1, y1) = line
        assert y == pytest.approx(y0 + (x - x0) * (y1 - y0) / (x1 - x0), abs=1.0)
    assert min(abs(px - x) + abs(py - y) for px, py in curve) < 1.0


def test_lines_stay_in_the_picture_also_for_a_flat_and_for_a_steep_function():
    for function in (lambda x: x * 0 + 2, lambda x: 100 * x, lambda x: -(x**3)):
        for points in re.findall(r'points="([^"]+)"', slope_picture(function, at=0.0).svg()):
            for point in points.split():
                x, y = map(float, point.split(","))
                assert 0 <= x <= 560
                assert 0 <= y <= 340


def test_the_axes_tell_the_point(square):
    said = [word.text for word in drawing(square).iter(f"{SVG}text")]
    assert {"x", "value", "1", "25", "(1, 25)", "+ 1", "+ 0.5", "+ 0.1"} <= set(said)


def test_alt_text_and_plain_text_tell_the_numbers(square):
    assert "slope 20 touches" in square.alt
    assert square.alt in drawing(square).find(f"{SVG}desc").text
    assert "nudge 0.001: 20.004" in repr(square)


def test_looking_changes_nothing():
    w = mg.tensor(2.0, requires_grad=True)
    slope_picture(lambda x: w.double() * x, at=1.0)
    assert w.grad is None


def test_a_function_that_does_not_depend_on_x_says_so():
    with pytest.raises(RuntimeError, match="does not require grad"):
        slope_picture(lambda x: mg.tensor(3.0), at=1.0)


def test_each_row_of_the_table_brings_its_own_ground(square):
    """The style sheet of a dark notebook paints every other row of a table."""
    rows = re.findall(r"<tbody>(.*)</tbody>", square._repr_html_())[0].split("</tr>")[:-1]
    assert len(rows) == 4
    assert all(row.startswith('<tr style="background:#fff;color:#111">') for row in rows)
