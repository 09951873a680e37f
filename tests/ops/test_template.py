"""Functions that are written out: they can be read in tracebacks, and are no part of notes."""

import traceback

import pytest

import minigrad as mg
from minigrad.ops.elementwise import unary
from minigrad.ops.more import WHERE, load
from minigrad.ops.rule import OPERATIONS, Rule, RuleNode
from minigrad.ops.template import text_of_derivative, text_of_record

for _name in WHERE:
    load(_name)
RULES = {name: each.rule for name, each in OPERATIONS.items() if each.rule is not None}


def test_what_is_written_for_a_product():
    text = text_of_record(mg.mul.rule)
    assert "                    node.kept_self = save(self)\n" in text
    text = text_of_derivative(mg.mul.rule)
    assert "    other = node.kept_other\n" in text
    assert "for_other = gradient_of_other(g, self, None)\n" in text
    assert text.index("gradient_of_other") < text.index("gradient_of_self")  # PyTorch's order
    assert text.endswith("return ((to_self, for_self), (to_other, for_other))\n")


@pytest.mark.parametrize("name", [name for name in RULES if RULES[name].kind is RuleNode])
def test_what_is_written_is_python_and_takes_what_the_rule_saves(name):
    rule = RULES[name]
    record, derivative = text_of_record(rule), text_of_derivative(rule)
    compile(record + derivative, "<template>", "exec")
    assert all(f"node.kept_{kept} = " in record for kept in rule.saves)
    assert all(f"{kept} = unpacked({kept}, node, recorded)" in derivative for kept in rule.saves)


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


@pytest.mark.parametrize("name", ["freed", "mode", "value_"])
def test_a_formula_cannot_ask_for_a_name_of_the_template(name):
    formula = eval(f"lambda g, {name}: g")
    with pytest.raises(ValueError, match="a name of the template"):
        Rule("odd", formula, arguments=(name,))
