"""Zeros that keep gradients at 0: weights that start there, and layers that are given 0 everywhere.

Of such weights it is told which, who set them, and what helps; of such a layer, that its bias gets
a gradient, and its weight none.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import Any

from ..graph.bounds import PRODUCTS, largest_of
from ..graph.expression_of_node import in_words
from ..graph.nodes import (
    SAME_VALUES,
    fills_a_leaf,
    is_all_0,
    kind_of,
    leaf_of,
    leaves_of,
    nodes_behind,
)
from ..program.program import Program
from ..source.reader import in_brackets
from ..source.syntax import is_call, name_called, names_in, owners_of, parents_in
from ..source.texts import assignments, everywhere, texts
from ..source.variables import held, is_module, is_of_library, own_name, thing_at
from ..words.sentences import say

DEEPEST = 30
PARTS = {"Index", "Select", "Slice", "IndexSelect", "Embedding"}  #: are some of the values given
ZERO_AT_0 = SAME_VALUES | {
    "Tanh", "Relu", "LeakyRelu", "Gelu", "Silu", "Elu", "Sin", "Neg", "Abs", "Sum", "Mean",
    *PARTS,
}  # fmt: skip
ZEROS = {"zeros", "zeros_like"}
CONSTANTS = ZEROS | {"ones", "ones_like", "full", "full_like"}
FILLS = {"zero_", "zeros_", "ones_", "fill_", "constant_"}
TINY = 1e-5  #: gradients below it can be those of a minimum
TO_WHOLE = re.compile(
    r"//|\.(?:long|int|short|byte)\(\)|\.(?:to|type|astype)\([\w.]*(?:int|long)\w*\)"
)


def zeros_that_make(node: Any, deepest: int = DEEPEST) -> list[Any] | None:
    """The leaves of 0 because of which all that a node made is 0; None where it need not be."""
    if node is None or not deepest:
        return None
    if fills_a_leaf(node):
        return [node.variable] if is_all_0(node.variable) else None
    kind = kind_of(node)
    if kind not in PRODUCTS | ZERO_AT_0 | {"Add", "Sub"}:
        return None
    given = [zeros_that_make(after, deepest - 1) for after, _ in node.next_functions]
    if kind == "Addmm":
        beside, *given = given
        made = next((each for each in given if each is not None), None)
        return None if made is None or beside is None else made + beside
    if kind in PRODUCTS:
        return next((each for each in given if each is not None), None)
    return None if None in given else [leaf for each in given for leaf in each]


def factors_of_0(y: Any) -> dict[Any, int]:
    """The leaves of 0 behind ``y`` that something is multiplied by, and of how many each sums."""
    found = {}
    for node in reversed(nodes_behind(y)):
        kind = kind_of(node)
        for number, (after, _) in enumerate(node.next_functions if kind in PRODUCTS else ()):
            leaf = None if kind == "Addmm" and number == 0 else leaf_of(after, SAME_VALUES | PARTS)
            if leaf is not None and is_all_0(leaf):
                is_right = number == len(node.next_functions) - 1
                at = -2 if is_right != (kind_of(after) in ("T", "Transpose")) else -1
                found[leaf] = 1 if kind == "Mul" else leaf.shape[at if leaf.dim() > 1 else -1]
    return found


def to_start_from(leaves: dict[Any, int], program: Program, made: Callable | None = None) -> str:
    """What to write, so that these leaves do not start at 0, or from what is ``made`` so."""
    do: dict[str, list[str]] = {}
    for leaf, count in leaves.items():
        name = program.name_of(leaf) or "its other factor"
        found = {*lines_that_fill(leaf, name, count, program, made or zeros)}
        found = found or {*handed_over(program)}
        do.setdefault(found.pop() if len(found) == 1 else OTHER_VALUES, []).append(name)
    return "; and ".join(each.replace("NAMES", " and ".join(n)) for each, n in do.items())


OTHER_VALUES = "let NAMES start from different values, such as those of randn(...)"
LEAVE_OUT = "{leave_out} {line}, so that NAMES start as their layers make them"


def zeros(node: ast.AST) -> Any:
    """Whether a call makes zeros; or what a statement sets to 0."""
    return is_call(node, ZEROS) or filled(node, 0)


def constants(node: ast.AST) -> Any:
    """Whether a call makes one number many times; or what a statement fills with one."""
    return is_call(node, CONSTANTS) or filled(node)


def drawn_for(made: ast.Call, count: int) -> str:
    """What to write in the place of one number, so that sums of so many are of a usual size."""
    name = name_called(made.func) or ""
    given = made.args[:1] if name.startswith("full") else made.args
    random = "randn_like" if name.endswith("_like") else "randn"
    drawn = ast.parse(ast.unparse(made.func).replace(name, random), mode="eval").body
    if count == 1:
        return ast.unparse(ast.Call(drawn, given, made.keywords))
    kept = [each for each in made.keywords if each.arg not in ("requires_grad", "fill_value")]
    text = ast.unparse(ast.Call(drawn, given, kept))
    asks = ".requires_grad_()" if any(k.arg == "requires_grad" for k in made.keywords) else ""
    return f"({text} / {count} ** 0.5){asks}"


def lines_that_fill(
    leaf: Any, name: str, count: int, program: Program, made: Callable
) -> Iterator[str]:
    """Each line that gives a leaf such values, and what to write there."""
    last, is_drawn = own_name(name), is_of_a_layer(leaf, program)
    for line, target, value in [*assignments(program.frame), *entries(name, program)]:
        is_it = thing_at(target, program.variables) is leaf
        is_own = isinstance(target, ast.Attribute) and target.attr == last
        calls = [call for call in ast.walk(value) if is_call(call) and made(call) is True]
        if (is_it or is_own) and len(calls) == 1:
            yield f"{drawn_for(calls[0], count)} for {ast.unparse(calls[0])} in {line}"
    for source, tree in texts(program.frame) if is_drawn else ():
        nodes = [*ast.walk(tree)]
        loops = [each for each in nodes if isinstance(each, ast.For) and owners_of(each.iter)]
        ran_through = set().union(*(names_in(loop.target) for loop in loops))
        for each in nodes:
            if isinstance(each, ast.Expr) and (written := made(each)):
                is_it = thing_at(written, program.variables) is leaf
                is_one = isinstance(written, ast.Name) and written.id in ran_through
                is_own = isinstance(written, ast.Attribute) and written.attr == last
                if is_it or is_one or is_own:
                    is_alone = getattr(parents_in(tree)[each], "body", None) == [each]
                    leave_out = "write `pass` for" if is_alone else "leave out"
                    yield LEAVE_OUT.format(leave_out=leave_out, line=source.spoken(each.lineno))


def handed_over(program: Program) -> Iterator[str]:
    """Each line that hands over a function which makes zeros, as ``Net(init=torch.zeros_like)``."""
    for source, tree in texts(program.frame):
        called = {id(each.func) for each in ast.walk(tree) if is_call(each)}
        for each in ast.walk(tree):
            is_named = isinstance(each, ast.Attribute) and each.attr in ZEROS
            if is_named and id(each) not in called:
                drawn = ast.unparse(each).replace(each.attr, each.attr.replace("zeros", "randn"))
                yield f"{drawn} for {ast.unparse(each)} in {source.spoken(each.lineno)}"


def entries(name: str, program: Program) -> Iterator[tuple[str, ast.expr, ast.expr]]:
    """What a dict that is written out holds under the last key of a path, and the line."""
    for source, each in everywhere(program.frame, ast.Dict):
        for key, value in zip(each.keys, each.values):
            if isinstance(key, ast.Constant) and name.endswith(f"[{key.value!r}]"):
                yield source.spoken(value.lineno), ast.parse(name, mode="eval").body, value


def is_of_a_layer(leaf: Any, program: Program) -> bool:
    """Whether a leaf is the parameter of a layer of the library, which has drawn values for it."""
    layers = (each.thing for each in held(program.variables) if is_module(each.thing))
    return any(
        is_of_library(layer) and any(each is leaf for each in layer._parameters.values())
        for layer in layers
    )


def filled(statement: ast.AST, by: float | None = None) -> ast.expr | None:
    """What a statement such as ``p.data.zero_()`` or ``init.zeros_(p)`` fills with one number.

    Where a number is given, it is ``by`` this one.
    """
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not is_call(call, FILLS) or not isinstance(call.func, ast.Attribute):
        return None
    method, given = call.func.attr, call.args
    number: Any = 1 if method == "ones_" else 0
    if method in ("fill_", "constant_"):
        *given, value = given or [None]
        number = getattr(value, "value", None)
    if by is not None and number != by:
        return None
    written = given[0] if method in ("zeros_", "ones_", "constant_") and given else call.func.value
    while isinstance(written, ast.Attribute) and written.attr == "data":
        written = written.value
    return None if getattr(written, "attr", "") == "grad" else written


def zero_input(y: Any, weight: Any, program: Program) -> Iterator[str]:
    """That the layer of a weight is given 0 everywhere, and where that comes from."""
    nodes = [node for node in nodes_behind(y) if kind_of(node) == "Addmm"]
    calls = [node for node in nodes if leaf_of(node.next_functions[2][0]) is weight]
    for node in calls if len(calls) == 1 else ():  # of several calls one alone may get 0
        bias, before = leaf_of(node.next_functions[0][0]), node.next_functions[1][0]
        if bias is None or bias.grad is None or largest_of(bias.grad) < TINY:
            return
        said = [*zeros_among(y, program)] if before is None else []
        if kind_of(before) == "Relu" and not any(map(has_gradient, leaves_of(before))):
            said = [say("off-before", relu=in_words(before, program))]
        if said:
            name = (program.name_of(weight) or "").rpartition(".")[0] or "the layer"
            yield say("given-zeros", name=name)
            yield from said
        return


def has_gradient(leaf: Any) -> bool:
    """Whether something besides 0 has come to a leaf."""
    return leaf.grad is not None and bool(leaf.grad.detach().any())


def zeros_among(y: Any, program: Program) -> Iterator[str]:
    """The reader's tensor of 0 that a result was computed from, and its line."""
    used = {name: None for name, _, _ in program.ingredients(program.name_of(y) or "")}
    for name in used:
        thing = program.variables.get(name)
        if type(thing) is type(y) and not thing.requires_grad and is_all_0(thing):
            line = program.binding_line(name) or ""
            yield say("is-zero", name=name, line=in_brackets(line))
            found = TO_WHOLE.search(line.partition("`")[2])
            yield say("rounds-down", what=found[0]) if found else say("see-why-zero", name=name)
            return
