import json
import subprocess
import sys

import pytest

import minigrad as mg
from minigrad.trace import record
from minigrad.widgets import stepper


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


class TestSteps:
    def test_the_frames_are_those_of_the_trace(self, w):
        assert w.frames == w.trace.frames()
        assert [frame["title"] for frame in w.frames] == [
            "run MulBackward0 (made y)",
            "run AddBackward0 (made b)",
            "run AddBackward0 (made a)",
            "run AccumulateGrad(x)",
        ]

    def test_it_starts_at_the_first_and_goes(self, w):
        assert (w.step, w.sentence) == (0, w.frames[0]["sentence"])
        assert w.go(3) is w
        assert (w.step, w.sentence) == (3, w.frames[3]["sentence"])
        w.step = 1
        assert w.frame is w.frames[1]

    def test_negative_steps_count_from_the_end(self, w):
        assert w.go(-1).step == 3

    @pytest.mark.parametrize("step", [4, -5, 100])
    def test_a_step_outside_is_refused(self, w, step):
        w.go(2)
        with pytest.raises(IndexError, match="its steps are 0 to 3"):
            w.go(step)
        assert w.step == 2

    @pytest.mark.parametrize("step", [1.5, "2", None])
    def test_a_step_is_a_whole_number(self, w, step):
        with pytest.raises(TypeError):
            w.go(step)

    def test_back_and_forth_shows_the_same(self, w):
        there = json.dumps(w.go(2).frame)
        assert json.dumps(w.go(0).go(2).frame) == there

    def test_finer_steps_stay_at_the_same_node(self, w):
        w.go(1).detail = "fine"
        assert w.frame["coarse"] == 1
        assert len(w.frames) > 4
        w.go(-1).detail = "coarse"
        assert w.step == 3

    def test_an_unknown_detail_is_refused(self, w):
        with pytest.raises(ValueError, match="'coarse' or 'fine', not 'tiny'"):
            w.detail = "tiny"


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
        assert text == w.go(2).text()

    def test_hooks_of_the_reader_are_mentioned(self, case):
        calls = []
        case["x"].register_hook(calls.append)
        w = stepper(case["y"], names=case)
        assert len(calls) == 1
        assert any("hooks ran once" in note and "x" in note for note in w.notes)
        assert w.notes[-1] in w.text()
        assert w.notes[-1] in w.html()

    def test_a_tape_fills_in_what_nobody_kept(self):
        x = mg.tensor(2.0, requires_grad=True)
        with record() as tape:
            a = x + 41
        assert "+ 41" in stepper(a).text()
        del tape
        assert "+ ?" in stepper(a).text()

    def test_without_hooks_there_is_nothing_to_say(self, w):
        assert w.notes == []


class TestOddPasses:
    def test_a_pass_that_stops(self):
        x = mg.tensor([1.0, 2.0], requires_grad=True)
        kept = x.exp()
        z = (kept * kept).sum()
        kept.mul_(2)
        w = stepper(z)
        assert repr(w) == f"Stepper: {len(w.frames)} steps; stops with an error"
        assert "version" in w.go(-1).sentence

    def test_a_pass_with_more_steps_than_are_shown(self):
        y = x = mg.tensor(1.0, requires_grad=True)
        for _ in range(260):
            y = y + x
        w = stepper(y, names={"x": x, "y": y})
        assert repr(w) == "Stepper: 261 steps; x.grad = 261"
        w.go(-1).detail = "fine"  # only the first of the finer steps are there
        assert w.step == len(w.frames) - 1
        w.detail = "coarse"
        assert w.frame["coarse"] == w.step < 260

    def test_a_seed_and_what_stays_kept(self, case):
        w = stepper(case["y"], mg.tensor(10.0), names=case, retain_graph=True)
        assert repr(w) == "Stepper: 4 steps; x.grad = 70"
        assert all("freed" not in marks for f in w.frames for marks in f["marks"].values())


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


class TestLive:
    @pytest.fixture(autouse=True)
    def anywidget(self):
        pytest.importorskip("anywidget")

    def test_python_moves_the_view(self, w):
        seen = []
        w.live.observe(lambda change: seen.append(change.new), "step")
        w.go(2)
        w.step = 3
        assert (w.live.step, seen) == (3, [2, 3])

    def test_the_view_moves_python(self, w):
        w.live.step = 2
        assert (w.step, w.sentence) == (2, w.frames[2]["sentence"])

    def test_the_view_may_change_both_at_once(self, w):
        w.live.set_state({"detail": "fine", "step": 5})
        assert (w.detail, w.step, w.live.step) == ("fine", 5, 5)
        assert w.frame is w.frames[5]

    def test_an_impossible_step_is_put_right(self, w):
        w.live.step = 77
        assert (w.step, w.live.step) == (3, 3)

    def test_the_detail_is_shared(self, w):
        w.go(3).detail = "fine"
        assert (w.live.detail, w.live.step) == ("fine", w.step)

    def test_the_data_is_plain(self, w):
        json.dumps(w.live.data)
        assert list(w.live.data["frames"]) == ["coarse", "fine"]

    def test_the_bundle_has_a_view_and_all_fallbacks(self, w):
        shown = w._repr_mimebundle_()
        view = "application/vnd.jupyter.widget-view+json"
        assert set(shown) == {view, "text/html", "text/plain"}
        assert shown[view]["model_id"] == w.live.model_id
        assert shown["text/plain"] == "Stepper: 4 steps; x.grad = 7"


WITHOUT = """
import sys
for package in {missing}:
    sys.modules[package] = None
sys.path[:0] = ["."]
import minigrad as mg
from minigrad.widgets import stepper
x = mg.tensor(2.0, requires_grad=True)
y = x * x
w = stepper(y)
assert "Step 2: " in w.text()
shown = w._repr_mimebundle_()
assert set(shown) == {{"text/plain", "text/html"}}, set(shown)
assert shown["text/plain"] == "Stepper: 2 steps; x.grad = 4"
assert ("<svg" in shown["text/html"]) == {picture}
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
