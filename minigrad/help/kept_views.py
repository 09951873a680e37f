"""Views that a node has kept, and that a write to what they are a view of has changed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..autograd.caller import Place
from . import reader
from .cuts import name_called
from .statements import root
from .texts import texts

METHODS = {
    "chunk", "detach", "diagonal", "expand", "flatten", "narrow", "permute", "reshape", "select",
    "split", "squeeze", "t", "transpose", "unbind", "unflatten", "unsqueeze", "view", "view_as",
}  # fmt: skip
TURNED = {"T", "mT", "data"}


class NamedView(NamedTuple):
    """A name that was given to a view, what it is a view of, as it is written, and the line."""

    name: str
    whole: str
    written: str
    line: str


def view_kept(tensor: Any, writer: Place | None) -> NamedView | None:
    """The only line that names a view of what was written to, beside the line that wrote.

    Where the kept tensor has a name, it is the line of this name.
    """
    if writer is None or not tensor._is_view():
        return None
    name, number = reader.name_of(tensor), reader.line_number(writer)
    own, known = reader.file_name(writer[0].co_filename), [*texts(reader.frame())]
    here = [(source, around(tree, number), tree) for source, tree in known if source.name == own]
    wholes = {
        whole
        for _, _, tree in here
        for each in statements_at(tree, number)
        if (whole := written_to(each))
    }
    at_top = all(scope is tree for _, scope, tree in here)
    found = [
        NamedView(target, whole, ast.unparse(value), source.spoken(value.lineno))
        for source, scope in (known if at_top else ((source, scope) for source, scope, _ in here))
        for target, value in named_in(scope)
        if (whole := viewed(value)) in wholes or target == name and whole
    ]
    found = [each for each in found if each.name == name] if name else found
    return found[0] if len(found) == 1 else None


def around(tree: ast.AST, number: int) -> ast.AST:
    """The innermost function around a line; else all of the text."""
    functions = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]
    inside = [each for each in functions if each.lineno <= number <= (each.end_lineno or 0)]
    return inside[-1] if inside else tree


def statements_at(tree: ast.AST, number: int) -> Iterator[ast.stmt]:
    """The statements at a line that hold no others."""
    for each in ast.walk(tree):
        if isinstance(each, ast.stmt) and not hasattr(each, "body"):
            if each.lineno <= number <= (each.end_lineno or 0):
                yield each


def written_to(statement: ast.stmt) -> str | None:
    """``h`` of ``h[0] = 1``, ``h += 1`` and ``h.add_(1)``."""
    match statement:
        case ast.Assign([ast.Subscript() as target]) | ast.AugAssign(target):
            return root(target)
        case ast.Expr(ast.Call(ast.Attribute(owner, method))) if method.endswith("_"):
            return root(owner)
    return None


def named_in(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The names that are given to one expression each, and that."""
    for each in ast.walk(tree):
        match each:
            case ast.Assign([ast.Name(name)], value):
                yield name, value


def viewed(value: ast.expr) -> str | None:
    """``h`` of ``h[0]``, ``h.T`` and ``h.view(3)``."""
    match value:
        case ast.Subscript(owner):
            return viewed(owner) or root(owner)
        case ast.Attribute(owner, name) if name in TURNED:
            return viewed(owner) or root(owner)
        case ast.Call(ast.Attribute(owner)) if name_called(value.func) in METHODS:
            return viewed(owner) or root(owner)
    return None
