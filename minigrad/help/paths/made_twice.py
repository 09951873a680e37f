"""Inputs that a result was not computed from, because its own call made them a second time.

``h = net.body(x)`` and ``score = net(x)``: the parameters are the same, not the tensor.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

from ...tensor import Tensor
from ..graph.history import leaves_behind
from ..graph.layer_of_node import is_sequential
from ..program.program import Program
from ..program.statements import BINDS, RESULT, part_of
from ..program.steps import Step
from ..source import reader
from ..source.called import function_called
from ..source.syntax import is_call, names_in, root
from ..source.texts import definition_of
from ..source.variables import is_parameter, thing_at
from ..words.sentences import tell
from .kept import names_behind
from .sibling_inputs import otherwise_called

DEEPEST = 4  #: calls that are written out


def made_twice(y: Tensor, x: Tensor, a: str, b: str, program: Program) -> Iterator[str]:
    """The sentences, and what to write; nothing where no parameter is behind both."""
    behind = {id(leaf) for leaf in leaves_behind(y)} if x.grad_fn is not None else set()
    shared = [each for each in leaves_behind(x) if id(each) in behind and is_parameter(each)]
    (result, given), inner = in_one_call(a, b, program)
    named = [name for leaf in shared if (name := inner.name_of(leaf))]
    made, computed, used = inner.step(given), inner.step(result), names_behind(result, inner)
    if not named or not made or not computed or used & {given, *program.names_that_reach(x, b)}:
        return
    source = min(named, key=lambda name: name.endswith(".bias"))
    at = {n for used, n, _ in inner.ingredients(result) if used == root_of(source)}
    if len(at) == 1:
        computed = inner.steps[at.pop()]
    if inner is not program and (said := otherwise_called({a: result, b: given}, inner.within[-1])):
        yield said
    lines = [reader.in_brackets("" if each.branch else each.line) for each in (made, computed)]
    names = {"given": given, "source": source, "result": result}
    yield tell("made-beside", **names, made=lines[0], computed=lines[1])
    instead = continued(made, computed, inner)
    if instead:
        yield tell("continue-there", given=given, code=instead)
    else:
        yield tell("made-by-another-call", **names)


def root_of(path: str) -> str | None:
    """``net`` of ``net[0].weight``."""
    return root(ast.parse(path, mode="eval").body)


def in_one_call(a: str, b: str, program: Program) -> tuple[tuple[str, str], Program]:
    """What two names are called in the function that gave both, and its lines; else as they are."""
    match [getattr(program.step(name), "value", None) for name in (a, b)]:
        case ast.Subscript(call, ast.Constant(k)), ast.Subscript(other, ast.Constant(n)) if (
            call is other and (called := function_called(call, program.variables))
        ):
            entered = program.entered(*called)
            inner = entered[0] if entered else program
            if len(inner.places.get(RESULT, ())) == 1:
                value = inner.steps[inner.places[RESULT][0]].value.elts[1]
                match part_of(value, k), part_of(value, n):
                    case ast.Name(result), ast.Name(given):
                        return (result, given), inner
    return (a, b), program


def continued(made: Step, computed: Step, program: Program) -> str:
    """The line of a result with a name in the place of what it computes once more; or empty."""
    first, then = program.steps.index(made), program.steps.index(computed)
    is_same = all(program.last(name, then) <= first for name in names_in(made.value))
    for step in (made, computed):
        if step.kind != BINDS or not step.target.isidentifier() or "`for " in step.line:
            return ""
    if not is_same or not first < then:
        return ""
    value = Continued(made, program).visit(copy.deepcopy(computed.value))
    text = ast.unparse(value)
    return f"{computed.target} = {text}" if text != ast.unparse(computed.value) else ""


class Continued(ast.NodeTransformer):
    """Put a name where what it stands for is computed again, also inside of calls."""

    def __init__(self, made: Step, program: Program, depth: int = 0):
        self.name, self.value, self.text = made.target, made.value, ast.unparse(made.value)
        self.made, self.program, self.depth = made, program, depth

    def visit(self, node: ast.AST) -> ast.AST:
        """An expression that is written alike is the name; a call is looked into."""
        if isinstance(node, ast.expr) and ast.unparse(node) == self.text:
            return ast.Name(self.name, ast.Load())
        if is_call(node) and self.depth < DEEPEST:
            return self.rest_of(node) or self.written_out(node) or super().generic_visit(node)
        return super().generic_visit(node)

    def rest_of(self, call: ast.Call) -> ast.expr | None:
        """The layers of a ``Sequential`` behind its first ones, where those gave the name."""
        match self.value:
            case ast.Call(ast.Subscript(whole, ast.Slice(None, ast.expr() as end, None))):
                start = end
            case ast.Call(ast.Subscript(whole, ast.Constant(0))):
                start = ast.Constant(1)
            case _:
                return None
        is_whole = ast.unparse(call) == ast.unparse(
            ast.Call(whole, self.value.args, self.value.keywords)
        )
        if not is_whole or not is_sequential(thing_at(whole, self.program.variables)):
            return None
        rest = ast.Subscript(whole, ast.Slice(start))
        return ast.Call(rest, [ast.Name(self.name, ast.Load())], [])

    def written_out(self, call: ast.Call) -> ast.expr | None:
        """What a function of one line returns, where the name can stand in that."""
        function, given = function_called(call, self.program.variables) or (None, {})
        body = getattr(definition_of(function)[1], "body", None)
        if not isinstance(body, list) or any(len(each) != 1 for each in given.values()):
            return None
        match body:
            case [*_, ast.Return(ast.expr() as value)] if len(body) - has_docstring(body) == 1:
                filled = Filled(given).visit(copy.deepcopy(value))
                inside = Continued(self.made, self.program, self.depth + 1).visit(filled)
                return inside if self.name in names_in(inside) else None
        return None


def has_docstring(body: list[ast.stmt]) -> bool:
    """Whether the first statement of a function tells what it does."""
    return isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)


class Filled(ast.NodeTransformer):
    """Put what a function is given in the place of its parameters."""

    def __init__(self, given: dict[str, list[ast.expr]]):
        self.given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """What the name stands for outside."""
        return self.given.get(node.id, [node])[0]
