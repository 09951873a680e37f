"""The snippets of this room, run on minigrad and compared with what PyTorch showed."""

import pytest

import minigrad
from tests.utils.recording import RECORDING


@pytest.mark.parametrize("name", RECORDING.cases())
def test_snippet(name):
    RECORDING.check(name, minigrad)
