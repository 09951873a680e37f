"""Of several sums a sentence says which one by its expression, as the picture does."""

import minigrad as mg
from minigrad.trace import record_backward


def test_a_sum_among_others_is_called_by_its_expression():
    a, b, c, d = (mg.tensor(value, requires_grad=True) for value in (1.0, 2.0, 3.0, 4.0))
    y = (a + b) * (c + d)
    trace = record_backward(y, names={"a": a, "b": b, "c": c, "d": d, "y": y})
    said = trace.frames()[0]["sentence"]
    assert "the sum a+b" in said
    assert "the sum c+d" in said


def test_equal_expressions_are_counted():
    a, b = (mg.tensor(value, requires_grad=True) for value in (1.0, 2.0))
    y = (a + b) * (a + b)
    said = record_backward(y, names={"a": a, "b": b, "y": y}).frames()[0]["sentence"]
    assert "the first sum" in said
    assert "the second sum" in said


def test_the_only_sum_is_the_sum():
    a, b = (mg.tensor(value, requires_grad=True) for value in (1.0, 2.0))
    y = (a + b).exp()
    said = record_backward(y, names={"a": a, "b": b, "y": y}).frames()[0]["sentence"]
    assert "to the sum." in said
