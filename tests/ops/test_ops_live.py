"""Where PyTorch is installed the table of operations is recorded again: nothing may differ."""

import json

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")

from tests.ops.compare import tolerance_for
from tests.ops.observe import observed
from tests.ops.table import CASES
from tests.oracle.observer import differences
from tests.oracle.record import DATA, the_oracle

STORED = json.loads((DATA / "ops.json").read_text(encoding="utf-8"))["answers"]


@pytest.mark.parametrize("name", CASES)
def test_operation_still_shows_what_was_recorded(name):
    seen = observed(CASES[name], the_oracle())
    found = differences(STORED[name], seen, "", tolerance_for(seen))
    assert not found, "\n".join(found)
