"""What a custom function of the graph was applied to: by its edges, and by the lines that call it.

Arguments with a history are found by the edges of the node, others by the expression behind them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ...autograd.function import FunctionNode
from ...tensor import Tensor, wrap
from ..graph.computed_again import some_numbers, value_made_by
from ..graph.expression_of_node import functions_run
from ..graph.nodes import SAME_VALUES, fills_a_leaf, kind_of, leaf_of
from ..program.evaluated import plain, value_of
from ..program.program import Program
from ..source.called import thing_called
from ..source.syntax import calls_in, is_call, own_parts
from ..source.texts import texts
from ..source.variables import thing_at


def arguments_of(node: FunctionNode, program: Program) -> tuple[list[Any], list[int]] | None:
    """The values of all arguments, and which of them ask for gradients; None where one is unknown.

    A leaf has the values of now: a derivative that is wrong is so wherever it is taken.
    """
    specs, edges = node.input_specs, iter(node.edges)
    known = [next(edges) if spec is not None else None for spec in specs]
    values = {at: value_at(edge, specs[at], program) for at, edge in enumerate(known) if edge}
    asking, rest = [*values], [at for at, edge in enumerate(known) if not edge]
    for call, variables in applications(node.function, program) if rest else ():
        if len(call.args) == len(specs) and not call.keywords:
            values |= {at: evaluated(call.args[at], variables) for at in rest}
            if all(fits(values[at], specs[at]) for at in rest):
                break
    found = [values.get(at, ...) for at in range(len(specs))]
    return (found, asking) if all(map(fits, found, specs)) else None


def fits(value: Any, spec: tuple | None) -> bool:
    """Whether a value, ... if unknown, can have been an argument: a tensor of a shape, or none."""
    if spec is None:
        return value is not ... and not isinstance(value, Tensor)
    return isinstance(value, Tensor) and value._value.shape == spec[0]


def value_at(edge: Any, spec: tuple, program: Program) -> Any:
    """What an argument with a history was, or any numbers where a bias moves it; None if unknown.

    What a layer gives has no bounds, so other numbers are as good as those of the last pass.
    """
    if fills_a_leaf(maker := edge.node):
        return maker.variable.detach()
    if edge.number == 0 and fits(found := value_made_by(maker, program), spec):
        return found
    while kind_of(maker) in SAME_VALUES:
        maker = maker.next_functions[0][0]
    is_free = kind_of(maker) == "Addmm" and leaf_of(maker.next_functions[0][0]) is not None
    return some_numbers(wrap(np.zeros(*spec))) if is_free else None


def evaluated(expression: ast.expr, variables: Mapping[str, Any]) -> Any:
    """A number, a word such as None, or a tensor without history; ... if unknown."""
    if isinstance(expression, ast.Constant):
        return expression.value
    value = value_of(expression, lambda each: plain(thing_at(each, variables)))
    return ... if value is None else value


def applications(function: type, program: Program) -> Iterator[tuple[ast.Call, Mapping[str, Any]]]:
    """The calls of ``apply``, each with what names mean there, also in functions that run."""
    for _, tree in texts(program.frame):
        calls = [each for each in own_parts(tree) if is_call(each)]
        run = functions_run(calls, program.variables)
        parts = [(calls, program.variables), *((calls_in(body), known) for _, body, known in run)]
        for found, known in parts:
            yield from ((call, known) for call in found if applies(call.func, function, known))


def applies(called: ast.expr, function: type, variables: Mapping[str, Any]) -> bool:
    """Whether this is ``function.apply``, also by a name that was given to that."""
    if isinstance(called, ast.Attribute) and called.attr == "apply":
        return thing_called(called.value, variables) is function
    return getattr(thing_called(called, variables), "__self__", None) is function
