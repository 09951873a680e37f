"""The control-flow tape without a browser: every stored screen says what is true of its run."""

import json
import math
import re
import sys

import pytest

import minigrad as mg
from minigrad.lessons import tape_of, tape_viewer
from minigrad.widgets.tape import curve, drawn, running, screens
from minigrad.widgets.tape.programs import PROGRAMS, written
from minigrad.widgets.tape.running import counted, leaf, operations, replay, run

STORED = list(screens.stored_states())
INPUTS = (0.9, 0.97, 0.98, 1.0, 3.9, 249.0, 250.0, 500.0, -1.0, -0.7056439518928528, 1e-20, -3e5)


def f(a):
    """The program of the lesson, written once more; `doublings` is what it did."""
    b, doublings = a * 2, 1
    while abs(b) < 1000:
        b, doublings = b * 2, doublings + 1
    return (b, doublings) if b > 0 else (100 * b, doublings)


def part(screen, key):
    return next(part for part in screen.parts if part.key == key)


# --- Runs -------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", INPUTS)
def test_a_run_counts_its_lines_and_its_nodes(at):
    found = run("f", at)
    value, doublings = f(mg.tensor(at).item())
    assert found.value == pytest.approx(value)
    assert found.gradient == 2**doublings * (1 if at > 0 else 100)
    assert len(found.nodes) == doublings + (at < 0) == len(operations(found.tape))
    assert set(found.nodes) == {"MulBackward0"}
    once = {2: 1, 5: 1, 9: 1, 6 if at > 0 else 8: 1}
    loop = {3: doublings, 4: doublings - 1}
    assert +found.counts == {line: times for line, times in (once | loop).items() if times}


@pytest.mark.parametrize(
    ("at", "gradient"), [(0.97, 2048), (0.98, 1024), (3.9, 512), (500.0, 2), (-1.0, 102400)]
)
def test_the_gradients_are_those_of_the_plan(at, gradient):
    assert run("f", at).gradient == gradient


def test_the_start_that_fails_by_rounding():
    found = run("f", -0.7056439518928528)
    assert (found.gradient, found.quotient) == (204800.0, 204799.984375)
    shown = part(screens.show(begun(a=-0.7056439518928528)), "results").text
    assert "204799.984" in shown
    assert re.search(r"a\.grad == result / a +False", shown)


def test_the_vector_of_the_notes():
    mg.manual_seed(0)
    x = tuple(mg.randn(3).tolist())
    found = run("doubled", x)
    assert len(found.nodes) == 9
    assert found.gradient == pytest.approx((51.2, 512.0, 0.0512))


def test_a_loop_without_an_end_is_stopped_and_told():
    found = run("f", 0.0)
    assert found.stopped
    assert found.counts[4] == running.ROUNDS
    screen = screens.show(begun(a=0.0))
    assert screen.place == "stopped"
    assert "After 2,000 rounds the run was stopped." in screen.sentence
    assert screen.actions[0][1][0].off == "A run that never ends leaves no tape."


def test_a_run_without_an_end_cannot_be_the_recorded_one():
    with pytest.raises(ValueError, match="leaves no tape"):
        tape_viewer().state = begun(rec=0.0)


def test_counting_leaves_the_tracer_of_others_alone():
    seen = []
    before = sys.gettrace()
    sys.settrace(lambda frame, event, argument: seen.append(frame.f_code.co_filename))
    try:
        counted(PROGRAMS["f"], leaf(300.0))
        assert sys.gettrace() is not before
    finally:
        sys.settrace(before)
    assert PROGRAMS["f"].file not in seen


# --- Replays ----------------------------------------------------------------------------------


@pytest.mark.parametrize("recorded", [300.0, 0.98, -300.0, 1.0])
@pytest.mark.parametrize("at", INPUTS)
def test_a_tape_is_right_where_its_answers_are_right_and_refused_elsewhere(recorded, at):
    found = replay("f", recorded, at)
    same_run = (f(recorded)[1], recorded > 0) == (f(at)[1], at > 0)
    assert (found.refused is None) == same_run == found.right
    _value, doublings = f(recorded)
    factor = 2**doublings * (1 if recorded > 0 else 100)
    assert found.gradient == factor
    assert found.value == pytest.approx(factor * at)


def test_the_replay_of_the_lesson():
    found = replay("f", 0.98, 0.5)
    assert (found.value, found.true.value) == (512.0, 1024.0)


def test_a_tape_keeps_what_python_knows_as_it_was():
    tape = tape_of(lambda x: x.sum() / len(x), mg.tensor([1.0, 2.0, 6.0]))
    assert str(tape) == "v1 = x.sum()\nv2 = v1 / 3\nreturns v2"
    assert tape.shape == (3,)
    assert tape.replay(mg.tensor([1.0, 2.0, 6.0, 7.0])).item() == pytest.approx(16 / 3)
    item = tape_of(lambda x: x * x.item(), mg.tensor(3.0))
    assert item.replay(mg.tensor(5.0)).item() == 15.0


@pytest.mark.parametrize(
    ("function", "at"),
    [
        (lambda x: 2 / x - 1, 4.0),
        (lambda x: (2**x) @ x, [1.0, 2.0]),
        (lambda x: (-x[0] + x[1:].sum()) ** 2, [1.0, 2.0, 4.0]),
        (lambda x: abs(x).exp().log(), -3.0),
        (lambda x: x.sum(dim=0, keepdim=True).reshape(1), [[1.0], [2.0]]),
        (lambda x: sum(entry * entry for entry in x), [1.0, 2.0, 3.0]),
        (lambda x: x.T @ x.detach(), [[1.0, 2.0], [3.0, 4.0]]),
        (lambda x: x.view(2, 2) * x.shape[0], [1.0, 2.0, 3.0, 4.0]),
        (lambda x: x, 3.0),
    ],
)
def test_what_is_recorded_can_be_repeated(function, at):
    x = mg.tensor(at)
    tape = tape_of(function, x)
    assert tape.replay(x).tolist() == function(x).tolist()
    assert tape.refused(x) is None
    other = x + 0.5
    assert mg.allclose(tape.replay(other), function(other))


def test_what_a_tape_cannot_keep_is_refused():
    with pytest.raises(TypeError, match="`mul_` writes in place"):
        tape_of(lambda x: x.mul_(2), mg.tensor(1.0))
    with pytest.raises(TypeError, match="What came back is a float"):
        tape_of(lambda x: x.item(), mg.tensor(1.0))
    with pytest.raises(AttributeError, match="no attribute 'nrom'"):
        tape_of(lambda x: x.nrom(), mg.tensor(1.0))


# --- Screens ----------------------------------------------------------------------------------


def begun(**changed):
    return {**screens.begin("f"), **changed}


@pytest.mark.parametrize("state", STORED, ids=json.dumps)
def test_every_stored_screen_is_true(state):
    screen = screens.show(state)
    at, recorded = screens.as_input(state["a"]), screens.as_input(state["rec"])
    true = run(state["p"], at)
    lines = part(screen, "lines").text.splitlines()
    for number, line in enumerate(lines, start=1):
        times = re.match(r" *(\d+) ×", line)
        assert (int(times[1]) if times else 0) == (true.counts[number] if number > 1 else 0)
    if recorded is None:
        check_run(screen, true, at)
    else:
        check_replay(screen, replay(state["p"], recorded, at), state["guard"])


def check_run(screen, true, at):
    graphs = part(screen, "graphs").text.splitlines()
    here = [line for line in graphs if line.startswith("▶")]
    assert len(here) == 1
    if true.stopped:
        assert "none: stopped" in here[0]
        return
    assert here[0].count("→") == len(true.nodes)
    assert here[0].endswith(drawn.shown(true.gradient))
    assert f"{len(true.nodes)} operations in the graph" == screen.place
    rows = part(screen, "tape").text.splitlines()[1:]
    assert sum("?" not in row and "=" in row for row in rows) <= len(true.nodes)
    assert drawn.shown(true.value) in part(screen, "tape").text


def check_replay(screen, found, guarded):
    results = part(screen, "results").text
    refused = guarded and found.refused is not None
    assert ("refused" in results) == refused
    assert ("✗" in part(screen, "tape").text) == (found.refused is not None)
    if refused:
        assert screen.place == "refused"
        assert screen.sentence.startswith("Refused: ")
        assert "Nothing is returned." in screen.sentence
        return
    assert drawn.shown(found.value) in results
    if found.true.stopped:
        assert "never ends" in screen.sentence
    elif found.right:
        assert screen.place == "right"
        assert screen.sentence.startswith("Every answer is the one it was at ")
    else:
        assert screen.place == "wrong, and no error"
        assert drawn.shown(found.true.value) in screen.sentence


def test_the_road_of_the_lesson():
    w = tape_viewer()
    w.press("record here, replay with another input").press("280")
    assert repr(w) == (
        "TapeViewer: Every answer is the one it was at 300, so the tape does what f does: 1120."
    )
    w.press("200")
    assert repr(w) == (
        "TapeViewer: The tape gives 800 and no error; f gives 1600. "
        "v4.norm() < 1000 was answered no, now it is yes."
    )
    w.press("guard: look at the answers")
    assert w.screen.place == "refused"
    w.press("record at 200 instead")
    assert w.screen.place == "right"
    w.press("put the tape away")
    assert w.screen.title == "One run: `f(200)`"
    w.enter(a="−0.5")
    assert w.screen.place == "12 operations in the graph"
    w.press("while on a vector").enter(a="1, 2, 2")
    assert w.screen.place == "9 operations in the graph"


@pytest.mark.parametrize(
    ("typed", "said"),
    [("half", "number"), ("1, 2", "One number is wanted."), ("1e31", "Between 1e-30 and 1e30")],
)
def test_what_cannot_be_an_input_is_told(typed, said):
    with pytest.raises(ValueError, match=said):
        tape_viewer().enter(a=typed)


def test_a_long_tape_keeps_its_ends_and_the_row_that_differs():
    found = replay("f", 1e-20, 1.0)
    rows = drawn.kept_rows(found.tape, found.refused)
    assert found.refused in rows
    hidden = sum(row for row in rows if isinstance(row, int))
    shown = sum(not isinstance(row, int) for row in rows)
    questions = sum(step.answer is not None for step in found.tape.steps)
    assert hidden + shown == questions + len(operations(found.tape))
    assert shown < 20


def test_an_unknown_program_is_refused():
    with pytest.raises(ValueError, match="program is one of 'f', 'doubled', not 'g'"):
        tape_viewer("g")


# --- The curve --------------------------------------------------------------------------------


@pytest.mark.parametrize(("low", "high"), [(90.0, 450.0), (-450.0, -90.0), (0.3, 1.5)])
def test_the_curve_has_its_jumps_where_the_program_has(low, high):
    points = curve._points("f", low, high)
    gaps = [i for i, (_x, y) in enumerate(points) if math.isnan(y)]
    edges = [1000 / 2**n for n in range(1, 12)]
    inside = [edge for edge in edges if min(abs(low), abs(high)) < edge < max(abs(low), abs(high))]
    assert len(gaps) == len(inside)
    for gap in gaps:
        before, after = abs(points[gap - 1][0]), abs(points[gap + 1][0])
        assert min(abs(edge - (before + after) / 2) / edge for edge in inside) < 1e-3
    for x, y in points:
        if not math.isnan(y):
            assert y == pytest.approx(f(mg.tensor(x).item())[0])


def test_numbers_are_written_as_they_are_typed():
    assert written(-0.5) == "−0.5"
    assert screens.entered(begun(), {"a": written(-300.0)})["a"] == -300.0
