"""The programs of trays, run by minigrad and by PyTorch itself: the same facts at every event."""

import itertools
import random

import pytest

import minigrad as mg
from minigrad.widgets.trays.programs import MODEL_SWITCHES, PROGRAMS, SWITCHES, TRAIN
from minigrad.widgets.trays.running import Runner

torch = pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")


def same(program, on, events):
    ours, theirs = (Runner(engine).run(program, on, events) for engine in (mg, torch))
    assert ours.facts == theirs.facts, (on, events)
    assert ours.moments == theirs.moments, (on, events)
    assert ours.stopped == theirs.stopped, (on, events)


@pytest.mark.parametrize("count", range(len(SWITCHES) + 1))
def test_every_setting(count):
    for on in itertools.combinations(SWITCHES, count):
        same("case 1", on, [])
        same("case 1", on, ["y.backward()"])


@pytest.mark.parametrize("count", range(len(MODEL_SWITCHES) + 1))
def test_every_setting_of_two_models(count):
    for on in itertools.combinations(MODEL_SWITCHES, count):
        same("two models", on, [])
        same("two models", on, ["loss.backward()", TRAIN, "loss.backward()"])


@pytest.mark.parametrize("seed", range(5))
def test_500_random_event_lists(seed):
    draw = random.Random(seed)
    for _ in range(100):
        program = draw.choice(list(PROGRAMS))
        switches = PROGRAMS[program].switches
        on = [s for s in switches if draw.random() < (0.9 if s == SWITCHES[0] else 0.15)]
        events = draw.choices(PROGRAMS[program].events, k=draw.randint(0, 7))
        same(program, on, events)
