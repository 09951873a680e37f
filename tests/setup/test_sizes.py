"""How large the room of traces may grow, in lines of code without docstrings, comments, blanks."""

import ast
import io
import tokenize
from pathlib import Path

import pytest

ROOM = Path(__file__).resolve().parents[2] / "minigrad" / "trace"
ROOM_BUDGET, FILE_BUDGET = 4265, 300
IDLE = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE),
    *(tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER),
}


def docstrings(tree):
    """The lines that docstrings take."""
    for node in ast.walk(tree):
        documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        if isinstance(node, documented) and ast.get_docstring(node) is not None:
            yield from range(node.body[0].lineno, node.body[0].end_lineno + 1)


def code_lines(text):
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in IDLE:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - set(docstrings(ast.parse(text))))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ('"""Two\nlines."""\n\n# why\nx = 1\n', 1),
        ("def f():\n    '''What.'''\n    return [\n        1,\n    ]\n", 4),
        ("x = '''one\ntwo'''\n", 2),
    ],
)
def test_lines_are_counted(text, count):
    assert code_lines(text) == count


def test_the_room_of_traces_can_be_read_in_one_sitting():
    sizes = {path.name: code_lines(path.read_text(encoding="utf-8")) for path in ROOM.glob("*.py")}
    assert sum(sizes.values()) <= ROOM_BUDGET
    assert {name: size for name, size in sizes.items() if size > FILE_BUDGET} == {}


def test_every_module_is_named_in_the_reading_order():
    said = ast.get_docstring(ast.parse((ROOM / "__init__.py").read_text(encoding="utf-8")))
    modules = {path.stem for path in ROOM.glob("*.py")} - {"__init__"}
    assert {name for name in modules if said.count(f"``{name}``") != 1} == set()
