"""What cannot be recorded is refused with words that help."""

import pytest

import minigrad as mg
from minigrad.trace import graph_of, record_backward


@pytest.mark.parametrize("thing", [3, "y", None, [1.0], object()])
def test_not_a_tensor(thing):
    with pytest.raises(TypeError, match="expected a tensor that operations have made"):
        record_backward(thing)
    with pytest.raises(TypeError, match=type(thing).__name__):
        graph_of(thing)


def test_a_tensor_without_graph():
    with pytest.raises(ValueError, match=r"has no graph.*requires_grad=True"):
        record_backward(mg.tensor(3.0) * 2)


def test_a_leaf():
    with pytest.raises(ValueError, match="is a leaf"):
        record_backward(mg.tensor(3.0, requires_grad=True))


def test_a_freed_graph():
    x = mg.tensor(3.0, requires_grad=True)
    y = x * x
    y.backward()
    with pytest.raises(RuntimeError, match=r"freed: MulBackward0 \(made y\).*retain_graph=True"):
        record_backward(y)


def test_a_freed_graph_can_still_be_read():
    x = mg.tensor(3.0, requires_grad=True)
    y = x * x
    y.backward()
    assert graph_of(y).operations[0].freed


def test_a_vector_needs_a_gradient():
    y = mg.tensor([1.0, 2.0], requires_grad=True) * 2
    with pytest.raises(RuntimeError, match=r"only for scalar outputs: .*shape \[2\].*gradient="):
        record_backward(y)


def test_one_element_needs_none():
    y = mg.tensor([1.0], requires_grad=True) * 2
    assert record_backward(y).frames()[0]["row"][2] == "[[1.0]]"


def test_a_gradient_of_the_wrong_shape():
    y = mg.tensor([1.0, 2.0], requires_grad=True) * 2
    with pytest.raises(RuntimeError, match=r"the gradient has shape \[3\] and .* shape \[2\]"):
        record_backward(y, mg.ones(3))


def test_a_gradient_that_is_no_tensor():
    y = mg.tensor([1.0, 2.0], requires_grad=True) * 2
    with pytest.raises(TypeError, match="gradient must be a tensor"):
        record_backward(y, [1.0, 1.0])


@pytest.mark.parametrize("names", [["x"], {"x": 3}, {3: mg.tensor(1.0)}, "x"])
def test_names_that_are_none(names):
    y = mg.tensor(1.0, requires_grad=True) * 2
    with pytest.raises(TypeError, match="names must"):
        record_backward(y, names=names)


def test_an_unknown_detail():
    y = mg.tensor(1.0, requires_grad=True) * 2
    with pytest.raises(ValueError, match="'coarse' or 'fine'"):
        record_backward(y).frames("medium")
