"""A checkpoint keeps the argument and the result, and not what lies between."""

import tracemalloc

import pytest

import minigrad
from minigrad.utils.checkpoint import checkpoint

ELEMENTS = 100_000
STEPS = 10


def steps(x):
    for _ in range(STEPS):
        x = x.sin()
    return x


def kept(run):
    """Bytes of arrays that are alive after a forward pass and were not before it."""
    x = minigrad.ones(ELEMENTS, requires_grad=True)
    tracemalloc.start()
    try:
        y = run(x)
        alive, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    y.sum().backward()  # whatever is kept must do
    return alive, x.grad


@pytest.mark.parametrize("reentrant", [False, True])
def test_fewer_bytes_same_gradient(reentrant):
    checkpoint(steps, minigrad.ones(1), use_reentrant=False)  # loads what the first call loads
    plain, expected = kept(steps)
    less, got = kept(lambda x: checkpoint(steps, x, use_reentrant=reentrant))
    array = 4 * ELEMENTS
    assert plain > STEPS * array
    assert less < 1.1 * array  # the result alone
    assert got.equal(expected)
