"""Run every code cell of a notebook twice, and all of them again, and compare what they show.

A learner runs a cell again, and scrolls back. `differences` tells which cells do not bear it.
"""

import ast
import contextlib
import io
import linecache
import warnings
from collections.abc import Iterator

import nbformat

from tests.notebooks.without import text_of


def differences(notebook: nbformat.NotebookNode) -> Iterator[str]:
    """One sentence for each code cell that shows something else the second or third time."""
    names = {"__name__": "__main__"}
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    first = []
    for cell in cells:
        first.append(shown(cell, names))
        if (again := shown(cell, names)) != first[-1]:
            yield f"{cell.id} shows something else the second time: {_where(first[-1], again)}"
    for cell, before in zip(cells, first, strict=True):
        if (after := shown(cell, names)) != before:
            yield f"{cell.id} shows something else at the end: {_where(before, after)}"


def shown(cell: nbformat.NotebookNode, names: dict) -> str:
    """All that a cell prints and displays, as text; an error counts as what it says."""
    body = ast.parse(cell.source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    file = f"<{cell.id}>"
    linecache.cache[file] = (len(cell.source), None, cell.source.splitlines(True), file)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        try:
            exec(compile(ast.Module(body, []), file, "exec"), names)
            if last is not None:
                value = eval(compile(ast.Expression(last.value), file, "eval"), names)
                printed.write("" if value is None else text_of(value))
        except Exception as error:
            printed.write(f"{type(error).__name__}: {error}")
    return printed.getvalue()


def _where(one: str, other: str) -> str:
    """The first line that differs."""
    pairs = zip(one.splitlines() or [""], other.splitlines() or [""])
    return next((f"{a!r}, {b!r}" for a, b in pairs if a != b), "one is longer")
