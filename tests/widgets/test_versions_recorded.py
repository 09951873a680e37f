"""What minigrad does with versions in the programs of the debugger, compared with PyTorch."""

from collections import Counter

import pytest

import minigrad as mg
from minigrad.widgets.versions.words import tried
from tests.widgets.random_lines import COUNT, verdict_of
from tests.widgets.recording import VERSIONS

STORED = VERSIONS.answers


@pytest.mark.parametrize("name", VERSIONS.keys)
def test_versions_tickets_messages_and_gradients_are_those_of_pytorch(name):
    VERSIONS.check(name, mg)


@pytest.mark.parametrize("name", STORED)
def test_the_verdict_is_what_pytorchs_answer_comes_to(name):
    lines = tuple(STORED[name]["text"].splitlines())
    assert tried(lines).verdict == verdict_of(STORED[name])


def test_the_programs_come_to_every_verdict():
    random = Counter(verdict_of(answer) for name, answer in STORED.items() if name.isdigit())
    assert random.total() == COUNT == 200
    assert random.keys() == {"stale", "stopped", "true", "wrong"}
    assert min(random.values()) >= 5
