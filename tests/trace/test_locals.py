"""Local derivatives: what a step says about an operation is what the engine computed."""

import gc
import math

import numpy as np
import pytest

import minigrad as mg
from minigrad.ops.rule import Rule
from minigrad.trace import record_backward
from minigrad.trace.locals import as_mathematics, product_in_words

# Of several rules with one name, as of `a - b` and `sub(a, b, alpha=2)`, the one with words.
EVERY_RULE = [rule for rule in gc.get_objects() if isinstance(rule, Rule)]
RULES = {rule.node_name: rule for rule in sorted(EVERY_RULE, key=lambda rule: bool(rule.locals))}


def leaf(*numbers):
    return mg.tensor(list(numbers), dtype=mg.float64, requires_grad=True)


EXAMPLES = {
    "AddBackward0": lambda: leaf(1.0, 2.0) + leaf(3.0, 4.0),
    "SubBackward0": lambda: leaf(1.0, 2.0) - leaf(3.0, 4.0),
    "RsubBackward1": lambda: 3 - leaf(1.0, 2.0),
    "MulBackward0": lambda: leaf(1.0, 2.0) * leaf(3.0, 4.0),
    "DivBackward0": lambda: leaf(1.0, 2.0) / leaf(3.0, 4.0),
    "NegBackward0": lambda: -leaf(1.0, 2.0),
    "PowBackward0": lambda: leaf(1.0, 2.0) ** 3,
    "PowBackward1": lambda: leaf(1.0, 2.0) ** leaf(3.0, 4.0),
    "PowBackward2": lambda: 3 ** leaf(1.0, 2.0),
    "ReciprocalBackward0": lambda: leaf(1.0, 2.0).reciprocal(),
    "RsqrtBackward0": lambda: leaf(1.0, 2.0).rsqrt(),
    "CloneBackward0": lambda: leaf(1.0, 2.0).clone(),
    "SumBackward0": lambda: leaf(1.0, 2.0).sum(),
    "SumBackward1": lambda: leaf(1.0, 2.0).sum(0),
    "MeanBackward0": lambda: leaf(1.0, 2.0).mean(),
    "MeanBackward1": lambda: leaf(1.0, 2.0).mean(-1),
    "ClampBackward1": lambda: leaf(-1.0, 0.5, 2.0).clamp(0, 1),
    "MaximumBackward0": lambda: mg.maximum(leaf(1.0, 2.0, 3.0), leaf(2.0, 2.0, 2.0)),
    "MinimumBackward0": lambda: mg.minimum(leaf(1.0, 2.0, 3.0), leaf(2.0, 2.0, 2.0)),
    **{
        f"{name.capitalize()}Backward0": lambda name=name: getattr(leaf(0.3, 0.7), name)()
        for name in (
            *("exp", "log", "sqrt", "sin", "cos", "tan", "tanh", "sigmoid", "abs", "relu"),
            *("exp2", "expm1", "log2", "asin", "acos", "atan", "sinh", "cosh", "sign", "floor"),
        )
    },
}


@pytest.mark.parametrize("node", EXAMPLES)
def test_the_shown_product_is_what_was_sent(node):
    assert RULES[node].locals
    root = EXAMPLES[node]()
    events = record_backward(root, mg.full(root.shape, 1.5, dtype=mg.float64)).events
    run = next(event for event in events if event["kind"] == "run")
    derivatives = [event for event in events if event["kind"] == "local"]
    sends = [event for event in events if event["kind"] == "send"]
    assert len(derivatives) == len(sends) > 0
    for derivative, send in zip(derivatives, sends):
        assert derivative["number"] is not None, derivative["symbols"]
        product = np.broadcast_to(run["incoming"][0] * derivative["number"], send["grad"].shape)
        np.testing.assert_allclose(product, send["grad"], rtol=1e-12)


def test_a_wrong_rule_is_not_claimed(monkeypatch):
    from minigrad.trace import nodes

    monkeypatch.setattr(nodes, "local_rules", lambda node: {"self": nodes.Local("7", "wrong")})
    x = mg.tensor(2.0, requires_grad=True)
    y = x * 3
    assert ["SEND", "3 → x"] in record_backward(y).frames()[0]["panel"]


def test_formulas_on_a_blackboard():
    assert as_mathematics("-self / other ** 2") == "−self ÷ other^2"
    assert as_mathematics("2 * x - 1") == "2 × x − 1"


@pytest.mark.parametrize(
    ("incoming", "number", "sent", "told"),
    [
        (3.0, 4.0, 12.0, ("3 × 4 = 12", "")),
        (3.0, -4.0, -12.0, ("3 × (-4) = -12", "")),
        (np.ones(2), 2.0, [2.0, 2.0], ("1 × 2 = 2 in each element", "")),
        ([1.0, 2.0], 2.0, [2.0, 4.0], ("[1, 2] × 2 = [2, 4]", "")),
        (1.0, 0.5, [0.5, 0.5], ("1 × 0.5 = 0.5", "to every element of shape [2]")),
        ([1.0, 2.0], 1.0, 3.0, ("[1, 2] × 1 = [1, 2]", "summed over axis 0 to fit shape []: 3")),
        (
            np.ones((2, 3)),
            1.0,
            [[3.0], [3.0]],
            ("1 × 1 = 1 in each element", "summed over axis 1 to fit shape [2, 1]: [[3], [3]]"),
        ),
        (
            [[1.0, 2.0]],
            1.0,
            [1.0, 2.0],
            ("[[1, 2]] × 1 = [[1, 2]]", "put into shape [2]"),
        ),
    ],
)
def test_products_in_words(incoming, number, sent, told):
    found = product_in_words(np.asarray(incoming), np.asarray(number), np.asarray(sent))
    assert found == told


@pytest.mark.parametrize(
    ("incoming", "number", "sent"),
    [(3.0, 4.0, 13.0), (np.ones(2), np.ones(3), np.ones(2)), (None, 4.0, 1.0), (1.0, None, 1.0)],
)
def test_no_product_is_made_up(incoming, number, sent):
    sides = [side if side is None else np.asarray(side) for side in (incoming, number, sent)]
    assert product_in_words(*sides) is None


def test_nan_and_infinity_are_told():
    x = mg.tensor(0.0, requires_grad=True)
    y = x.log()
    assert ["SEND", "1 × inf = inf → x"] in record_backward(y).frames()[0]["panel"]
    assert math.isinf(record_backward(y).events[-2]["after"])
