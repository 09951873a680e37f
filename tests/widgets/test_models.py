"""The door on models: modules as boxes, at a depth, one of them, and up to an error."""

import pytest

import minigrad as mg
from minigrad.trace.modules import find_group


@pytest.fixture
def net():
    mg.manual_seed(0)
    inner = mg.nn.Sequential(mg.nn.Linear(3, 3), mg.nn.Tanh())
    return mg.nn.Sequential(mg.nn.Linear(2, 3), inner, mg.nn.Linear(3, 1))


@pytest.fixture
def loss(net):
    with mg.watch(net):
        return net(mg.ones(4, 2)).sum()


def test_the_parts_of_a_model_are_boxes(loss):
    svg = mg.draw(loss).svg()
    assert all(f">net.{part}<" in svg for part in (0, 1, 2))
    assert "Linear 2 → 3" in svg
    assert ">net.1.0<" not in svg


def test_depth(loss):
    assert ">net.1.0<" in mg.draw(loss, depth=2).svg()
    assert ">net.0<" not in mg.draw(loss, depth=0).svg()


def test_one_module(loss):
    svg = mg.draw(loss, module="1").svg()
    assert ">Tanh<" in svg
    assert ">net.2<" not in svg
    with pytest.raises(KeyError, match="no module 'decoder'"):
        mg.draw(loss, module="decoder")


def test_the_stepper_marks_the_boxes_that_are_drawn(loss):
    for depth in (0, 1, 2):
        stepper = mg.stepper(loss, depth=depth)
        graph = stepper.trace.graph
        drawn = {group.key for group in graph.groups}
        frames = stepper.trace.frames("coarse")
        marked = {key for k in range(len(frames)) for key in frames[k]["marks"] if key[0] == "m"}
        assert marked == drawn
    assert find_group(mg.stepper(loss).trace.graph, "net.1.0").about == "Linear 3 → 3"


def test_a_forward_pass_that_raised_is_drawn_up_to_there(net):
    with pytest.raises(RuntimeError), mg.watch(net) as tape:
        net(mg.ones(4, 5))
    figure = mg.draw(tape)
    assert "stopped" in figure.svg()
    assert ">net.0<" in figure.svg()


def test_the_stepper_opens_at_one_module(loss):
    w = mg.stepper(loss, module="1")
    key = w._data["opened"]
    assert w._data["groups"][key]["name"] == "net.1"
    assert key in w._data["scenes"]
    assert mg.stepper(loss)._data["opened"] is None
    with pytest.raises(KeyError, match="no module 'decoder'"):
        mg.stepper(loss, module="decoder")


def test_the_open_module_of_a_large_model_is_stored(loss, monkeypatch):
    monkeypatch.setattr("minigrad.widgets.player.SCENES", 1)
    monkeypatch.setattr("minigrad.widgets.player.SMALL", 0)
    w = mg.stepper(loss, module="1")
    assert w._data["scenes"].keys() == {"", w._data["opened"]}
    assert mg.stepper(loss)._data["scenes"].keys() == {""}


def test_a_tape_that_failed_shows_its_picture(net):
    with pytest.raises(RuntimeError), mg.watch(net) as tape:
        net(mg.ones(4, 5))
    shown = tape._repr_mimebundle_()
    assert "<img" in shown["text/html"] or "<svg" in shown["text/html"]
    assert shown["text/plain"] == repr(tape)


def test_a_tape_that_went_well_is_a_line(loss):
    with mg.watch() as tape:
        _ = mg.ones(1) + 1
    assert tape._repr_mimebundle_() is None


def stacked(layers):
    """A model of so many layers, no two alike, and its loss."""
    model = mg.nn.Sequential(*(mg.nn.Linear(n, n + 1) for n in range(1, layers + 1)))
    with mg.watch(model):
        return model(mg.ones(2, 1)).sum()


def test_the_insides_of_a_dozen_small_modules_are_stored():
    w = mg.stepper(stacked(12))
    assert len(w.trace.graph.groups) == 12
    assert set(w._data["scenes"]) == {"", *(group.key for group in w.trace.graph.groups)}


def test_of_very_many_the_first_are_stored_and_the_page_stays_small():
    w = mg.stepper(stacked(40))
    stored = set(w._data["scenes"]) - {""}
    assert 6 < len(stored) < len(w.trace.graph.groups)
    assert len(w._html()) < 1_000_000


def test_the_one_that_is_open_is_stored_even_where_it_is_the_last():
    w = mg.stepper(stacked(40), module="39")
    assert w._opened in w._data["scenes"]
