"""Typed expressions, evaluated by minigrad: value and gradients are those that PyTorch showed."""

import json
import math
from pathlib import Path

import pytest

import minigrad as mg
from minigrad.widgets.safe import parse
from tests.widgets.expressions import shown

DATA = Path(__file__).parents[1] / "data" / "expressions.json"
ANSWERS = json.loads(DATA.read_text("utf-8"))["answers"]


@pytest.mark.parametrize("seed", ANSWERS)
def test_value_and_gradients(seed):
    answer = ANSWERS[seed]
    leaves = {
        name: mg.tensor(value, dtype=mg.float64, requires_grad=True)
        for name, value in answer["values"].items()
    }
    expression = parse(answer["text"])
    found = shown(expression(leaves), leaves)
    assert alike(found["value"], answer["value"])
    assert found["gradients"].keys() == answer["gradients"].keys()
    for name, said in found["gradients"].items():
        assert all(map(alike, said, answer["gradients"][name])), name


def test_they_are_enough():
    finite = [a for a in ANSWERS.values() if math.isfinite(float(a["value"]))]
    assert len(ANSWERS) == 300
    assert 150 < len(finite) < 300, "some are nan or inf, most are not"
    assert all(answer["gradients"] for answer in ANSWERS.values())


def alike(said: str, true: str) -> bool:
    a, b = float(said), float(true)
    return (math.isnan(a) and math.isnan(b)) or a == b or math.isclose(a, b, rel_tol=1e-9)
