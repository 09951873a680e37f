"""Every item of the five documents, run on minigrad and compared with what PyTorch showed."""

import pytest

import minigrad
from tests.documents.recording import ITEMS


@pytest.mark.parametrize("name", ITEMS.cases())
def test_item(name):
    ITEMS.check(name, minigrad)
