"""Hooks that a loop makes, and that read the loop's name only when they are called.

After ``for k, w in ws: w.register_hook(lambda g: kept.update({k: g}))`` each has the last ``k``.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from types import FunctionType
from typing import Any

from ...autograd.node import AccumulateGrad
from ...tensor import Tensor
from ..gradients.idle_hooks import function_of, hooks_of
from ..graph.nodes import reached
from ..program.program import Program
from ..program.statements import in_turn
from ..source.called import is_in_a_library
from ..source.parsed import tree_of
from ..source.syntax import is_call, names_in
from ..source.texts import definition_of
from ..source.variables import held
from ..words.sentences import tell

COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
LONGEST = 90  #: letters of a function that is written out


def hooks_read_late(nodes: Iterable[Any], program: Program) -> Iterator[str]:
    """That the hooks a loop has registered on these nodes and others read its names too late.

    A pass in that loop may run while each name means what its hook was made with.
    """
    tensors = [each.thing for each in held(program.variables) if isinstance(each.thing, Tensor)]
    ends = reached([AccumulateGrad(t) if t.grad_fn is None else t.grad_fn for t in tensors])
    known = [*map(function_of, chain(*map(hooks_of, ends)))]
    for function in map(function_of, chain(*map(hooks_of, nodes))):
        source, node = definition_of(function)
        if source is None or is_in_a_library(function.__code__.co_filename):
            continue
        alike = [each for each in known if getattr(each, "__code__", None) is function.__code__]
        over = names_of_loops(tree_of(source.text), node, {"backward", "grad"})
        for name in over:
            count = len({id(each) for each in alike if is_shared([function, each], name)})
            if count > 1:
                line = source.spoken(node.lineno)
                yield tell("hooks-read-late", count=count, line=line, name=name)
                yield f"Try: {with_defaults(node, [*over])}, which keeps what each was made with."
                return


def names_of_loops(
    tree: ast.AST, function: ast.AST, without: Collection[str] = ()
) -> dict[str, ast.expr]:
    """The names of the loops around a function that it reads, each with what it goes through.

    Also those that such a loop computes of its names; of loops ``without`` calls of these names.
    """
    own = {each.arg for each in ast.walk(function) if isinstance(each, ast.arg)}
    names = [each for each in ast.walk(function) if isinstance(each, ast.Name)]
    own |= {each.id for each in names if isinstance(each.ctx, ast.Store)}
    found: dict[str, ast.expr] = {}
    for loop in ast.walk(tree):
        if without and any(is_call(each, without) for each in ast.walk(loop)):
            continue
        if isinstance(loop, ast.For) and holds(loop.body, function):
            found |= dict.fromkeys(names_in(loop.target), loop.iter)
            found |= dict(in_turn(loop.target, loop.iter))
            for each in loop.body:
                match each:
                    case ast.Assign([ast.Name(name)], value) if names_in(value) & {*found}:
                        found[name] = value
        elif isinstance(loop, COMPREHENSIONS) and holds([loop], function):
            for each in loop.generators:
                found |= dict(in_turn(each.target, each.iter))
    read = [each.id for each in names if each.id in found and each.id not in own]
    return {name: found[name] for name in dict.fromkeys(read)}


def holds(body: list[Any], function: Any) -> bool:
    """Whether a function stands in one of these."""
    place = function.lineno, function.col_offset
    nodes = (each for statement in body for each in ast.walk(statement))
    return any(type(n) is type(function) and (n.lineno, n.col_offset) == place for n in nodes)


def is_shared(functions: list[FunctionType], name: str) -> bool:
    """Whether a name is one and the same for several functions of the same text."""
    free = functions[0].__code__.co_freevars
    if name not in free:
        return True
    cells = [each.__closure__[free.index(name)] for each in functions]
    return all(cell is cells[0] for cell in cells)


def with_defaults(function: Any, names: list[str]) -> str:
    """A function with these names as default values of its own, as it is written."""
    text = ", ".join(f"{name}={name}" for name in names)
    is_lambda = isinstance(function, ast.Lambda)
    given = ", ".join(filter(None, [ast.unparse(function.args), text]))
    if function.args.kwarg is not None or function.args.kwonlyargs:
        return f"{text} among the parameters of the function"
    head = f"lambda {given}:" if is_lambda else f"def {function.name}({given}):"
    whole = f"{head} {ast.unparse(function.body)}" if is_lambda else head
    return f"`{whole if len(whole) < LONGEST else f'{head} ...'}`"
