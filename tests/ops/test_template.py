"""Derivatives that are written out: they can be read in tracebacks, and are no part of notes."""

import traceback

import pytest

import minigrad as mg
from minigrad.ops.elementwise import unary
from minigrad.ops.rule import OPERATIONS, Rule, SeveralNode
from minigrad.ops.template import text_of


def test_what_is_written_for_a_product():
    text = text_of(mg.mul.rule, in_slots=True, several=False)
    assert "    other = node.kept_other\n" in text
    assert "for_other = gradient_of_other(g, self, None)\n" in text
    assert text.index("gradient_of_other") < text.index("gradient_of_self")  # PyTorch's order
    assert text.endswith("return (to_self, for_self), (to_other, for_other),\n")


@pytest.mark.parametrize("name", [name for name, o in OPERATIONS.items() if o.rule is not None])
def test_what_is_written_is_python_and_takes_what_the_rule_saves(name):
    rule = OPERATIONS[name].rule
    if rule.kind.is_written and rule.formulas:
        text = text_of(rule, rule.kind.in_slots, issubclass(rule.kind, SeveralNode))
        compile(text, "<template>", "exec")
        assert all(f"{kept} = unpacked({kept}, node, recorded)" in text for kept in rule.saves)


def test_a_traceback_shows_the_line_that_was_written():
    def broken(g):
        raise ZeroDivisionError

    try:
        operation = unary("broken", lambda x: x, broken)
        y = operation(mg.ones(2, requires_grad=True)).sum()
        with pytest.raises(ZeroDivisionError) as raised:
            y.backward()
    finally:
        del OPERATIONS["broken"]
    lines = [frame.line for frame in traceback.extract_tb(raised.tb)]
    assert "for_self = gradient_of_self(g)" in lines


def test_a_formula_cannot_ask_for_a_name_of_the_template():
    rule = Rule("odd", "OddBackward0", {"self": lambda g, freed: g}, arguments=("freed",))
    with pytest.raises(ValueError, match="a name of the template"):
        _ = rule.node
