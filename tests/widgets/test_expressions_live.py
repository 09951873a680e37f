"""Where PyTorch is installed it runs through the small language, too."""

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")

import torch

from minigrad.widgets.safe import parse
from tests.widgets.expressions import shown
from tests.widgets.recording import EXPRESSIONS, unlike


@pytest.mark.parametrize("seed", EXPRESSIONS.keys)
def test_through_the_small_language_it_is_the_same(seed):
    answer = EXPRESSIONS.answers[seed]
    leaves = {
        name: torch.tensor(value, dtype=torch.float64, requires_grad=True)
        for name, value in answer["values"].items()
    }
    found = shown(parse(answer["text"])(leaves, torch), leaves)
    assert not unlike(answer, {**answer, **found})
