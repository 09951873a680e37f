"""What one statement does to names: binds them, writes into their tensors, asks for gradients."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .cuts import cut_by

BINDS, WRITES, ASKS = "binds", "writes", "asks"


def effects(statement: ast.stmt) -> Iterator[tuple[str, ast.expr, str]]:
    """The (name, value, kind) of what a statement does; a write into ``b`` uses ``b`` too."""
    if isinstance(statement, ast.Assign):
        for target in statement.targets:
            yield from bound(target, statement.value)
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        yield from bound(statement.target, statement.value)
    elif isinstance(statement, ast.AugAssign):
        base = root(statement.target)
        if base is not None:
            yield base, together(statement.target, statement.value), WRITES
    elif isinstance(statement, ast.For):
        yield from bound(statement.target, statement.iter)
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        call = statement.value
        if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name):
            name, method = call.func.value.id, call.func.attr
            if method == "requires_grad_":
                if not any(is_false(argument) for argument in call.args):
                    yield name, call, ASKS
            elif method == "detach_":
                yield name, call, WRITES
            elif method.endswith("_") and not method.endswith("__"):
                yield name, together(call.func.value, *call.args), WRITES


def bound(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr, str]]:
    """What ``target = value`` binds."""
    if isinstance(target, ast.Name):
        yield target.id, value, BINDS
    elif isinstance(target, ast.Tuple | ast.List):
        parts = value.elts if isinstance(value, ast.Tuple | ast.List) else [value]
        whole = len(parts) != len(target.elts)
        for i, each in enumerate(target.elts):
            yield from bound(each, value if whole else parts[i])
    elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
        if target.attr == "requires_grad" and not is_false(value):
            yield target.value.id, value, ASKS
    elif isinstance(target, ast.Subscript) and root(target):
        yield root(target), together(target.value, value), WRITES


def is_false(value: ast.expr) -> bool:
    """Whether an expression is the word False."""
    return isinstance(value, ast.Constant) and value.value is False


def root(target: ast.expr) -> str | None:
    """``b`` of ``b``, ``b[0]`` and ``b[0][1]``."""
    while isinstance(target, ast.Subscript):
        target = target.value
    return target.id if isinstance(target, ast.Name) else None


def together(*parts: ast.expr) -> ast.expr:
    """An expression that uses all of these."""
    return ast.Tuple(list(parts), ast.Load())


def uses(value: ast.expr, functions: dict[str, str]) -> Iterator[tuple[str, list[str]]]:
    """Each name in an expression, and what takes its history away on the way out; last first."""
    waiting: list[tuple[ast.AST, list[str]]] = [(value, [])]
    while waiting:
        node, lost = waiting.pop()
        if isinstance(node, ast.Name):
            yield node.id, lost
            continue
        for child in ast.iter_child_nodes(node):
            what = cut_by(node, child, functions)
            waiting.append((child, [*lost, what] if what else lost))
