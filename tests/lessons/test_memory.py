"""The picture of names tells apart what prints alike: a name, a view, a copy."""

import xml.etree.ElementTree as ET

import pytest

import minigrad as mg
from minigrad.lessons import memory

SVG = "{http://www.w3.org/2000/svg}"


def meant(**names):
    """For each name: the number of its tensor, and that of its memory."""
    return [(one.tensor, one.memory) for one in memory(**names).names]


@pytest.mark.parametrize(
    ("second", "where"),
    [
        (lambda a: a, (0, 0)),
        (lambda a: a[:1], (1, 0)),
        (lambda a: a[1:], (1, 0)),
        (lambda a: a.view(2, 1), (1, 0)),
        (lambda a: a.detach(), (1, 0)),
        (lambda a: a.data, (1, 0)),
        (lambda a: a.clone(), (1, 1)),
        (lambda a: a + 0, (1, 1)),
        (lambda a: mg.tensor(a.tolist()), (1, 1)),
    ],
)
def test_what_a_write_would_reach_is_drawn_as_one_memory(second, where):
    a = mg.tensor([3.0, 1.0])
    b = second(a)
    assert meant(a=a, b=b) == [(0, 0), where]
    assert meant(b=b, a=a)[1][1] == (where[1] > 0)
    with mg.no_grad():
        b.zero_()
    assert (0.0 in a.tolist()) == (where[1] == 0)


def test_versions_are_those_of_the_tensors():
    a = mg.tensor([3.0, 1.0])
    a.data[0] = 7.0
    a[1] = 8.0
    shown = memory(a=a, v=a[:1], h=a.data, c=a.clone())
    assert [one.version for one in shown.names] == [1, 1, 0, 0]
    assert shown.values == ("[7, 8]", "[7, 8]")


def test_the_words_tell_one_tensor_from_another_in_the_same_memory():
    a = mg.tensor([3.0, 1.0])
    said = repr(memory(a=a, b=a, also=a, v=a[:1]))
    assert said == (
        "a, b and also mean one tensor of 2 numbers in the memory [3, 1], at version 0. "
        "v means another tensor, of 1 number, in the same memory [3, 1], at version 0."
    )


def test_the_picture_has_a_box_for_each_and_says_what_it_shows():
    a = mg.tensor([3.0, 1.0])
    shown = memory(a=a, b=a, v=a[:1], c=a.clone())
    drawing = ET.fromstring(shown.svg())
    assert len(list(drawing.iter(f"{SVG}rect"))) == 1 + 4 + 3 + 2
    assert len(list(drawing.iter(f"{SVG}path"))) == 2 * (4 + 3)
    assert drawing.find(f"{SVG}desc").text == shown.alt == repr(shown)
    for box in drawing.iter(f"{SVG}rect"):
        right = float(box.get("x", 0)) + float(box.get("width"))
        bottom = float(box.get("y", 0)) + float(box.get("height"))
        assert right <= 640
        assert bottom <= float(drawing.get("height"))


def test_a_long_memory_is_cut_in_the_picture():
    (said,) = memory(a=mg.arange(100.0)).values
    assert len(said) < 28
    assert memory(a=mg.tensor(2.5)).values == ("2.5",)


def test_nothing_that_is_named_can_be_markup():
    assert "<b>" not in memory(**{"<b>": mg.ones(2)})._repr_html_()
