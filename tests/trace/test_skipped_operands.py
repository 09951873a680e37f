"""What is said of an operand that is sent nothing: never more than is known of it."""

import pytest

import minigrad as mg
from minigrad.trace import record_backward


def told(trace):
    """The pieces of text in the rows "sends nothing" of every step."""
    found = []
    for frame in trace.frames():
        label = ""
        for name, pieces, *_ in (row for group in frame["details"] for row in group["rows"]):
            label = name or label
            if label == "sends nothing":
                found += pieces
    return found


def test_a_number_added_in_place_is_not_called_a_tensor():
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    y += 1
    texts = told(record_backward(y.sum(), names={"x": x, "y": y}))
    assert texts == ["to the second operand: no gradient goes there", "to 2: a plain number"]


@pytest.mark.parametrize("term", [2, mg.tensor(2.0)])
def test_what_was_worked_out_is_called_neither_a_tensor_nor_a_number(term):
    """The 2 is told from the result alone; it may have been either."""
    x = mg.tensor(1.5, requires_grad=True)
    assert told(record_backward(x - term, names={"x": x})) == ["to 2: no gradient goes there"]


def test_a_recorded_number_added_in_place_is_a_plain_number():
    with mg.watch():
        x = mg.tensor([1.0, 2.0], requires_grad=True)
        y = x * 2
        y += 1
    texts = told(record_backward(y.sum(), names={"x": x, "y": y}))
    assert texts == ["to 1: a plain number", "to 2: a plain number"]


@pytest.mark.parametrize("bias", [False, True])
def test_a_convolution_without_a_bias_skips_none(bias):
    torch = pytest.importorskip("torch")
    x, w = torch.ones(1, 1, 5, 5), torch.ones(2, 1, 3, 3, requires_grad=True)
    b = torch.zeros(2, requires_grad=True) if bias else None
    y = torch.nn.functional.conv2d(x, w, b).sum()
    assert told(record_backward(y, names={"x": x, "w": w})) == ["to x: it asks for no gradient"]
