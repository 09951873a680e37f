"""Every public name of a tensor is one that minigrad has, or one that says that it has not."""

import pytest

import minigrad
from minigrad.extras.missing import LEFT_OUT, OTHER_NAMES

torch = pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")


def test_every_name_of_a_tensor():
    theirs = {name for name in dir(torch.Tensor) if not name.startswith("_")}
    ours = {name for name in dir(minigrad.Tensor) if hasattr(minigrad.Tensor, name)}
    assert theirs - ours == LEFT_OUT


@pytest.mark.parametrize(("name", "ours"), OTHER_NAMES.items())
def test_another_name_of_what_minigrad_has_computes_the_same(name, ours):
    moves = name in ("moveaxis", "swapaxes", "swapdims")
    unary = name.startswith("arc") or name in ("absolute", "fix", "negative")
    arguments = () if unary else (0, 1) if moves else (torch.tensor([0.25, 0.5]),)
    x = torch.tensor([[-0.75, 0.5], [2.0, 1.0]] if moves else [-0.75, 0.5])
    assert torch.equal(
        getattr(x, name)(*arguments).nan_to_num(), getattr(x, ours)(*arguments).nan_to_num()
    )
    for owner in (minigrad.ones(2), minigrad):
        assert hasattr(owner, ours)
        with pytest.raises(AttributeError, match=f"'{name}'. It is another name of '{ours}'"):
            getattr(owner, name)
