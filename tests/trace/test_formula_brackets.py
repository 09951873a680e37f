"""Brackets in the formulas of a step: where they are needed, and once."""

import minigrad as mg
from minigrad.trace import record_backward


def symbols(y, **names):
    frames = record_backward(y, names={"y": y, **names}).frames()
    return [frame["rules"]["symbols"] for frame in frames if frame.get("rules")]


def test_a_function_of_an_expression_has_one_pair_of_brackets():
    a, t = (mg.tensor(value, requires_grad=True) for value in (2.0, 3.0))
    told = symbols((a * t).cos() * 1, a=a, t=t)
    assert any("∂(a·t) = −sin(a·t) = " in text for text in told), told


def test_the_old_value_of_a_name_is_one_thing():
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    buf = x * 2
    buf += 1
    told = symbols(buf.sum(), x=x, buf=buf)
    assert any(text.startswith("∂buf/∂(buf before line ") for text in told), told
    assert any(text.startswith("∂(buf before line ") for text in told), told


def test_the_slope_of_a_loss_to_itself_is_one():
    x = mg.randn(2, 3, requires_grad=True)
    told = symbols(mg.nn.functional.nll_loss(x, mg.tensor([0, 1])), x=x)
    assert told[0] == "∂y/∂x = −1 ÷ 2 where the column is target, else 0"


def test_a_gradient_that_is_handed_in_keeps_its_name():
    x = mg.randn(3, requires_grad=True)
    y = x.softmax(0)
    frames = record_backward(y, mg.ones(3), names={"x": x, "y": y}).frames()
    assert "∂y/∂y" in frames[0]["rules"]["symbols"]
