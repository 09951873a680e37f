"""Lesson 12: what its judges say of hundreds of answers is true of them, and nothing is refused
that is right."""

import inspect
import random
import re
from types import SimpleNamespace

import numpy as np
import pytest

import minigrad as mg
from minigrad import lessons
from minigrad.lessons import (
    array_steps,
    array_trial,
    engine,
    layer_trial,
    lesson_12,
    reference_engine,
    training,
    trying,
)
from minigrad.lessons import training_runs as runs
from minigrad.lessons.array_steps import GIVEN, built_before
from minigrad.lessons.engine_steps import built
from minigrad.lessons.exercises import LOOK_AGAIN, NOT_YET, YES
from minigrad.lessons.lesson_12 import CAUSES, PATIENTS
from minigrad.lessons.snippets import run_in
from tests.lessons import engines
from tests.lessons.solutions_12 import CAUSES as RIGHT
from tests.notebooks.reading import LESSONS, cell

EXERCISES = {e.name: e for e in lessons.LESSONS["12"].exercises}
NOTEBOOK = next(path for path in LESSONS if path.name.startswith("12"))


def test_what_is_given_is_what_the_notebook_shows():
    assert cell(NOTEBOOK, "array-class").source == GIVEN.strip()


def test_the_causes_are_those_that_the_notebook_lists():
    text = cell(NOTEBOOK, "try-causes-text").source
    assert re.findall(r"^\* ([A-Z]): ", text, re.MULTILINE) == list(CAUSES)


# --- 12-1a ------------------------------------------------------------------------------------

REDUCTIONS = {
    "sum": lambda part, *where, **how: part.sum(*where, **how),
    "mean": lambda part, *where, **how: part.mean(*where, **how),
    "largest": lambda part, *where, **how: part.amax(*where, **how),
}


def made_up_fit(draw):
    """A `fit` that is right in some places and wrong in others, and what it does."""
    front, inside = draw.choice(list(REDUCTIONS)), draw.choice(list(REDUCTIONS))
    axis, keep, second = draw.choice([0, 0, -1]), draw.random() < 0.7, draw.random() < 0.8
    factor = draw.choice([1, 1, 1, 2, -1])

    def fit(part, shape):
        part = mg.as_tensor(part)
        while part.ndim > len(shape):
            part = REDUCTIONS[front](part, axis)
        for place, length in enumerate(shape):
            if length == 1 and second and place < part.ndim:
                part = REDUCTIONS[inside](part, place, keepdim=keep)
        return part * factor

    right = (front, axis, factor) == ("sum", 0, 1) and second and keep and inside == "sum"
    return fit, right


def true_fit(part, shape):
    part = part.numpy()
    part = part.sum(tuple(range(part.ndim - len(shape))))
    axes = tuple(axis for axis, length in enumerate(shape) if length == 1)
    return part.sum(axes, keepdims=True) if axes else part


def claimed(told):
    """The shapes and the two outcomes of which a counterexample speaks."""
    shapes = re.match(r"A part of shape \[(.*?)\] for an operand of shape \[(.*?)\]: (.*)", told)
    if not shapes:
        return None
    came, shape = (tuple(int(n) for n in re.findall(r"\d+", text)) for text in shapes.groups()[:2])
    return came, shape, shapes[3]


def test_what_is_said_of_a_made_up_fit_is_true_of_it():
    draw, heard = random.Random(12), set()
    hints = {mistake.hint: name for name, mistake in EXERCISES["12-1a"].mistakes.items()}
    for _ in range(150):
        fit, right = made_up_fit(draw)
        verdict = lessons.check("12-1a", fit)
        assert verdict.is_yes == right
        if right:
            continue
        told = verdict.words[0]
        heard.add(hints.get(told, "fact"))
        if told in hints:
            planned = EXERCISES["12-1a"].mistakes[hints[told]].wrong(mg)
            for came, shape in array_trial.FITS:
                part = trying.numbers(*came)
                assert np.allclose(fit(part, shape).numpy(), planned(part, shape).numpy())
            continue
        came, shape, said = claimed(told)
        mine = fit(trying.numbers(*came), shape).numpy()
        true = true_fit(trying.numbers(*came), shape)
        if found := re.match(r"yours has the shape \[(.*)\], and \[(.*)\] is right", said):
            assert [*mine.shape] == [int(n) for n in re.findall(r"\d+", found[1])]
            assert [*true.shape] == [int(n) for n in re.findall(r"\d+", found[2])]
        else:
            numbers = re.match(r"yours has (\S+) where (\S+) is right", said)
            assert any(np.isclose(float(numbers[1]), n, rtol=1e-4) for n in mine.ravel())
            assert any(np.isclose(float(numbers[2]), n, rtol=1e-4) for n in true.ravel())
    assert {"fact", "mean", "the axis is gone", "length 1 is forgotten"} <= heard


def test_a_loop_without_an_end_is_stopped():
    def fit(part, shape):
        while part.ndim > len(shape):
            part = part + 0
        return part

    verdict = lessons.check("12-1a", fit)
    assert verdict.heading == LOOK_AGAIN
    assert "yours gives a loop without an end, which was stopped." in verdict.words[0]


def test_a_part_without_its_comma_is_told_so():
    scope = built_before("12-1c")
    run_in(
        scope, array_steps.solutions()["12-1c"].replace("(came * mg.ones_like(a.data),)", "came")
    )
    said = lessons.check("12-1c", scope["Array"]).words[0]
    assert said.startswith("The rule of total() of the shape [2, 3]: yours gives one part that is")


def test_an_error_is_told_with_its_message():
    verdict = lessons.check("12-1a", lambda part, shape: part.sums(0))
    assert "has no attribute 'sums'" in verdict.words[0]
    assert "Right would be: numbers of the shape [3]." in verdict.words[0]


# --- 12-1b to 12-1d ---------------------------------------------------------------------------


def test_a_step_that_stands_on_another_says_so():
    scope = built_before("12-1b")
    run_in(scope, "fit = lambda part, shape: part")
    run_in(scope, array_steps.solutions()["12-1b"])
    verdict = lessons.check("12-1b", scope["Array"])
    assert verdict.heading == NOT_YET
    assert verdict.words == (
        "This step stands on 12-1a, which is not right yet. Do that one first.",
    )
    scope = built_before("12-1b")
    wrong = array_steps.solutions()["12-1b"].replace("fit(came * b.data, a.data.shape)", "came")
    for code in (wrong, *list(array_steps.solutions().values())[2:]):
        run_in(scope, code)
    three = tuple(scope[name] for name in ("Array", "detach", "no_grad"))
    for name, answer in (("12-1c", scope["Array"]), ("12-1d", three)):
        verdict = lessons.check(name, answer)
        assert verdict.heading == NOT_YET
        assert verdict.words[0].startswith("This step stands on 12-1b")


def test_a_blank_in_a_step_before_is_named():
    scope = built_before("12-1b")
    run_in(scope, "def fit(part, shape):\n    return part.sum(...)")
    run_in(scope, array_steps.solutions()["12-1b"])
    verdict = lessons.check("12-1b", scope["Array"])
    assert verdict.heading == NOT_YET
    assert verdict.words == ("`fit` still has a blank, and this step stands on it.",)


@pytest.mark.parametrize("base", [None, reference_engine.Value, engines.Whole])
def test_arrays_on_any_engine_of_lesson_05_give_the_gradients_of_minigrad(base):
    array = built_before(None, base)["Array"]
    numbers = [trying.numbers(*shape) for shape in ((5, 3), (3, 4), (4,), (4, 1), (1,))]
    x, w1, b1, w2, b2 = map(array, numbers)
    off = (x @ w1 + b1).tanh() @ w2 + b2 + -1
    (off * off * off).total().backward()
    leaves = [number.clone().requires_grad_() for number in numbers]
    x_, w1_, b1_, w2_, b2_ = leaves
    ((mg.tanh(x_ @ w1_ + b1_) @ w2_ + b2_ - 1) ** 3).sum().backward()
    for mine, true in zip((x, w1, b1, w2, b2), leaves, strict=True):
        assert np.allclose(mine.grad.numpy(), true.grad.numpy(), rtol=1e-4, atol=1e-4)


def test_an_engine_that_cannot_hold_arrays_gives_way_to_the_reference(tmp_path, capsys):
    source = inspect.getsource(reference_engine)
    (tmp_path / "my_engine.py").write_text(source, encoding="utf-8")
    assert engine.load(tmp_path) is not reference_engine.Value
    assert capsys.readouterr().out == ""
    for spoiled in (
        source.replace("self.data = data", "self.data = float(data)"),
        source.replace("value.grad = value.grad + part", "value.grad = float(value.grad + part)"),
    ):
        assert spoiled != source
        (tmp_path / "my_engine.py").write_text(spoiled, encoding="utf-8")
        assert engine.load(tmp_path) is reference_engine.Value
        assert "hold single numbers only" in capsys.readouterr().out


def test_a_switch_that_was_left_off_does_not_spoil_the_next_check():
    scope = built_before(None)
    scope["Array"].recording = False
    assert lessons.check("12-1b", scope["Array"]).heading == YES
    wrong = EXERCISES["12-1d"].mistakes["never on again"].wrong(mg)
    lessons.check("12-1d", wrong)
    assert wrong[0].recording is True


def test_fit_copies_for_an_engine_that_adds_in_place(tmp_path):
    """Step 5 of lesson 05 may be `value.grad += part`, which writes into an array."""
    source = inspect.getsource(reference_engine)
    in_place = source.replace("value.grad = value.grad + part", "value.grad += part")
    assert in_place != source
    (tmp_path / "my_engine.py").write_text(in_place, encoding="utf-8")
    scope = built_before(None, engine.load(tmp_path))
    assert lessons.check("12-1c", scope["Array"]).heading == YES
    uncopied = array_steps.solutions()["12-1a"].replace(".clone()", "")
    assert uncopied != array_steps.solutions()["12-1a"]
    run_in(scope, uncopied)
    verdict = lessons.check("12-1c", scope["Array"])
    assert verdict.heading == LOOK_AGAIN
    assert "b.grad, which no part of a may change: yours has 2 where 1 is" in verdict.words[0]


def test_ready_gives_the_learners_own_when_all_is_right(capsys):
    scope = built_before(None, engines.Whole)
    three = tuple(scope[name] for name in ("Array", "detach", "no_grad"))
    assert training.ready(*three) == three
    assert capsys.readouterr().out == ""


def test_ready_takes_the_reference_on_the_engine_that_was_loaded(capsys):
    scope = built_before("12-1c", engines.Whole)
    run_in(scope, "def detach(value):\n    return ...\n\nclass no_grad:\n    pass")
    array, _detach, _no_grad = training.ready(*(scope[n] for n in ("Array", "detach", "no_grad")))
    assert array is not scope["Array"]
    assert issubclass(array, engines.Whole)
    assert "a reference runs here" in capsys.readouterr().out


def test_the_engine_that_was_loaded_stays_as_it_was():
    engine = built()["Value"]
    before = dict(vars(engine))
    scope = {"mg": mg, "engine": SimpleNamespace(load=lambda: engine)}
    run_in(scope, GIVEN)
    for code in array_steps.solutions().values():
        run_in(scope, code)
    assert dict(vars(engine)) == before


# --- 12-2 -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("linear", "letter"),
    [
        (lambda x, w, b: (x @ w + b).detach(), "x"),
        (lambda x, w, b: x @ w.detach() + b, "w"),
        (lambda x, w, b: x @ w + b.data, "b"),
        (lambda x, w, b: mg.no_grad()(lambda: x @ w + b)(), "x"),
    ],
)
def test_a_layer_that_cannot_learn_is_not_right(linear, letter):
    verdict = lessons.check("12-2a", linear)
    assert verdict.heading == LOOK_AGAIN
    told = f"x of shape [2, 3], w of shape [3, 4], the gradient of {letter}: yours has 0 where"
    assert verdict.words[0].startswith(told)


def test_a_function_without_a_return_is_told_so():
    def fit(part, shape):
        part = mg.as_tensor(part).sum(0)

    def linear(x, w, b):
        x @ w + b

    def learn(images, kinds):
        mg.nn.Linear(64, 10)(images)

    for name, answer in (("12-1a", fit), ("12-2a", linear)):
        verdict = lessons.check(name, answer)
        assert "yours gives nothing; what comes out is handed over" in verdict.words[0]
    verdict = lessons.check("12-3", learn)
    assert verdict.heading == LOOK_AGAIN
    assert verdict.words[0].startswith("Your function ran, and returned nothing.")


def test_the_cross_entropy_that_is_right_is_that_of_the_field():
    for rows, _told in layer_trial.LEVELS:
        scores = mg.tensor(rows)
        kinds = mg.tensor([(place + 1) % len(rows[0]) for place in range(len(rows))])
        scope = {"mg": mg}
        run_in(scope, EXERCISES["12-2b"].solution.answer)
        mine = scope["cross_entropy"](scores, kinds)
        assert mine.item() == pytest.approx(mg.nn.functional.cross_entropy(scores, kinds).item())


def test_what_the_hint_about_size_says_is_true():
    """Ordinary scores are right, those around 1000 are nan."""
    wrong = EXERCISES["12-2b"].mistakes["overflows"].wrong(mg)
    trials = {trial.told: trial.came for trial in layer_trial.crossed(wrong)}
    assert np.isfinite(trials["Scores of ordinary size"][1]).all()
    assert np.isnan(trials["Scores around 1000"][1]).all()
    plain = EXERCISES["12-2b"].mistakes["as it was told"].wrong(mg)
    trials = {trial.told: trial.came for trial in layer_trial.crossed(plain)}
    assert np.isfinite(trials["Scores of ordinary size"][1]).all()
    assert trials["Scores around 1000"][1] == (np.inf,)
    assert trials["Scores around -1000"][1] == (-np.inf,)
    wrong = EXERCISES["12-2b"].mistakes["log of 0"].wrong(mg)
    trials = {trial.told: trial.came for trial in layer_trial.crossed(wrong)}
    assert np.isfinite(trials["Scores around 1000"][1]).all()
    assert np.isinf(trials["Scores from -1000 to 1000"][1]).all()


# --- 12-3 -------------------------------------------------------------------------------------


class Model:
    """Knows so much of the images it was trained on, and so much of the new ones."""

    def __init__(self, trained, new, wrong=0.0):
        self.shares = {1297: trained, 500: new}
        self.wrong = wrong

    def __call__(self, images):
        kinds = {len(k): k for k in lesson_12.digits()[1::2]}[len(images)]
        right = np.arange(len(kinds)) < round(self.shares[len(kinds)] * len(kinds))
        scores = np.eye(10, dtype=np.float32)[np.where(right, kinds, (kinds + 1) % 10)]
        return mg.from_numpy(scores + np.float32(self.wrong))


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (Model(1, 0.9), None),
        (Model(0.95, 0.93), None),
        (Model(1, 0.88), "100.0% of the images it was trained on are right, and 88.0% of the new"),
        (Model(0.9, 0.85), EXERCISES["12-3"].mistakes["stopped early"].hint),
        (Model(0.1, 0.1), EXERCISES["12-3"].mistakes["no better than guessing"].hint),
        (Model(0.1, 0.1, np.nan), EXERCISES["12-3"].mistakes["no numbers"].hint),
        (lambda images: images, "the model has to give 500 rows of 10 scores"),
        (7, "Return the model"),
        (lambda images: 1 / 0, "Your function stopped: ZeroDivisionError"),
    ],
)
def test_a_model_is_judged_by_what_it_knows(model, said):
    def learn(images, kinds):
        return model

    verdict = lessons.check("12-3", learn)
    assert verdict.is_yes == (said is None)
    assert said is None or said in verdict.words[0]


def test_a_training_that_takes_too_long_is_told_so(monkeypatch):
    monkeypatch.setattr(lesson_12, "SECONDS", -1)
    verdict = lessons.check("12-3", lambda images, kinds: Model(1, 1))
    assert "100% of the new digits, and it took 0 seconds" in verdict.words[0]


# --- 12-4 -------------------------------------------------------------------------------------


def test_the_first_wrong_letter_decides_and_no_other_answer_is_right():
    draw = random.Random(4)
    for _ in range(200):
        answer = {name: draw.choice(list(CAUSES)) for name in PATIENTS}
        verdict = lessons.check("12-4", answer)
        wrong = [name for name in PATIENTS if answer[name] != RIGHT[name]]
        assert verdict.is_yes == (not wrong)
        if wrong:
            assert verdict.words[0].startswith(f"{wrong[0]}: ")


def test_what_the_hints_say_of_the_five_runs_is_true():
    p, q, r, s, t = (runs.trained(setting) for setting in PATIENTS.values())
    assert p.losses[-1] < p.losses[0] / 2
    assert set(p.norms[0]) == {None}
    assert all(p.norms[1])
    for norms in q.norms:
        assert max(norms) < 2 * norms[0]
        assert min(norms) > 0.01
    assert 0 < min(r.losses) < r.losses[-1] / 2
    assert all(norms[-1] > norms[20] > 5 * norms[0] for norms in r.norms)
    assert set(s.losses) == {s.losses[0]}
    assert {*s.norms[0], *s.norms[1]} == {0.0}
    assert t.losses[1] > 3 * t.losses[0]


@pytest.mark.parametrize("answer", [dict.fromkeys(PATIENTS, "X"), {"P": "D"}, "DNZWL"])
def test_letters_that_stand_for_nothing_are_refused(answer):
    assert lessons.check("12-4", answer).heading == LOOK_AGAIN


# --- what the text says -----------------------------------------------------------------------


def test_the_first_step_of_a_large_rate_moves_nearly_every_number_by_2():
    """Not the weights of pixels that are white in every image: their gradient is 0."""
    images, kinds = map(mg.from_numpy, lesson_12.digits()[:2])
    mg.manual_seed(0)
    net = mg.nn.Sequential(mg.nn.Linear(64, 32), mg.nn.Tanh(), mg.nn.Linear(32, 10))
    before = [number.detach().clone() for number in net.parameters()]
    optimizer = mg.optim.Adam(net.parameters(), lr=2.0)
    mg.nn.functional.cross_entropy(net(images), kinds).backward()
    optimizer.step()
    moved = np.concatenate(
        [(b - a.detach()).abs().numpy().ravel() for a, b in zip(net.parameters(), before)]
    )
    assert 0.9 < (np.abs(moved - 2) < 0.1).mean() < 1
    assert "nearly every number by about 2" in lessons.predict("12-2").question.options[0].reply


def test_the_warm_up_about_tanh_is_true():
    y = mg.tanh(mg.tensor(0.5, requires_grad=True))
    assert y.grad_fn._saved_result.item() == y.item()


def test_the_first_step_at_a_rate_of_two_moves_each_number_by_about_two():
    w = mg.tensor([0.3, -4.0, 1e-3], requires_grad=True)
    (w * mg.tensor([1.0, -2.0, 0.01])).sum().backward()
    before = w.tolist()
    mg.optim.Adam([w], lr=2.0).step()
    assert np.allclose(np.abs(np.array(before) - w.tolist()), 2, rtol=1e-3)


def test_the_answer_below_the_moons_is_true():
    text = cell(NOTEBOOK, "moons-text").source
    found = {}
    for width in (2, 3):
        source = cell(NOTEBOOK, "moons").source
        source = source.replace("2, 8", f"2, {width}").replace("8, 1", f"{width}, 1")
        source = source.replace("zeros(8)", f"zeros({width})")
        scope = built_before(None)
        names = {"A": scope["Array"], "untracked": scope["no_grad"], "training": training}
        found[width] = run_in({**names, "mg": mg}, source).moments[-1][1]
    assert f"{found[2]} of 400, and 398 with 8." in text
    assert f"{found[3]} are right" in text
