"""The generated pages say what the sources say, and what they say is true."""

import importlib.util
from inspect import signature
from pathlib import Path

import numpy as np
import pytest

import minigrad
from minigrad.ops import arithmetic, functions, kinks
from minigrad.ops.rule import OPERATIONS, Rule

DOCS = Path(__file__).resolve().parents[2] / "docs"


def builder():
    spec = importlib.util.spec_from_file_location("docs_build", DOCS / "build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["operations.md", "differences.md"])
def test_a_page_is_up_to_date(name):
    assert (DOCS / name).read_text(encoding="utf-8") == builder().PAGES[name](), (
        "run python3 docs/build.py"
    )


def elementwise_rules():
    """Every rule of an elementwise operation that states its local derivative, by its node."""
    found = {}
    for value in (v for room in (arithmetic, functions, kinks) for v in vars(room).values()):
        rule = value if isinstance(value, Rule) else getattr(value, "rule", None)
        if rule is not None and rule.locals:
            found[f"{rule.name} {rule.node.__name__}"] = rule
    return found


RULES = elementwise_rules()
VALUES = {
    "self": np.array([0.3, 0.6, 0.9]),
    "other": np.array([0.5, 0.6, 1.7]),
    "end": np.array([1.0, 2.0, 4.0]),
    "exponent": np.array([2.0, 0.5, 3.0]),
    "weight": np.array([0.2, 0.5, 0.7]),
    "alpha": 2.0,
    "min": 0.4,
    "max": 0.8,
    "beta": 2.0,
    "threshold": 1.5,
}
FUNCTIONS = ["cos", "sin", "sinh", "cosh", "sqrt", "sign", "where", "log", "floor"]


def result_of(rule: Rule):
    operands = [minigrad.tensor(VALUES[operand]) for operand in rule.operands]
    return OPERATIONS[rule.name](*operands).numpy()


@pytest.mark.parametrize("name", RULES)
def test_the_words_of_a_derivative_are_its_formula(name):
    rule = RULES[name]
    names = {function: getattr(np, function) for function in FUNCTIONS} | VALUES
    names |= {"LN2": np.log(2), "LN10": np.log(10)}
    names |= {"sigmoid": functions.sigmoid, "between": kinks.between}
    if rule.node.__name__ == "PowBackward2":
        names["self"] = 1.7
        names["result"] = 1.7 ** VALUES["exponent"]
    elif rule.node.__name__ == "PowBackward0":
        names["exponent"] = 3
    if "result" not in names and ("result" in rule.saves or "result" in str(rule.locals)):
        names["result"] = result_of(rule)
    for operand, local in rule.locals.items():
        formula = rule.formulas[operand]
        parameters = list(signature(formula).parameters)[1:]  # `_self` is given, but not needed
        asked = [names[parameter.removeprefix("_")] for parameter in parameters]
        derived = formula(np.ones(3), *asked)
        stated = eval(local.symbols, {"__builtins__": {}}, names)  # our own declarations
        np.testing.assert_allclose(np.broadcast_to(stated, (3,)), derived, rtol=1e-12)


def test_many_rules_were_checked():
    assert len(RULES) > 35
