import subprocess
import sys
from html import escape

import pytest

import minigrad as mg
from minigrad.widgets import stepper
from tests.widgets.test_packing import unpack


@pytest.fixture
def case():
    """x = 2, a = x + 1, b = x + 2, y = a * b."""
    x = mg.tensor(2.0, requires_grad=True)
    a = x + 1
    b = x + 2
    y = a * b
    return {"x": x, "a": a, "b": b, "y": y}


@pytest.fixture
def w(case):
    return stepper(case["y"], names=case)


class TestFrames:
    def test_the_frames_are_those_of_the_trace(self, w):
        assert list(w.frames) == list(w.trace.frames())
        assert [frame["title"] for frame in w.frames] == [
            "run MulBackward0 (made y)",
            "run AddBackward0 (made b)",
            "run AddBackward0 (made a)",
            "run AccumulateGrad(x)",
        ]

    def test_finer_steps_stay_at_the_same_node(self, w):
        w.go(1).detail = "fine"
        assert w.frame["coarse"] == 1
        assert len(w.frames) > 4
        w.go(-1).detail = "coarse"
        assert w.step == 3

    def test_what_is_stored_adds_up_to_the_frames(self, w):
        for detail in ("coarse", "fine"):
            told = [frame["labels"] for frame in unpack(w._data["frames"][detail])]
            assert told == [frame["labels"] for frame in w.trace.frames(detail)]


class TestLooks:
    def test_the_repr_states_the_outcome(self, w):
        assert repr(w) == "Stepper: 4 steps; x.grad = 7"

    def test_names_come_from_the_callers_variables(self):
        side = mg.tensor(3.0, requires_grad=True)
        area = side * side
        assert repr(stepper(area)) == "Stepper: 2 steps; side.grad = 6"
        assert stepper(area).name == "Backward stepper for area"

    def test_the_text_has_every_step_and_sentence(self, w):
        text = w.text()
        places = [text.index(f"Step {n}: ") for n in (1, 2, 3, 4)]
        assert places == sorted(places)
        assert all(frame["sentence"] in text for frame in w.frames)

    def test_hooks_of_the_reader_are_mentioned(self, case):
        calls = []
        case["x"].register_hook(calls.append)
        w = stepper(case["y"], names=case)
        assert len(calls) == 1
        assert w.notes
        assert all(note in w.text() and escape(note) in w.html() for note in w.notes)

    def test_without_hooks_there_is_nothing_to_say(self):
        side = mg.tensor(3.0, requires_grad=True)
        assert stepper(side * side).notes == []

    def test_the_title_tells_what_was_computed(self):
        x = mg.tensor(2.0, requires_grad=True)
        with mg.watch():
            y = (x + 1) * (x + 2)
        w = mg.stepper(y)
        assert w.title == "Backward through y = (x + 1)·(x + 2)"
        assert w._data["title"] == w.title
        assert w.name == "Backward stepper for y"


class TestOddPasses:
    def test_a_pass_that_stops(self):
        x = mg.tensor([1.0, 2.0], requires_grad=True)
        kept = x.exp()
        z = (kept * kept).sum()
        kept.mul_(2)
        w = stepper(z)
        assert repr(w) == f"Stepper: {len(w.frames)} steps; stops with an error"
        assert "version" in w.go(-1).sentence

    def test_every_step_of_a_long_pass_is_there(self):
        y = x = mg.tensor(1.0, requires_grad=True)
        for _ in range(700):
            y = y + x
        w = stepper(y, names={"x": x, "y": y})
        assert repr(w) == "Stepper: 701 steps; x.grad = 701"
        told = w._data["frames"]
        assert (list(told), len(told["coarse"])) == (["coarse"], 701)
        assert w.go(350).frame["step"] == 350

    def test_a_seed_and_what_stays_kept(self, case):
        w = stepper(case["y"], mg.tensor(10.0), names=case, retain_graph=True)
        assert repr(w) == "Stepper: 4 steps; x.grad = 70"
        assert "freed" not in w.text()


class TestNothingChanges:
    def test_gradients_versions_and_graph_are_as_before(self, case):
        x, y = case["x"], case["y"]
        x.grad = mg.tensor(5.0)
        kept = x.grad
        w = stepper(y, names=case)
        w._repr_mimebundle_()
        assert x.grad is kept
        assert (x.grad.item(), x.grad._version, x._version, y._version) == (5.0, 0, 0, 0)
        y.backward()
        assert x.grad.item() == 12.0

    def test_running_again_shows_the_same(self, case):
        one, two = (stepper(case["y"], names=case) for _ in range(2))
        assert one.html() == two.html()
        assert one.text() == two.text()


class TestRefusals:
    def test_no_tensor(self):
        with pytest.raises(TypeError, match="tensor"):
            stepper(3)

    def test_no_graph(self):
        with pytest.raises(ValueError, match="graph"):
            stepper(mg.tensor(3.0))

    def test_a_leaf(self):
        with pytest.raises(ValueError, match=r"leaf.*stepper\(loss\)"):
            stepper(mg.tensor(3.0, requires_grad=True))

    def test_a_module(self):
        with pytest.raises(TypeError, match=r"not the module Linear.*stepper\(loss\)"):
            stepper(mg.nn.Linear(1, 1))

    def test_a_freed_graph(self, case):
        case["y"].backward()
        with pytest.raises(RuntimeError, match="freed"):
            stepper(case["y"], names=case)

    def test_a_missing_gradient(self):
        x = mg.ones(2, requires_grad=True)
        with pytest.raises(RuntimeError, match="scalar"):
            stepper(x * 2)

    def test_a_gradient_is_handed_on(self):
        x = mg.ones(2, requires_grad=True)
        w = stepper(x * 2, mg.tensor([1.0, 10.0]))
        assert repr(w) == "Stepper: 2 steps; x.grad = [2, 20]"


WITHOUT = """
import sys
for package in {missing}:
    sys.modules[package] = None
sys.path[:0] = ["."]
import minigrad as mg
from minigrad.widgets import stepper
from tests.widgets.test_packing import unpack
x = mg.tensor(2.0, requires_grad=True)
y = x * x
w = stepper(y)
assert "Step 2: " in w.text()
shown = w._repr_mimebundle_()
assert set(shown) == {{"text/plain", "text/html"}}, set(shown)
assert shown["text/plain"] == "Stepper: 2 steps; x.grad = 4"
assert ("<img" in shown["text/html"]) == {picture}
assert w.go(1).sentence in shown["text/html"]
assert not set(sys.modules) & {{"IPython", "traitlets"}} or "traitlets" in {missing}
"""


@pytest.mark.parametrize(
    ("missing", "picture"),
    [
        (["anywidget", "ipywidgets", "traitlets"], True),
        (["anywidget", "ipywidgets", "traitlets", "graphviz", "pygraphviz"], False),
    ],
)
def test_with_packages_missing(missing, picture):
    script = WITHOUT.format(missing=missing, picture=picture)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_it_may_begin_with_questions_and_rules_in_words():
    x = mg.tensor(2.0, requires_grad=True)
    begins = stepper(x * 3, ask=True, rules="words")._data
    assert (begins["ask"], begins["rules"]) == (True, "words")
    assert (stepper(x * 3)._data["ask"], stepper(x * 3)._data["rules"]) == (False, "symbols")
    with pytest.raises(ValueError, match="rules is one of 'symbols', 'words', 'code', not 'loud'"):
        stepper(x * 3, rules="loud")


def test_the_trays_are_those_of_the_step_that_is_shown():
    x = mg.tensor(2.0, requires_grad=True)
    y = (x + 1) * (x + 2)
    w = stepper(y)
    assert w.go(1).trays == {"x": "None"}
    assert w.go(-1).trays == {"x": "7"}


def test_numbers_between_the_same_two_blocks_are_written_alike():
    """An arrow before only one of them would look as if the other came in another way."""
    a = mg.tensor([1.0, 0.5], requires_grad=True)
    with mg.watch():
        loss = (a * a + 1).tanh().sum()
    player = stepper(loss)
    labels = player._figure(None, None).painter.labels
    assert labels["e0"].factor == labels["e1"].factor
