"""What PyTorch computes and minigrad does not: it says so, and never gives another number."""

import pytest

import minigrad as mg


@pytest.mark.parametrize("optimizer", [mg.optim.SGD, mg.optim.Adam])
def test_differentiable_steps(optimizer):
    with pytest.raises(NotImplementedError, match=f"{optimizer.__name__}: differentiable"):
        optimizer([mg.ones(1, requires_grad=True)], differentiable=True)


def test_an_optimizer_without_a_rule():
    parameter = mg.ones(1, requires_grad=True)
    parameter.sum().backward()
    with pytest.raises(NotImplementedError):
        mg.optim.Optimizer([parameter], {"maximize": False}).step()
