"""The playground, headless: its numbers, its sentences, what can be typed, what is stored."""

import math
import re

import pytest

import minigrad as mg
from minigrad.widgets.playground import PRESETS, entered, playground
from minigrad.widgets.playground.errors import chart, spelled, ten, told
from minigrad.widgets.playground.measured import NUDGES, Measured, _graph


def said(text, nudge=0.1, **values):
    return playground(text, nudge, **values).screen.sentence.replace("`", "")


def test_the_numbers_of_the_note():
    found = Measured("(2*x + 3)**2", {"x": 1.0}, "x", 1.0)
    assert (found.value, found.row.slope, found.row.nudged, found.row.difference) == (25, 20, 24, 4)
    chords = [round(found.nudged(found.by, nudge), 9) for nudge in (0.5, 0.1, 0.01)]
    assert chords == [22.0, 20.4, 20.04]
    both = Measured("(2*x + 3)**2", {"x": 1.0}, "x", 0.5, both=True)
    assert both.row.nudged == 20.0


@pytest.mark.parametrize("seed", range(40))
def test_slopes_agree_with_nudges_wherever_nothing_bends(seed):
    """Each place of each leaf, against a nudge to both sides."""
    from tests.widgets.expressions import expression

    text, values = expression(seed)
    found = Measured(text, values, "x", 1e-5, both=True)
    if found.kink or found._bent or not all(math.isfinite(row.nudged) for row in found.rows):
        return
    for row in found.rows:
        if math.isfinite(row.slope) and abs(row.slope) < 1e4 and abs(row.value) > 1e-3:
            assert row.nudged == pytest.approx(row.slope, rel=1e-2, abs=1e-3), (text, row)


@pytest.mark.parametrize(
    ("text", "values", "sentence"),
    [
        ("(2*x + 3)**2", {"x": 1.0}, "slope is 20; a nudge of 0.1 says 20.4, off by 0.4."),
        ("exp(x)", {"x": 2.0}, "is 7.389056099; a nudge of 0.1 says 7.771138136, off by 0.38."),
        ("exp(x)", {"x": 2.0}, "the value of z is 7.389056099. Autograd's slope is 7.389056099;"),
        ("2*x", {"x": 0.0}, "Autograd's slope is 2, and a nudge of 0.1 says the same."),
        ("relu(x)", {"x": 0.0}, "it is 0 from below and 1 from above. Autograd picks 0."),
        ("abs(x)*y", {"x": 0.0, "y": 3.0}, "−3 from below and 3 from above. Autograd picks 0."),
        ("abs(relu(x) - 1)", {"x": 1.0}, "−1 from below and 1 from above. Autograd picks 0."),
        ("log(x)", {"x": -1.0}, "the result is nan, which is no number: there is no slope."),
        ("log(x-5)", {"x": 1.0}, "no slope. Autograd does not check that: its rules give −0.25"),
        ("1/x", {"x": 0.0}, "its rules give −inf all the same."),
        ("1/x", {"x": 0.0}, "At x = 0 the result is infinite: there is no slope."),
        ("sqrt(x)", {"x": 0.0}, "Autograd's slope is inf: there is no tangent to draw."),
        ("log(1 - x)", {"x": 0.95}, "The nudge leads to where the expression has no value."),
        ("u @ v", {"u": [1.0, 2.0], "v": [3.0, 4.0]}, "At u[0] = 1 the value of z is 11."),
        ("z*x", {"x": 2.0, "z": 3.0}, "At x = 2 the value of y is 6. Autograd's slope is 3, and a"),
        ("z*x", {"x": 2.0, "z": 3.0}, "a nudge of 0.1 says the same, up to rounding."),
    ],
)
def test_the_sentence(text, values, sentence):
    assert sentence in said(text, **values)


def test_where_autograd_says_nan_too_there_is_no_more_to_say():
    assert said("sqrt(x)", x=-1.0).endswith("which is no number: there is no slope.")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("relu(x)", {"x": 1e-9}),
        ("1/x", {"x": 1e-4}),
        ("relu(2)*x", {"x": 0.0}),
        ("relu(0)*x", {"x": 1.0}),
        ("relu(x)*relu(x)", {"x": 0.0}),
        ("relu(x) + relu(-x) - abs(x)", {"x": 0.0}),
    ],
)
def test_no_kink_where_there_is_none(text, values):
    assert "single slope" not in said(text, **values)


def test_rounding_is_named_where_it_spoils():
    at = {nudge: said("exp(x)", nudge, x=2.0) for nudge in NUDGES}
    spoiled = [nudge for nudge, sentence in at.items() if "rounding spoils" in sentence]
    assert 1e-12 in spoiled
    assert not [nudge for nudge in spoiled if nudge > 1e-8]
    assert "rounding" not in said("2*x", 1e-12, x=0.0)


def test_the_curve_of_errors_of_exp():
    """Known numbers: to both sides, in float64, at 2."""
    found = Measured("exp(x)", {"x": 2.0}, "x", 0.1, both=True)
    off = {nudge: abs(gap) for nudge, gap in found.differences.items()}
    assert off[0.1] == pytest.approx(1.2e-2, rel=0.05)
    assert off[NUDGES[6]] < 1e-9
    assert off[NUDGES[-1]] > 1e-5
    drawn = chart(found.differences, 0.1, {"ink": "#111", "axis": "#666"})
    assert drawn.count("<circle") == len(NUDGES) + 1
    assert "1e-5 is closest" in drawn or "1e-6 is closest" in drawn or "1e-4 is closest" in drawn


def test_words_for_nudges():
    assert [spelled(nudge) for nudge in NUDGES[:7]] == [
        "1", "0.5", "0.1", "0.01", "0.001", "0.0001", "1e-5"]  # fmt: skip
    assert [ten(power) for power in (0, 1, -12)] == ["1", "10¹", "10⁻¹²"]
    assert told({}) == "No nudge leads to a number."


def test_buttons_lead_on():
    here = playground("(2*x + 3)**2", x=1.0)
    assert here.press("0.5").state["nudge"] == 0.5
    assert here.press("up and down").screen.sentence.endswith("and a nudge of 0.5 says the same.")
    here.press("a*x + b")
    assert here.state["values"] == {"a": 2.0, "b": 2.0, "x": 2.0}
    assert here.state["by"] == "x"
    assert "At b = 2" in here.press("b").screen.sentence.replace("`", "")
    keys = {one.says: one.key for one in here.screen.buttons if one.key}
    assert keys == {"0.5": "ArrowRight"}


@pytest.mark.parametrize("text", ["x**2", "a*x + b"])
def test_no_two_rows_of_buttons_have_the_same_label(text):
    screen = playground(text).screen
    labels = [label for label, _buttons in (*screen.rows, *screen.actions) if label]
    assert len(set(labels)) == len(labels) > 1


def test_typing():
    here = playground("(2*x + 3)**2", x=1.0)
    here.enter(**{"text": "x * y", "value x": "3"})
    assert here.state["values"] == {"x": 3.0, "y": 1.0}
    here.enter(**{"text": "x * y", "value x": "1/4", "value y": "-2"})
    assert here.screen.sentence.startswith("At `x` = 0.25 the value of `z` is −0.5.")
    here.enter(**{"text": "x @ y", "value x": "1, 2", "value y": "3, 4"})
    assert here.screen.sentence.startswith("At `x[0]` = 1 the value of `z` is 11.")
    here.enter(**{"text": "w @ x", "value x": "1, 2, 3", "value y": "3, 4"})
    assert here.state["values"] == {"w": [1.0, 2.0, 3.0], "x": [1.0, 2.0, 3.0]}


def test_what_is_refused_keeps_the_picture_and_shows_a_caret():
    here = playground("(2*x + 3)**2", x=1.0)
    here.enter(**{"text": "(2*x + ) 3", "value x": "1"})
    assert here.screen.sentence == "Expected a number or a name after `+`."
    boxes, picture, *_rest = here.screen.parts
    assert "(2*x + ) 3\n       ^" in boxes.text
    assert 'value="(2*x + ) 3"' in boxes.html
    assert "aria-invalid" in boxes.html
    assert "slope 20" in picture.text
    here.press("0.1")
    assert "typed" not in here.state
    here.enter(**{"text": "2*x", "value x": "1"})
    assert here.screen.sentence.startswith("At `x` = 1 the value of `z` is 2.")


@pytest.mark.parametrize(
    ("text", "values", "sentence"),
    [
        ("u + v", {"value u": "1, 2", "value v": "1"}, "The result has 2 numbers. Put `sum(…)`"),
        ("x", {"value x": "1"}, "Nothing is computed here. Write an operation, such as `x * x`."),
        ("u * v", {"value u": "1, 2", "value v": "1, 2, 3"}, "The vector before it has 2 numbers"),
        ("u @ v", {"value u": "1, 2", "value v": "3"}, "`@` needs a vector on both sides"),
        ("2 + 3", {"value u": "1, 2", "value v": "1"}, "Write a name such as `x`"),
    ],
)  # fmt: skip
def test_values_that_do_not_fit_can_be_mended(text, values, sentence):
    here = playground("u @ v", u=[1.0, 2.0], v=[3.0, 4.0])
    here.enter(text=text, **values)
    assert here.screen.sentence.startswith(sentence)
    assert [part.key for part in here.screen.parts] == ["boxes"]
    here.enter(text="sum(u)")
    here.enter(**{"text": "sum(u)", "value u": "1, 2"})
    assert here.screen.sentence.startswith("At `u[0]` = 1 the value of `z` is 3.")


def test_a_value_that_is_none_is_said_with_its_name():
    here = playground("x*y")
    with pytest.raises(ValueError, match=r"^y: Expected a number such as 2 or -0.5.$"):
        here.enter(**{"text": "x*y", "value x": "1", "value y": "nan"})
    with pytest.raises(ValueError, match=r"^x: Nothing is written yet"):
        here.enter(**{"text": "x*y", "value x": "", "value y": "2"})


@pytest.mark.parametrize("text", ["__import__('os')", "().__class__", "9**9**9", "x" * 9000])
def test_hostile_texts_end_at_the_caret(text):
    here = playground("x*x")
    here.enter(**{"text": text, "value x": "1"})
    assert here.screen.parts[1].key == "curve"
    with pytest.raises(ValueError):
        playground(text)


def test_typed_text_is_escaped():
    here = playground("x*x")
    here.enter(**{"text": '<img src=x onerror="1">', "value x": "1"})
    assert "<img" not in here.screen.parts[0].html


def test_the_same_state_is_the_same_screen_and_nothing_of_ours_changes():
    one, other = (playground("x*x*y", x=2, y=3) for _ in range(2))
    assert one.state == other.state
    assert one.html() == other.html()
    mg.manual_seed(3)
    before = mg.rand(1).item()
    mg.manual_seed(3)
    playground("x*x*y").press("0.1")
    assert mg.rand(1).item() == before


def test_what_a_page_without_a_kernel_has():
    page = playground("(2*x + 3)**2", x=1.0)._html()
    assert len(page) < 45_000
    assert "a nudge of 0.001" in page
    assert "chord: slope 20.004" in page
    assert "Chords of the nudges 1, 0.5, 0.1 have the slopes 24, 22, 20.4." in page
    assert "<img" not in playground("sqrt(x)", x=0)._html()


def test_a_nudge_lays_out_no_graph_anew():
    """Laying it out takes longer than all the rest."""
    here = playground("exp(sin(x)*2+3)/x*tanh(y)", x=1, y=2)
    first = here.screen.parts[2].html
    made = _graph.cache_info().misses
    other = here.press("0.1").screen.parts[2].html
    assert _graph.cache_info().misses == made
    graph = re.compile(r"<svg.*?</svg>", re.DOTALL)
    assert graph.search(first)[0] == graph.search(other)[0]


@pytest.mark.parametrize("text", PRESETS)
def test_each_preset_can_be_gone_through(text):
    here = playground(text)
    for nudge in NUDGES:
        here.press(spelled(nudge))
        assert not re.search(r"\b(None|Traceback)\b", here.text())
        for part in here.screen.parts:
            assert part.text
            assert part.html.count("<svg") == part.html.count("</svg>")


def test_entered_leaves_the_state_alone():
    state = playground("x*x").state
    kept = dict(state, values=dict(state["values"]))
    entered(state, {"text": "y", "value x": "7"})
    assert state == kept
