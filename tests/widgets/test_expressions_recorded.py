"""Typed expressions, evaluated by minigrad: value and gradients are those that PyTorch showed."""

import math

import pytest

import minigrad as mg
from minigrad.widgets.safe import parse
from tests.widgets.expressions import shown
from tests.widgets.recording import EXPRESSIONS, unlike

ANSWERS = EXPRESSIONS.answers


@pytest.mark.parametrize("seed", ANSWERS)
def test_value_and_gradients(seed):
    answer = ANSWERS[seed]
    leaves = {
        name: mg.tensor(value, dtype=mg.float64, requires_grad=True)
        for name, value in answer["values"].items()
    }
    found = shown(parse(answer["text"])(leaves), leaves)
    assert not unlike(answer, {**answer, **found})


def test_they_are_enough():
    finite = [a for a in ANSWERS.values() if math.isfinite(float(a["value"]))]
    assert len(ANSWERS) == 300
    assert 150 < len(finite) < 300, "some are nan or inf, most are not"
    assert all(answer["gradients"] for answer in ANSWERS.values())
