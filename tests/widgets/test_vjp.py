"""The v·J viewer without a browser: every stored screen says what is true of its numbers."""

import json
import math
import re

import pytest

from minigrad.lessons import vjp_viewer
from minigrad.widgets.safe import Refused
from minigrad.widgets.vjp import back
from minigrad.widgets.vjp import viewer as vjp
from minigrad.widgets.vjp.cases import CASES, case_of, unit
from minigrad.widgets.vjp.common import Setting
from minigrad.widgets.vjp.parts import as_text, boxed, factor, row_text, shown

STORED = list(vjp.stored_states())


def state_of(function, mode="vJ", **changed):
    return {**vjp.begin(function, mode), **changed}


def screen_of(function, mode="vJ", **changed):
    return vjp.show(state_of(function, mode, **changed))


def part(screen, key):
    return next(part for part in screen.parts if part.key == key)


def cells(screen):
    """What stands in the cells of the table, row by row, without what stands beside them."""
    body = re.search(r"<tbody>(.*)</tbody>", part(screen, "table").html, re.S)[1]
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", body, re.S)
    return [
        re.findall(r'<td class="(?!weight|units)[^"]*">(?:<span[^>]*>)?([^<]*)', r) for r in rows
    ]


# --- Numbers ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "said"),
    [(2.0, "2"), (0.4000000059604645, "0.4"), (0.08999999612569809, "0.09"), (-0.0, "0"),
     (-0.0598920, "−0.060"), (0.0819, "0.082"), (20.25, "20.25"), (1 / 3, "0.333"), (1e-9, "1e−09"),
     (123456.0, "123456"), (12345.678, "12345.7"), (1234567.8, "1.23e+06"),
     (float("nan"), "nan"), (-1e400, "−inf")],
)  # fmt: skip
def test_numbers_are_short_and_have_a_true_minus(value, said):
    assert shown(value) == said
    assert factor(-2.0) == "(−2)"
    alone = "" if math.isclose(as_said(value), value, rel_tol=1e-6) or value != value else "≈"
    assert boxed(value) == alone + said


def as_said(value):
    """The number that is read where `value` is shown."""
    return float(shown(value).replace("−", "-"))


def test_the_first_screen_is_that_of_the_design():
    w = vjp_viewer()
    assert repr(w) == (
        "VjpViewer: x[1] gets 0.1 × 4 = 0.4. One backward gives v·J, a mixture of the rows of J."
    )
    assert w.screen.title == "v·J: `z = (x * x + 2).view(2, 2)`, x = [1, 2, 3, 4.5]"
    assert w.screen.place == "`z.backward(v)` once: one pass"
    assert cells(w.screen) == [
        ["2", "0", "0", "0"], ["0", "4", "0", "0"], ["0", "0", "6", "0"], ["0", "0", "0", "9"],
        ["2", "0.4", "6", "0.09"],
    ]  # fmt: skip
    assert "1×0 + 0.1×4 + 1×0 + 0.01×0 = 0.4" in part(w.screen, "sum").text
    assert "These 12 zeros are never computed." in part(w.screen, "sum").text


@pytest.mark.parametrize(
    ("function", "v", "product"),
    [
        ("table", "weights", "[2, 0.4, 6, 0.09]"),
        ("table", "ones", "[2, 4, 6, 9]"),
        ("table", "row 1", "[0, 4, 0, 0]"),
        ("matrix", "ones", "[4, 6]"),
        ("matrix", "row 0", "[1, 2]"),
        ("matrix", "row 1", "[3, 4]"),
        ("softmax", "ones", "[0, 0, 0]"),
        ("softmax", "row 2", "[−0.060, −0.163, 0.223]"),
        ("square", "ones", "[2, 4]"),
    ],
)
def test_products_are_those_of_the_design(function, v, product):
    assert back.product_text(Setting(state_of(function, v=v))) == product


@pytest.mark.parametrize("state", STORED, ids=json.dumps)
def test_every_stored_screen_is_true(state):
    """Sum, product, table and sentence of a screen fit each other and a pass of its own."""
    setting, screen = Setting(state), vjp.show(state)
    case, at = setting.case, state["at"]
    table = cells(screen)
    shown_zeros = state.get("zeros", True)
    if state["m"] == "build":
        known = [[boxed(e) for e in row] if i < at else ["?"] * len(row)
                 for i, row in enumerate(case.jacobian)]  # fmt: skip
        assert table == known
        assert screen.place == f"{at} of {len(case.outputs)} passes"
        return
    if state["m"] == "Ju":
        values = [sum(a * b for a, b in zip(row, setting.vector)) for row in case.jacobian]
        assert [row[-1] for row in table[1:]] == [boxed(round(value, 6)) for value in values]
        name, terms = case.outputs[at], [*zip(case.jacobian[at], setting.vector, strict=True)]
    else:
        if setting.vector is None:
            assert table[-1] == ["—"] * len(case.inputs)
            assert " stops: " in screen.sentence
            assert screen.place.endswith("is refused")
            return
        columns = zip(*case.jacobian, strict=True)
        values = [sum(a * b for a, b in zip(column, setting.vector)) for column in columns]
        assert table[-1] == [boxed(round(value, 6)) for value in values]
        expected = [
            [boxed(e) if shown_zeros or i == j else "&nbsp;" for j, e in enumerate(row)]
            for i, row in enumerate(case.jacobian)
        ]
        assert table[:-1] == expected
        column = [row[at] for row in case.jacobian]
        name, terms = case.inputs[at], [*zip(setting.vector, column, strict=True)]
    written = " + ".join(f"{shown(a)}×{factor(b)}" for a, b in terms)
    total = shown(round(values[at], 6))
    exact = [values[at], *(number for term in terms for number in term)]
    sign = (
        "=" if all(math.isclose(as_said(n), n, rel_tol=1e-6, abs_tol=1e-6) for n in exact) else "≈"
    )
    assert part(screen, "sum").text.startswith(f"{written} {sign} {total}")
    assert part(screen, "sum").title == f"{name}, written out"
    softmax_ones = state["f"] == "softmax" and setting.is_ones and state["m"] == "vJ"
    assert softmax_ones or screen.sentence.startswith(f"{name} gets ")
    assert softmax_ones or re.match(rf".*?(?:[=≈] |gets ){re.escape(total)}\. ", screen.sentence)


def test_a_row_that_is_picked_is_named():
    said = screen_of("table", v="row 1", at=1).sentence
    assert said == (
        "x[1] gets 1 × 4 = 4. This v has a 1 for z[0,1] and 0 elsewhere, "
        "so the pass returns row z[0,1] of J."
    )
    said = screen_of("matrix", "Ju", u="column 1", at=0).sentence
    assert said.endswith("This u moves x[1] alone, so the pass returns column x[1] of J.")
    assert (
        "With v = ones you ask how that sum changes: not at all." in screen_of("softmax").sentence
    )


def test_refusals_are_the_real_messages():
    said = screen_of("table", v="nothing").sentence
    assert "grad can be implicitly created only for scalar outputs. z has 4 entries" in said
    said = screen_of("table", v="flat").sentence
    assert (
        "Mismatch in shape: grad_output[0] has a shape of torch.Size([4]) and output[0] has a "
        "shape of torch.Size([2, 2]). 4 numbers are there, but in another shape." in said
    )
    alone = screen_of("=sum(x)", v="nothing")
    assert alone.sentence == "x[0] gets 1 × 1 = 1. With one output, v·J is its only row, times v."
    assert alone.place == "`y.backward()` once: one pass"


def test_tiny_rounding_errors_are_shown_as_zero_and_told_exactly_as_text():
    state = state_of("=exp(x) / sum(exp(x))", x=[1.0, 2.0, 3.0])
    screen = vjp.show(state)
    assert cells(screen)[-1] == ["0", "0", "0"]
    exact = Setting(state).case.backward(Setting(state).case.tensor((1.0, 1.0, 1.0)))
    last = part(screen, "table").text.splitlines()[-1].split()
    assert [float(value) for value in last[-3:]] == pytest.approx(list(exact), rel=1e-4)


# --- Buttons ----------------------------------------------------------------------------------


def test_building_j_goes_back_once_for_each_row():
    w = vjp_viewer("matrix", "ones").press("build J")
    assert cells(w.screen) == [["?", "?"], ["?", "?"]]
    assert "Nothing has run yet." in w.screen.sentence
    w.press("next row: one backward")
    assert cells(w.screen) == [["1", "2"], ["?", "?"]]
    assert w.screen.actions[0][0] == "rows: 1 of 2"
    w.press("all rows")
    assert w.screen.sentence.endswith("J is complete, after 2 passes.")
    with pytest.raises(ValueError, match="All rows are there"):
        w.press("all rows")
    assert "retain_graph=True" in w.text()
    w.press("reset").press("v·J").press("softmax(x)").press("next entry ▶")
    assert w.state == {"f": "softmax", "m": "vJ", "v": "ones", "at": 1}


def buttons_in(screen):
    """Where the buttons and cells inside of parts lead."""
    for one in screen.parts:
        for to in re.findall(r'data-to="([^"]*)"', one.html):
            yield json.loads(to.replace("&quot;", '"'))


def test_everything_that_can_be_pressed_is_stored():
    """Without a kernel all buttons work but "ask me", for a guess is judged by Python."""
    known = {json.dumps(state, sort_keys=True) for state in STORED}
    for state in STORED:
        screen = vjp.show(state)
        leads = [b.to for b in screen.buttons if not b.off and b.says != "ask me"]
        for to in [*leads, *buttons_in(screen)]:
            assert json.dumps(to, sort_keys=True) in known, (state, to)


def test_zeros_that_nobody_computed_can_be_blanked():
    w = vjp_viewer().press("show zeros I assumed")
    assert cells(w.screen)[0] == ["2", "&nbsp;", "&nbsp;", "&nbsp;"]
    w.press("show zeros I assumed")
    assert cells(w.screen)[0] == ["2", "0", "0", "0"]
    assert all("zeros" not in b.says for b in screen_of("softmax").buttons)


def test_cells_are_spoken_with_their_row_and_column():
    html = part(vjp_viewer().screen, "table").html
    assert 'aria-label="row z[0,1], column x[1], 4"' in html
    assert 'aria-label="x[1] gets 0.4" aria-current="true"' in html
    assert html.count("aria-current") == 1
    assert '<th scope="row">z[1,1]</th>' in html
    assert '<th scope="col">x[2]</th>' in html


# --- Typing -----------------------------------------------------------------------------------


def typed(w, **changed):
    """Type into some boxes and leave the others as they are."""
    boxes = dict(re.findall(r'data-input="(\w+)"[^>]*? value="([^"]*)"', screen_html(w)))
    return w.enter(**{**boxes, **changed})


def screen_html(w):
    return "".join(one.html for one in w.screen.parts)


def test_numbers_of_v_can_be_typed():
    w = typed(vjp_viewer(), v1="-1/2")
    assert w.state["v"] == [1.0, -0.5, 1.0, 0.01]
    assert w.screen.sentence.startswith("x[1] gets −0.5 × 4 = −2.")
    assert typed(vjp_viewer()).state["v"] == "weights"
    w = typed(vjp_viewer("matrix", "ones").press("J·u"), u0="3")
    assert cells(w.screen)[-1][-1] == "13"


def test_an_x_and_a_function_can_be_typed():
    w = typed(vjp_viewer("softmax", "ones"), x="1, 1")
    assert cells(w.screen)[:2] == [["0.25", "−0.25"], ["−0.25", "0.25"]]
    w = typed(w, f="sum(x) * x", x="1, 2, 3")
    assert w.state["f"] == "=sum(x) * x"
    assert cells(w.screen)[:3] == [["7", "1", "1"], ["2", "8", "2"], ["3", "3", "9"]]
    w.press("build J").press("all rows")
    assert cells(w.screen)[2] == ["3", "3", "9"]
    typed(w, f="x ** 3", x="2")
    assert w.screen.title == "build J: `y = x ** 3`, x = 2"
    assert w.press("all rows").text().count("12") >= 1


@pytest.mark.parametrize(
    ("boxes", "said"),
    [
        ({"f": "a * x"}, "There is only x here, not `a`."),
        ({"f": "1 + 2"}, "x does not occur in it"),
        ({"f": "__import__('os')"}, "no function `__import__`"),
        ({"f": "x *"}, "Expected a number or a name after"),
        ({"f": "x * [1, 2, 3]", "x": "1, 2"}, "has 2 numbers, this one has 3"),
        ({"x": "1, 2, 3"}, "needs an x of 2 numbers"),
        ({"x": "one"}, "number"),
        ({"x": "1, 2, 3, 4, 5"}, "at most 4 numbers"),
        ({"v0": ""}, "Nothing is written yet"),
        ({"v1": "1, 2"}, "One number is wanted in each box"),
    ],
)
def test_what_cannot_be_used_is_refused_with_a_sentence_and_changes_nothing(boxes, said):
    w = vjp_viewer("matrix", "ones")
    with pytest.raises(ValueError, match=re.escape(said)):
        typed(w, **boxes)
    assert w.state == state_of("matrix")


def test_a_text_that_cannot_be_read_does_not_hold_up_another_box():
    w = typed(vjp_viewer("matrix", "ones"), f="a * x", v0="3")
    assert w.state["v"] == [3.0, 1.0]
    w = typed(vjp_viewer("matrix", "ones"), v0="many", x="2, 5")
    assert w.state["x"] == [2.0, 5.0]
    w = typed(vjp_viewer("matrix", "ones").press("ask me"), x="one", guess="4")
    assert w.screen.sentence.startswith("You said 4. Right.")


def test_no_typed_text_gets_into_the_page_as_html():
    with pytest.raises(Refused):
        typed(vjp_viewer(), f='"><script>')


def test_who_asks_to_be_asked_guesses_before_the_product_is_shown():
    w = vjp_viewer("softmax", "row 0").press("ask me")
    assert w.screen.sentence == "Your guess first: what does x[0] get?"
    assert cells(w.screen)[-1] == ["?", "?", "?"]
    assert "0.082 ≈ 0" not in w.text()
    assert part(w.screen, "table").text.splitlines()[-1].split()[-3:] == ["?", "?", "?"]
    with pytest.raises(ValueError, match="number"):
        typed(w, guess="many")
    typed(w, guess="0.5")
    assert w.screen.sentence == "You said 0.5. Not quite. x[0] gets 1 × 0.082 ≈ 0.082."
    assert cells(w.screen)[-1][0] == "≈0.082"
    w.press("next entry ▶")
    assert w.screen.sentence == "Your guess first: what does x[1] get?"
    typed(w, guess="-0.022")
    assert w.screen.sentence.startswith("You said −0.022. Right. x[1] gets ")
    w.press("M @ x")
    assert cells(w.screen)[-1] == ["?", "?"]
    w.press("ask me")
    assert cells(w.screen)[-1] == ["4", "6"]
    assert w.state == state_of("matrix")


def test_nothing_is_asked_about_what_is_refused():
    state = state_of("table", v="nothing", ask=True)
    assert " stops: " in vjp.show(state).sentence
    assert cells(vjp.show(state))[-1] == ["—"] * 4


# --- Without scripts, and at the door ---------------------------------------------------------


def test_a_page_without_scripts_tells_the_products():
    html = vjp_viewer().html()
    assert "v = ones: [0, 0, 0]</summary>" in html
    assert "v = weights: [2, 0.4, 6, 0.09]</summary>" in html
    assert len(vjp_viewer()._html()) < 60_000
    assert vjp_viewer()._html() == vjp_viewer()._html()


def test_what_there_is_not_is_refused_with_what_there_is():
    with pytest.raises(ValueError, match="'softmax', not 'relu'"):
        vjp_viewer("relu")
    with pytest.raises(ValueError, match=r"'row 1', .* not 'row 7'"):
        vjp_viewer("matrix", "row 7")


def test_names_and_rows_as_text():
    assert case_of("table").outputs == ["z[0,0]", "z[0,1]", "z[1,0]", "z[1,1]"]
    assert case_of("=x * 2", 3.0).inputs == ["x"]
    assert unit(0, 2) == (1.0, 0.0)
    assert row_text((1.0, -0.5)) == "[1, −0.5]"
    assert as_text([["a", "bb"], ["ccc", "d"]]) == "  a bb\nccc  d"


@pytest.mark.parametrize("name", CASES)
def test_only_functions_that_work_entry_by_entry_are_said_to(name):
    case = CASES[name]
    off = [row[j] for i, row in enumerate(case.jacobian) for j in range(len(row)) if i != j]
    assert case.entrywise == (set(off) == {0.0})
