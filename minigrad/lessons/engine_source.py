"""The engine that a learner wrote in a notebook, as a file: what is in use, in order."""

import ast
import dis
import linecache
import sys
from collections.abc import Iterable
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
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
    names = {*_globals_of(used), *_names_in_heads(pieces.values())}
    needs = _needs(names, around)
    bound = _bindings(engine, class_node.name, dict.fromkeys(cells), around)
    body = "\n\n\n".join([*pieces.values(), "\n".join(bound)] if bound else pieces.values())
    return "\n\n".join([HEAD.strip(), *(["\n".join(needs)] if needs else []), "\n" + body]) + "\n"


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


def _needs(names: set[str], around: dict[str, Any]) -> list[str]:
    """The imports and plain values that are known by these names."""
    lines = (_brought(name, around[name]) for name in sorted(names & around.keys()))
    return sorted(filter(None, lines), key=lambda line: " = " in line)  # imports come first


def _globals_of(functions: Iterable[FunctionType]) -> Iterable[str]:
    for function in functions:
        yield from _globals_in(function.__code__)


def _globals_in(code: CodeType) -> Iterable[str]:
    yield from (i.argval for i in dis.get_instructions(code) if i.opname == "LOAD_GLOBAL")
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _globals_in(constant)


def _names_in_heads(pieces: Iterable[str]) -> Iterable[str]:
    """What annotations, defaults and decorators name, which is looked up when a piece is read."""
    for node in (node for piece in pieces for node in ast.walk(ast.parse(piece))):
        if isinstance(node, ast.FunctionDef):
            for head in filter(None, [*node.decorator_list, node.args, node.returns]):
                yield from (part.id for part in ast.walk(head) if isinstance(part, ast.Name))


def _brought(name: str, thing: Any) -> str | None:
    """The line that gives a file what a notebook has under `name`; None where there is none.

    >>> _brought("sums", ast), _brought("N", 3), _brought("later", Path), _brought("z", object())
    ('import ast as sums', 'N = 3', 'from pathlib import Path as later', None)
    """
    home, own = getattr(thing, "__module__", None), getattr(thing, "__name__", name)
    said = "" if own == name else f" as {name}"
    if isinstance(thing, ModuleType):
        return f"import {own}{said}"
    if home in sys.modules and getattr(sys.modules[home], own, None) is thing:
        return None if home == "__main__" else f"from {home} import {own}{said}"
    try:
        ast.literal_eval(repr(thing))
    except (SyntaxError, ValueError):
        return None
    return f"{name} = {thing!r}"


def _bindings(
    engine: type, called: str, cells: dict[str, None], around: dict[str, Any]
) -> list[str]:
    """The lines such as `Value.backward = backward` that hold what the class has now."""
    found: dict[str, str] = {}
    for cell in cells:
        for node in ast.parse(cell).body:
            if isinstance(node, ast.Assign) and all(_is_door(t, called) for t in node.targets):
                doors = [target.attr for target in node.targets]
                held = [door for door in doors if _gave(node.value, engine, door, around)]
                left = " = ".join(f"{called}.{door}" for door in held)
                if held:
                    whole = held == doors
                    text = _text(node, cell) if whole else f"{left} = {ast.unparse(node.value)}"
                    found[" ".join(held)] = text
    return list(dict.fromkeys(found.values()))


def _gave(value: ast.expr, engine: type, door: str, around: dict[str, Any]) -> bool:
    """Whether this assignment gave a class what it has now, and not its body or a later one."""
    thing = vars(engine).get(door)
    if thing is None or isinstance(value, ast.Name):
        return thing is not None and around.get(value.id) is thing
    if isinstance(value, ast.Attribute):
        return vars(engine).get(value.attr) is thing
    return "." not in getattr(thing, "__qualname__", "")


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
