"""The snippets about `torch.autograd`, run on minigrad and compared with what PyTorch showed."""

import pytest

import minigrad
from tests.autograd.recording import RECORDING
from tests.autograd.snippets import ROOMS, SNIPPETS


@pytest.mark.parametrize("name", RECORDING.cases())
def test_snippet(name):
    RECORDING.check(name, minigrad)


def test_every_module_has_snippets():
    assert {run.__module__ for run in SNIPPETS.values()} == {room.__name__ for room in ROOMS}
