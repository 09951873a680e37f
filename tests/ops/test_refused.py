"""What minigrad refuses rather than answer otherwise than PyTorch."""

import pytest

import minigrad as mg


@pytest.mark.parametrize("how", [{}, {"accumulate": True}])
def test_adding_into_an_expanded_tensor(how):
    x = mg.zeros(2).expand(3, 2)
    accumulate = () if how else (True,)
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
        x.index_put_((mg.tensor([0, 0]),), mg.ones(2, 2), *accumulate, **how)
    assert x.tolist() == [[0.0, 0.0]] * 3
