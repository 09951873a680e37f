"""A million operations in a row, a hundred thousand side by side, and forty diamonds."""

import gc
import sys
import time

import pytest

import minigrad as mg


def test_a_million_operations_in_a_row():
    x = mg.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(1_000_000):
        y = y + x
    y.backward()
    assert x.grad.item() == 1_000_001
    del y  # destruction does not recurse either
    assert sys.getrecursionlimit() <= 1_000_000


def test_a_chain_that_saves_its_values():
    x = mg.tensor(1.0, dtype=mg.float64, requires_grad=True)
    y = x
    for _ in range(100_000):
        y = y * x
    y.backward()
    assert x.grad.item() == 100_001


def test_a_fan_of_a_hundred_thousand():
    x = mg.tensor(1.0, dtype=mg.float64, requires_grad=True)
    total = mg.tensor(0.0, dtype=mg.float64)
    for i in range(100_000):
        total = total + x * i
    total.backward()
    assert x.grad.item() == sum(range(100_000))


def test_diamonds_are_walked_once():
    x = mg.tensor(1.0, dtype=mg.float64, requires_grad=True)
    y = x
    for _ in range(40):
        y = y + y
    runs = []
    y.grad_fn.register_hook(lambda *grads: runs.append(1))
    start = time.perf_counter()
    y.backward()
    assert x.grad.item() == 2.0**40
    assert runs == [1]
    assert time.perf_counter() - start < 10, "2 to the 40 paths would take years"


def test_diamonds_to_chosen_inputs():
    x = mg.tensor(1.0, dtype=mg.float64, requires_grad=True)
    y = x
    for _ in range(40):
        y = y * 1.0 + y
    (g,) = mg.autograd.grad(y, x, create_graph=True)
    assert g.item() == 2.0**40
    (again,) = mg.autograd.grad(y, x)
    assert again.item() == 2.0**40


@pytest.mark.parametrize("wanted", ["leaf", "inside"])
def test_a_deep_chain_to_chosen_inputs(wanted):
    x = mg.tensor(2.0, requires_grad=True)
    inside = x * 1
    y = inside
    for _ in range(100_000):
        y = y + 1
    (g,) = mg.autograd.grad(y, x if wanted == "leaf" else inside)
    assert g.item() == 1


def test_a_deep_recorded_pass():
    x = mg.tensor(1.0, dtype=mg.float64, requires_grad=True)
    y = x
    for _ in range(20_000):
        y = y * x
    (g,) = mg.autograd.grad(y, x, create_graph=True)
    (h,) = mg.autograd.grad(g, x)
    assert g.item() == 20_001
    assert h.item() == 20_001 * 20_000


def test_a_long_chain_of_writes_into_one_buffer():
    x = mg.tensor(1.0, requires_grad=True)
    buffer = mg.zeros(2)
    for _ in range(2_000):
        buffer[0] += x
    buffer.sum().backward()
    assert x.grad.item() == 2_000
    del buffer
    gc.collect()
