"""Hooks that compute another gradient and return nothing, so that the first one goes on."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import partial
from types import FunctionType
from typing import Any

from ..autograd.graph import Node
from ..extras.node_hooks import own_hooks
from .syntax import LOOPS, is_at, names_in
from .texts import Source, definition_of

#: what gives a tensor as large as it is given, which is of no use unless somebody takes it
CHANGES = {
    "add", "clamp", "clamp_max", "clamp_min", "clip", "div", "masked_fill", "mul", "nan_to_num",
    "neg", "sub", "where", "zeros_like",
}  # fmt: skip


def idle_hooks(nodes: Iterable[Node]) -> Iterator[tuple[str, str]]:
    """What is said of each hook whose work is thrown away, and what to do."""
    hooks = {id(function_of(hook)): hook for node in nodes for hook in hooks_of(node)}
    for hook in hooks.values():
        function = function_of(hook)
        source, node = definition_of(function)
        if isinstance(node, ast.FunctionDef) and (lost := thrown_away(node, hook)):
            own = node.name if node.name != "__call__" else type(hook).__name__
            yield told(own, node, lost, source)


def hooks_of(node: Any) -> list[Any]:
    """The hooks of a node, of its results, and of the leaf that it fills."""
    known = [] if node.extras is None else own_hooks(node.extras)
    known += [] if node.extras is None else node.extras.tensor_hooks.values()
    known.append(getattr(getattr(node, "variable", None), "_backward_hooks", None) or {})
    return [hook for each in known for hook in each.values()]


def told(name: str, function: ast.FunctionDef, lost: ast.stmt, source: Source) -> tuple[str, str]:
    """What such a hook does, and what it should return."""
    line = source.spoken(lost.lineno)
    said = f"""The hook {name} computes another gradient ({line}) and returns nothing, so the
        gradient goes on as it came."""
    if isinstance(lost, ast.Expr):
        return said, f"Try: `return {ast.unparse(lost.value)}` in that line."
    given = ast.unparse(lost.targets[0])
    is_own = any(each.arg == given for each in function.args.args)
    return (
        said,
        f"Try: `return {given}` {f'at the end of {name}' if is_own else 'below that line'}.",
    )


def thrown_away(function: ast.FunctionDef, hook: Any) -> ast.stmt | None:
    """The last statement of a hook that makes a gradient of the one it is given, for nobody."""
    inside = [*ast.walk(function)]
    if any(isinstance(each, ast.Yield) or gives(each) for each in inside):
        return None
    given = [each.arg for each in function.args.args][bound_before(hook) :][:1]
    shared = {
        n for each in inside if isinstance(each, ast.Global | ast.Nonlocal) for n in each.names
    }
    found = None
    for each in inside:
        match each:
            case ast.Expr(value) if changes(value, given):
                found = each
            case ast.Assign([ast.Name(name)], value) if name not in shared:
                is_new = name in given and names_in(value) & {*given} or changes(value, given)
                if is_new and not is_read_after(name, each, inside):
                    found = each
    return found


def bound_before(hook: Any) -> int:
    """How many parameters of a hook's function come before the gradient."""
    if isinstance(hook, partial):
        return bound_before(hook.func) + len(hook.args)
    return int(not isinstance(hook, FunctionType))


def gives(node: ast.AST) -> bool:
    """Whether this is a return of something."""
    return isinstance(node, ast.Return) and getattr(node.value, "value", node) is not None


def changes(value: ast.expr, given: list[str]) -> bool:
    """Whether this is `grad * 2`, `grad.clamp(-1, 1)` or `torch.clamp(grad, -1, 1)`."""
    match value:
        case ast.BinOp(left, _, right):
            things = [left, right]
        case ast.Call(ast.Attribute(owner, name), arguments) if name in CHANGES:
            things = [owner, *arguments]
        case _:
            return False
    return any(isinstance(each, ast.Name) and each.id in given for each in things)


def is_read_after(name: str, statement: ast.stmt, inside: list[ast.AST]) -> bool:
    """Whether a name is read below a statement, or in a loop around it."""
    end = statement.end_lineno or statement.lineno
    starts = [each.lineno for each in inside if isinstance(each, LOOPS) and is_at(each, end)]
    first = min(starts, default=end + 1)
    reads = (each for each in inside if isinstance(each, ast.Name) and each.id == name)
    return any(isinstance(n.ctx, ast.Load) and n.lineno >= first for n in reads)


def function_of(hook: Any) -> FunctionType | None:
    """The reader's function behind a hook: in ``partial(f, ...)``, a method, or an object."""
    while isinstance(hook, partial):
        hook = hook.func
    hook = getattr(hook, "__func__", hook)
    return hook if isinstance(hook, FunctionType) else vars(type(hook)).get("__call__")
