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


BYTES = mg.tensor([1, 0, 1], dtype=mg.uint8)


@pytest.mark.parametrize(
    "use",
    [
        lambda x: x[BYTES],
        lambda x: x[BYTES[0]],
        lambda x: x.__setitem__(BYTES, 1.0),
        lambda x: x.index_put((BYTES,), mg.ones(())),
        lambda x: x.index_put_((BYTES,), mg.ones(())),
    ],
)
def test_a_mask_of_bytes(use):
    x = mg.zeros(3)
    with pytest.raises(IndexError, match=r"use x\[mask.bool\(\)\]"):
        use(x)
    assert x.tolist() == [0.0] * 3


@pytest.mark.parametrize("key", [[0, slice(None)], [[0, 1], [1, 0]], [mg.tensor(0), 1], [None]])
def test_a_list_of_indices(key):
    x = mg.zeros(2, 2)
    with pytest.raises(IndexError, match=r"use x\[tuple\(seq\)\]"):
        x[key]
    with pytest.raises(IndexError, match=r"use x\[tuple\(seq\)\]"):
        x[key] = 1.0
    assert x.sum() == 0
