"""Lesson 04: nobody who is right is refused, and what is said of wrong answers is true of them."""

import contextlib
import random
import re

import numpy as np
import pytest

import minigrad as mg
from minigrad import lessons
from minigrad.lessons.exercises import LOOK_AGAIN, NOT_YET
from tests.lessons.solutions_04 import SOLUTIONS

HINTS = {
    name: {mistake: m.hint for mistake, m in exercise.mistakes.items()}
    for exercise in lessons.LESSONS["04"].exercises
    for name in [exercise.name]
}


def said_about(name, answer):
    verdict = lessons.check(name, answer)
    return verdict, verdict.words[0]


# --- 04-1b ------------------------------------------------------------------------------------

LAYERS = [(2, 3), (3, 2), (6,), (2,), (1, 6), (6, 1), (2, 3, 1), ()]


def random_v(draw):
    """A v as somebody might hand it in: often of the right shape, mostly zeros and ones."""
    shape = draw.choice([(2, 3)] * 5 + LAYERS)
    entries = draw.choice([[0], [1], [0, 0, 0, 1], [0, 0, 0, 0, 1, 2.5], [0, -1, float("nan")]])
    v = np.array([draw.choice(entries) for _ in range(int(np.prod(shape)))], float).reshape(shape)
    return draw.choice([v, v.tolist(), mg.tensor(v.tolist())]), v


def true_of_v(said, v):
    """Whether what was said about a v is true of it."""
    counted = [tuple(place) for place in np.argwhere(v != 0)]
    hints = HINTS["04-1b"]
    claims = {
        hints["ones"]: lambda: v.shape == (2, 3) and (v == 1).all(),
        hints["a flat v"]: lambda: v.shape == (6,),
        hints["another row"]: lambda: len(counted) == 1 and counted != [(1, 0)] and v.max() == 1,
        hints["a mixture"]: lambda: len(counted) > 1,
        "Your v is all zeros, so every row of J is multiplied by 0.": lambda: not counted,
        "Hand in v, as a tensor or as rows of numbers.": lambda: v.shape == (),
    }
    if said in claims:
        return claims[said]()
    if found := re.fullmatch(r"Your v has the shape (\[.*\]), and z has the shape \[2, 3\].", said):
        return list(v.shape) == eval(found[1])
    if found := re.fullmatch(r"Your v leaves one row of J, but multiplied by (\S+)\.", said):
        return len(counted) == 1 and f"{v[counted[0]]:g}" == found[1]
    return v.ndim == 3 and said.startswith("A number is wanted here")


def test_what_is_said_about_any_v_is_true_of_it():
    draw, heard = random.Random(4), set()
    for _ in range(400):
        answer, v = random_v(draw)
        verdict, said = said_about("04-1b", answer)
        right = v.shape == (2, 3) and v.tolist() == [[0, 0, 0], [1, 0, 0]]
        assert verdict.is_yes == right, answer
        if v.shape == (2, 3, 1) and verdict.heading == LOOK_AGAIN:
            continue  # the lists in it are read as numbers where they hold one
        assert right or true_of_v(said, v), (answer, said)
        heard.add(said)
    assert len(heard) >= 8


def test_a_claim_about_a_v_that_is_false_is_noticed():
    assert not true_of_v(HINTS["04-1b"]["ones"], np.zeros((2, 3)))
    assert not true_of_v("Your v leaves one row of J, but multiplied by 2.", np.eye(2, 3))


def test_the_right_v_picks_the_row_that_was_asked_for():
    x = mg.tensor([2.0, 5.0], requires_grad=True)
    z = mg.stack([x[0] * x[1], x[0], x[1], x[0] ** 3, x[1] ** 2, x.sum()]).view(2, 3)
    for make in SOLUTIONS["04-1b"]:
        v = mg.tensor(np.asarray(make(mg), dtype=np.float32))
        assert mg.autograd.grad(z, x, v, retain_graph=True)[0].tolist() == [12.0, 0.0]


# --- 04-2 -------------------------------------------------------------------------------------


def true_rows(y, x):
    return [mg.autograd.grad(entry, x, retain_graph=True)[0].tolist() for entry in y]


def spoiled(draw):
    """A function that makes the right rows and then spoils them, or not, in a random way."""
    changes = [
        lambda rows: rows,
        lambda rows: rows[::-1],
        lambda rows: rows[:-1],
        lambda rows: [row[:-1] for row in rows],
        lambda rows: [[-entry for entry in row] for row in rows],
        lambda rows: np.cumsum(rows, 0),
        lambda rows: np.cumsum(rows, 0)[::-1],
        lambda rows: np.array(rows).T,
        lambda rows: [rows[-1]] * len(rows),
        lambda rows: [rows[0]] * len(rows),
        lambda rows: np.sum(rows, 0),
        lambda rows: [np.sum(rows, 0)],
        lambda rows: np.sum(rows, 1),
        lambda rows: np.array(rows) + 1e-2,
        lambda rows: [mg.tensor(row) for row in rows],
        lambda rows: [(mg.tensor(row, dtype=mg.float64),) for row in rows],
        lambda rows: [],
        lambda rows: [[]],
        lambda rows: [[row] for row in rows],
        lambda rows: np.array(rows).ravel(),
        lambda rows: [["a"] * len(rows[0])] * len(rows),
        lambda rows: {"rows": rows},
        lambda rows: rows[0][0],
    ]
    change = draw.choice(changes)
    return changes.index(change), lambda y, x: change(true_rows(y, x))


def test_tables_that_are_right_pass_in_every_form_and_no_other_table_does():
    draw = random.Random(5)
    for _ in range(300):
        number, answer = spoiled(draw)
        verdict, said = said_about("04-2", answer)
        assert verdict.is_yes == (number in (0, 14, 15, 18)), (number, said)
        assert len(said) > 20
        wanted = {5: "never emptied", 7: "turned", 8: "one tray", 10: "one pass", 11: "one pass"}
        if number in wanted:
            assert said == HINTS["04-2"][wanted[number]]
        elif not verdict.is_yes:
            assert said not in HINTS["04-2"].values(), (number, said)


def test_the_first_wrong_row_is_the_one_that_is_named():
    def half_right(y, x):
        rows = true_rows(y, x)
        return [rows[0], *([0.0] * len(x) for _ in rows[1:])]

    _verdict, said = said_about("04-2", half_right)
    assert said == "Of 2 rows the one of y[1] is the first that is wrong: it begins with 0."
    _verdict, said = said_about("04-2", lambda y, x: true_rows(y, x)[:1])
    assert said == "For 2 outputs and 2 inputs you returned 1 row, the first with 2 numbers."


def test_an_error_of_their_own_is_shown_to_learners():
    _verdict, said = said_about("04-2", lambda y, x: y.backward(mg.ones(7)))
    assert "Mismatch in shape" in said
    _verdict, said = said_about("04-2", lambda y, x: 1 / 0)
    assert "ZeroDivisionError" in said


# --- 04-3 -------------------------------------------------------------------------------------


def by_backward(z, x, v):
    z.backward(v)
    return x.grad


def by_grad(z, x, v):
    return mg.autograd.grad(z, x, v)


RESULTS = [
    lambda z, x, v: (z * v).sum(),
    lambda z, x, v: (z * v).sum().detach(),
    lambda z, x, v: z.sum() * v.sum(),
    lambda z, x, v: z * v,
    lambda z, x, v: (z * v).mean(),
    lambda z, x, v: (x * x).sum(),
    lambda z, x, v: v.sum(),
    lambda z, x, v: mg.ones(1, requires_grad=True) * 2,
    lambda z, x, v: x,
    lambda z, x, v: z,
    lambda z, x, v: v,
    lambda z, x, v: 7,
    lambda z, x, v: [1, 2, 3, 4],
    lambda z, x, v: "v·J",
    lambda z, x, v: (z @ v).sum(),
    lambda z, x, v: z[0, 0],
    lambda z, x, v: x.grad,
    by_backward,
    by_grad,
]


def test_every_mixture_of_functions_gets_a_verdict_about_its_first_wrong_one():
    names = ("backward", "grad", "one number")
    right = {"backward": {by_backward}, "grad": {by_grad}, "one number": {RESULTS[0]}}
    draw, count = random.Random(6), 0
    for _ in range(400):
        ways = {name: draw.choice([*right[name], draw.choice(RESULTS)]) for name in names}
        verdict, said = said_about("04-3", ways)
        wrong = [name for name in names if ways[name] not in right[name]]
        assert verdict.is_yes == (not wrong)
        count += bool(wrong)
        named = re.match(r"(backward|grad|one number): ", said)
        if wrong and named:
            assert named[1] == wrong[0], said
        elif wrong:
            assert said.startswith(("A number is wanted", "Fill in")), said
            assert verdict.heading in (LOOK_AGAIN, NOT_YET)
    assert count > 200


@pytest.mark.parametrize(
    ("way", "function", "mistake"),
    [
        ("backward", by_grad, "backward: no tray"),
        ("grad", by_backward, "grad: tray filled"),
        ("one number", lambda z, x, v: z.sum(), "one number: no weights"),
        ("one number", lambda z, x, v: v * z, "one number: a table"),
    ],
)
def test_the_hint_is_about_what_the_function_did(way, function, mistake):
    ways = {"backward": by_backward, "grad": by_grad, "one number": RESULTS[0], way: function}
    assert said_about("04-3", ways)[1] == HINTS["04-3"][mistake]


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda z, x, v: ((z * v).sum(),), "you return a tuple."),
        (by_backward, "you return v·J itself."),
        (lambda z, x, v: z @ v, "you return a tensor of shape [2, 2]."),
    ],
)
def test_what_is_no_number_is_told_as_what_it_is(function, said):
    ways = {"backward": by_backward, "grad": by_grad, "one number": function}
    assert said_about("04-3", ways)[1].startswith(f"one number: {said}")


def test_a_wrong_number_is_told_where_it_is_wrong():
    ways = {"backward": by_backward, "grad": by_grad, "one number": lambda z, x, v: (z * v).mean()}
    said = said_about("04-3", ways)[1]
    assert said == "one number: in one trial x[0] should get 12, and by yours it gets 3."
    x = mg.tensor([2.0, 1.0, 3.0, 0.5], requires_grad=True)
    z = (x * x + 2).view(2, 2)
    v = mg.tensor([[3.0, 0.5], [-1.0, 2.0]])
    assert mg.autograd.grad(z, x, v, retain_graph=True)[0][0] == 12
    assert mg.autograd.grad((z * v).mean(), x)[0][0] == 3


# --- 04-4 -------------------------------------------------------------------------------------


def test_the_shapes_that_need_no_v_are_those_of_one_entry():
    exercise = next(e for e in lessons.LESSONS["04"].exercises if e.name == "04-4")
    ticks = exercise.judge.__self__
    works = set()
    for letter, shape in ticks.options.items():
        y = mg.ones(eval(shape), requires_grad=True).exp()
        with contextlib.suppress(RuntimeError):
            y.backward()
            works.add(letter)
    assert works == ticks.right
