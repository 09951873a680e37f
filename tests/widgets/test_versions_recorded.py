"""What minigrad does with versions in the programs of the debugger, compared with PyTorch."""

import json

import pytest

import minigrad as mg
from tests.oracle.record import DATA
from tests.widgets.random_lines import texts, told, unlike

STORED = json.loads((DATA / "versions.json").read_text(encoding="utf-8"))["answers"]


def test_the_programs_are_those_that_were_recorded():
    assert texts() == {name: answer["text"] for name, answer in STORED.items()}


@pytest.mark.filterwarnings("ignore:The .grad attribute")
@pytest.mark.parametrize("name", STORED)
def test_versions_tickets_messages_and_gradients_are_those_of_pytorch(name):
    text = STORED[name]["text"]
    answer = json.loads(json.dumps(told(text, mg)))
    assert unlike(answer, STORED[name]) == [], text
