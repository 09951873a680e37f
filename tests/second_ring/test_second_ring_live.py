"""Where PyTorch is installed it is asked again: the stored answers must be what it says today."""

import json

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")

from tests.oracle.observer import observe, unlike
from tests.oracle.record import DATA, the_oracle
from tests.second_ring.record import warmed_up
from tests.second_ring.snippets import SNIPPETS

STORED = json.loads((DATA / "second_ring.json").read_text(encoding="utf-8"))["answers"]


@pytest.mark.parametrize("name", SNIPPETS)
def test_snippet_still_shows_what_was_recorded(name):
    found = unlike(STORED[name], observe(SNIPPETS[name], warmed_up(the_oracle())))
    assert not found, "\n".join(found)
