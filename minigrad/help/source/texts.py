"""The texts of the reader's program: the cells so far, this file, and other files of theirs."""

from __future__ import annotations

import ast
import sys
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from types import FrameType, FunctionType, ModuleType
from typing import Any

from . import reader
from .called import defined_at, definition, is_in_a_library
from .parsed import text_of, tree_of
from .prompt import is_typed
from .syntax import FUNCTIONS, is_call, parts_in


@dataclass(frozen=True)
class Source:
    """A piece of program text and what the reader calls it."""

    name: str
    text: str

    def spoken(self, number: int) -> str:
        """A line in words."""
        return reader.quoted(self.name, number, self.lines[number - 1])

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text."""
        return self.text.splitlines()


def source_of(filename: str, variables: dict[str, Any]) -> Source:
    """The text of a file, or of a cell, that has these global variables."""
    return Source(reader.file_name(filename), text_of(filename, variables))


def texts(frame: FrameType | None) -> Iterator[tuple[Source, ast.Module]]:
    """All that can have run before the question: earlier cells, this file, and other files."""
    if frame is None:
        return
    files, top = {}, frame
    while top.f_code.co_name != "<module>" and top.f_back is not None:
        files[top.f_code.co_filename] = top.f_globals
        top = top.f_back
    if top.f_code.co_name == "<module>" and not is_in_a_library(top.f_code.co_filename):
        yield from readable(top)
        files[top.f_code.co_filename] = None
    for thing in list(chain(frame.f_globals.values(), frame.f_locals.values())):
        name = thing.__name__ if isinstance(thing, ModuleType) else getattr(thing, "__module__", "")
        module = sys.modules.get(name) if isinstance(name, str) else None
        if filename := getattr(module, "__file__", None):
            files.setdefault(filename, vars(module))
    for filename, known in files.items():
        if known is not None and filename.endswith(".py") and not is_in_a_library(filename):
            source = source_of(filename, known)
            yield source, tree_of(source.text)


def everywhere(frame: FrameType | None, kinds: Any = ast.AST) -> Iterator[tuple[Source, Any]]:
    """Each part of the trees of all texts, or of some kinds, with the text that it stands in."""
    for source, tree in texts(frame):
        yield from ((source, node) for node in parts_in(tree, kinds))


def scopes(frame: FrameType | None) -> Iterator[tuple[Source, Any]]:
    """Each text as a whole, and each function in it, with the text that it stands in."""
    return everywhere(frame, ast.Module | FUNCTIONS)


def all_calls(
    frame: FrameType | None, of: Container[str] | None = None
) -> Iterator[tuple[Source, ast.Call]]:
    """The calls in all texts, of functions with one of these names, if some are given."""
    return (each for each in everywhere(frame, ast.Call) if is_call(each[1], of))


def led_to(
    parts: Iterable[tuple[Source, ast.AST]], frame: FrameType, methods: Iterable[str] = ()
) -> list[tuple[Source, ast.AST]]:
    """Parts of a program, and the functions whose names they lead to, or that have these names."""
    found = [*parts]
    defined: dict[str, list[tuple[Source, ast.AST]]] = {}
    for source, node in everywhere(frame, ast.FunctionDef | ast.ClassDef):
        body = [each for each in node.body if getattr(each, "name", "") == "__init__"]
        parts = body if isinstance(node, ast.ClassDef) else [node]
        defined.setdefault(node.name, []).extend((source, each) for each in parts)
    for method in methods:
        found += defined.pop(method, [])
    for _, node in found:  # the list grows while it is walked
        for each in parts_in(node):
            name = getattr(each, "id", getattr(each, "attr", ""))
            found += defined.pop(name, [])
    return found


@lru_cache(maxsize=256)
def module_of(body: tuple[ast.stmt, ...]) -> ast.Module:
    """A tree of these statements, the same one for all that ask."""
    return ast.Module([*body], [])


def assignments(frame: FrameType | None) -> Iterator[tuple[str, ast.expr, ast.expr]]:
    """The line, the target and the value of each assignment; of several targets each."""
    for source, node in everywhere(frame, ast.Assign):
        match node:
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
                pairs = [*zip(targets, values)]
            case ast.Assign([ast.Tuple(targets)], ast.Call() as value):
                parts = (ast.Subscript(value, ast.Constant(at)) for at in range(len(targets)))
                pairs = [*zip(targets, parts)]
            case ast.Assign(targets, value):
                pairs = [(target, value) for target in targets]
        yield from ((source.spoken(node.lineno), *pair) for pair in pairs)


def readable(frame: FrameType) -> Iterator[tuple[Source, ast.Module]]:
    """The program text above the line a frame is in: what ran before it, then this file.

    Inside a function it is the function's own lines.
    """
    code = frame.f_code
    filename = code.co_filename
    at_top = code.co_name == "<module>"
    if at_top and (before := pieces_before(frame)):
        stopped = reader.STOPPED | reader.stopped(getattr(sys, "last_traceback", None))
        for name, text in before.items():
            body, stop = tree_of(text).body, stopped.get(name)
            body = [each for each in body if stop is None or has_run(each, stop)]
            yield Source(name, text), module_of(tuple(body))
    source = source_of(filename, frame.f_globals)
    tree = tree_of(source.text)
    around = tree if at_top else defined_at(code.co_firstlineno, tree)
    body = around.body if around else []
    yield source, module_of(tuple(each for each in body if each.lineno <= frame.f_lineno))


def pieces_before(frame: FrameType) -> dict[str, str]:
    """What has run before the text of a frame: earlier cells, or the file of `python -i file`."""
    filename = frame.f_code.co_filename
    if reader.notebook_cell(filename):
        cells = enumerate(frame.f_globals.get("In", [])[:-1])
        return {f"cell In[{number}]": without_magic(text) for number, text in cells}
    script = sys.argv[0] if sys.flags.inspect and is_typed(filename) else ""
    if not script.endswith(".py") or vars(sys.modules["__main__"]) is not frame.f_globals:
        return {}
    reader.STOPPED.update(reader.stopped(getattr(sys, "last_traceback", None)))
    return {reader.file_name(script): text_of(script)}


def definition_of(function: Any) -> tuple[Source | None, Any]:
    """The text that a function stands in, and its definition there.

    None and an empty statement where it is not found, or is no function of Python's.
    """
    if isinstance(function, FunctionType):
        code = function.__code__
        source = source_of(code.co_filename, function.__globals__)
        if (node := definition(function, tree_of(source.text))) is not None:
            return source, node
    return None, ast.Pass()


def without_magic(text: str) -> str:
    """The text of a cell as Python, its line ``%%autograd`` left empty."""
    first, *rest = text.split("\n", 1)
    return "\n".join(["", *rest]) if first.startswith("%%autograd") else text


def has_run(statement: ast.stmt, stop: int) -> bool:
    """Whether a statement of a piece of program has run that ended in an error at line ``stop``.

    Of one that failed itself, the blocks inside may have run, and nothing else.
    """
    if (statement.end_lineno or statement.lineno) < stop:
        return True
    return statement.lineno < stop and not failed_at(statement, stop)


def failed_at(statement: ast.stmt, line: int) -> bool:
    """Whether this is the statement at a line, and no block with others in it."""
    end = statement.end_lineno or statement.lineno
    return statement.lineno <= line <= end and not hasattr(statement, "body")
