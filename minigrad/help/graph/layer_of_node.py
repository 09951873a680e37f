"""Which layer of a ``Sequential`` ran an operation; the lines that made it, and called the whole.

No line of the reader's names such a layer. The graph does, by the parameters that went in.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from ..program.program import Program
from ..source.syntax import calls_in
from ..source.texts import all_calls, everywhere
from ..source.variables import at, held, is_module, is_of_library, own_name, thing_at
from .nodes import kind_of, leaf_of

LONGEST = 30  #: so many operations may have run since a layer with parameters


def layer_in_words(node: Any, program: Program) -> str:
    """``net[1], called in line 3 of ...``; empty where no layer is known to have run a node."""
    name, _whole, lines = layer_that_ran(node, program)
    return name + (f", called in {lines[0]}" if len(lines) == 1 else "")


def layer_that_ran(node: Any, program: Program) -> tuple[str, Any, list[str]]:
    """The layer that has run a node, what holds that and has a name, and the lines that call it."""
    for each in () if program is None else held(program.variables):
        if is_sequential(each.thing) and (name := layer_of(node, each.path, each.thing)):
            if lines := lines_of_calls(each.thing, each.path, node, program):
                return name, each, lines  # else one by one, by hand, or as a part of another
    return "", None, []


def call_that_made(node: Any, program: Program) -> tuple[str, str, str]:
    """The layer of a ``Sequential`` that ran a node, the call that made it, and its line.

    That is in the only call of one in which as many of its class are written as the net has.
    """
    name, whole, _lines = layer_that_ran(node, program)
    if not name:
        return "", "", ""
    layers, found = dict(layers_in(whole.path, whole.thing)), []
    kind = type(layers[name])
    own = [each for each, layer in layers.items() if type(layer) is kind]
    for source, net in all_calls(program.frame, {"Sequential"}):
        made = calls_in(net, {kind.__name__})
        if made and len(made) == len(own):
            one = sorted(made, key=lambda e: (e.lineno, e.col_offset))[own.index(name)]
            found.append((len(net.args), ast.unparse(one), source.spoken(one.lineno)))
    fits = [each for each in found if len(found) == 1 or each[0] == len(whole.thing)]
    return name, *(fits[0][1:] if len(fits) == 1 else ("", ""))


def is_sequential(thing: Any) -> bool:
    """Whether this is a ``Sequential`` of the library, which runs its layers in their order."""
    return is_module(thing) and type(thing).__name__ == "Sequential" and is_of_library(thing)


def layers_in(name: str, net: Any) -> Iterator[tuple[str, Any]]:
    """The layers of a ``Sequential`` and of those inside, each by how a program gets at it."""
    for own, layer in net._modules.items():
        if is_sequential(layer):
            yield from layers_in(at(name, own), layer)
        else:
            yield at(name, own), layer


def layer_of(node: Any, name: str, net: Any) -> str:
    """The layer of a net that has run a node; empty where that is unknown.

    Between two layers with parameters, those without ran in their order.
    """
    layers, kind, count = [*layers_in(name, net)], kind_of(node), 0
    for _step in range(LONGEST):
        given = [leaf_of(after) for after, _ in node.next_functions]
        given = [leaf for leaf in given if leaf is not None]
        if given:
            numbers = [n for n, (_, layer) in enumerate(layers) if has(layer, given)]
            if len(numbers) != 1:
                return ""
            own, first = layers[numbers[0]]
            if not count:
                return own
            behind = takewhile(lambda layer: not has(layer[1]), layers[numbers[0] + 1 :])
            alike = [own for own, layer in behind if type(layer).__name__.lower() == kind.lower()]
            return alike[count - 1] if is_of_library(first) and count <= len(alike) else ""
        count += kind_of(node) == kind
        node = next((after for after, _ in node.next_functions[:1]), None)
        if node is None:
            break
    return ""


def has(layer: Any, leaves: list[Any] | None = None) -> bool:
    """Whether a layer holds parameters, or some of these."""
    own = {id(each) for each in layer.parameters()}
    return bool(own) if leaves is None else any(id(leaf) in own for leaf in leaves)


def lines_of_calls(net: Any, name: str, node: Any, program: Program) -> list[str]:
    """The lines that call a net, of several those for the result that a node leads to."""
    lines = dict.fromkeys(
        source.spoken(each.lineno)
        for source, each in everywhere(program.frame, ast.Call)
        if is_called(each.func, net, own_name(name), program)
    )
    if len(lines) > 1 and program.graph is not None:
        result = program.graph.nearest(node) or ""
        numbers = [program.last(result), *(n for _, n, _ in program.ingredients(result))]
        used = {program.steps[n].line for n in numbers if n >= 0}
        return [line for line in lines if line in used] or [*lines]
    return [*lines]


def is_called(function: ast.expr, net: Any, last: str, program: Program) -> bool:
    """Whether this is what a program writes for a net, also inside of the object that holds it."""
    match function:
        case ast.Attribute(ast.Name("self"), name):
            return name == last
    return thing_at(function, program.variables) is net
