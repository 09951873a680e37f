"""Lesson 07: nobody who is right is refused, and what is said of wrong answers is true of them."""

import random
import re

import numpy as np
import pytest

import minigrad as mg
from minigrad import lessons
from minigrad.lessons import lesson_07
from minigrad.lessons.exercises import LOOK_AGAIN, NOT_YET
from minigrad.widgets.versions.message import complaint
from minigrad.widgets.versions.words import tried
from tests.lessons.solutions_07 import KEPT, OWN
from tests.notebooks.reading import LESSONS, cell
from tests.widgets import random_lines

PATH = next(path for path in LESSONS if path.name.startswith("07"))
HINTS = {
    exercise.name: {mistake: m.hint for mistake, m in exercise.mistakes.items()}
    for exercise in lessons.LESSONS["07"].exercises
}


def said_about(name, answer):
    verdict = lessons.check(name, answer)
    return verdict, verdict.words[0]


def named(name, said):
    """The planned mistake that a hint belongs to, None where it is a fact of its own."""
    return next((mistake for mistake, hint in HINTS[name].items() if hint == said), None)


# --- 07-1 -------------------------------------------------------------------------------------


def test_what_is_kept_is_what_the_nodes_have_saved():
    assert {line: lesson_07.kept_by(line) for line in lesson_07.LINES} == KEPT
    source = cell(PATH, "try-kept").source
    assert re.findall(r'"(.+?)": \.\.\.', source) == list(lesson_07.LINES)


def test_the_first_wrong_line_is_the_one_that_is_spoken_of():
    draw = random.Random(7)
    for _ in range(300):
        answer = {line: draw.choice([true, true, *"IRN"]) for line, true in KEPT.items()}
        verdict, said = said_about("07-1", answer)
        wrong = [line for line in KEPT if answer[line] != KEPT[line]]
        assert verdict.is_yes == (not wrong)
        assert not wrong or said == HINTS["07-1"][f"{wrong[0]}: {answer[wrong[0]]}"]


def test_what_the_hints_say_of_slopes_is_so():
    slope = lesson_07_slope
    assert slope("x.tanh()", 0.0) == 1
    assert slope("x.tanh()", 5.0) < 0.001
    assert (slope("x.sqrt()", 1.0), slope("x.sqrt()", 4.0)) == (0.5, 0.25)
    assert slope("x - 3", 1.0) == slope("x - 3", 100.0)
    for x in (0.5, 2.0):
        assert slope("x.cos()", x) == pytest.approx(-np.sin(x))
        assert slope("x.tanh()", x) == pytest.approx(1 - np.tanh(x) ** 2)
        assert slope("x ** 2", x) == pytest.approx(2 * x)


def lesson_07_slope(line, at):
    x = mg.tensor(at, dtype=mg.float64, requires_grad=True)
    return mg.autograd.grad(eval(line, {"x": x}), x)[0].item()


# --- 07-2 -------------------------------------------------------------------------------------

BEFORE = {
    "": lambda a, b: b,
    "clone": lambda a, b: b.clone(),
    "cut": lambda a, b: b.detach(),
    "again": lambda a, b: a + 2,
}
LOSSES = {
    "mean": lambda c: (c * c).mean(),
    "power": lambda c: (c**2).mean(),
    "sum": lambda c: (c * c).sum(),
    "linear": lambda c: (c + c).mean(),
}
WRITES = {
    "plain": lambda b: b[:1].fill_(1000.0),
    "data": lambda b: b.data[:1].fill_(1000.0),
    "both": lambda b: b.fill_(1000.0),
    "wrong": lambda b: b[:1].fill_(10.0),
    "none": lambda b: None,
}


def random_mending(draw):
    """The opening program with its pieces in a random form and order, and what it is made of."""
    before, loss, write = (draw.choice(list(one)) for one in (BEFORE, LOSSES, WRITES))
    early, copied, no_grad = (draw.random() < 0.25 for _ in range(3))

    def function(a):
        b = a + 2
        c = BEFORE[before](a, b)
        if not early:
            value = LOSSES[loss](c)
        if copied:
            b = b.clone()
        if no_grad:
            with mg.no_grad():
                WRITES[write](b)
        else:
            WRITES[write](b)
        if early:
            value = LOSSES[loss](c)
        return value, b

    return function


def facts(function):
    """What comes of a function at a = [1, 3], found without the judge."""
    a = mg.tensor([1.0, 3.0], requires_grad=True)
    loss, b = function(a)
    told = {"loss": loss.item(), "b": b.tolist(), "version": b._version, "stops": ""}
    try:
        loss.backward()
    except RuntimeError as error:
        told["stops"] = str(error)
    told["grad"] = a.grad and None if a.grad is None else a.grad.tolist()
    return told


CLAIMS = {
    "as it was": lambda f: "inplace operation" in f["stops"],
    "under no_grad": lambda f: "inplace operation" in f["stops"],
    "through data": lambda f: f["grad"] == [1000, 5] and f["version"] == 0 and not f["stops"],
    "written before": lambda f: f["loss"] != 17 and f["b"][0] == 1000,
    "cut off": lambda f: f["grad"] is None and "inplace" not in f["stops"],
    "not written": lambda f: f["grad"] == [3, 5] and f["b"] == [3, 5],
    "nothing written in place": lambda f: f["b"] == [1000, 5] and f["version"] == 0,
    "written in place": lambda f: f["b"] == [1000, 5] and f["version"] > 0,
}


@pytest.mark.parametrize("name", ["07-2a", "07-2b"])
def test_what_is_said_about_any_mending_is_true_of_it(name):
    draw, heard = random.Random(8), set()
    for _ in range(150):
        function = random_mending(draw)
        verdict, said = said_about(name, function)
        told = facts(function)
        right = told["loss"] == 17 and told["grad"] == [3, 5] and told["b"] == [1000, 5]
        right = right and (told["version"] > 0) == (name == "07-2a")
        assert verdict.is_yes == right, told
        if right:
            continue
        mistake = named(name, said)
        heard.add(mistake or re.sub(r"[\d.e+-]+", "…", said))
        if mistake:
            assert CLAIMS[mistake](told), (mistake, told)
        elif found := re.search(r"the loss should be 17, and yours is (.+)\.", said):
            assert float(found[1]) == pytest.approx(told["loss"], rel=1e-4)
        elif found := re.search(
            r"At a = \[1, 3\] the b you return should be \[1000, 5\], .* it is (.+)\.", said
        ):
            assert eval(found[1]) == told["b"]
        elif found := re.search(r"gradient should be \[3, 5\], and yours is (.+)\.", said):
            assert eval(found[1]) == pytest.approx(told["grad"], rel=1e-4)
        else:
            raise AssertionError(said)
    assert len(heard) >= 7


def test_what_stops_for_another_reason_is_told():
    def early(a):
        b = a + 2
        loss = (b * b).mean()
        loss.backward()
        return loss, b

    said = said_about("07-2a", early)[1]
    assert said == ("Your function has called backward() already. It is called on what you return.")
    said = said_about("07-2b", lambda a: (a[:1].fill_(998.0), a))[1]
    assert "a view of a leaf Variable that requires grad" in said
    said = said_about("07-2b", lambda a: ((a + 2).square().mean(), a + mg.tensor([999.0, 2.1])))[1]
    assert said.startswith(
        "The gradient is right. At a = [1, 3] the b you return should be [1000, 5], and it is [100"
    )


def test_what_is_right_at_one_start_alone_is_told_the_start_where_it_is_not():
    def fixed(a):
        b = a + 2
        return (b * b).mean(), mg.tensor([1000.0, 5.0])

    said = said_about("07-2b", fixed)[1]
    start = eval(re.search(r"At a = (.+?) the b you return", said)[1])
    assert f"should be [1000, {start[1] + 2:g}]" in said


# --- 07-3 -------------------------------------------------------------------------------------

RAISED = {
    "clamp_": lambda w, low: w.clamp_(low),
    "data": lambda w, low: w.data.clamp_(low),
    "detach": lambda w, low: w.detach().clamp_(low),
    "off": lambda w, low: w.requires_grad_(False).clamp_(low),
    "off and on": lambda w, low: w.requires_grad_(False).clamp_(low).requires_grad_(),
    "clamp": lambda w, low: w.clamp(low),
    "nothing": lambda w, low: None,
    "fill": lambda w, low: w.fill_(low),
    "slice": lambda w, low: w[:1].fill_(low),
    "other memory": lambda w, low: setattr(w, "data", w.detach().clamp(low)),
    "error": lambda w, low: 1 / 0,
}
ALWAYS = {"data": "through data", "off": "asks no more", "clamp": "not written",
          "nothing": "not written", "other memory": "through data"}  # fmt: skip
RECORDED = dict.fromkeys(("clamp_", "fill", "slice"), "refused")


@pytest.mark.parametrize("no_grad", [False, True])
@pytest.mark.parametrize("way", RAISED)
def test_leaves_that_are_written_in_any_way(way, no_grad):
    def at_least(w, low):
        if no_grad:
            with mg.no_grad():
                RAISED[way](w, low)
        else:
            RAISED[way](w, low)
        return w

    verdict, said = said_about("07-3", at_least)
    mistake = (ALWAYS if no_grad else ALWAYS | RECORDED).get(way)
    assert verdict.is_yes == (mistake is None and way not in ("fill", "slice", "error")), said
    if mistake:
        assert named("07-3", said) == mistake
    elif way == "error":
        assert "ZeroDivisionError" in said
    elif not verdict.is_yes:
        now = "[2.5, 2.5, 2.5]" if way == "fill" else "[2.5, 2, 3]"
        should = "Called with w = [1, 2, 3] and low = 2.5, w should be [2.5, 2.5, 3]"
        assert said in (f"{should}, and it is {now}.", f"{should}, and it is all 2.5.")


def test_a_tensor_of_its_own_is_not_the_leaf_that_was_handed_in():
    for make in (lambda w, low: w.clamp(low), lambda w, low: w.detach().clamp_(low)):
        verdict, said = said_about("07-3", make)
        assert not verdict.is_yes
        assert named("07-3", said) == "a new w"


def test_what_is_said_of_a_right_leaf_is_true_of_every_way_to_write_it():
    idea = next(e.idea for e in lessons.LESSONS["07"].exercises if e.name == "07-3")
    assert {"no_grad", "detach()"} <= set(re.findall("no_grad|detach[(][)]", idea))
    for way in (lambda w, low: w.detach().clamp_(low), RAISED["off and on"]):
        w = mg.tensor([1.0, 3.0], requires_grad=True)
        way(w, 2.0)
        assert (w.is_leaf, w.requires_grad, w._version) == (True, True, 1)


# --- 07-4 -------------------------------------------------------------------------------------


def test_a_line_number_in_quotes_is_a_line_number():
    assert lessons.check("07-4", {"keeps": "7", "writes": "10"}).is_yes
    wrong = said_about("07-4", {"keeps": "7", "writes": "6"})[1]
    assert named("07-4", wrong) == "p is written"
    assert said_about("07-4", {"keeps": "cos", "writes": 10})[1].startswith("A number is wanted")


def test_the_fourth_prediction_names_a_b_that_may_be_written():
    asks = next(p.asks for p in lessons.LESSONS["07"].predictions if p.name == "07-4")
    assert "`b = a + 1`" in asks
    assert "a is a leaf that asks" in asks
    for leaf in (False, True):
        b = mg.ones(2, requires_grad=True) + (0 if leaf else 1)
        b = b.detach().requires_grad_() if leaf else b
        if leaf:
            with pytest.raises(RuntimeError, match="leaf Variable"):
                b[0] = 9.0
        else:
            b[0] = 9.0


def test_the_program_on_the_page_is_the_one_that_is_judged():
    text = cell(PATH, "try-fault-text").source
    lines = re.findall(r"^ ?(\d+)  (.+)$", text, re.MULTILINE)
    assert [int(number) for number, _ in lines] == list(range(1, 13))
    assert "\n".join(line for _, line in lines) == lesson_07.PROGRAM
    quoted = re.search(r"`(\[torch.*?expected version 0)`", text)[1]
    stopped = lesson_07.program_run().stopped
    assert stopped.line == 12
    assert quoted in stopped.message
    with pytest.raises(RuntimeError) as error:
        exec(lesson_07.PROGRAM, {"mg": mg})
    assert str(error.value) == stopped.message


def test_every_line_of_the_program_that_is_called_harmless_is():
    """With the one at fault left out backward runs; with any other left out it does not."""
    lines = lesson_07.PROGRAM.splitlines()
    _keeps, writes = lesson_07.fault()
    for number in (4, 6, 9, 10):
        rest = [line for at, line in enumerate(lines, 1) if at != number]
        try:
            exec("\n".join(rest), {"mg": mg})
            ran = True
        except RuntimeError:
            ran = False
        assert ran == (number == writes)


def test_what_the_hints_say_is_kept_in_the_program_is_so():
    record = lesson_07.program_run()
    kept = [(ticket.line, ticket.storage) for ticket in record.tickets]
    named = [(line, record.title(place)) for line, place in kept if place is not None]
    assert named == [(7, "q"), (8, "s")]
    assert [line for line, place in kept if place is None] == [5]  # the 2


# --- 07-5 -------------------------------------------------------------------------------------


def test_the_language_of_the_debugger_takes_what_the_notebook_is_used_to():
    for text in OWN:
        assert said_about("07-5", text.replace("tensor(", "mg.tensor("))[0].is_yes


@pytest.mark.parametrize(("text", "said"), [
    ("a = tensor([1., 2.], requires_grad=True)\nb = a * a", "Nowhere in your lines"),
    ("a = tensor(1., requires_grad=True)\nb = a * a\nb.backward()", "Nothing is written in place"),
    ("a = ones(2)\nb = a * a\na += 1\nb.backward()", "Line 4 stops, and not because of a v"),
    ("with no_grad():\n    a = ones(2)", "In the language of the debugger: Line 1: what bel"),
    ("import os", "In the language of the debugger: Line 1: this has no place here."),
    ("a = ones(2\n", "In the language of the debugger: Line 1: Python cannot read this"),
    ("\n".join(["a = ones(2)"] * 11), "In the language of the debugger: 10 lines are the most."),
])  # fmt: skip
def test_lines_that_do_something_else_are_told_what(text, said):
    verdict, heard = said_about("07-5", text)
    assert verdict.heading == LOOK_AGAIN
    assert heard.startswith(said)


def test_a_write_through_data_is_not_called_a_missing_line():
    text = "a = tensor([1., 3.], requires_grad=True)\nb = a + 2\nloss = (b * b).sum()\n"
    text += "b.data[0] = 5.\nb[0] = 7.\nloss.backward()"
    said = said_about("07-5", text)[1]
    assert "Line 4 writes through `.data`" in str(said)


def test_nothing_written_is_blank():
    assert lessons.check("07-5", "\n").heading == NOT_YET


def own_claims(lines, mistake):
    """Whether what a planned hint says of lines is true of them."""
    trial = tried(tuple(lines))
    record = trial.record
    backward = [line.number for line in record.lines if line.calls_backward][-1]
    before = [*range(1, backward)]
    events = {at: [s.cells[at].event for s in record.storages if at in s.cells] for at in before}
    writes = [at for at in before if "counted" in events[at]]
    hidden = any(c.event == "hidden" for s in record.storages for c in s.cells.values())
    stopped = record.stopped
    if mistake == "nothing stops":
        return stopped is None and bool(writes)
    if mistake == "one write":
        return record.stale and len(writes) == 1
    if mistake == "through data":
        return trial.verdict == "wrong" and hidden
    if mistake == "the leaf":
        return lesson_07.LEAF in stopped.message and stopped.line <= backward
    rest = [one for at, one in enumerate(lines, 1) if at != complaint(record).writer]
    return mistake == "both do harm" and tried(tuple(rest)).verdict == "stale"


def test_what_is_said_about_any_lines_is_true_of_them():
    heard, yes = set(), 0
    for seed in range(2000, 2300):
        text = random_lines.program(seed)
        verdict, said = said_about("07-5", text)
        yes += verdict.is_yes
        if not verdict.is_yes and (mistake := named("07-5", said)):
            assert own_claims(text.splitlines(), mistake), (text, mistake)
            heard.add(mistake)
        if verdict.is_yes:
            record = tried(tuple(text.splitlines())).record
            rest = [line for at, line in enumerate(text.splitlines(), 1)
                    if at != complaint(record).writer]  # fmt: skip
            assert tried(tuple(rest)).verdict == "true"
    assert yes >= 3
    assert heard == set(HINTS["07-5"])
