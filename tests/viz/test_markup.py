"""Whatever a reader's program calls its things, a picture shows it as text."""

import base64
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

import minigrad as mg
from minigrad import viz
from minigrad.trace import graph_of, record_backward
from minigrad.trace.model import Group
from minigrad.viz.shapes import document

BAD = "<b>&\"'"
SLOTS = ("state", "came", "grad", "factor", "sent")

pytestmark = pytest.mark.skipif(viz.engine() is None, reason="no Graphviz is installed")


def graph():
    x = mg.tensor(2.0, requires_grad=True)
    y = (x + 1) * x
    found = graph_of(y)
    found.values = [replace(value, name=BAD, text=BAD) for value in found.values]
    found.operations = [
        replace(op, symbol=BAD, node=op.node if op.kind == "accumulate" else BAD)
        for op in found.operations
    ]
    return found


def frame_of(found):
    keys = [e.key for e in (*found.values, *found.operations, *found.edges)]
    marks = {key: ["now"] for key in keys}
    labels = {key: dict.fromkeys(SLOTS, BAD) for key in keys}
    return {"marks": marks, "labels": labels, "sentence": BAD}


def texts(drawn):
    """The words of a picture; fails where it is no XML, or has elements of the reader's."""
    root = ElementTree.fromstring(drawn)
    assert not [e.tag for e in root.iter() if e.tag.rpartition("}")[2] == "b"]
    return "".join(root.itertext())


def stored(figure, still):
    return base64.b64decode(re.search(r"base64,([^\"]*)", figure.image(still))[1]).decode()


@pytest.mark.parametrize("view", viz.VIEWS)
@pytest.mark.parametrize("told", [False, True])
def test_names_and_labels_are_text(view, told):
    found = graph()
    frame = frame_of(found) if told else None
    figure = viz.draw(found, view, frame=frame, alt=f"a picture of many words, {BAD}")
    for drawn in (figure.svg(), stored(figure, False), stored(figure, True)):
        assert texts(drawn).count(BAD) >= 3


def test_groups_and_errors_are_text():
    found = graph()
    found.groups = [Group("m0", BAD, about=BAD)]
    found.operations[0].group = "m0"
    found.operations[1].kind, found.operations[1].error = "error", BAD
    assert texts(viz.draw(found, "forward").svg()).count(BAD) >= 3


def test_a_title_is_text():
    assert BAD in texts(document("p", (9, 9), False, BAD, BAD, "", ""))


def test_a_page_without_pictures_shows_text(monkeypatch):
    monkeypatch.setattr("minigrad.viz.layout.engine", lambda: None)
    found = graph()
    page = viz.draw(found, "forward").html()
    assert "<b>" not in page
    assert "&lt;b&gt;" in page


def test_steps_of_such_a_program_are_text():
    x = mg.tensor(2.0, requires_grad=True)
    trace = record_backward(x * x, names={"<b>": x})
    frame = trace.frames()[0]
    assert "<b>" in texts(viz.draw(trace.graph, frame=frame).svg())
