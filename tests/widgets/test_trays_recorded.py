"""Trays say what PyTorch was recorded to say: each setting, 500 event lists, and the orbit."""

import itertools
from collections import Counter

import pytest

import minigrad as mg
from minigrad.widgets.trays import programs
from minigrad.widgets.trays.running import Runner
from tests.widgets.recording_trays import (
    EVENT_LISTS,
    MODEL_SWITCHES,
    MODELS,
    ORBIT,
    SETTINGS,
    SWITCHES,
)

OURS = dict(zip(SWITCHES, programs.SWITCHES, strict=True))
OUR_MODELS = dict(zip(MODEL_SWITCHES, programs.MODEL_SWITCHES, strict=True))
EVENTS = {
    "out": "out.backward()",
    "out2": "out2.backward()",
    "zero_": programs.ZERO,
    "None": programs.NONE,
}


def run(row):
    return Runner(mg).run("case 1", [OURS[switch] for switch in row["on"]], ["y.backward()"])


@pytest.mark.parametrize("row", SETTINGS.answers, ids=lambda row: "+".join(row["on"]) or "none")
def test_a_setting_is_what_pytorch_says(row):
    found = run(row)
    for name, fact in found.facts.items():
        if name not in row["facts"]:
            assert fact is None, name
            continue
        assert [fact.requires_grad, fact.is_leaf, fact.grad_fn, fact.grad] == row["facts"][name]
    building = found.stopped[1] if found.stopped else ""
    backward = found.moments[0].error if found.moments else ""
    assert building == (row["message"] if row["where"] == "building" else "")
    assert backward == (row["message"] if row["where"] == "backward" else "")


def test_the_table_is_all_there_is():
    assert {tuple(row["on"]) for row in SETTINGS.answers} == {
        on for n in range(7) for on in itertools.combinations(SWITCHES, n)
    }
    ends = Counter(row["message"] or row["facts"]["x"][3] for row in SETTINGS.answers)
    assert sorted(ends.values()) == [4, 4, 6, 11, 39]
    assert (ends[7.0], ends[3.0], ends[4.0]) == (4, 6, 4)


@pytest.mark.parametrize("row", MODELS.answers, ids=lambda row: "+".join(row["on"]) or "none")
def test_two_models_are_what_pytorch_says(row):
    on = [OUR_MODELS[switch] for switch in row["on"]]
    found = Runner(mg).run("two models", on, ["loss.backward()"])
    for name, fact in found.facts.items():
        told = [fact.requires_grad, fact.is_leaf, fact.grad_fn, fact.grad]
        assert told == row["facts"][name], name
    assert found.moments[0].error == row["message"]
    stepped = Runner(mg).run("two models", on, ["loss.backward()", programs.TRAIN])
    moved = [stepped.facts[name].value for name in ("u", "w")]
    assert moved == pytest.approx(row["moved"])


def test_the_table_of_two_models_is_all_there_is():
    assert [row["on"] for row in MODELS.answers] == MODELS.questions
    filled = Counter(
        tuple(name for name in "uwb" if row["facts"][name][3] is not None)
        for row in MODELS.answers
        if not row["message"]
    )
    assert filled == {("u", "w"): 2, ("w",): 11, ("u",): 2, ("w", "b"): 11, ("b",): 11}
    stopped = [row for row in MODELS.answers if row["message"]]
    assert len(stopped) == 59
    assert {row["message"] for row in stopped} == {
        "RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn"
    }


def test_500_event_lists_leave_in_the_tray_what_pytorch_left():
    assert [[event for event, *_ in row] for row in EVENT_LISTS.answers] == EVENT_LISTS.questions
    for row in EVENT_LISTS.answers:
        events = [EVENTS[event] for event, *_ in row]
        found = Runner(mg).run("mean, then sum", (), events)
        for moment, (_event, grad, g, error) in zip(found.moments, row, strict=True):
            held = None if moment.tray is None else sum(moment.tray)
            assert held == pytest.approx(grad), events
            assert moment.g == pytest.approx(g), events
            assert moment.error == error, events


def test_the_orbit_is_that_of_pytorch():
    found = Runner(mg).run("never zeroed", (), [programs.ROUND] * 12)
    assert [moment.value for moment in found.moments] == pytest.approx(ORBIT.answers[0], abs=1e-6)
