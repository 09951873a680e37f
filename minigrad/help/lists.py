"""Whether a name in a line stands for a list of tensors or for one, as its assignments tell."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator

from . import reader
from .syntax import names_in, own_parts, scope
from .written import text_of, tree_of

MAKE_LISTS = {"list", "sorted", "tuple", "split", "chunk", "unbind"}
MAKE_ONE = {  # also what does so once a `tolist()` is left out
    "tolist",
    "sum", "mean", "prod", "min", "max", "dot", "norm", "std", "var", "exp", "log", "sqrt", "abs",
    "square", "tanh", "sigmoid", "relu", "item", "float", "int", "detach", "numpy", "data",
    "reshape", "clip", "clamp", "astype", "array", "asarray", "tensor", "from_numpy", "stack",
    "cat", "matmul", "where", "softmax", "float32", "float64", "mse_loss", "cross_entropy",
}  # fmt: skip
CELL = "cell "


def is_list(name: str, line: str) -> bool | None:
    """Whether all that is assigned to a name around a line is a list; None where that is open.

    >>> is_list("mse", "line 1 of no file: `loss = torch.tensor(mse)`")
    """
    place = reader.SPOKEN_LINE.match(line)
    text = text_of_file(place[2]) if place else ""
    number = int(place[1]) if place else 0
    around = scope(tree_of(text), number) if text else None
    if around is None:
        return None
    found = [(kind, at) for target, kind, at in bindings(around) if target == name]
    kinds = {kind for kind, at in found if at != number}  # it may give the name to its result
    if not kinds and isinstance(around, ast.Module) and place[2].startswith(CELL):
        kinds = in_other_cells(name, place[2])
    kinds = kinds or {kind for kind, _ in found}
    return kinds.pop() if len(kinds) == 1 else None


def text_of_file(name: str) -> str:
    """The text of what the reader knows by this name."""
    files = (each for each in reversed([*linecache.cache]) if reader.file_name(each) == name)
    return next(filter(None, map(text_of, files)), "")


def in_other_cells(name: str, own: str) -> set[bool | None]:
    """The kinds of what the cell that bound a name last before this one gave it."""
    cells = dict.fromkeys(map(reader.file_name, reversed([*linecache.cache])))
    for cell in cells:
        if cell.startswith(CELL) and cell != own:
            known = bindings(tree_of(text_of_file(cell)))
            if kinds := {kind for target, kind, _ in known if target == name}:
                return kinds
    return set()


def bindings(around: ast.AST) -> Iterator[tuple[str, bool | None, int]]:
    """Each name that a function, or a text, gives something, whether that is a list, and where."""
    for each in own_parts(around):
        for name, kind in bound_by(each):
            yield name, kind, getattr(each, "lineno", 0)


def bound_by(each: ast.AST) -> Iterator[tuple[str, bool | None]]:
    """The same of one statement or expression."""
    match each:
        case ast.Assign([ast.Name(name)], value):
            yield name, makes_a_list(value)
        case ast.AugAssign(ast.Name(name), _, value):
            yield name, makes_a_list(value)
        case ast.Call(ast.Attribute(ast.Name(name), "append" | "extend")):
            yield name, True
        case ast.arg(name) | ast.NamedExpr(ast.Name(name)):
            yield name, None
        case ast.For(target) | ast.comprehension(target) | ast.withitem(_, target):
            yield from ((name, None) for name in names_in(target))
        case ast.Assign(targets):
            yield from ((name, None) for target in targets for name in names_in(target))


def makes_a_list(value: ast.expr) -> bool | None:
    """Whether the value of an expression is a list; None where it does not show that."""
    match value:
        case ast.List() | ast.Tuple() | ast.ListComp():
            return True
        case ast.Constant() | ast.Compare():
            return False
        case ast.UnaryOp(_, operand):
            return makes_a_list(operand)
        case ast.BinOp(left, ast.Add() | ast.Mult(), right):
            both = {makes_a_list(left), makes_a_list(right)}
            return True if True in both else False if False in both else None
        case ast.BinOp():
            return False
        case ast.Call(ast.Name(name) | ast.Attribute(_, name)) | ast.Attribute(_, name):
            return True if name in MAKE_LISTS else False if name in MAKE_ONE else None
    return None
