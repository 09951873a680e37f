"""The engine that a learner wrote in a notebook, as a file: what is in use, in order."""

import ast
import linecache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from .engine_trial import functions_of

FILE = "my_engine.py"
HEAD = '"""My engine: reverse mode, from nothing."""\n'


class NoSource(Exception):
    """The text of a function cannot be found."""


def source_of(engine: type) -> str:
    """The class and all functions that it uses, each as it is now, in the order of first use.

    Raises `NoSource` when Python does not know the text of one of them.
    """
    init = vars(engine).get("__init__")
    if not isinstance(init, FunctionType):
        raise NoSource(engine.__name__)
    around = init.__globals__
    used = {f: name for name, f in functions_of(engine).items() if f.__globals__ is around}
    class_node, class_cell = _class_of(init)
    pieces: dict[str, str] = {class_node.name: _text(class_node, class_cell)}
    cells = [class_cell]
    for name, thing in around.items():
        if isinstance(thing, FunctionType) and thing in used:
            node, cell = _definition(thing)
            pieces[name] = _text(node, cell)
            cells.append(cell)
    modules = _modules(used, around)
    bound = _bindings(engine, class_node.name, dict.fromkeys(cells))
    body = "\n\n\n".join([*pieces.values(), "\n".join(bound)] if bound else pieces.values())
    return (
        "\n\n".join([HEAD.strip(), *(["\n".join(modules)] if modules else []), "\n" + body]) + "\n"
    )


def _cell(function: FunctionType) -> str:
    lines = linecache.getlines(function.__code__.co_filename)
    if not lines:
        raise NoSource(function.__name__)
    return "".join(lines)


def _class_of(init: FunctionType) -> tuple[ast.ClassDef, str]:
    cell, line = _cell(init), init.__code__.co_firstlineno
    for node in ast.parse(cell).body:
        if isinstance(node, ast.ClassDef) and node.lineno <= line <= node.end_lineno:
            return node, cell
    raise NoSource(init.__qualname__)


def _definition(function: FunctionType) -> tuple[ast.stmt, str]:
    cell, line = _cell(function), function.__code__.co_firstlineno
    for node in ast.parse(cell).body:
        if node.lineno <= line <= node.end_lineno and not isinstance(node, ast.ClassDef):
            return node, cell
    raise NoSource(function.__name__)


def _text(node: ast.stmt, cell: str) -> str:
    return "\n".join(cell.splitlines()[node.lineno - 1 : node.end_lineno])


def _modules(used: dict[FunctionType, str], around: dict[str, Any]) -> list[str]:
    """The imports that the functions need."""
    names = {name for function in used for name in function.__code__.co_names}
    found = {n: around[n] for n in sorted(names) if isinstance(around.get(n), ModuleType)}
    return [
        f"import {m.__name__}" + (f" as {n}" if m.__name__ != n else "") for n, m in found.items()
    ]


def _bindings(engine: type, called: str, cells: dict[str, None]) -> list[str]:
    """The lines such as `Value.backward = backward` that hold what the class has now."""
    found: dict[str, str] = {}
    for cell in cells:
        for node in ast.parse(cell).body:
            if isinstance(node, ast.Assign) and all(_is_door(t, called) for t in node.targets):
                doors = [target.attr for target in node.targets]
                if all(door in vars(engine) for door in doors):
                    found[" ".join(doors)] = _text(node, cell)
    return list(dict.fromkeys(found.values()))


def _is_door(target: ast.expr, called: str) -> bool:
    return isinstance(target, ast.Attribute) and getattr(target.value, "id", None) == called


def write(text: str, folder: Path) -> tuple[Path, Path | None]:
    """Write the file; another text that stands there is kept under another name, and returned.

    Raises `OSError` where nothing can be written.
    """
    path, kept = folder / FILE, None
    if path.exists() and path.read_text(encoding="utf-8") != text:
        number = 1
        while (kept := folder / f"my_engine_before_{number}.py").exists():
            number += 1
        path.rename(kept)
    path.write_text(text, encoding="utf-8", newline="\n")
    return path, kept


def loaded(text: str, name: str = "my_engine") -> type:
    """Run the text of an engine and return its `Value`."""
    file = f"<{name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    scope: dict[str, Any] = {"__name__": name}
    exec(compile(text, file, "exec"), scope)
    return scope["Value"]
