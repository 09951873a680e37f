"""Lesson 10: nobody who is right is refused, and what is said of wrong answers is true of them."""

import random
import re

import numpy as np
import pytest

import minigrad as mg
from minigrad import lessons
from minigrad.lessons import lesson_10
from minigrad.lessons.exercises import LOOK_AGAIN
from tests.notebooks.reading import FOLDER, read

HINTS = {
    exercise.name: {name: m.hint for name, m in exercise.mistakes.items()}
    for exercise in lessons.LESSONS["10"].exercises
}
TRUTH = {"3.9": 9, "-1": 11, "500": 1}


def first_words(name, answer):
    verdict = lessons.check(name, answer)
    return verdict, verdict.words[0]


def test_the_program_of_the_page_is_the_one_that_is_judged():
    from minigrad.widgets.tape.programs import PROGRAMS

    cells = {cell.id: cell.source for cell in read(next(FOLDER.glob("10_*.ipynb"))).cells}
    assert cells["open-question"].startswith(PROGRAMS["f"].code)
    lines = PROGRAMS["f"].code.rstrip()
    exercise = next(e for e in lessons.LESSONS["10"].exercises if e.name == "10-1")
    assert lines in exercise.judge.__self__.snippet


# --- 10-1 -------------------------------------------------------------------------------------


def test_counts_that_are_wrong_hear_of_the_first_wrong_one():
    draw = random.Random(10)
    for _ in range(300):
        said = {name: right + draw.choice([0, 0, -2, -1, 1, 3]) for name, right in TRUTH.items()}
        verdict, words = first_words("10-1", said)
        wrong = [name for name in TRUTH if said[name] != TRUTH[name]]
        assert verdict.is_yes == (not wrong)
        if wrong:
            named = re.match(r"(3\.9|-1|500): ", words) or re.search(r"look at `(.+)`", words)
            assert named[1] == wrong[0], (said, words)
            if words.endswith(f"look at `{wrong[0]}`."):
                assert words.startswith(f"{3 - len(wrong)} of 3 are right")


@pytest.mark.parametrize("at_minus_1", [9, 10, 11])
def test_who_never_counts_the_line_before_the_loop_hears_of_it(at_minus_1):
    words = first_words("10-1", {"3.9": 8, "-1": at_minus_1, "500": 0})[1]
    assert words == HINTS["10-1"]["the line before the loop, each time"]
    assert "998.4" not in words
    words = first_words("10-1", {"3.9": 8, "-1": 11, "500": 1})[1]
    assert words == HINTS["10-1"]["stopped early"]
    assert "998.4" in words
    assert round(3.9 * 2**8, 4) == 998.4


# --- 10-2 -------------------------------------------------------------------------------------


def within(absolute, relative):
    return lambda grad, d, a: bool(abs(grad - d / a) <= absolute + relative * abs(d / a))


@pytest.mark.parametrize("relative", [1e-6, 1e-5, 1e-4, 1e-3])
def test_every_relative_tolerance_that_separates_them_is_right(relative):
    assert lessons.check("10-2", within(0.0, relative)).is_yes


@pytest.mark.parametrize(
    ("absolute", "relative", "mistake"),
    [
        (0.0, 0.0, "no rounding"),
        (1e-9, 0.0, "no rounding"),
        (1e-4, 0.0, "one tolerance"),
        (0.1, 0.0, "one tolerance"),
        (1e9, 0.0, "always"),
        (0.0, 0.011, "too wide"),
        (0.0, 0.02, "too wide"),
    ],
)
def test_tolerances_that_are_wrong_hear_what_is_wrong_with_them(absolute, relative, mistake):
    assert first_words("10-2", within(absolute, relative))[1] == HINTS["10-2"][mistake]


@pytest.mark.parametrize(
    "exact",
    [
        lambda grad, d, a: grad * a == d,
        lambda grad, d, a: d == a * grad,
        lambda grad, d, a: a == d / grad,
        lambda grad, d, a: grad * a - d == 0,
        lambda grad, d, a: bool(abs(grad * a - d) <= 1e-8 * abs(d)),
    ],
)
def test_what_is_equal_in_every_run_is_still_an_exact_comparison(exact):
    assert first_words("10-2", exact)[1] == HINTS["10-2"]["no rounding"]


def test_a_check_that_refuses_another_rounding_hears_of_that_run():
    def odd(grad, d, a):
        return bool(a != lesson_10._ROUNDED[1]) and mg.allclose(grad, d / a)

    fact = "With grad = 409600, d = -135168 and a = -0.33 yours says False."
    assert first_words("10-2", odd)[1].startswith(fact)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda grad, d, a: False, "With grad = 4, d = 1200 and a = 300 yours says False."),
        (lambda grad, d, a: grad == d * a, "With grad = 4, d = 1200 and a = 300 yours says False."),
        (lambda grad, d, a: bool(abs(grad * a) == abs(d)), "With grad = -4, d = 1200"),
        (within(100.0, 0.0), "With grad = 8, d = 1200 and a = 300 yours says True."),
        (lambda grad, d, a: grad - d / a, "True or False is wanted here"),
        (lambda grad, d, a: d.grd, "Your function stopped: AttributeError"),
    ],
)
def test_other_checks_hear_a_fact(answer, said):
    verdict, words = first_words("10-2", answer)
    assert verdict.heading == LOOK_AGAIN
    assert words.startswith(said)


def test_the_starts_of_10_2_round_as_they_say():
    for starts, exact in ((lesson_10._EXACT, True), (lesson_10._ROUNDED, False)):
        for start in lesson_10._cases(starts):
            grad, d, a = lesson_10._run(start)
            assert bool(grad == d / a) == exact
            assert grad * a == d
    grad, d, a = lesson_10._run(lesson_10._BESIDE, ulps=1)
    assert ((grad * a).item(), d.item()) == (-144515.875, -144515.859375)
    assert float(np.nextafter(np.float32(-144515.875), np.float32(0))) == d.item()


# --- 10-3 -------------------------------------------------------------------------------------


def doubling(before=lambda a: None, limit=None, after=lambda b: b):
    def doubled(a):
        before(a)
        b, rounds = a * 2, 0
        while b.norm() < 1000:
            b, rounds = b * 2, rounds + 1
            if limit is not None and rounds > limit:
                raise ValueError("too many")
        return after(b)

    return doubled


def raising(condition, error=ValueError):
    def before(a):
        if condition(a):
            raise error("refused")

    return before


@pytest.mark.parametrize(
    ("answer", "mistake"),
    [
        (doubling(), "never ends"),
        (doubling(limit=50), "refuses small ones"),
        (doubling(raising(lambda a: abs(a) < 1e-9)), "refuses small ones"),
        (doubling(raising(lambda a: a <= 0)), "refuses below zero"),
        (doubling(raising(lambda a: a.norm() == 0)), "refuses the smallest"),
        (doubling(raising(lambda a: a == 0), after=lambda b: b.detach()), "cut off"),
    ],
)
def test_loops_hear_what_their_guard_does(answer, mistake):
    assert first_words("10-3", answer)[1] == HINTS["10-3"][mistake]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (doubling(raising(lambda a: a == 0, RuntimeError)), "For 0 yours stops with RuntimeError"),
        (doubling(raising(lambda a: a == 0), after=lambda b: b * 2), "For a = 300 yours returns"),
        (doubling(raising(lambda a: a == 0), after=lambda b: None), "Your function ran, and"),
        (doubling(raising(lambda a: a > 5)), "For a = 300 yours raises a ValueError."),
        (
            doubling(raising(lambda a: a == 0), after=lambda b: b.detach() + 0 * b),
            "For a = 300 the gradient of the loop as it stands is 4, and yours is 0.",
        ),
        (doubling(raising(lambda a: a.is_zero())), "Your function stopped: AttributeError"),
    ],
)
def test_other_loops_hear_a_fact(answer, said):
    verdict, words = first_words("10-3", answer)
    assert verdict.heading == LOOK_AGAIN
    assert words.startswith(said)


def test_what_is_said_of_the_smallest_number_is_so():
    a = mg.tensor(1e-30)
    b, doublings = a * 2, 1
    assert a != 0
    assert a.norm() == 0
    while b.norm() < 1000:
        b, doublings = b * 2, doublings + 1
    assert f"in {doublings} doublings" in HINTS["10-3"]["refuses the smallest"]


def test_so_many_of_the_500_starts_are_negative():
    starts = []
    for seed in range(500):
        mg.manual_seed(seed)
        starts.append(mg.randn(()).item())
    says = [option.says for option in lessons.predict("10-3").question.options]
    assert str(sum(start < 0 for start in starts)) == says[2]


def test_a_loop_on_one_line_is_stopped_as_well():
    def doubled(a):
        b = a * 2
        while b.norm() < 1000: b = b * 2  # fmt: skip  # noqa: E701
        return b

    assert first_words("10-3", doubled)[1] == HINTS["10-3"]["never ends"]


def test_many_rounds_are_no_loop_without_an_end():
    assert lessons.check("10-3", doubling(limit=3000)).is_yes


# --- 10-4 -------------------------------------------------------------------------------------

GUARDS = {
    "shape": lambda tape, x, values: x.shape != tape.shape,
    "length": lambda tape, x, values: x.ndim and len(x) != tape.shape[0],
    "numel": lambda tape, x, values: x.numel() != mg.ones(tape.shape).numel(),
    "True": lambda tape, x, values: any(
        step.answer and not values[step.result] for step in tape.steps
    ),
    "False": lambda tape, x, values: any(
        step.answer is False and bool(values[step.result]) for step in tape.steps
    ),
    "never": lambda tape, x, values: False,
    "always": lambda tape, x, values: True,
}


def guarded_by(*names):
    def careful(tape, x):
        values = tape.values(x)
        if any(GUARDS[name](tape, x, values) for name in names if name != "nothing"):
            raise ValueError
        lost = "nothing" in names and tape.refused(x)
        return None if lost else values[tape.result]

    return careful


@pytest.mark.parametrize(
    ("names", "mistake"),
    [
        (("never",), "no guard for shapes"),
        (("True", "False"), "no guard for shapes"),
        (("length", "True", "False"), "length alone"),
        (("numel", "True", "False"), "length alone"),
        (("shape",), "no guard for answers"),
        (("shape", "True"), "answers that were True"),
        (("shape", "always"), "refuses all"),
    ],
)
def test_replays_hear_what_they_let_through(names, mistake):
    assert first_words("10-4", guarded_by(*names))[1] == HINTS["10-4"][mistake]


def comparing(differ):
    def careful(tape, x):
        values = tape.values(x)
        for step in tape.steps:
            if differ(values[step.result], step.answer):
                raise ValueError
        return values[tape.result]

    return careful


@pytest.mark.parametrize(
    ("differ", "mistake"),
    [
        (lambda now, then: then is not None and now is not then, "refuses the same answers"),
        (
            lambda now, then: type(then) is bool and type(now) is not bool,
            "refuses the same answers",
        ),
        (lambda now, then: now is not then, "refuses all"),
        (lambda now, then: bool(now) != then, "refuses all"),
        (lambda now, then: then is not None and bool(now) is not then, "no guard for shapes"),
    ],
)
def test_comparisons_hear_of_none_only_where_none_is_in_their_way(differ, mistake):
    assert first_words("10-4", comparing(differ))[1] == HINTS["10-4"][mistake]


@pytest.mark.parametrize("error", [RuntimeError, AssertionError, NameError])
@pytest.mark.parametrize("shapes", [False, True])
def test_another_error_hears_that_a_value_error_is_asked_for(error, shapes):
    def careful(tape, x):
        if shapes and x.shape != tape.shape:
            raise ValueError
        if x.shape != tape.shape or tape.refused(x):
            raise error("it does not fit")
        return tape.replay(x)

    with_what = "200, with a tape of f(300)" if shapes else "[1, 2, 6, 7], with a tape of a mean"
    words = first_words("10-4", careful)[1]
    assert words.startswith(f"With {with_what}")
    assert words.endswith(f"yours stops with {error.__name__}; a ValueError is asked for.")


@pytest.mark.parametrize("error", [ValueError, ValueError("it does not fit"), RuntimeError])
def test_an_error_that_is_returned_hears_of_raise(error):
    def careful(tape, x):
        return error if x.shape != tape.shape or tape.refused(x) else tape.replay(x)

    told = "yours returns the error, and nothing stops. Use `raise` for it instead."
    for answer, says in (
        (careful, "[1, 2, 6, 7], with a tape of a mean over three,"),
        (lambda tape, x: error, "300"),
    ):
        verdict, words = first_words("10-4", answer)
        assert verdict.heading == LOOK_AGAIN
        assert words == f"With {says} {told}"


def test_all_guards_together_are_right():
    assert lessons.check("10-4", guarded_by("shape", "True", "False")).is_yes
    half = first_words("10-4", guarded_by("shape", "False"))[1]
    assert (
        half
        == "Yours lets 600, with a tape of f(300), through, and an answer is another one there."
    )


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda tape, x: tape.replay(x).detach(), "What you return has no graph"),
        (lambda tape, x: tape.replay(x) * 2, "With 300 the tape fits. Yours returns 2400"),
        (guarded_by("shape", "nothing"), "With 200, with a tape of f(300), yours returns nothing."),
        (lambda tape, x: tape.values(x), "Return the last value of the replay"),
        (lambda tape, x: tape.rewind(x), "Your function stopped: AttributeError"),
        (lambda tape: tape, "Your function stopped: TypeError"),
    ],
)
def test_other_replays_hear_a_fact(answer, said):
    verdict, words = first_words("10-4", answer)
    assert verdict.heading == LOOK_AGAIN
    assert words.startswith(said)
