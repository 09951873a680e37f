"""Where PyTorch is installed it is asked again about the tables of the v·J viewer."""

import json

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")

import torch

from tests.oracle.record import DATA
from tests.widgets.test_vjp_recorded import alike
from tests.widgets.vjp_truth import questions, truth

ANSWERS = json.loads((DATA / "vjp.json").read_text("utf-8"))["answers"]


def test_torch_still_says_so():
    asked = list(questions())
    assert len(asked) == len(ANSWERS)
    for (name, x, v, u), answer in zip(asked, ANSWERS):
        said = truth(name, x, v, u, torch)
        assert (name, x) == (answer["function"], answer["x"])
        assert (said["nothing"], said["flat"]) == (answer["nothing"], answer["flat"])
        for key in ("vJ", "Ju"):
            assert all(alike(float(s), t, True) for s, t in zip(said[key], answer[key]))
        rows = zip(said["J"], answer["J"], strict=True)
        assert all(alike(float(s), t, True) for one, other in rows for s, t in zip(one, other))
