"""What a door refuses, as a notebook shows it: at the reader's line, without our files."""

import pytest

from tests.kernel import outputs_of, traceback_of

CELLS = {
    "begin": "import minigrad as mg\nx = mg.tensor(2.0, requires_grad=True)\ny = x * x",
    "freed": "y.backward()\nmg.stepper(y)",
    "no tensor": "mg.draw(3)",
    "hook": "def half(g):\n    raise ValueError('no half')\n"
    "a = x * 1\na.register_hook(half)\nmg.stepper(a * 2)",
}


@pytest.fixture(scope="module")
def shown():
    """The traceback of each cell."""
    found = outputs_of(CELLS.values())
    return {name: traceback_of(own[-1]) for name, own in zip(CELLS, found) if own}


@pytest.mark.parametrize(
    ("cell", "line", "says"),
    [
        ("freed", "----> 2 mg.stepper(y)", "this graph has been freed"),
        ("no tensor", "----> 1 mg.draw(3)", "draw() takes a tensor, not int"),
    ],
)
def test_a_refusal_ends_in_the_readers_line(shown, cell, line, says):
    assert line in shown[cell]
    assert says in shown[cell]
    assert "minigrad/" not in shown[cell]


def test_an_error_in_the_readers_own_code_keeps_its_way(shown):
    assert "raise ValueError('no half')" in shown["hook"]
    assert "minigrad/" in shown["hook"]
