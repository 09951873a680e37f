"""Functions that a loop makes, and that read the loop's name only when they are called.

After ``fs = [lambda s: a * s for a in gains]`` each of them multiplies by the last of ``gains``.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from ...autograd.node import AccumulateGrad
from ...tensor import Tensor
from ..gradients.idle_hooks import function_of, hooks_of
from ..graph.history import way
from ..graph.nodes import reached
from ..program.program import Program
from ..program.statements import in_turn
from ..source.called import is_in_a_library, outer_names, thing_called
from ..source.parsed import tree_of
from ..source.syntax import is_call, names_in
from ..source.texts import definition_of
from ..source.variables import held, parts
from ..words.sentences import tell

COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
LONGEST = 90  #: letters of a function that is written out


class Late(NamedTuple):
    """A name of a loop, what it means now, as a program writes that, and what it ran over."""

    name: str
    now: Any
    written: str
    over: Any


def read_late(y: Any, x: Tensor, b: str, program: Program) -> Iterator[str]:
    """That functions read the name of a loop too late, and so none of them reads ``x``."""
    made: dict[CodeType, list[FunctionType]] = {}
    for each in held(program.variables):
        if isinstance(each.thing, FunctionType):
            if not is_in_a_library(each.thing.__code__.co_filename):
                made.setdefault(each.thing.__code__, []).append(each.thing)
    for functions in made.values():
        source, node = definition_of(functions[0])
        if len(functions) < 2 or source is None:
            continue
        over = names_of_loops(tree_of(source.text), node)
        for late in read_by(functions, node, over, program.variables):
            seen = tensors_in(late.now)
            if any(each is x for each in seen) or all(e is not x for e in tensors_in(late.over)):
                continue
            if y is not None and all(way(y, each) is None for each in seen):
                continue
            line = source.spoken(node.lineno)
            yield tell("functions-read-late", count=len(functions), line=line, late=late, b=b)
            yield f"Try: {with_defaults(node, [*over])}, which keeps what each was made with."
            return


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


def read_by(
    functions: list[FunctionType],
    node: ast.AST,
    over: Mapping[str, ast.expr],
    variables: Mapping[str, Any],
) -> Iterator[Late]:
    """What the names of the loops mean to these functions; those that all of them share."""
    known = outer_names(functions[0])
    for name, through in over.items():
        if name not in known or not is_shared(functions, name):
            continue
        now = known[name]
        if not isinstance(now, str | int):
            yield from late_at(name, now, through, {**variables, **known})
        for each in ast.walk(node):
            if isinstance(each, ast.Subscript) and getattr(each.slice, "id", "") == name:
                whole = thing_called(each.value, known)
                for path, thing in parts("", whole):
                    if path == f"[{now!r}]":
                        yield Late(name, thing, f"{now!r}", whole)


def late_at(name: str, now: Any, through: ast.expr, known: Mapping[str, Any]) -> Iterator[Late]:
    """What a name means that the items of a list were given in turn."""
    whole = thing_called(through, known)
    wholes = [(ast.unparse(through), whole)]
    if whole is None:  # such as `self.layers` in a method that has ended
        wholes = [(each.path, each.thing) for each in held(known)]
    for written, each in wholes:
        for path, thing in parts(written, each):
            if thing is now and path.endswith("]"):
                yield Late(name, now, path, each)


def is_shared(functions: list[FunctionType], name: str) -> bool:
    """Whether a name is one and the same for several functions of the same text."""
    free = functions[0].__code__.co_freevars
    if name not in free:
        return True
    cells = [each.__closure__[free.index(name)] for each in functions]
    return all(cell is cells[0] for cell in cells)


def tensors_in(thing: Any) -> list[Tensor]:
    """The tensors that a value is or holds."""
    return [each.thing for each in held({"it": thing}) if isinstance(each.thing, Tensor)]


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
