"""The v·J viewer shows the slopes, products and messages that PyTorch showed."""

import math

import pytest

from minigrad.widgets.vjp.back import product
from minigrad.widgets.vjp.cases import case_of
from minigrad.widgets.vjp.common import Setting
from tests.widgets.recording import VJP

ANSWERS = VJP.answers


def alike(said, true, exact):
    """The same number; in float32, and where terms cancel, up to its rounding."""
    true = float(true)
    tolerance = 1e-9 if exact else 1e-5
    same = math.isclose(said, true, rel_tol=tolerance, abs_tol=tolerance / 10)
    return same or (math.isnan(said) and math.isnan(true)) or said == true


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: answer["function"])
def test_the_numbers_are_those_of_torch(answer):
    name = answer["function"]
    case, exact = case_of(name, tuple(answer["x"])), name.startswith("=")
    size = len(answer["J"])
    assert [len(row) for row in case.jacobian] == [len(answer["x"])] * size
    for said, true in zip(case.jacobian, answer["J"], strict=True):
        assert all(alike(s, t, exact) for s, t in zip(said, true, strict=True))
    backward = case.backward(case.tensor(answer["v"][:size]))
    assert all(alike(s, t, exact) for s, t in zip(backward, answer["vJ"], strict=True))
    forward = case.forward(answer["u"])
    assert all(alike(s, t, exact) for s, t in zip(forward, answer["Ju"], strict=True))


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: answer["function"])
@pytest.mark.parametrize("handed", ["nothing", "flat"])
def test_what_is_refused_is_refused_in_the_words_of_torch(answer, handed):
    state = {"f": answer["function"], "m": "vJ", "v": handed, "at": 0, "x": answer["x"]}
    setting = Setting(state)
    if handed == "flat" and len(setting.case.shape) < 2:
        return  # there is no such button
    values, said = product(setting)
    assert said == answer[handed]
    assert (values is None) == bool(said)


def test_zeros_of_softmax_are_exactly_zero_by_backward():
    case = case_of("softmax")
    assert case.backward(case.tensor((1.0, 1.0, 1.0))) == (0.0, 0.0, 0.0)


def test_they_are_enough():
    kinds = {answer["function"] for answer in ANSWERS}
    assert len(ANSWERS) > 50
    assert len([kind for kind in kinds if kind.startswith("=")]) >= 8
    assert any("Mismatch in shape" in answer["flat"] for answer in ANSWERS)
    assert any("only for scalar" in answer["nothing"] for answer in ANSWERS)
    assert any(answer["nothing"] == "" for answer in ANSWERS)
