"""The claims about autograd, run with PyTorch as `mg`: each comes to the same."""

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")

import torch

import minigrad as mg
from tests.notebooks.test_true_or_false import outcomes


def test_with_pytorch_every_claim_comes_to_the_same():
    assert outcomes(torch) == outcomes(mg)
