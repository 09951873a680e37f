"""The snippets of the second ring, run on minigrad and compared with what PyTorch showed."""

import pytest

import minigrad
from tests.second_ring.recording import RECORDING
from tests.second_ring.snippets import ROOMS, SNIPPETS


@pytest.mark.parametrize("name", RECORDING.cases())
def test_snippet(name):
    RECORDING.check(name, minigrad)


def test_every_module_has_snippets():
    assert {run.__module__ for run in SNIPPETS.values()} == {room.__name__ for room in ROOMS}
