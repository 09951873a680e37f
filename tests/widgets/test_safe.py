"""The small safe language: what it refuses, in which words and where, and what it lets through."""

import ast
import contextlib
import random
import time

import pytest

import minigrad as mg
from minigrad.widgets.safe import FUNCTIONS, Refused, numbers, parse

SENTENCES = {
    "": (0, "Nothing is written yet: expected a number or a name."),
    "  ": (0, "Nothing is written yet: expected a number or a name."),
    "2 *": (3, "Expected a number or a name after `*`."),
    "2 * / x": (4, "Expected a number or a name after `*`."),
    "* x": (0, "Expected a number or a name before `*`."),
    "x + ()": (5, "Expected a number or a name between `(` and `)`."),
    "2x": (1, "Expected an operator such as `*` between `2` and `x`."),
    "(x+1)(x+2)": (5, "Expected an operator such as `*` between `)` and `(`."),
    "x[0]": (1, "Expected an operator such as `*` between `x` and `[`."),
    "x y": (2, "Expected an operator such as `*` between `x` and `y`."),
    "(x + 1": (6, "A `(` is still open: expected `)`."),
    "x + 1)": (5, "This `)` closes nothing: nothing is open."),
    "[x + 1)": (6, "This `)` closes nothing: expected `]`."),
    "x^2": (1, "A power is written `**`."),
    "(2*x + 3)²": (9, "A power is written `**`."),
    "x.grad": (1, "A dot stands only inside a number, such as 0.5."),
    "y = x": (2, "Write the expression alone, without `=`."),
    "x // 2": (3, "Expected a number or a name after `/`."),
    "x % 2": (2, "`%` has no place in an expression."),
    "θ * 2": (0, "Names are written with the letters a to z; this is `θ`."),
    "2,5 * x": (1, "A comma stands only in a vector such as `[1, 2]`. Decimals have a point."),
    "exp * 2": (0, "`exp` is a function: write `exp(…)`."),
    "print(x)": (0, f"There is no function `print`. There are {', '.join(FUNCTIONS)}."),
    "lambda": (0, "`lambda` is a word of Python and cannot be a name."),
    "x / 0": (4, "Nothing can be divided by 0."),
    "1 / (2 - 2) * x": (5, "Nothing can be divided by 0."),
    "9**9**9": (3, "The power 3.8742e+08 is too large: 64 is the most."),
    "x ** 65": (5, "The power 65 is too large: 64 is the most."),
    "x ** (9 * 9)": (6, "The power 81 is too large: 64 is the most."),
    "1e999 * x": (0, "That number is too large."),
    "9e200 * 9e200": (0, "That number is too large."),
    "(-8) ** (1/3) * x": (9, "A power of a negative number has to be a whole number."),
    "2 @ 3": (4, "`@` needs a vector on both sides, such as `[1, 2]`."),
    "sum([1, 2, 3, 4, 5])": (17, "A vector has at most 4 numbers."),
    "sum([x, 2])": (5, "A vector is made of numbers, such as `[1, 2]`."),
}
HOSTILE = [
    "__import__('os').system('true')",
    "__import__",
    "().__class__",
    "().__class__.__bases__[0].__subclasses__()",
    "x.__class__",
    "exp.__globals__",
    "[1, 2].__len__()",
    "'a' * 9",
    '"a" * 999999999',
    "f'{x}'",
    "b'x'",
    "9**9**9",
    "x**9**9",
    "(9**9)**(9**9)",
    "x if x else x",
    "[x for x in x]",
    "lambda: 1",
    "x := 2",
    "(x := 2)",
    "{1: 2}",
    "{1}",
    "x and x",
    "not x",
    "x < 2",
    "x == x",
    "~x",
    "x << 9999999",
    "*x",
    "exp(*x)",
    "exp(**x)",
    "exp(x, x)",
    "exp(x=1)",
    "exp()",
    "(exp)(x)",
    "await x",
    "yield",
    "None",
    "True",
    "...",
    "1j",
    "0x10",
    "1_000",
    "007",
    "x;y",
    "x\\",
    "x#y",
    "x\x00y",
    "x\ny",
    "()",
    "[]",
    "[[1]]",
    "(1, 2)",
    "ｘ",
    "x²",
    "x\u200b",
    "\ud800",
    "_",
    "_x",
    "x" * 21,
    "open(x)",
    "eval(x)",
    "max(x)",
    "x" * 1000,
    "1+" * 500_000 + "1",
    "(" * 90 + "x" + ")" * 90,
    "-" * 190 + "x",
    "exp(" * 40 + "x" + ")" * 40,
    "**".join("x" * 30),
    "+".join("x" * 60),
    "a+b+c+d+e+f+g",
]


def refused(text: str) -> Refused:
    with pytest.raises(Refused) as caught:
        parse(text)
    return caught.value


@pytest.mark.parametrize("text", SENTENCES)
def test_the_sentence_and_its_column(text):
    found = refused(text)
    assert (found.column, str(found)) == SENTENCES[text]
    shown, caret = found.caret().split("\n")
    assert caret == " " * found.column + "^"
    assert shown == text.rstrip()


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:30])
def test_hostile_texts_are_refused_at_once(text):
    start = time.perf_counter()
    found = refused(text)
    assert time.perf_counter() - start < 0.5
    assert str(found).endswith(".")
    assert 0 <= found.column <= 201
    assert len(found.caret()) < 450


def test_nothing_but_the_listed_nodes_gets_through():
    """Pieces in every order: what is let through has only harmless nodes, and evaluates."""
    pieces = ["x", "2", "exp", *"()[],+*-@.'= ", "**"]
    harmless = (ast.Name, ast.Constant, ast.List, ast.BinOp, ast.UnaryOp, ast.Call)
    source = random.Random(1)
    x = mg.tensor(1.5, dtype=mg.float64, requires_grad=True)
    through = 0
    for _ in range(20_000):
        text = "".join(source.choices(pieces, k=source.randint(1, 7)))
        try:
            expression = parse(text)
        except Refused:
            continue
        through += 1
        inside = [node for node in ast.walk(expression.tree) if isinstance(node, ast.expr)]
        assert all(isinstance(node, harmless) for node in inside), text
        with contextlib.suppress(Refused):  # vectors that do not fit
            expression(dict.fromkeys(expression.names, x))
    assert through > 200


def test_columns_hold_with_spaces_and_other_signs():
    assert parse("  2 × x − 1 ").names == ("x",)
    assert refused("2 × − ÷ x").column == 6


def test_names_come_in_the_order_of_the_text():
    assert parse("(b + a) * exp(c) + b").names == ("b", "a", "c")
    assert parse("exp(2)").names == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x @ u", "`@` needs a vector on both sides, such as `[1, 2]`."),
        ("u @ 2", "`@` needs a vector on both sides, such as `[1, 2]`."),
        ("u @ [1, 2, 3]", "The vector before it has 2 numbers, this one has 3."),
        ("u * [1, 2, 3]", "The vector before it has 2 numbers, this one has 3."),
        ("x + sum(w)", "A vector has at most 4 numbers: `w` has more."),
    ],
)
def test_shapes_that_do_not_fit(text, said):
    values = {"x": mg.tensor(1.0), "u": mg.tensor([1.0, 2.0]), "w": mg.ones(5)}
    with pytest.raises(Refused) as caught:
        parse(text)(values)
    assert str(caught.value) == said


def test_a_minus_binds_as_in_python():
    x = mg.tensor(3.0, dtype=mg.float64)
    for text in ("-x**2", "2**-x", "-2**2*x", "x - -x", "2**3**0 * x", "+x / 2 * 4", "7 - 2 - x"):
        assert parse(text)({"x": x}).item() == pytest.approx(eval(text, {"x": 3.0}))


def test_numbers_of_one_kind_count_once():
    """Numbers are folded before they meet a tensor: the graph shows one of them."""
    x = mg.tensor(3.0, dtype=mg.float64, requires_grad=True)
    assert parse("x * (1 / 2)")({"x": x}).grad_fn.name() == "MulBackward0"
    assert parse("x ** (1 + 1)")({"x": x}).grad_fn._saved_exponent == 2


@pytest.mark.parametrize(
    ("text", "value"),
    [("2", 2.0), (" -1.5 ", -1.5), ("1/3", 1 / 3), ("1, 2", (1.0, 2.0)), ("[1,-2]", (1.0, -2.0))],
)
def test_typed_numbers(text, value):
    assert numbers(text) == value


@pytest.mark.parametrize("text", ["x", "nan", "1,", "1, 2, 3, 4, 5", "exp(1)", "", "1 2", "2*"])
def test_typed_numbers_refused(text):
    with pytest.raises(Refused) as caught:
        numbers(text)
    assert 0 <= caught.value.column <= len(text)
