"""The behaviors beyond the documents, run on minigrad and compared with what PyTorch showed."""

import pytest

import minigrad
from tests.autograd.behavior import BEHAVIORS, ROOMS
from tests.autograd.recording import BEHAVIOR


@pytest.mark.parametrize("name", BEHAVIOR.cases())
def test_behavior(name):
    BEHAVIOR.check(name, minigrad)


def test_every_module_has_behaviors():
    assert {snippet.__module__ for snippet in BEHAVIORS.values()} == {r.__name__ for r in ROOMS}
