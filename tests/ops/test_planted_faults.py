"""Test the tester: wrong rules and a broken engine, planted on purpose, must be noticed."""

import numpy as np
import pytest

import minigrad
from minigrad.autograd import engine, saved
from minigrad.ops import broadcasting
from tests.documents.recording import ITEMS
from tests.ops import test_finite_differences as finite
from tests.ops.compare import unlike_oracle
from tests.ops.recording import RECORDING
from tests.ops.table import CASES


def recorded_comparison_fails(name):
    try:
        return bool(unlike_oracle(RECORDING.answers[name], RECORDING.now(name, minigrad)))
    except Exception:
        return True


def finite_differences_fail(name):
    try:
        finite.test_first_derivative(CASES[name])
    except Exception:  # an AssertionError, or the engine stumbles over the fault
        return True
    return False


def node_class(call):
    """The class of the node that an operation records."""
    x = minigrad.tensor([0.5, 1.5], requires_grad=True)
    return type(call(x).grad_fn)


def replaced(formula_from):
    """Formulas of which each is replaced by one made from it."""
    return lambda formulas: {name: formula_from(f) for name, f in formulas.items()}


WRONG_RULES = {
    "wrong sign": ("sin: vector", lambda x: x.sin(), replaced(lambda f: lambda *a: -f(*a))),
    "missing factor": ("square: vector", lambda x: x.square(), replaced(lambda f: lambda g, *a: g)),
    "input for output": (
        "exp: vector",
        lambda x: x.exp(),
        replaced(lambda f: lambda g, result: g * np.log(result)),
    ),
    "operands swapped": (
        "div: vectors",
        lambda x: x / x,
        lambda formulas: dict(zip(formulas, [*formulas.values()][::-1])),
    ),
}


@pytest.mark.parametrize("fault", WRONG_RULES)
def test_a_wrong_rule_is_noticed(fault, monkeypatch):
    name, call, change = WRONG_RULES[fault]
    assert not recorded_comparison_fails(name)
    assert not finite_differences_fail(name)
    node = node_class(call)
    monkeypatch.setattr(node, "differentiate", node.rule.derivative(change(node.rule.formulas)))
    assert recorded_comparison_fails(name)
    assert finite_differences_fail(name)


BROKEN_ENGINES = {
    "missing unbroadcast": (
        broadcasting,
        "to_shape_and_dtype",
        lambda g, shape, dtype: g,
        "mul: matrix, row",
    ),
    "= for +=": (engine._Pass, "add", lambda self, have, g, key: g, "mul x * x: vector"),
}


@pytest.mark.parametrize("fault", BROKEN_ENGINES)
def test_a_broken_engine_is_noticed(fault, monkeypatch):
    where, what, broken, name = BROKEN_ENGINES[fault]
    assert not recorded_comparison_fails(name)
    assert not finite_differences_fail(name)
    monkeypatch.setattr(where, what, broken)
    assert recorded_comparison_fails(name)
    assert finite_differences_fail(name)


def test_a_missing_version_check_is_noticed(monkeypatch):
    name = "003-3.13"
    assert not ITEMS.differences(name, minigrad)
    monkeypatch.setattr(saved.SavedOutput, "raw", lambda self, node: self.value)
    assert ITEMS.differences(name, minigrad)
