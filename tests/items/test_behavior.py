"""The behaviors beyond the documents, run on minigrad and compared with what PyTorch showed."""

import json
from pathlib import Path

import pytest

import minigrad
from tests.items.behavior import BEHAVIORS, ROOMS
from tests.oracle.accepted import accepted, case_of
from tests.oracle.observer import observe, unlike

ANSWERS = json.loads(
    (Path(__file__).parents[1] / "data" / "behavior.json").read_text(encoding="utf-8")
)["answers"]


@pytest.mark.parametrize("name", [case_of("behavior", name) for name in BEHAVIORS])
def test_behavior(name):
    found = unlike(ANSWERS[name], observe(BEHAVIORS[name], minigrad))
    assert not found, "\n".join(found)


def test_every_behavior_has_its_answer():
    assert ANSWERS.keys() == BEHAVIORS.keys()
    assert {snippet.__module__ for snippet in BEHAVIORS.values()} == {r.__name__ for r in ROOMS}
    assert accepted("behavior").keys() <= BEHAVIORS.keys()
