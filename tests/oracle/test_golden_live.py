"""Where PyTorch is installed the golden tables are recorded again: nothing may differ."""

import json

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")

from tests.oracle.observer import differences
from tests.oracle.record import DATA, goldens, the_oracle

STORED = json.loads((DATA / "golden.json").read_text(encoding="utf-8"))["answers"]


@pytest.fixture(scope="module")
def today():
    return goldens(the_oracle())


@pytest.mark.parametrize("part", ["steps", "orders", "others"])
def test_golden_tables_are_what_was_recorded(part, today):
    found = differences(STORED[part], today[part], part)
    assert not found, "\n".join(found)
