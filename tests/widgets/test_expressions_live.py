"""Where PyTorch is installed it is asked again, and it runs through the small language, too."""

import json

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")

import torch

from minigrad.widgets.safe import parse
from tests.oracle.record import DATA
from tests.widgets.expressions import HOW_MANY, expression, shown, truth
from tests.widgets.test_expressions_recorded import alike

ANSWERS = json.loads((DATA / "expressions.json").read_text("utf-8"))["answers"]


@pytest.mark.parametrize("seed", range(HOW_MANY))
def test_torch_still_says_so(seed):
    text, values = expression(seed)
    answer = ANSWERS[str(seed)]
    assert (text, values) == (answer["text"], answer["values"])
    leaves = {
        name: torch.tensor(value, dtype=torch.float64, requires_grad=True)
        for name, value in values.items()
    }
    for found in (truth(text, values, torch), shown(parse(text)(leaves, torch), leaves)):
        assert alike(found["value"], answer["value"])
        assert found["gradients"].keys() == answer["gradients"].keys()
        for name, said in found["gradients"].items():
            assert all(map(alike, said, answer["gradients"][name])), name
