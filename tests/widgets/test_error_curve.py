"""The error curve without a browser: its numbers, the verdicts, and what is said of them."""

import math
import re
from dataclasses import replace

import pytest

import minigrad as mg
from minigrad.lessons import error_curve
from minigrad.widgets.error_curve import board
from minigrad.widgets.error_curve.cases import CASES, case_of
from minigrad.widgets.error_curve.drawn import PAPER, chart
from minigrad.widgets.error_curve.measured import DTYPES, EPS, POWERS, Measured
from minigrad.widgets.error_curve.words import told
from minigrad.widgets.playground.words import signed

STORED = list(board.stored_states())
TYPED = ("exp(x)", "5 * x", "sin(x) * x", "x ** 5", "1 / x", "log(x)", "tanh(x) + x", "sqrt(x)")


def errors(found):
    return {point.eps: point.error for point in found.points["float64"]}


def test_the_golden_errors_of_exp():
    found = errors(Measured(case_of("=exp(x)", 2.0)))
    golden = {1e-1: 1.2e-2, 1e-3: 1.2e-6, 1e-5: 1.9e-10, 1e-9: 3.8e-7, 1e-12: 5.9e-4}
    for eps, error in golden.items():
        assert found[eps] == pytest.approx(error, rel=0.5 if eps < 1e-4 else 0.05)


def test_the_error_of_the_cube_is_eps_squared_until_rounding_wins():
    found = Measured(CASES["cube"])
    for point in found.points["float64"][:4]:
        assert point.error == pytest.approx(point.eps**2, rel=1e-2)
    assert found.best.eps == 1e-5
    assert [point.error for point in found.points["float64"]][-1] > 1e-3
    assert min(found.points["float32"], key=lambda point: point.error).eps == 1e-2


@pytest.mark.parametrize(
    ("name", "slope", "best"),
    [("forgets", 1.0, 4.0), ("nearly", 12.56, 0.0059), ("kink", 0.0, 0.5)],
)
def test_no_eps_helps_where_backward_is_wrong_or_no_slope_is_there(name, slope, best):
    found = Measured(CASES[name])
    assert found.slope["float64"] == slope
    assert not found.meets
    assert found.best.error == pytest.approx(best, rel=0.01)


def test_the_verdicts():
    def verdicts(name, dtype="float64"):
        return [point.passes for point in Measured(CASES[name]).points[dtype]]

    assert all(verdicts("cube"))
    assert all(verdicts("nearly"))
    assert not any(verdicts("forgets"))
    assert not any(verdicts("kink"))
    assert verdicts("beside") == [False] * 2 + [True] * 10
    assert verdicts("cube", "float32") == [True] * 4 + [False] * 8


@pytest.mark.parametrize("name", [*CASES, *(f"={text}" for text in TYPED)])
def test_a_verdict_is_what_the_allowance_says(name):
    """gradcheck's own answer and the line in the chart are one."""
    found = Measured(case_of(name))
    for dtype in DTYPES:
        for point in found.points[dtype]:
            gap = point.error - point.allowed
            if abs(gap) > 0.05 * point.allowed:
                assert point.passes == (gap < 0), (dtype, point)


@pytest.mark.parametrize("state", STORED, ids=str)
def test_what_a_stored_screen_says_is_true_of_its_numbers(state):
    screen = board.show(state)
    asked = state.get("ask") and "guess" not in state
    found = Measured(CASES[state["f"]])
    if asked:
        text = "\n".join(part.text for part in screen.parts)
        assert "passes" not in text
        assert "polyline points" not in screen.parts[0].html.partition("<text")[0]
        return
    assert_true(found, state["e"], screen.sentence)
    row = screen.parts[1].text.splitlines()[POWERS.index(state["e"]) + 1]
    assert row.split()[3] == ("passes" if point_of(found, state["e"]).passes else "fails")


def point_of(found, power, dtype="float64"):
    return found.points[dtype][POWERS.index(power)]


def assert_true(found, power, said):
    """Each statement that a sentence makes is looked up."""
    double, single = (point_of(found, power, dtype) for dtype in DTYPES)
    counted = [point for point in found.points["float64"] if not math.isnan(point.error)]
    others = [point.error for point in counted if point.eps != double.eps]
    smaller = [point.error for point in counted if point.eps < double.eps]
    claims = {
        "gradcheck in float64 passes": double.passes,
        "gradcheck in float64 fails": not double.passes,
        "apart, and it passes": single.passes,
        "apart, and it fails": not single.passes,
        "They agree in every digit": double.error == 0,
        "No other eps in the list brings float64 closer": double.error <= min(others),
        "A smaller eps comes closer": min(smaller, default=math.inf) < double.error,
        "Rounding spoils it": min(others) < double.error,
        "That is all that float64 can tell": double.error
        <= 1e-12 * max(1.0, abs(found.slope["float64"])),
        "It passes because gradcheck allows a thousandth": double.passes,
    }
    for words, true in claims.items():
        assert true or words not in said, (words, said)
    if closer := re.search(r"brings float64 closer than (\S+):", said):
        assert min([*others, double.error]) >= 0.95 * float(closer[1].replace("−", "-"))
    if kink := re.search(r"slope of (\S+) from below and (\S+) from above", said):
        value = found.value
        low, here, high = (value("float64", found.case.at + d).item() for d in (-1e-4, 0, 1e-4))
        sides = [(here - low) / 1e-4, (high - here) / 1e-4]
        assert sides == pytest.approx([float(n.replace("−", "-")) for n in kink.groups()], abs=1e-2)
    if over := re.search(r"reaches over the kink at (\S+)\.", said):
        place = float(over[1].replace("−", "-"))
        assert abs(place - found.case.at) <= double.eps
        here = [Measured(replace(found.case, at=place + d)).slope["float64"] for d in (-1e-6, 1e-6)]
        assert abs(here[1] - here[0]) > 1e-2
    if both := re.search(r"nudging says (\S+) and backward says (\S+)\.( |$)", said):
        nudged, slope = (float(n.replace("−", "-")) for n in both.groups()[:2])
        assert abs(nudged - slope) == pytest.approx(
            double.error, rel=0.06, abs=2e-9 * abs(slope), nan_ok=True
        )
    for gap in re.findall(r"They are (\S+) apart", said):
        assert double.error == pytest.approx(float(gap.replace("−", "-")), rel=0.06)


@pytest.mark.parametrize(
    ("text", "x", "place"),
    [("relu(x)", 0.003, "0"), ("abs(x - 1) * x", 0.97, "1"), ("relu(2 * x + 3)", -1.499, "−1.5")],
)
def test_a_nudge_over_a_kink_is_not_said_to_bend(text, x, place):
    found = Measured(case_of(f"={text}", x))
    assert f"this one reaches over the kink at {place}." in told(found, 1)
    assert "kink" not in told(found, 4)
    assert "bends" not in told(found, 1)


@pytest.mark.parametrize(
    "text", ["sin(30 * x)", "sin(1000 * x)", "exp(x) / x", "1 / abs(x)", "x ** 5", "log(x)"]
)
def test_a_bend_is_not_called_a_kink(text):
    for x in (2.0, 0.5, 31.0, 0.03):
        found = Measured(case_of(f"={text}", x))
        assert not any("kink" in told(found, power) for power in POWERS)


@pytest.mark.parametrize("text", TYPED)
def test_what_is_said_of_typed_functions_is_true(text):
    for x in (2.0, 0.5, 31.0):
        found = Measured(case_of(f"={text}", x))
        for power in POWERS:
            assert_true(found, power, told(found, power))


def test_nudges_that_leave_the_function_are_not_the_closest():
    found = Measured(case_of("=log(x)", 1e-7))
    assert found.meets
    for power in POWERS:
        assert_true(found, power, told(found, power))
    nowhere = Measured(case_of("=log(x)", 1e-13))
    assert told(nowhere, 1).endswith("gradcheck in float64 fails.")


def test_a_false_statement_is_noticed():
    found = Measured(CASES["cube"])
    with pytest.raises(AssertionError):
        assert_true(found, 1, "No other eps in the list brings float64 closer.")
    with pytest.raises(AssertionError):
        assert_true(found, 1, "They are 0.02 apart.")
    with pytest.raises(AssertionError):
        assert_true(found, 6, "gradcheck in float64 fails.")


def test_a_guess_comes_first():
    w = error_curve().press("ask me")
    assert w.screen.sentence.startswith("Backward says 12. At which eps does nudging come closest")
    assert "12.0" not in w.text()
    w.state = {**w.state, "guess": 5, "e": 5}
    assert w.screen.sentence.startswith("You said 1e-5. Right. With eps = 1e-5, ")
    w = error_curve("forgets").press("ask me")
    w.state = {**w.state, "guess": 3, "e": 3}
    assert w.screen.sentence.startswith("You said 0.001. Here no eps brings them together. ")


def test_a_function_of_ones_own():
    w = error_curve().enter(f="exp(x)", x="2")
    assert w.screen.title == "Nudging against backward: `exp(x)`"
    assert "nudging says 7.401377351 and backward says 7.389056099." in w.screen.sentence
    w.enter(f="exp(x)", x="0")
    assert "backward says 1." in w.screen.sentence
    assert (
        error_curve("kink").enter(f="", x="2").screen.title == "Nudging against backward: `relu(x)`"
    )
    assert error_curve("log(x)", x=0.05).screen.sentence.count("has no value") == 1


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"f": "y * x", "x": "2"}, "There is only x here, not `y`."),
        ({"f": "3 * 4", "x": "2"}, "x does not occur in it"),
        ({"f": "x +", "x": "2"}, "Expected a number or a name after `+`."),
        ({"f": "x * [1, 2]", "x": "2"}, "The result has to be one number."),
        ({"f": "x", "x": "1, 2"}, "x is one number here."),
        ({"f": "x", "x": "two"}, "number"),
        ({"f": "__import__('os')", "x": "2"}, "There is no function `__import__`."),
    ],
)
def test_what_cannot_be_tried_is_refused_with_a_sentence(typed, said):
    w = error_curve()
    with pytest.raises(ValueError, match=re.escape(said)):
        w.enter(**typed)
    assert w.state == error_curve().state


@pytest.mark.parametrize(
    ("text", "x"), [("log(x)", -1.0), ("1 / x", 0.0), ("sqrt(x)", 0.0), ("exp(x)", 1000.0)]
)
def test_where_there_is_no_number_it_says_so(text, x):
    w = error_curve(text, x=x)
    assert w.screen.sentence == "At this x the function has no slope that is a number."
    assert w.html()


def test_the_chart_names_its_axes_and_draws_every_point():
    svg = chart(Measured(CASES["cube"]), 3, PAPER, "alt")
    assert svg.count("<circle") == len(EPS) + 1
    assert svg.count("<rect") == 1 + len(EPS) + 1
    assert ">10⁻¹⁰<" in svg
    assert "gradcheck passes up to here" in svg


def test_a_power_of_ten_is_spelled_one_way():
    """In the column of eps as in the others: 1e-6."""
    shown = str(board.show({"f": "cube", "x": None, "e": 6}))
    assert "1e-6" in shown
    assert not re.search(r"\de(?:−|[-+]?0)\d*", shown)
    assert [signed(n) for n in (-1e-6, 2.1e-10, -0.25, 1e9)] == ["−1e-6", "2.1e-10", "−0.25", "1e9"]


def test_all_is_there_without_a_kernel():
    html = error_curve().html()
    assert "backward has no 5" in html
    assert "<details>" in html
    assert mg.is_grad_enabled()
