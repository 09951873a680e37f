"""Whether a name in a line stands for a list of tensors or for one, as its assignments tell."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterable, Iterator
from typing import Any

from . import reader
from .line_order import at
from .parsed import text_of, tree_of
from .syntax import around_line, names_in, own_parts, parts_in, scope

MAKE_LISTS = {"list", "sorted", "tuple", "split", "chunk", "unbind"}
MAKE_ONE = {  # also what does so once a `tolist()` is left out
    "tolist",
    "sum", "mean", "prod", "min", "max", "dot", "norm", "std", "var", "exp", "log", "sqrt", "abs",
    "square", "tanh", "sigmoid", "relu", "item", "float", "int", "detach", "numpy", "data",
    "reshape", "clip", "clamp", "astype", "array", "asarray", "tensor", "from_numpy", "stack",
    "cat", "matmul", "where", "softmax", "float32", "float64", "mse_loss", "cross_entropy",
}  # fmt: skip
TO_BE_FILLED = {"zeros", "empty", "zeros_like", "empty_like"}  #: arrays
CELL = "cell "
MADE_UP = CELL, "input ", "an input "  #: how names begin that no file has


def is_list(name: str, line: str) -> bool | None:
    """Whether all that is assigned to a name around a line is a list; None where that is open.

    >>> is_list("mse", "line 1 of no file: `loss = torch.tensor(mse)`")
    """
    file, number = at(line)
    text = text_of_file(file) if file else ""
    around = scope(tree_of(text), number) if text else None
    if around is None:
        return None
    parts = own_parts(around)
    if "." in name:  # an attribute is bound in other functions
        parts, name = parts_in(tree_of(text)), f".{name.rpartition('.')[2]}"
    found = [(kind, own) for target, kind, own in bindings(parts) if target == name]
    kinds = {kind for kind, own in found if own != number}  # it may give the name to its result
    if not kinds and isinstance(around, ast.Module) and file.startswith(CELL):
        kinds = in_other_cells(name, file)
    is_another = not kinds  # the value that the name has now is the line's own
    kinds = kinds or {kind for kind, _ in found}
    if is_another or kinds != {None}:
        return kinds.pop() if len(kinds) == 1 else None
    return is_now(name, getattr(around, "name", "<module>"))


def is_now(name: str, function: str) -> bool | None:
    """Whether a name has a list for a value, where the question is asked in the same function."""
    frame = reader.frame()
    is_same = frame is not None and frame.f_code.co_name == function
    value = reader.variables().get(name) if is_same else None
    return None if value is None else isinstance(value, list | tuple)


def statements_of(line: str) -> list[ast.stmt]:
    """The statements in a line that is spoken of, which hold no others."""
    return [each for each in around_spoken(line, ast.stmt) if not hasattr(each, "body")]


def parts_of(line: str, kinds: Any = ast.AST) -> list[Any]:
    """The parts of these statements, or those of some kinds."""
    return [each for statement in statements_of(line) for each in parts_in(statement, kinds)]


def around_spoken(line: str, kind: Any) -> list[Any]:
    """The statements of a kind that a line which is spoken of stands in, the innermost last."""
    file, number = at(line)
    tree = trees_with(file).get(file) if file else None
    return [] if tree is None else around_line(tree, number, kind)


def text_of_file(name: str) -> str:
    """The text of what the reader knows by this name."""
    known = reversed([*linecache.cache])
    if not name.startswith(MADE_UP):  # there can be thousands, and most need not be asked
        known = (each for each in known if each.endswith(name))
    files = (each for each, own in reader.file_names(known).items() if own == name)
    return next(filter(None, map(text_of, files)), "")


def trees_with(name: str) -> dict[str, ast.Module]:
    """The text that the reader knows by this name; of a cell, all cells, the last one first."""
    if not name.startswith(CELL):
        return {name: tree_of(text_of_file(name))}
    cells: dict[str, str] = {}
    for file, each in reader.file_names(reversed([*linecache.cache])).items():
        if each.startswith(CELL) and not cells.get(each):
            cells[each] = text_of(file)
    return {each: tree_of(text) for each, text in cells.items()}


def in_other_cells(name: str, own: str) -> set[bool | None]:
    """The kinds of what the cell that bound a name last before this one gave it."""
    for cell, tree in trees_with(own).items():
        known = bindings(parts_in(tree) if name[0] == "." else own_parts(tree))
        kinds = {kind for target, kind, _ in known if target == name and cell != own}
        if kinds:
            return kinds
    return set()


def bindings(parts: Iterable[ast.AST]) -> Iterator[tuple[str, bool | None, int]]:
    """Each name that is given something, whether that is a list, and in which line.

    An attribute is ``.losses``, whose ever it is.
    """
    for each in parts:
        for name, kind in bindings_of(each):
            yield name, kind, getattr(each, "lineno", 0)


def bindings_of(each: ast.AST) -> Iterator[tuple[str, bool | None]]:
    """The same of one statement or expression."""
    match each:
        case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)) if len(targets) == len(values):
            for pair in zip(targets, values):
                yield from bindings_of(ast.Assign([pair[0]], pair[1]))
        case ast.Assign([ast.Name(name)], value) | ast.AugAssign(ast.Name(name), _, value):
            yield name, makes_a_list(value)
        case ast.Assign([ast.Attribute(attr=name)], value):
            yield f".{name}", makes_a_list(value)
        case ast.Call(ast.Attribute(ast.Attribute(attr=name), "append" | "extend")):
            yield f".{name}", True
        case ast.Call(ast.Attribute(ast.Name(name), "append" | "extend")):
            yield name, True
        case ast.arg(name) | ast.NamedExpr(ast.Name(name)):
            yield name, None
        case ast.For(target) | ast.comprehension(target) | ast.withitem(_, target):
            yield from ((name, None) for name in names_in(target))
        case ast.Assign(targets):
            names = (name for target in targets for name in names_in(target, ast.Store))
            yield from ((name, None) for name in names)


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
        case ast.Call(ast.Attribute(ast.Name("np" | "numpy"), name)) if name in TO_BE_FILLED:
            return True  # a list is what takes its place
        case ast.Call(ast.Name(name) | ast.Attribute(_, name)) | ast.Attribute(_, name):
            return True if name in MAKE_LISTS else False if name in MAKE_ONE else None
    return None
