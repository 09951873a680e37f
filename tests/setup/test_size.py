"""The core stays small enough to be read: its lines of code are counted.

A line of code is one that is no docstring, no comment and not blank.
"""

import ast
import io
import tokenize

import pytest

from tests.setup.test_layers import CORE, FILES, room_of

BUDGET = 3500  # of the core, tables of operations, faces and all
KERNEL_BUDGET = 895  # of what every pass goes through
KERNEL = """
    tensor autograd.node autograd.version autograd.thread_state autograd.grad_mode
    autograd.saved autograd.engine autograd.backward
"""
EMPTY = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


def code_lines(source):
    """How many lines of a program are code."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    lines = {n for t in tokens if t.type not in EMPTY for n in range(t.start[0], t.end[0] + 1)}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if ast.get_docstring(node) is not None:
                lines -= set(range(first.lineno, first.end_lineno + 1))
    return len(lines)


def size_of(modules):
    """The lines of code of some modules."""
    return sum(code_lines(FILES[name].read_text(encoding="utf-8")) for name in modules)


def core():
    """The modules of the core, with those that only hand out what others hold."""
    return [name for name in FILES if room_of(name) in CORE and name != "minigrad.language"]


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("x = 1", 1),
        ('"""Says what."""\n\n# why\nx = (\n    1\n)\n', 3),
        ('def f():\n    """Says."""\n    return "no docstring"', 2),
        ("class A:\n    '''Says\n    more.'''\n", 1),
        ('x = """a\nb"""  # and so on', 2),
    ],
)
def test_lines_of_code_are_counted(source, count):
    assert code_lines(source) == count


def test_the_core_is_within_its_budget():
    assert BUDGET - 150 < size_of(core()) <= BUDGET  # what is saved is taken off the budget


def test_the_kernel_is_within_its_budget():
    assert size_of([f"minigrad.{name}" for name in KERNEL.split()]) <= KERNEL_BUDGET


def test_no_file_of_the_engine_is_too_long_to_read():
    long = {name: len(FILES[name].read_text(encoding="utf-8").splitlines()) for name in core()}
    assert not {name: count for name, count in long.items() if count > 400}
