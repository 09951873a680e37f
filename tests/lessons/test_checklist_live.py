"""The checklist and PyTorch's own gradcheck come to the same verdict about every preset."""

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")

import torch

import minigrad as mg
from minigrad.lessons.checklist import checklist
from minigrad.lessons.snippets import run
from tests.lessons.custom_functions import PRESETS

#: What gradcheck does not look at: changes in place, and the second order.
UNSEEN = ("saved", "second")


def passes(check, *arguments):
    try:
        return check(*arguments)
    except Exception:
        return False


@pytest.mark.parametrize("name", PRESETS)
def test_the_same_verdict(name):
    code, inputs, _failing = PRESETS[name]
    mine = checklist(run(code, mg=mg)[0], *run(f"({inputs},)", mg=mg)[0])
    function = run(code, mg=torch)[0]
    arguments = run(f"({inputs},)", mg=torch)[0]
    first = passes(torch.autograd.gradcheck, function.apply, arguments)
    key = mine.failed and mine.failed.key
    assert first == (key is None or key in UNSEEN)
    if first:
        second = passes(torch.autograd.gradgradcheck, function.apply, arguments)
        assert second == (key != "second")


def test_a_change_in_place_is_silent_there_too():
    x = torch.tensor([1.0, 3.0], dtype=torch.float64, requires_grad=True)
    found = {}
    for name in ("ctx.t", "saved"):
        y = run(PRESETS[name][0], mg=torch)[0].apply(x)
        x.detach().mul_(-3).add_(2)
        try:
            found[name] = torch.autograd.grad(y.sum(), x)[0].tolist()
        except RuntimeError as error:
            found[name] = str(error)
        with torch.no_grad():
            x.copy_(torch.tensor([1.0, 3.0]))
    assert found["ctx.t"] == [-2.0, -14.0]
    assert "modified by an inplace operation" in found["saved"]
