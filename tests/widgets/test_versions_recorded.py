"""What minigrad does with versions in the programs of the debugger, compared with PyTorch."""

import json
from collections import Counter

import pytest

import minigrad as mg
from minigrad.widgets.versions.words import tried
from tests.oracle.record import DATA
from tests.widgets.random_lines import COUNT, texts, told, unlike, verdict_of

STORED = json.loads((DATA / "versions.json").read_text(encoding="utf-8"))["answers"]


def test_the_programs_are_those_that_were_recorded():
    assert texts() == {name: answer["text"] for name, answer in STORED.items()}


@pytest.mark.filterwarnings("ignore:The .grad attribute")
@pytest.mark.parametrize("name", STORED)
def test_versions_tickets_messages_and_gradients_are_those_of_pytorch(name):
    text = STORED[name]["text"]
    answer = json.loads(json.dumps(told(text, mg)))
    assert unlike(answer, STORED[name]) == [], text


@pytest.mark.parametrize("name", STORED)
def test_the_verdict_is_what_pytorchs_answer_comes_to(name):
    lines = tuple(STORED[name]["text"].splitlines())
    assert tried(lines).verdict == verdict_of(STORED[name])


def test_the_programs_come_to_every_verdict():
    random = Counter(verdict_of(answer) for name, answer in STORED.items() if name.isdigit())
    assert random.total() == COUNT == 200
    assert random.keys() == {"stale", "stopped", "true", "wrong"}
    assert min(random.values()) >= 5
