"""At Python's own prompt an input is quoted, where the terminal remembers what was typed."""

import sys
from types import SimpleNamespace

import pytest

import minigrad as mg
from minigrad.help.source import prompt

INPUTS = [
    "import minigrad as mg",
    "x = mg.ones(2, requires_grad=True)",
    "def scale(t):\n    h = t.detach()\n    return h * 2\n",
    "y = (x * x).exp()",
    "for i in range(2):\n    y += 1\n",
]


@pytest.fixture
def typing(monkeypatch):
    """Runs inputs as a prompt does; with `remembered`, in a terminal that keeps their lines."""

    def run(*inputs, remembered=True):
        prompt.typed.cache_clear()
        lines = [line for text in inputs for line in text.split("\n") if line]
        history = SimpleNamespace(
            get_current_history_length=lambda: len(lines),
            get_history_item=lambda number: lines[number - 1],
        )
        monkeypatch.setitem(sys.modules, "readline", history if remembered else None)
        variables = {"__name__": "__main__"}
        for text in inputs:
            try:
                exec(compile(text + "\n", "<stdin>", "single"), variables)
            except Exception as error:
                return error
        return None

    return run


def test_the_input_that_wrote_is_quoted(typing):
    error = typing(*INPUTS, "y.sum().backward()")
    assert "Where: the input `y += 1` changed the value in place (2 writes" in error.__notes__[0]


def test_a_line_of_a_function_is_quoted(typing):
    error = typing(*INPUTS, "scale(x).sum().backward()")
    assert "(the input `h = t.detach()`)" in error.__notes__[0]


def test_errors_of_python_itself_are_read_in_what_was_typed(typing):
    said = str(mg.why(typing(*INPUTS, "x.grad.zero_()")))
    assert said.startswith("x.grad is None: no backward pass has filled it")
    assert "raised" not in said


def test_two_inputs_that_look_alike_are_told_apart_by_their_code(typing):
    more = ["z = y.detach().requires_grad_() * 1", "w = z.exp()", "w += 3", "w += 4"]
    error = typing(*INPUTS, *more, "w.sum().backward()")
    assert "the input `w += 3` changed" in error.__notes__[0]


def test_without_a_memory_the_names_of_an_input_are_told_and_no_line(typing):
    error = typing(*INPUTS, "y.sum().backward()", remembered=False)
    assert "Where: an input that names `range`, `i`, `y` changed the value" in error.__notes__[0]
    error = typing(*INPUTS, "scale(x).sum().backward()", remembered=False)
    assert "(line 2 of scale() from the prompt)" in error.__notes__[0]
    assert "stdin" not in str(mg.why(error))


def test_names_that_were_bound_at_the_prompt_are_known(typing):
    typing("y = 1", "for i in range(2):\n    a, b = i, i\n", "print(x)")
    assert prompt.names_bound() == {"y", "i", "a", "b"}
