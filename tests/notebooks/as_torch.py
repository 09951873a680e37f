"""Run the cells of a notebook with PyTorch behind the name `mg`, and say what they show.

Where a cell imports minigrad it is given `Engine`: the names are PyTorch's. What PyTorch lacks and
is there for looking, such as `draw` and `stepper`, is minigrad's, and takes tensors of either.
`minigrad.lessons` stays what it is.
"""

import ast
import builtins
import contextlib
import io
import linecache
import warnings
from collections.abc import Callable
from functools import reduce
from types import ModuleType
from typing import Any

import nbformat
from IPython.lib.pretty import pretty

import minigrad

#: The rooms of what PyTorch has no counterpart for.
LOOKING = ("minigrad.widgets", "minigrad.trace", "minigrad.help")


class Engine(ModuleType):
    """PyTorch, with what only minigrad has."""

    def __init__(self, torch: ModuleType):
        super().__init__("minigrad")
        self._torch = torch

    def __getattr__(self, name: str) -> Any:
        own = getattr(minigrad, name, None)
        if not hasattr(self._torch, name) and getattr(own, "__module__", "").startswith(LOOKING):
            return own
        return getattr(self._torch, name)


def played(notebook: nbformat.NotebookNode, torch: ModuleType) -> dict[str, str]:
    """What each code cell shows, by its id: one after another, with the same names."""
    names = {
        "__name__": "__main__",
        "__builtins__": vars(builtins) | {"__import__": _import(torch)},
    }
    return {cell.id: run(cell, names) for cell in notebook.cells if cell.cell_type == "code"}


def _import(torch: ModuleType) -> Callable[..., Any]:
    """`__import__` for the cells: minigrad is `Engine`, and its submodules are looked up there."""

    def imported(name: str, namespace=None, local=None, wanted=(), level=0) -> Any:
        package, *parts = name.split(".")
        if package != "minigrad" or parts[:1] == ["lessons"]:
            return builtins.__import__(name, namespace, local, wanted, level)
        return reduce(getattr, parts if wanted else (), Engine(torch))

    return imported


def run(cell: nbformat.NotebookNode, names: dict[str, Any]) -> str:
    """What a cell prints, displays and raises, as text."""
    body = ast.parse(cell.source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    file = f"<{cell.id}>"
    linecache.cache[file] = (len(cell.source), None, cell.source.splitlines(True), file)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they go elsewhere; a cell that shows one catches it
        try:
            exec(compile(ast.Module(body, []), file, "exec"), names)
            value = eval(compile(ast.Expression(last.value), file, "eval"), names) if last else None
        except Exception as error:
            printed.write(f"{type(error).__name__}: {error}")
        else:
            printed.write("" if value is None else _displayed(value))
    return printed.getvalue()


def _displayed(value: Any) -> str:
    """What a notebook stores as the text of `value`."""
    bundle = value._repr_mimebundle_() if hasattr(value, "_repr_mimebundle_") else {}
    bundle = bundle[0] if isinstance(bundle, tuple) else bundle
    return bundle["text/plain"] if "text/plain" in bundle else pretty(value)


def stored(cell: nbformat.NotebookNode) -> str:
    """The same of the outputs that are kept in the notebook."""
    said = ""
    for output in cell.outputs:
        if output.output_type == "stream":
            said += output.text if output.name == "stdout" else ""
        elif output.output_type == "error":
            said += f"{output.ename}: {output.evalue}"
        else:
            said += output.data["text/plain"]
    return said
