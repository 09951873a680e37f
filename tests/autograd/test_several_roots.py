"""A pass may begin at several places: twice at one, at a leaf, at a root behind another root."""

import numpy as np
import pytest

import minigrad as mg
from minigrad.autograd import backward, grad


@pytest.fixture
def x():
    return mg.tensor([1.0, 2.0], requires_grad=True)


def ones():
    return mg.ones(2)


def test_one_root_twice(x):
    backward([x * 3, x * 3], [ones(), ones()])
    y = x * 3
    before = x.grad.tolist()
    backward([y, y], [ones(), mg.tensor([10.0, 20.0])])
    assert before == [6.0, 6.0]
    assert x.grad.tolist() == [6.0 + 33.0, 6.0 + 63.0]


def test_a_root_behind_another_waits_for_it(x):
    y = x * x
    z = y * 3
    order = []
    y.register_hook(lambda g: order.append(g.tolist()))
    backward([y, z], [ones(), ones()])
    assert order == [[4.0, 4.0]]  # once, with both parts
    assert x.grad.tolist() == [8.0, 16.0]


def test_a_leaf_as_root(x):
    vector = mg.tensor([5.0, 7.0])
    backward([x, x * 2, x], [vector, ones(), ones()])
    assert x.grad.tolist() == [5.0 + 2.0 + 1.0, 7.0 + 2.0 + 1.0]
    assert vector.tolist() == [5.0, 7.0]
    x.grad = None
    x.backward(vector)
    x.grad.zero_()
    assert vector.tolist() == [5.0, 7.0]


def test_several_outputs_of_one_node_as_roots(x):
    first, second = x.unbind()
    backward([second, first, second])
    assert x.grad.tolist() == [1.0, 2.0]
    third, _ = (x * 3).unbind()
    third.backward()
    assert x.grad.tolist() == [4.0, 2.0]


def test_roots_of_which_one_is_not_on_the_way(x):
    w = mg.tensor([3.0, 4.0], requires_grad=True)
    seen = []
    other = w * 5
    other.register_hook(lambda g: seen.append("other"))
    assert grad([x * 2, other], [x], [ones(), ones()])[0].tolist() == [2.0, 2.0]
    assert seen == []
    assert w.grad is None


def test_the_vector_of_a_root_is_not_added_to(x):
    y = x * 1
    vector = ones()
    backward([y, y * 2, y], [vector, vector, vector])
    assert vector.tolist() == [1.0, 1.0]
    assert x.grad.tolist() == [4.0, 4.0]


def refused_with_nan(roots):
    with pytest.raises(RuntimeError, match="SqrtBackward0' returned nan"):
        backward(roots, [mg.ones(1)] * len(roots))


@pytest.mark.parametrize("count", [1, 2, 3])
def test_anomaly_mode_watches_passes_with_any_number_of_roots(count):
    x = mg.tensor([-1.0], requires_grad=True)
    with mg.autograd.set_detect_anomaly(True):
        roots = [x.sqrt() * 0, *[x * i for i in range(1, count)]]
        with pytest.warns(UserWarning, match="Error detected"):
            refused_with_nan(roots)


def test_what_arrives_in_grad_is_a_plain_array(x):
    for loss in (x.mean(), x.sum(), x[0], x[1:].sum(), x.expand(3, 2).mean(), x.max(), x.norm()):
        x.grad = None
        loss.backward()
        assert type(x.grad._value) is np.ndarray
        assert x.grad._value.base is None
