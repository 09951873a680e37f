"""Views that a node has kept, and that a write to what they are a view of has changed."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ...autograd.caller import Place
from ...autograd.engine import run_backward
from ..program.statements import tensor_written
from ..source import reader
from ..source.syntax import (
    LOOPS,
    around_line,
    name_called,
    names_in,
    parts_in,
    scope,
    statements_at,
    targets_in,
    whole_of,
)
from ..source.texts import texts
from .expression_matches_node import is_run_by, operands
from .history import stale_values
from .nodes import kind_of, reached

METHODS = {
    "chunk", "detach", "diagonal", "expand", "flatten", "narrow", "permute", "reshape", "select",
    "split", "squeeze", "t", "transpose", "unbind", "unflatten", "unsqueeze", "view", "view_as",
}  # fmt: skip
BY_NUMBERS = {"Mul", "Div"}  #: keep nothing of a tensor where the other operand is a number
TURNED = {"T", "mT", "data"}
COMPUTES = ast.Assign | ast.AugAssign


class NamedView(NamedTuple):
    """A name that was given to a view, what it is a view of, as it is written, and the line.

    ``is_written`` where it was written to under this name, and not through what it is a view of.
    """

    name: str
    whole: str
    written: str
    line: str
    is_written: bool


def view_kept(tensor: Any, writer: Place | None) -> NamedView | None:
    """The only line that names a view of what was written to, beside the line that wrote.

    Where the kept tensor has a name, it is the line of this name.
    """
    if writer is None or not tensor._is_view():
        return None
    name, number = reader.name_of(tensor), reader.line_number(writer)
    own, known = reader.file_name(writer[0].co_filename), [*texts(reader.frame())]
    here = [(source, scope(tree, number)) for source, tree in known if source.name == own]
    written = {written_to(each) for _, around in here for each in statements_at(around, number)}
    wholes = written - {None}
    used = {name for _, tree in known for name in names_in(tree, ast.Load)}
    at_top = all(isinstance(around, ast.Module) for _, around in here)
    found = [
        NamedView(target, whole, ast.unparse(value), source.spoken(value.lineno), target in wholes)
        for source, around in (known if at_top else here)
        for target, value in named_in(parts_in(around, ast.Assign))
        if (whole := viewed(value)) in wholes or target == name and whole
        if target in used  # else nothing was computed with it
    ]
    found = [each for each in found if each.name == name] if name else found
    return found[0] if len(found) == 1 else None


def reads_beside(tensor: Any, node: Any, writer: Place | None) -> str:
    """What to do where a line writes into a part of what it reads: ``h[t + 1] = f(h[t])``.

    What is read stands in that line, or in others of the loop around it, or before it where there
    is no loop; empty where nothing is. Where each node that has kept what was changed is written
    there as an operation, what these are given is meant, and other reads are not told.
    """
    own = "" if writer is None else reader.file_name(writer[0].co_filename)
    nodes = {kind_of(each): each for each in (*also_stale(), node)}
    for source, tree in texts(reader.frame()) if writer is not None else ():
        number = reader.line_number(writer)
        for statement in statements_at(tree, number) if source.name == own else ():
            if not isinstance(statement, COMPUTES) or not (whole := partly_written(statement)):
                continue
            loops = around_line(tree, number, LOOPS)
            region = loops[-1] if loops else scope(tree, number)
            around = texts(reader.frame()) if region is tree else [(source, region)]
            computing = [
                (text, each)
                for text, part in around
                for each in parts_in(part, COMPUTES)
                if loops or text.name != source.name or each.lineno <= number
            ]
            computing.sort(key=lambda pair: pair[1].lineno)
            beside = [partly_written(each) for _, each in computing if loops]
            reads = [
                (text, each, read)
                for text, each in computing
                for other in dict.fromkeys([whole, *filter(None, beside)])  # changed as well
                for read in read_in(each.value, other, tensor._is_view())
            ]
            reads = given_to_all(nodes, reads) or reads
            lines = {(text.name, each.lineno) for text, each, _ in reads}
            copies: dict[str, dict[str, None]] = {}
            for text, each, read in reads:
                is_here = lines == {(own, statement.lineno)}
                there = "there" if is_here else f"in {text.spoken(each.lineno)}"
                every = "each " * (ast.unparse(each.value).count(read) > 1)
                copies.setdefault(there, {})[f"{read}.clone() for {every}{read}"] = None
            if not copies and loops and (read := read_in(region, whole, tensor._is_view())):
                copies["in the loop"] = {f"{each}.clone() for {each}": None for each in read}
            if copies:
                told = [f"{' and '.join(each)} {there}" for there, each in copies.items()]
                return f"write {', and '.join(told)}, which has values of its own."
    return ""


def given_to_all(nodes: dict[str, Any], reads: list[tuple]) -> list[tuple]:
    """The reads that are given to operations written like nodes; none where one is not there."""
    given = {each: given_in(each.value, nodes) for _, each, _ in reads}
    found, kinds = [], set()
    for text, each, read in reads:
        if own := {kind for kind, things in given[each].items() if read in things}:
            found.append((text, each, read))
            kinds |= own
    return found if kinds == nodes.keys() else []


def also_stale() -> Iterator[Any]:
    """The nodes behind what the pass that runs began at that have kept what was changed since."""
    for frame in reader.callers(sys._getframe()):
        if frame.f_code is run_backward.__code__:
            roots = (getattr(root, "node", root) for root, _seed in frame.f_locals["roots"])
            yield from (node for node, _, _ in stale_values(reached(roots)))


def given_in(place: ast.AST, nodes: dict[str, Any]) -> dict[str, set[str]]:
    """What operations in a place are given, as it is written, by the kind of node they can be."""
    found: dict[str, set[str]] = {}
    for each in ast.walk(place):
        for kind, node in nodes.items():
            if is_run_by(each, kind, node):
                things = operands(each)
                if kind not in BY_NUMBERS or not any(map(is_number, things)):
                    found.setdefault(kind, set()).update(map(ast.unparse, things))
    return found


def is_number(written: ast.expr) -> bool:
    """Whether this is a number, or the name of one."""
    known = reader.variables().get(written.id) if isinstance(written, ast.Name) else None
    return isinstance(getattr(written, "value", known), int | float)


def partly_written(statement: ast.stmt) -> str:
    """``h`` of ``h[0][1] = x`` and ``self.h`` of ``self.h[0] += 1``; empty for other statements."""
    target = next(iter(targets_in(statement)), None)
    return ast.unparse(whole_of(target)) if isinstance(target, ast.Subscript) else ""


def read_in(place: ast.AST, whole: str, in_part: bool) -> list[str]:
    """The parts of ``whole`` that are read in a place; or all of it, where no part is meant."""
    found: dict[str, None] = {}
    waiting: list[ast.AST] = [place]
    for node in waiting:  # the list grows while it is walked
        is_read = isinstance(getattr(node, "ctx", None), ast.Load)
        if is_read and ast.unparse(whole_of(node)) == whole:
            if isinstance(node, ast.Subscript) == in_part:
                found[ast.unparse(node)] = None
            continue
        waiting.extend(ast.iter_child_nodes(node))
    return [*found]


def written_to(statement: ast.stmt) -> str | None:
    """``h`` of ``h[0] = 1``, ``h += 1`` and ``h.add_(1)``."""
    match statement:
        case ast.Assign([ast.Subscript() as target]) | ast.AugAssign(target):
            return tensor_written(target)
        case ast.Expr(ast.Call(ast.Attribute(owner, method))) if method.endswith("_"):
            return None if method == "requires_grad_" else tensor_written(owner)
    return None


def named_in(parts: Iterable[ast.AST]) -> Iterator[tuple[str, ast.expr]]:
    """The names and attributes that are given to one expression each, and that."""
    for each in parts:
        match each:
            case ast.Assign([ast.Name() | ast.Attribute() as target], value):
                yield ast.unparse(target), value


def viewed(value: ast.expr | None) -> str | None:
    """``h`` of ``h[0]``, ``h.T`` and ``h.view(3)``."""
    match value:
        case ast.Subscript(owner):
            pass
        case ast.Attribute(owner, name) if name in TURNED:
            pass
        case ast.Call(ast.Attribute(owner)) if name_called(value.func) in METHODS:
            pass
        case _:
            return None
    return viewed(owner) or tensor_written(owner)
