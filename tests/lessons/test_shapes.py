"""Graphs compare by operations and edges, and by nothing else."""

import pytest

import minigrad as mg
from minigrad.lessons.shapes import same_shape, shape_of


@pytest.fixture
def w():
    return mg.tensor(3.0, requires_grad=True)


@pytest.fixture
def x():
    return mg.tensor(2.0, requires_grad=True)


def same(one, other):
    forth, back = (
        same_shape(shape_of(one), shape_of(other)),
        same_shape(shape_of(other), shape_of(one)),
    )
    assert forth == back
    return forth


def test_values_and_names_do_not_matter(w, x):
    other = mg.tensor([5.0, 6.0], requires_grad=True)
    assert same((x + 1) * (x + 2), (other + 7) * (other + 8))


def test_the_order_of_the_operands_of_plus_and_times_does_not_matter(w, x):
    assert same(w * x + w, w + x * w)
    assert same((w + x) * (w * x), (x * w) * (w + x))


def test_the_order_of_other_operands_matters(w, x):
    assert not same((w * x) / w, w / (w * x))


def test_one_value_used_twice_differs_from_two_equal_values(w, x):
    p = w * x
    assert not same(p * p, (w * x) * (w * x))
    assert not same(x * x, x * w)
    assert not same(x * x + x, x * x + w)


def test_which_value_is_shared_matters(w, x):
    a, b = w * x, w + x
    assert not same((a * b) + a, (a * b) + b)


def test_a_chain_has_its_length(w, x):
    assert not same(x.exp().exp(), x.exp().exp().exp())


def test_a_graph_that_was_never_recorded_is_refused():
    with pytest.raises(ValueError, match="no grad_fn"):
        shape_of(mg.tensor(2.0) * 2)


def test_a_long_chain_is_read_without_recursion(x):
    y = x
    for _ in range(5000):
        y = y + 1
    assert shape_of(y).count("AddBackward0") == 5000
