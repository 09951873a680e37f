"""Lesson 09: nobody who is right is refused, and what is said of wrong answers is true of them."""

import math
import random
import re

import pytest

import minigrad as mg
from minigrad import lessons
from minigrad.lessons import lesson_09
from minigrad.lessons.exercises import LOOK_AGAIN, NOT_YET
from tests.lessons.solutions_09 import SOLUTIONS

pytestmark = pytest.mark.filterwarnings("ignore:Using backward")

HINTS = {
    name: {mistake: m.hint for mistake, m in exercise.mistakes.items()}
    for exercise in lessons.LESSONS["09"].exercises
    for name in [exercise.name]
}


def said_about(name, answer):
    verdict = lessons.check(name, answer)
    return verdict, verdict.words[0]


# --- 09-1b ------------------------------------------------------------------------------------


def derivatives(z, x, y):
    """All first and second derivatives of z, by the engine."""
    one = mg.autograd.grad(z, (x, y), create_graph=True)
    both = {"x": one[0], "y": one[1], "z": z}
    for name, slope in zip("xy", one):
        found = mg.autograd.grad(slope, (x, y), retain_graph=True, materialize_grads=True)
        both |= {f"{name}x": found[0], f"{name}y": found[1]}
    return {name: value.item() for name, value in both.items()}


#: Pairs that somebody might return, as expressions in those names.
PIECES = ["z", "x", "y", "xx", "xy", "yx", "yy", "x + xx", "y + xy", "2 * xx", "0", "-xx"]


@pytest.mark.parametrize("one", PIECES)
@pytest.mark.parametrize("other", PIECES)
def test_every_pair_of_derivatives_gets_what_is_true_of_it(one, other):
    def second(z, x, y):
        known = derivatives(z, x, y)
        return eval(one, known), eval(other, known)

    verdict, said = said_about("09-1b", second)
    right = one == "xx" and other in ("xy", "yx")
    assert verdict.is_yes == right
    wanted = {
        ("x", "y"): "first derivatives",
        ("xx", "yy"): "twice by y",
        ("xy", "xx"): "the other order",
        ("yx", "xx"): "the other order",
        ("x + xx", "y + xy"): "added up",
    }
    if (one, other) in wanted:
        assert said == HINTS["09-1b"][wanted[one, other]]
    elif not right:
        assert said not in HINTS["09-1b"].values()
        found = re.match(r"At x = \S+ and y = \S+ your (first|second) number is", said)
        assert (found[1] == "second") == (one == "xx")


def test_the_counterexample_is_true():
    _verdict, said = said_about("09-1b", lambda z, x, y: (1.0, 2.0))
    x, y, mine, true = map(
        float,
        re.match(
            r"At x = (\S+) and y = (\S+) your first number is (\S+), and .* say (\S+)\.", said
        ).groups(),
    )
    assert mine == 1
    assert true == pytest.approx(6 * x * y * y, rel=0.01)


# --- 09-2 -------------------------------------------------------------------------------------


def walk(step, rounds):
    """A search that takes `step(value, one, two)` so many times."""

    def lowest(f, x):
        for _ in range(rounds):
            value = f(x)
            (one,) = mg.autograd.grad(value, x, create_graph=True)
            (two,) = mg.autograd.grad(one, x)
            x = (x - step(value.detach(), one.detach(), two)).detach().requires_grad_()
        return x

    return lowest


STEPS = {
    "": lambda value, one, two: one / two,
    "turned over": lambda value, one, two: two / one,
    "multiplied": lambda value, one, two: one * two,
    "uphill": lambda value, one, two: -one / two,
    "where f is 0": lambda value, one, two: value / one,
    "added up": lambda value, one, two: one / (one + two),
    "half": lambda value, one, two: 0.5 * one / two,
    "descent": lambda value, one, two: 0.01 * one,
    "nothing": lambda value, one, two: 0 * one,
}


@pytest.mark.parametrize("rounds", [1, 2, 4, 5, 6])
@pytest.mark.parametrize("name", STEPS)
def test_every_kind_of_step_is_told_what_it_does(name, rounds):
    verdict, said = said_about("09-2", walk(STEPS[name], rounds))
    assert verdict.is_yes == (not name and rounds >= 5)
    if not name and rounds < 5:
        name = "too few"
    if name == "descent" and rounds > 1:
        name = "a guessed step"
    if name in HINTS["09-2"] and not verdict.is_yes:
        assert said == HINTS["09-2"][name]
    elif rounds == 1:
        start, end = re.match(r"You ask f at x = (\S+) alone, and return (\S+)\. ", said).groups()
        assert start == "3"
    elif not verdict.is_yes:
        start, end, calls = re.match(
            r"From x = (\S+) you return (\S+), with (\d+) calls of f", said
        ).groups()
        assert int(calls) == rounds
        shown = float(end)
        curves = [f for f, place in lesson_09._QUARTICS if place == float(start)]
        assert any(f(shown) > f(lesson_09.lowest_of(f)) for f in curves)


def test_a_slope_that_was_asked_for_once_is_told_to_be_asked_for_again():
    def lowest(f, x):
        (one,) = mg.autograd.grad(f(x), x, create_graph=True)
        (two,) = mg.autograd.grad(one, x)
        for _ in range(6):
            x = x - one / two
        return x

    assert said_about("09-2", lowest)[1].startswith("You ask f at x = 3 alone, and return")


def test_who_arrives_with_too_many_calls_is_told_so():
    assert said_about("09-2", walk(STEPS[""], 7))[1] == HINTS["09-2"]["too many"]
    assert said_about("09-2", walk(STEPS[""], 6))[0].is_yes


@pytest.mark.parametrize("rounds", [2, 3, 5, 6])
def test_a_gradient_divided_by_its_own_tray_is_told_so(rounds):
    def lowest(f, x):
        for _ in range(rounds):
            f(x).backward(create_graph=True)
            one = x.grad
            one.backward()
            x = (x - one / x.grad).detach().requires_grad_()
        return x

    assert said_about("09-2", lowest)[1] == HINTS["09-2"]["one tray"]


@pytest.mark.parametrize("rounds", [5, 6])
def test_who_returns_how_low_f_gets_is_told_what_was_asked(rounds):
    search = walk(STEPS[""], rounds)
    assert said_about("09-2", lambda f, x: f(search(f, x)))[1] == HINTS["09-2"]["the height"]


@pytest.mark.parametrize("tried", [[3.0, 1.0, 2.0], [1.0, 3.0], [3.0, 1e200, 2.0], [3.0, 3.0]])
def test_a_search_by_trying_places_gets_the_general_reply(tried):
    def tries(f, x):
        for place in tried:
            f(mg.tensor(place, dtype=mg.float64))
        return 4.0

    assert said_about("09-2", tries)[1].startswith("From x = 3 you return 4, with")


def test_a_search_without_an_end_is_stopped_and_f_goes_by_its_name():
    def for_ever(f, x):
        while True:
            f(x)

    _verdict, said = said_about("09-2", for_ever)
    assert said.startswith("Your function stopped: RuntimeError: f was called more than 1000 times")
    assert "Called with f, tensor(3." in said


def test_a_minimum_that_was_typed_passes_for_one_curve_only():
    assert not said_about("09-2", lambda f, x: 1.0)[0].is_yes
    assert not said_about("09-2", lambda f, x: mg.tensor(float("nan")))[0].is_yes


# --- 09-3 -------------------------------------------------------------------------------------


def gradient(f, x):
    return mg.autograd.grad(f(x), x, create_graph=True)[0]


PRODUCTS = {
    "by weights": lambda f, x, v: mg.autograd.grad((gradient(f, x) * v).sum(), x)[0],
    "handed over": lambda f, x, v: mg.autograd.grad(gradient(f, x), x, v),
    "ones": lambda f, x, v: mg.autograd.grad(gradient(f, x), x, mg.ones_like(v)),
    "v at the end": lambda f, x, v: mg.autograd.grad(gradient(f, x).sum(), x)[0] * v,
    "the gradient": lambda f, x, v: gradient(f, x).detach(),
    "entry by entry": lambda f, x, v: gradient(f, x) * v,
    "only two entries": lambda f, x, v: mg.autograd.grad(
        sum(v[i] * gradient(f, x)[i] for i in range(2)), x
    ),
    "the number": lambda f, x, v: (gradient(f, x) * v).sum().item(),
    "row by row": lambda f, x, v: (
        mg.stack([mg.autograd.grad(gradient(f, x)[i], x)[0] for i in range(3)]) @ v
    ),
    "the whole matrix": lambda f, x, v: (
        mg.stack([mg.autograd.grad(g, x, retain_graph=True)[0] for g in gradient(f, x)]) @ v
    ),
    "by a nudge": lambda f, x, v: (gradient(f, x + 0.001 * v) - gradient(f, x - 0.002 * v)) / 0.003,
    "twice": lambda f, x, v: 2 * mg.autograd.grad(gradient(f, x), x, v)[0],
    "turned": lambda f, x, v: mg.autograd.grad(gradient(f, x), x, v)[0].flip(0),
    "v": lambda f, x, v: v,
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_every_product_is_told_what_it_is(name):
    verdict, said = said_about("09-3", PRODUCTS[name])
    assert verdict.is_yes == (name in ("by weights", "handed over"))
    if name in HINTS["09-3"]:
        assert said == HINTS["09-3"][name]
    elif not verdict.is_yes:
        found = re.match(r"In one trial entry (\d) of H·v is (\S+), and yours is (\S+)\.", said)
        assert not math.isclose(float(found[2]), float(found[3]))


WHOLE = {
    "hessian": lambda f, x, v: mg.func.hessian(f)(x.detach()) @ v,
    "of the leaf": lambda f, x, v: mg.func.hessian(f)(x) @ v,
    "functional": lambda f, x, v: mg.autograd.functional.hessian(f, x) @ v,
    "jacrev": lambda f, x, v: mg.func.jacrev(mg.func.grad(f))(x) @ v,
    "jacfwd": lambda f, x, v: mg.func.jacfwd(mg.func.grad(f))(x) @ v,
}
PRODUCT = {
    "hvp": lambda f, x, v: mg.autograd.functional.hvp(f, x, v)[1],
    "jvp": lambda f, x, v: mg.func.jvp(mg.func.grad(f), (x,), (v,))[1],
    "vjp": lambda f, x, v: mg.func.vjp(mg.func.grad(f), x)[1](v)[0],
}


@pytest.mark.parametrize("name", [*WHOLE, *PRODUCT])
def test_a_call_that_forms_all_of_h_is_told_so_and_one_that_does_not_is_right(name):
    verdict, said = said_about("09-3", (WHOLE | PRODUCT)[name])
    assert verdict.is_yes == (name in PRODUCT)
    assert verdict.is_yes or said == HINTS["09-3"]["the whole matrix"]


# --- 09-4 -------------------------------------------------------------------------------------

RIGHT = SOLUTIONS["09-4"][0](mg)


def summed(z, x):
    """Adds by hand what two passes would have added."""
    (one,) = mg.autograd.grad(z, x, create_graph=True)
    one.backward()
    return one + x.grad


def by_name(z, x):
    (one,) = mg.autograd.grad(z, x, create_graph=True)
    return mg.autograd.grad(one, x)[0].item()


def taken_off(z, x):
    """The right number, and still both in the tray."""
    z.backward(create_graph=True)
    first = x.grad.item()
    x.grad.backward()
    return x.grad.item() - first


def never(z, x):
    x.grad.backward()


FUNCTIONS = [RIGHT["backward"], by_name, summed, taken_off, never, lambda z, x: 3.0]


@pytest.mark.parametrize("one", FUNCTIONS)
@pytest.mark.parametrize("other", FUNCTIONS)
def test_the_first_wrong_function_is_the_one_that_is_named(one, other):
    verdict, said = said_about("09-4", {"backward": one, "grad": other})
    right = (one is RIGHT["backward"], other is by_name)
    assert verdict.is_yes == all(right)
    if not verdict.is_yes:
        assert said.startswith("backward: " if not right[0] else "grad: "), said


@pytest.mark.parametrize(
    ("way", "function", "said"),
    [
        ("backward", by_name, "no tray"),
        ("backward", never, "nothing left"),
        ("backward", summed, "added up"),
        ("grad", RIGHT["backward"], "tray filled"),
    ],
)
def test_the_hint_is_about_what_the_function_did(way, function, said):
    answer = {"backward": RIGHT["backward"], "grad": by_name, way: function}
    assert said_about("09-4", answer)[1] == HINTS["09-4"][f"{way}: {said}"]


def test_a_number_that_was_taken_off_the_sum_is_told_what_the_tray_holds():
    _verdict, said = said_about("09-4", {"backward": taken_off, "grad": by_name})
    assert said.startswith("backward: the number is right, and `x.grad` still holds")


# --- 09-5 -------------------------------------------------------------------------------------


def leaves():
    return mg.tensor(2.0, requires_grad=True), mg.tensor(3.0, requires_grad=True)


def test_the_sentences_that_hold_are_those_that_are_right():
    x, y = leaves()
    (kept,) = mg.autograd.grad(x * x * y, x, retain_graph=True)
    z = x * x * y
    (known,) = mg.autograd.grad(z, x, create_graph=True)
    again = mg.autograd.grad(z, x)[0]
    (x * x * y).backward(create_graph=True)
    truth = {
        "A": kept.requires_grad,
        "B": known.grad_fn is not None,
        "C": again.item() == 12,
        "D": known.item() != kept.item(),
        "E": x.grad.grad_fn is not None,
    }
    ticks = next(e for e in lessons.LESSONS["09"].exercises if e.name == "09-5").judge.__self__
    assert {letter for letter, holds in truth.items() if holds} == ticks.right


# --- everything -------------------------------------------------------------------------------


def test_an_error_of_ones_own_is_shown_and_is_no_blank():
    for name, answer in (
        ("09-1b", lambda z, x, y: 1 / 0),
        ("09-2", lambda f, x: 1 / 0),
        ("09-3", lambda f, x, v: 1 / 0),
        ("09-4", {"backward": lambda z, x: 1 / 0, "grad": lambda z, x: 1 / 0}),
    ):
        verdict, said = said_about(name, answer)
        assert verdict.heading == LOOK_AGAIN
        assert "ZeroDivisionError" in said


def test_nothing_that_is_handed_in_raises():
    draw = random.Random(9)
    odd = [lambda *a: a, lambda *a: a[0], lambda *a: "x", lambda *a: [1, 2], lambda *a: None, 7]
    for _count in range(120):
        name = draw.choice(["09-1b", "09-2", "09-3", "09-4"])
        answer = draw.choice(odd)
        if name == "09-4":
            answer = {"backward": draw.choice(odd), "grad": answer}
        assert lessons.check(name, answer).heading in (LOOK_AGAIN, NOT_YET)


def test_a_tray_that_is_replaced_by_a_plain_zero_is_right():
    def backward(z, x):
        z.backward(create_graph=True)
        slope = x.grad
        x.grad = mg.tensor(0.0)
        slope.backward()
        return x.grad

    def grad(z, x):
        (slope,) = mg.autograd.grad(z, x, create_graph=True)
        return mg.autograd.grad(slope, x)[0]

    assert lessons.check("09-4", {"backward": backward, "grad": grad}).is_yes


def test_the_last_step_of_09_4_helps_with_either_function():
    step = next(e for e in lessons.LESSONS["09"].exercises if e.name == "09-4").steps[-1]
    assert "backward: " in step
    assert "grad: " in step


def test_no_step_of_09_1b_asks_for_an_argument_that_is_there():
    def second(z, x, y):
        (slope,) = mg.autograd.grad(z, x, create_graph=True)
        return mg.autograd.grad(slope, x)[0], mg.autograd.grad(slope, y)[0]

    lessons.check("09-1b", second)
    _hint, step = lessons.check("09-1b", second).words
    assert "argument" not in step
    assert "a single call can ask about x and y" in step
