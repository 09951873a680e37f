"""Where an operation of a graph stands in the program: in the line of a name, or in a function."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator, Mapping
from types import FunctionType
from typing import Any

from . import reader
from .called import definition, function_called, outer_names, thing_called
from .cuts import name_called
from .program import Program, Source, parsed

DEEPEST = 4  #: calls that are followed
OPERATORS = {"Div": ast.Div, "Reciprocal": ast.Div, "Pow": ast.Pow, "Mul": ast.Mult}
CALLS = {
    "Acos": {"acos", "arccos"},
    "Asin": {"asin", "arcsin"},
    "Clamp": {"clamp", "clip", "clamp_", "clip_"},
    "Div": {"div", "divide", "true_divide", "div_"},
    "Std": {"std", "std_mean"},
    "Var": {"var", "var_mean"},
}


def line_in(program: Program, name: str, node: Any) -> str:
    """The only line that runs this operation for the result ``name``; empty for none or several."""
    at = program.last(name)
    step = program.steps[at] if at >= 0 else None
    if step is None or step.branch:
        return ""
    kind = node.name().partition("Backward")[0]
    variables = {**program.variables}
    found = [step.line] if any(is_run_by(each, kind, node) for each in ast.walk(step.value)) else []
    for call in calls_in(step.value):
        found += lines_inside(call, variables, kind, node, ())
    lines = list(dict.fromkeys(found))
    return lines[0] if len(lines) == 1 else ""


def lines_inside(
    call: ast.Call, variables: Mapping[str, Any], kind: str, node: Any, within: tuple
) -> Iterator[str]:
    """The lines of the reader's function that a call runs, and of those it calls."""
    called = function_called(call, variables)
    if called is None or called[0].__code__ in within or len(within) == DEEPEST:
        return
    function, given = called
    source, body = written(function)
    if source is None or body is None:
        return
    known = {name: thing_called(each[0], variables) for name, each in given.items() if each}
    inner = {**outer_names(function), **known}
    for each in ast.walk(body):
        if is_run_by(each, kind, node):
            yield source.spoken(each.lineno)
    for each in calls_in(body):
        yield from lines_inside(each, inner, kind, node, (*within, function.__code__))


def written(function: FunctionType) -> tuple[Source | None, ast.AST | None]:
    """The text and the definition of a function; None where it cannot be read."""
    code = function.__code__
    text = "".join(linecache.getlines(code.co_filename, function.__globals__))
    for source, statements in parsed(Source(reader.file_name(code.co_filename), text)):
        return source, definition(function, statements)
    return None, None


def calls_in(tree: ast.AST) -> list[ast.Call]:
    """The calls in an expression or a function."""
    return [each for each in ast.walk(tree) if isinstance(each, ast.Call)]


def is_run_by(expression: ast.AST, kind: str, node: Any) -> bool:
    """Whether an expression is written like the operation that a node belongs to."""
    match expression:
        case ast.BinOp(_, operator, right) | ast.AugAssign(_, operator, right):
            is_kind = isinstance(operator, OPERATORS.get(kind, ()))
            return is_kind and (kind != "Pow" or is_exponent(right, node))
        case ast.Call(function, arguments):
            is_kind = name_called(function) in CALLS.get(kind, {kind.lower()})
            last = arguments[-1] if arguments else None
            return is_kind and (kind != "Pow" or is_exponent(last, node))
    return False


def is_exponent(written: ast.AST | None, node: Any) -> bool:
    """Whether an exponent can be that of a node; a number that is written down has to be equal."""
    is_number = isinstance(written, ast.Constant) and isinstance(written.value, int | float)
    return not is_number or written.value == getattr(node, "_saved_exponent", written.value)
