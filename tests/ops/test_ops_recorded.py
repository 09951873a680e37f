"""Every case of the table of operations on minigrad, compared with what PyTorch showed."""

import pytest

import minigrad
from tests.ops.compare import unlike_oracle
from tests.ops.recording import RECORDING


@pytest.mark.parametrize("name", RECORDING.cases())
def test_operation(name):
    found = unlike_oracle(RECORDING.answers[name], RECORDING.now(name, minigrad))
    assert not found, "\n".join(found)


def test_no_case_changes_its_inputs():
    assert not [name for name, seen in RECORDING.answers.items() if "changed its inputs" in seen]
