"""Where PyTorch is installed it is asked again: the stored answers must be what it says today."""

import json

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")

from tests.items import snippets
from tests.items.behavior import BEHAVIORS
from tests.oracle.observer import observe, unlike
from tests.oracle.record import DATA, the_oracle


def stored(file):
    return json.loads((DATA / file).read_text(encoding="utf-8"))["answers"]


ITEMS, BEHAVED = stored("items.json"), stored("behavior.json")


@pytest.mark.parametrize("name", snippets())
def test_item_still_shows_what_was_recorded(name):
    found = unlike(ITEMS[name], observe(snippets()[name].run, the_oracle()))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", BEHAVIORS)
def test_behavior_is_still_what_was_recorded(name):
    found = unlike(BEHAVED[name], observe(BEHAVIORS[name], the_oracle()))
    assert not found, "\n".join(found)
