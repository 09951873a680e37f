"""A None in the place of a tensor, wherever it stands: it is named, and so is what gave it."""

import pytest

import minigrad as mg
from tests.help.program import run

HEAD = """
import math
nn = torch.nn
F = nn.functional
x = torch.ones(3, requires_grad=True)
class Net(nn.Module):
    def forward(self, x):
        h = x * 2
net = Net()
def rows(x):
    [x, x]
def early(x):
    if x is None:
        return x * 2
"""
NET, ROWS = "end Net.forward() with `return`", "end rows() with `return`"
EARLY = "on each way through it: one ends without (line"

# what fails, how the answer begins, and what to do
GIVEN = [
    ("net(x) - 1", "net(x) is None", NET),
    ("1 - net(x)", "net(x) is None", NET),
    ("-net(x)", "net(x) is None", NET),
    ("net(x)[0]", "net(x) is None", NET),
    ("2 in net(x)", "net(x) is None", NET),
    ("torch.relu(net(x))", "net(x) is None", NET),
    ("torch.relu(early(x))", "early(x) is None", EARLY),
    ("F.mse_loss(net(x), x)", "net(x) is None", NET),
    ("nn.MSELoss()(net(x), x)", "net(x) is None", NET),
    ("F.mse_loss(early(x), x)", "early(x) is None", EARLY),
    ("F.mse_loss(x, early(x))", "early(x) is None", EARLY),
    ("nn.MSELoss()(early(x), x)", "early(x) is None", EARLY),
    ("F.cross_entropy(early(x), x, None)", "early(x) is None", EARLY),
    ("torch.cat([x, early(x)])", "early(x) is None", EARLY),
    ("line = nn.Linear(3, 1)\nline(early(x))", "early(x) is None", EARLY),
    ("math.exp(net(x))", "net(x) is None", NET),
    ("torch.softmax(net(x), dim=0)", "net(x) is None", NET),
    ("torch.stack([x, net(x)])", "net(x) is None", NET),
    ("both = [net(x) for _ in range(2)]\ntorch.stack(both)", "both[0] is None", NET),
    ("out = nn.Sequential(nn.Tanh(), net)(x)\nout[0]", "out is None", ""),
    ("torch.func.grad(rows)(x)", "rows() returned None", ROWS),
    ("len(rows(x))", "rows(x) is None", ROWS),
    ("for row in rows(x):\n    print(row)", "rows(x) is None", ROWS),
    ("both = rows(x)\nfor row in both:\n    print(row)", "both is None", ROWS),
    ("[row * 2 for row in rows(x)]", "rows(x) is None", ROWS),
    ("sum(row.sum() for row in rows(x))", "rows(x) is None", ROWS),
    ("for row in zip(x, rows(x)):\n    print(row)", "rows(x) is None", ROWS),
    ("a, b = rows(x)", "rows(x) is None", ROWS),
    ("print(*rows(x))", "rows(x) is None", ROWS),
    (
        "parts = [x].append(x)\nfor each in parts:\n    print(each)",
        "parts is None",
        "`parts = [x]`",
    ),
    ("torch.exp({'a': x}.get('b'))", "", ""),
    ("known = {'a': x}\ntorch.exp(known.get('b'))", "known.get('b') is None", ""),
]
# where nothing is to be said of a function of the reader's, or of an argument that may be None
APART = {
    "for row in map(list, [None]):\n    print(row)": "TypeError: ",
    "def over(xs):\n    for each in xs:\n        yield each\nlist(over(early(x)))": "xs is None",
    "F.linear(early(x), torch.ones(2, 3), None)": "early(x) is None",
    "bias = None\nF.linear(early(x), torch.ones(2, 3), bias)": "early(x) is None",
    "def scaled(x, by=None):\n    return x * by\nscaled(x)": "by is None",
    "[].extend(early(x))": "TypeError: ",
}


def answer(program):
    with pytest.raises((TypeError, AttributeError, RuntimeError)) as caught:
        run(HEAD + program)
    return str(mg.why(caught.value))


@pytest.mark.parametrize(("program", "begins", "do"), GIVEN)
def test_what_was_none_is_named_and_what_to_do(program, begins, do):
    said = answer(program)
    assert said.startswith(begins)
    assert do in said


@pytest.mark.parametrize("program", APART)
def test_nothing_else_is_blamed(program):
    said = answer(program)
    assert said.startswith(APART[program])


def test_an_attribute_is_none_until_a_line_has_run():
    program = """
class Cell:
    def __init__(self):
        self.state = None
    def start(self, x):
        self.state = x
    def step(self, x):
        return self.state + x
Cell().step(x)
"""
    said = answer(program)
    assert "self.state = None`, and stays None until" in said
    assert "`self.state = x` has run" in said
