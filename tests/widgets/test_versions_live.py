"""Where PyTorch is installed it is asked again about the programs of the version debugger."""

import json

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")

from minigrad.widgets.versions.words import tried
from tests.oracle.record import DATA, the_oracle
from tests.widgets.random_lines import program, told, unlike, verdict_of

STORED = json.loads((DATA / "versions.json").read_text(encoding="utf-8"))["answers"]
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("name", STORED)
def test_pytorch_still_says_what_was_recorded(name):
    answer = json.loads(json.dumps(told(STORED[name]["text"], the_oracle())))
    assert unlike(answer, STORED[name]) == []


@pytest.mark.parametrize("seed", range(1000, 1200))
def test_further_programs_are_alike(seed):
    import minigrad as mg

    text = program(seed)
    answer = told(text, the_oracle())
    assert unlike(told(text, mg), answer) == [], text
    assert tried(tuple(text.splitlines())).verdict == verdict_of(answer), text
