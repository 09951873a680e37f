"""The numbers of the two models: each stands at the arrow that its gradient takes."""

import itertools
import math
import re
from xml.etree import ElementTree

import pytest

import minigrad as mg
from minigrad.viz.measure import text_width
from minigrad.widgets.trays.numbers import said
from minigrad.widgets.trays.programs import DETACH, ITEM, MODEL_SWITCHES, TRAIN
from minigrad.widgets.trays.running import Runner
from minigrad.widgets.trays.sizes import came_to
from minigrad.widgets.trays.two_models import TWO_MODELS

LOSS = "loss.backward()"
SETTINGS = [
    on
    for n in range(8)
    for on in itertools.combinations(MODEL_SWITCHES, n)
    if not {DETACH, ITEM} <= set(on)
]
FONT = 13


def run(on, *events):
    return Runner(mg).run("two models", on, events)


def drawn(found):
    """Both sizes: what each is called, its places, its arrows, its numbers and what is boxed."""
    svgs = re.findall(r"<svg.*?</svg>", TWO_MODELS(found, lambda switch: None), re.DOTALL)
    for places, svg in zip(TWO_MODELS.places, svgs, strict=True):
        picture = ElementTree.fromstring(svg)
        yield places, arrows(picture), numbers(picture), boxes(picture)


def arrows(picture):
    """The kind of each line with a head, and where it begins and ends."""
    lines = (group for group in picture.iter("g") if group.get("class") == "edge")
    for shaft, head in (list(group) for group in lines):
        start, *_more = points(shaft.get("d"))
        yield shaft.get("class"), start, points(head.get("d"))[0]


def points(way):
    found = [float(number) for number in re.findall(r"-?[\d.]+", way)]
    return list(zip(found[::2], found[1::2], strict=True))


def numbers(picture):
    """Each number of a gradient, and the rectangle that it takes."""
    for one in picture.iter("text"):
        if "label" in one.get("class", "").split():
            x, y, wide = float(one.get("x")), float(one.get("y")), text_width(one.text, FONT)
            left = x - wide / 2 if "mid" in one.get("class") else x
            yield one.text, (left, y - 0.73 * FONT, left + wide, y)


def boxes(picture):
    for one in picture.iter("rect"):
        if one.get("class", "").split()[0] in ("b", "tray"):
            x, y, wide, high = (float(one.get(key)) for key in ("x", "y", "width", "height"))
            yield x, y, x + wide, y + high


def distance(rectangle, arrow):
    """How far a rectangle lies from an arrow, which is level or upright."""
    left, top, right, bottom = rectangle
    _kind, (x, y), (u, v) = arrow
    aside = max(left - max(x, u), min(x, u) - right, 0)
    above = max(top - max(y, v), min(y, v) - bottom, 0)
    return math.hypot(aside, above)


def taken_by(arrow, places):
    """The tensor whose gradient takes an arrow: a level one ends right of what it leads to."""
    _kind, _start, (x, _y) = arrow
    if arrow[1][0] == x:
        return "w"
    ends = {name: place[0] + place[2] for name, place in places.boxes.items() if name != "w"}
    ends |= {name: middle + radius for name, (middle, radius) in places.ovals.items()}
    reached = min(ends, key=lambda name: abs(ends[name] - x))
    return {"2 ·": "a", "×": "y"}.get(reached, reached)


@pytest.mark.parametrize("on", SETTINGS, ids="+".join)
def test_the_arrow_that_is_nearest_to_a_number_is_its_own(on):
    for events in ((LOSS,), (LOSS, TRAIN, LOSS)):
        found = run(on, *events)
        for places, ways, told, _boxes in drawn(found):
            ways = list(ways)
            for words, where in told:
                near, next_one = sorted(ways, key=lambda way: distance(where, way))[:2]
                assert near[0] == "g", (places.kind, words)
                assert distance(where, near) + 1 < distance(where, next_one), (places.kind, words)
                came = came_to(found, taken_by(near, places))
                assert words.split()[-1] == said(came), (places.kind, words)


@pytest.mark.parametrize("on", SETTINGS, ids="+".join)
def test_a_number_covers_no_other_and_no_tray(on):
    for events in ((LOSS,), (LOSS, TRAIN, LOSS)):
        for places, _ways, told, boxed in drawn(run(on, *events)):
            told = list(told)
            others = [where for _words, where in told] + list(boxed)
            for words, where in told:
                assert sum(overlap(where, other) for other in others) == 1, (places.kind, words)


def overlap(one, other):
    return all(one[i] < other[i + 2] and other[i] < one[i + 2] for i in (0, 1))


def test_with_nothing_cut_every_way_back_has_its_number():
    for places, ways, told, _boxes in drawn(run((), LOSS)):
        back = [way for way in ways if way[0] == "g"][:-1]  # the last one is of the legend
        assert len(list(told)) == len(back) == 7, places.kind


def test_no_gradient_goes_back_from_a_tensor_that_nothing_recorded_made():
    found = run(("u.requires_grad_(False)", "b.requires_grad_()"), LOSS)
    assert came_to(found, "a") == 10  # b is a second name for a, which is a leaf
    for places, ways, _told, _boxes in drawn(found):
        middle, radius = places.ovals["2 ·"]
        ends = [end[0] for kind, _start, end in list(ways)[:-1] if kind == "g"]
        assert min(ends) > middle + radius + 4, places.kind
