"""Every public name of a tensor is one that minigrad has, or one that says that it has not."""

import pytest

import minigrad
from minigrad.extras.missing import LEFT_OUT

torch = pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")


def test_every_name_of_a_tensor():
    theirs = {name for name in dir(torch.Tensor) if not name.startswith("_")}
    ours = {name for name in dir(minigrad.Tensor) if hasattr(minigrad.Tensor, name)}
    assert theirs - ours == LEFT_OUT
