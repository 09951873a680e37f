"""A tensor may be written from its own memory: it holds what it would from a copy of that."""

import pytest

import minigrad as mg

WRITES = {
    "shifted": lambda x, y: x[1:].copy_(y[:-1]),
    "by index": lambda x, y: x.__setitem__(slice(1, None), y[:-1]),
    "added": lambda x, y: x[1:].add_(y[:-1]),
    "multiplied": lambda x, y: x[:-1].mul_(y[1:].clone()),
    "one element": lambda x, y: x.add_(y[0]),
    "scattered": lambda x, y: x.scatter_(0, mg.tensor([3, 1]), y),
}


def written(write, from_itself, tracked):
    leaf = mg.tensor([1.0, 2.0, 4.0, 8.0], requires_grad=tracked)
    x = leaf * 1 if tracked else leaf
    write(x, x if from_itself else x.clone())
    if tracked:
        (x * mg.tensor([1.0, 10.0, 100.0, 1000.0])).sum().backward()
    return x.tolist(), leaf.grad and leaf.grad.tolist() if not tracked else leaf.grad.tolist()


@pytest.mark.parametrize("tracked", [False, True])
@pytest.mark.parametrize("name", WRITES)
def test_what_is_written(name, tracked):
    write = WRITES[name]
    assert written(write, True, tracked) == written(write, False, tracked)


def test_what_was_saved_and_then_overwritten_is_missed():
    x = mg.ones(3, requires_grad=True) * 1
    x[1:].mul_(x[:-1])
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        x.sum().backward()
