"""`%load_ext minigrad` in a real kernel: short tracebacks, with what helps below."""

import pytest

from tests.kernel import outputs_of, traceback_of

CELLS = {
    "load": "%load_ext minigrad\nimport minigrad as mg\nx = mg.ones(2, requires_grad=True)",
    "note": "x.backward()",
    "asked": "mg.why()",
    "nothing": "def f(x):\n    x * 2\nf(x).backward()",
    "other": "1 / 0",
    "sizes": "mg.ones(2, 3) @ mg.ones(2, 3)",
    "unload": "%unload_ext minigrad",
    "long": "x.backward()",
    "why": "mg.why()",
    "lesson": "import minigrad.lessons\nx.backward()",
    "item": "x.sum().item().backward()",
}


@pytest.fixture(scope="module")
def shown():
    """What each cell shows, as text without colors."""
    found = outputs_of(CELLS.values())
    return {name: "\n".join(map(text_of, outputs)) for name, outputs in zip(CELLS, found)}


def text_of(output):
    return traceback_of(output) or output.get("data", {}).get("text/plain", "")


def test_a_traceback_ends_in_the_readers_line(shown):
    assert "----> 1 x.backward()" in shown["note"]
    assert "minigrad/" not in shown["note"]
    assert "Try:   x.sum().backward()" in shown["note"]


def test_an_error_of_pythons_own_is_answered_below(shown):
    before, after = shown["nothing"].split("'NoneType' object has no attribute 'backward'")
    assert "f(x).backward()" in before
    assert "f() returned None" in after


def test_an_error_of_sizes_is_answered_from_its_operands(shown):
    assert "Try:   mg.ones(2, 3) @ mg.ones(2, 3).T" in shown["sizes"]
    assert "minigrad/" not in shown["sizes"]


def test_an_error_of_others_is_as_it_was(shown):
    assert shown["other"].rstrip().endswith("ZeroDivisionError: division by zero")


def test_why_knows_an_error_that_was_shown_short(shown):
    assert shown["asked"].startswith("x has 2 elements (shape [2])")


def test_it_can_be_taken_back(shown):
    assert "minigrad/" in shown["long"]


def test_in_a_lesson_errors_are_short_without_being_asked(shown):
    assert "----> 2 x.backward()" in shown["lesson"]
    assert "minigrad/" not in shown["lesson"]
    assert "Try:   x.sum().backward()" in shown["lesson"]
    assert "Try: leave item() out there" in shown["item"]


def test_why_knows_the_last_error(shown):
    assert shown["why"].startswith("x has 2 elements (shape [2])")
