"""Names that a program gives to gradients: ``g = w.grad``, ``gw, gb = grad(loss, (w, b))``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..source.syntax import is_call, names_in


def gradients_in(tree: ast.AST) -> set[tuple[str, str]]:
    """What stands for the gradient of what, as it is written: (``g``, ``w``) of ``g = w.grad``.

    Not a name that is given to something else as well.

    >>> sorted(gradients_in(ast.parse("gw, gb = autograd.grad(loss, (w, b))")))
    [('gb', 'b'), ('gw', 'w')]
    """
    nodes = [*ast.walk(tree)]
    found, others = set(), set()
    for node in nodes:
        if isinstance(node, ast.Assign | ast.AugAssign):
            pairs = [*pairs_of(node)]
            found.update(pairs)
            others |= set() if pairs else names_in(node, ast.Store)
    several = {name.partition("[")[0] for name, _leaf in found if "[" in name}
    for node in nodes:
        match node:
            case ast.For(ast.Tuple([leaf, own]), ast.Call(ast.Name("zip"), [_, ast.Name(given)])):
                found |= {(ast.unparse(own), ast.unparse(leaf))} if given in several else set()
    return {(name, leaf) for name, leaf in found if name.partition("[")[0] not in others}


def pairs_of(statement: ast.Assign | ast.AugAssign) -> Iterator[tuple[str, str]]:
    """The same of one statement; of a tuple of gradients, ``gs[0]`` stands for the first."""
    match statement:
        case ast.Assign([target], ast.Attribute(leaf, "grad")):
            yield ast.unparse(target), ast.unparse(leaf)
        case ast.Assign([target], ast.Subscript(ast.Call() as call, ast.Constant(0))):
            yield from zip([ast.unparse(target)], asked_of(call))
        case ast.Assign([ast.Tuple(targets)], ast.Call() as call):
            yield from zip(map(ast.unparse, targets), asked_of(call))
        case ast.Assign([ast.Name(name)], ast.Call() as call):
            yield from ((f"{name}[{at}]", leaf) for at, leaf in enumerate(asked_of(call)))


def asked_of(call: ast.Call) -> list[str]:
    """What ``autograd.grad`` is asked the gradients of; nothing of another call."""
    if not is_call(call, {"grad"}) or len(call.args) < 2:
        return []
    leaves = call.args[1]
    written = leaves.elts if isinstance(leaves, ast.Tuple | ast.List) else [leaves]
    return [*map(ast.unparse, written)]
