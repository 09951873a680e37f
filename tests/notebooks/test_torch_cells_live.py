"""The last code cell of each lesson, with PyTorch itself."""

import pytest

import minigrad as mg
from tests.notebooks.reading import LESSONS, run_torch_cell


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_the_torch_cell_says_same(path):
    pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")
    assert run_torch_cell(path, mg) == "same\n"
