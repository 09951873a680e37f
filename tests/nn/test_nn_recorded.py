"""The snippets about `torch.nn`, run on minigrad and compared with what PyTorch showed."""

import json
from pathlib import Path

import pytest

import minigrad
from tests.nn.snippets import SNIPPETS
from tests.oracle.accepted import accepted, case_of
from tests.oracle.observer import observe, unlike

ANSWERS = json.loads((Path(__file__).parents[1] / "data" / "nn.json").read_text("utf-8"))["answers"]


@pytest.mark.parametrize("name", [case_of("nn", name) for name in SNIPPETS])
def test_snippet(name):
    found = unlike(ANSWERS[name], observe(SNIPPETS[name], minigrad))
    assert not found, "\n".join(found)


def test_every_snippet_has_its_answer():
    assert ANSWERS.keys() == SNIPPETS.keys()
    assert accepted("nn").keys() <= SNIPPETS.keys()
    assert all(ANSWERS.values()), "a snippet that shows nothing checks nothing"
