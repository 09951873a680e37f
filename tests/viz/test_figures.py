"""Figures and film strips as a notebook and a reader without pictures meet them."""

import sys

import pytest

import minigrad as mg
from minigrad import viz
from minigrad.trace import graph_of, record, record_backward
from minigrad.viz import layout


def passed():
    x = mg.tensor(2.0, requires_grad=True)
    a = x + 1
    b = x + 2
    y = a * b
    return record_backward(y)


@pytest.fixture
def no_engine(monkeypatch):
    monkeypatch.setattr(layout, "engine", lambda: None)
    layout.lay_out.cache_clear()
    yield
    layout.lay_out.cache_clear()


@pytest.fixture
def no_graphviz(monkeypatch):
    monkeypatch.setitem(sys.modules, "graphviz", None)


TREE = """\
y = 12   made by × (MulBackward0), keeps a v0, b v0
├─ ① a = 3   made by + ? (AddBackward0)
│  └─ x = 2   leaf, .grad None
└─ ② b = 4   made by + ? (AddBackward0)
   └─ x   (as above)"""

STEP = """\
y = 12   made by × (MulBackward0), freed   [✓]
├─ ① a = 3   made by + ? (AddBackward0)   [ready]   gradient ×4 → 4
│  └─ x = 2   leaf, .grad None   [1 of 2 in]
└─ ② b = 4   made by + ? (AddBackward0)   [▶ now]   gradient ×3 → 3
   └─ x   (as above)   gradient ×1 → 3"""


def test_text_of_a_graph_and_of_a_step():
    trace = passed()
    assert viz.draw(trace.graph).text() == TREE
    assert viz.draw(trace.graph, frame=trace.frames()[1]).text() == STEP


def graphs():
    x = mg.tensor(2.0, requires_grad=True)
    m = mg.tensor([[1.5, 2.25, 3.125], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]], requires_grad=True)
    i = x * 3
    yield graph_of(i)
    yield graph_of((m * m).sum())
    yield record_backward(mg.arange(20.0).requires_grad_().exp().sum()).graph
    yield passed().graph


def test_nothing_is_printed_while_drawing(capfd):
    layout.lay_out.cache_clear()
    for graph in graphs():
        for view in viz.VIEWS:
            viz.draw(graph, view).svg()
    assert capfd.readouterr() == ("", "")


def test_no_text_is_wider_than_its_shape():
    from minigrad.viz.elements import MAIN, SMALL, shapes
    from minigrad.viz.measure import text_width

    sizes = {"main": MAIN, "small": SMALL, "symbol": 19}
    for graph in graphs():
        for view in viz.VIEWS:
            for shape in shapes(graph, view).values():
                for kind, text in shape.lines:
                    assert text_width(text, sizes[kind]) < shape.size[0]


@pytest.mark.parametrize("missing", ["no_engine", "no_graphviz"])
def test_without_graphviz_there_is_text(missing, request):
    request.getfixturevalue(missing)
    trace = passed()
    figure = viz.draw(trace.graph)
    assert figure.svg() is None
    assert figure.text() == TREE
    assert "<pre" in figure.html()
    assert "x = 2   leaf" in figure.html()
    film = viz.filmstrip(trace.graph, trace.frames())
    assert film.svg() is None
    assert "[1 of 2 in]" in film.html()


def test_a_notebook_stores_html_and_text():
    trace = passed()
    bundle = viz.draw(trace.graph)._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"}
    assert bundle["text/plain"] == TREE
    assert bundle == viz.draw(passed().graph)._repr_mimebundle_()


def test_alt_text_says_something():
    trace = passed()
    assert viz.draw(trace.graph).alt == "Graph of y: 3 operations on the leaves x."
    assert viz.draw(trace.graph, frame=trace.frames()[1]).alt == trace.frames()[1]["sentence"]
    with pytest.raises(ValueError, match="at least 20 characters"):
        viz.draw(trace.graph, alt="graph")


def test_unknown_views_and_directions():
    graph = passed().graph
    with pytest.raises(ValueError, match="forward, backward, both; got 'sideways'"):
        viz.draw(graph, "sideways")
    with pytest.raises(ValueError, match="'right' or 'down', got 'up'"):
        viz.draw(graph, direction="up")


def test_a_graph_grows_by_one_operation_a_picture():
    x = mg.tensor(2.0, requires_grad=True)
    with record() as tape:
        a = x + 1
        b = x + 2
        y = a * b
    film = viz.growing(y, tape=tape)
    assert film.captions == ["+ 1 makes a = 3", "+ 2 makes b = 4", "× makes y = 12"]
    assert [panel.text().count("made by") for panel in film.panels] == [1, 1, 3]


def test_a_graph_grows_in_chosen_steps():
    x = mg.tensor(2.0, requires_grad=True)
    a = x + 1
    b = x + 2
    y = a * b
    film = viz.growing(y, steps=[["a", "b"], ["y"]], captions=["two sums", "a product"])
    assert [panel.text().count("made by") for panel in film.panels] == [1, 3]
    with pytest.raises(ValueError, match="no value named q was made; there are a, b, y"):
        viz.growing(y, steps=[["q"]])


def test_growing_never_moves_what_is_there():
    x = mg.tensor(2.0, requires_grad=True)
    y = (x + 1) * (x + 2)
    film = viz.growing(y)
    if film.svg() is None:
        pytest.skip("no Graphviz to draw with")
    assert len({panel.dot for panel in film.panels}) == 1


def test_a_strip_needs_a_caption_for_each_frame():
    trace = passed()
    with pytest.raises(ValueError, match="4 panels need as many captions, got 1"):
        viz.filmstrip(trace.graph, trace.frames(), ["one"])


def test_a_large_graph_says_what_it_leaves_out():
    x = mg.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(100):
        y = y * 2
    text = viz.draw(record_backward(y).graph).text()
    assert "41 of 100 operations are not drawn" in text
    assert "made by … (41 operations)" in text


def test_deep_graphs_are_read_without_recursion():
    x = mg.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(3000):
        y = y + 1
    assert viz.to_text(graph_of(y)).count("made by") == 3000
