"""Every case of the table of operations on minigrad, compared with what PyTorch showed."""

import json
from pathlib import Path

import pytest

import minigrad
from tests.ops.compare import unlike_oracle
from tests.ops.observe import observed
from tests.ops.table import CASES
from tests.oracle.accepted import accepted, case_of

ANSWERS = json.loads((Path(__file__).parents[1] / "data" / "ops.json").read_text(encoding="utf-8"))[
    "answers"
]


def cases():
    """One test per case; of an operation that is not built yet it must fail, and does."""
    for name, case in CASES.items():
        known = case.can_run_on(minigrad)
        yield case_of("ops", name, None if known else case.missing)


@pytest.mark.parametrize("name", list(cases()))
def test_operation(name):
    found = unlike_oracle(ANSWERS[name], observed(CASES[name], minigrad))
    assert not found, "\n".join(found)


def test_every_case_has_its_answer():
    assert list(ANSWERS) == list(CASES)
    assert not [name for name, seen in ANSWERS.items() if "changed its inputs" in seen]
    assert accepted("ops").keys() <= CASES.keys()
