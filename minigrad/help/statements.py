"""What one statement does to names: binds them, writes into their tensors, asks for gradients."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from .cuts import cut_by

BINDS, WRITES, ASKS = "binds", "writes", "asks"
RESULT = "return"  # what a function returns has this for a name


def effects(statement: ast.stmt) -> Iterator[tuple[str, ast.expr, str]]:
    """The (name, value, kind) of what a statement does; a write into ``b`` uses ``b`` too."""
    match statement:
        case ast.Assign(targets, value):
            for target in targets:
                yield from bound(target, value)
        case ast.For(target, value) | ast.AnnAssign(target, _, ast.expr() as value):
            yield from bound(target, value)
        case ast.Return(ast.expr() as value) | ast.Expr(
            ast.Yield(ast.expr() as value)
        ):  # one of several, perhaps, like a write
            yield RESULT, together(ast.Name(RESULT), value), WRITES
        case ast.AugAssign(target, _, value):
            if base := root(target):
                yield base, together(target, value), WRITES
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(name) as tensor, method), args) as call):
            if method == "requires_grad_":
                if not any(map(is_false, args)):
                    yield name, call, ASKS
            elif method == "detach_":
                yield name, call, WRITES
            elif method == "append" or method.endswith("_") and not method.endswith("__"):
                yield name, together(tensor, *args), WRITES


def bound(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr, str]]:
    """What ``target = value`` binds."""
    match target:
        case ast.Name(name):
            yield name, value, BINDS
        case ast.Tuple(targets) | ast.List(targets):
            parts = value.elts if isinstance(value, ast.Tuple | ast.List) else []
            if len(parts) != len(targets):
                parts = [value] * len(targets)
            for each, part in zip(targets, parts):
                yield from bound(each, part)
        case ast.Attribute(ast.Name(name) as whole, "data"):
            if all(getattr(node, "id", "") != name for node in ast.walk(value)):
                yield name, together(whole, ast.Attribute(value, "data")), WRITES
        case ast.Attribute(ast.Name(name), "requires_grad"):
            if not is_false(value):
                yield name, value, ASKS
        case ast.Subscript(whole):
            if base := root(target):
                yield base, together(whole, value), WRITES


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


def uses(value: ast.expr, inside: Callable) -> Iterator[tuple[str, list]]:
    """Each name in an expression, and what takes its history away on the way out; last first.

    ``inside`` answers for a call with the expressions that its result is computed from, each with
    what it lost on the way, or None if that is unknown.
    """
    waiting: list[tuple[ast.AST, list]] = [(value, [])]
    while waiting:
        node, lost = waiting.pop()
        if isinstance(node, ast.Name):
            yield node.id, lost
        elif isinstance(node, ast.Call) and (parts := inside(node)) is not None:
            waiting.extend((part, [*lost, *cuts]) for part, cuts in parts)
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
            waiting.extend((part, [*lost, *cuts]) for part, cuts in of_each(node, inside))
        else:
            for child in ast.iter_child_nodes(node):
                what = cut_by(node, child)
                waiting.append((child, [*lost, what] if what else lost))


def of_each(node: Any, inside: Callable) -> Iterator:
    """What the elements of a comprehension are computed from, and what each way loses.

    A name of the comprehension's own stands for what it runs over.
    """
    over = {
        name.id: generator.iter
        for generator in node.generators
        for name in ast.walk(generator.target)
        if isinstance(name, ast.Name)
    }
    element = node.value if isinstance(node, ast.DictComp) else node.elt
    for used, lost in uses(element, inside):
        thing: ast.expr = ast.Name(used)
        for _ in over:  # one may run over another
            thing = over.get(thing.id, thing) if isinstance(thing, ast.Name) else thing
        yield thing, lost
