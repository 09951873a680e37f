"""Custom functions whose ``backward`` never reads the gradient that comes in: the chain ends there.

It is seen in the text of ``backward``: the name of the gradient is not in it, or only its shape is
asked for. A custom function that gives nothing or zeros is meant to be like that.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ...autograd.function import FunctionNode
from ..program.cuts import SIZES
from ..source.syntax import is_call, is_word, name_called, own_parts, parents_in
from ..source.texts import Source, definition_of

ONLY_ITS_FORM = {*SIZES, "device", "expand_as", "reshape_as", "type_as", "view_as", "new_full"}
ZEROS = {"zeros", "zeros_like", "new_zeros"}
BY_NAME = {"locals", "eval", "exec", "vars"}


class Unread(NamedTuple):
    """A ``backward`` that never reads its gradient, the names of that, and its text."""

    node: FunctionNode
    gradients: list[str]
    source: Source
    body: ast.AST
    by_its_form: bool

    @property
    def returns(self) -> list[ast.expr]:
        """What it returns, each time."""
        if isinstance(self.body, ast.Lambda):
            return [self.body.body]
        found = [each for each in own_parts(self.body) if isinstance(each, ast.Return)]
        return [each.value for each in found if each.value is not None]

    @property
    def line(self) -> str:
        """The line of its only ``return``, or else the line at which it begins."""
        only = self.returns[0] if len(self.returns) == 1 else self.body
        return self.source.spoken(only.lineno)

    @property
    def said(self) -> str:
        """What it does not do."""
        reads = "reads no more than the shape of" if self.by_its_form else "never reads"
        return f"{self.node.function.__name__}.backward {reads} {' and '.join(self.gradients)}"

    @property
    def come_in(self) -> str:
        """What these names stand for."""
        several = len(self.gradients) > 1 or self.gradients[0].startswith("*")
        return "the gradients that come in" if several else "the gradient that comes in"

    @property
    def do(self) -> str:
        """What to write; the line itself where each element of a result has an input of its own."""
        given = self.gradients[0]
        if len(self.returns) == 1 and self.node.outputs == 1 and not given.startswith("*"):
            if answer := self.multiplied(self.returns[0], given):
                return f"`return {', '.join(map(ast.unparse, answer))}` in that line"
        by = given.removeprefix("*") + "[0]" * given.startswith("*")
        return f"multiply what {self.node.function.__name__}.backward returns by {by}"

    def multiplied(self, value: ast.expr, given: str) -> list[ast.expr]:
        """The answers with the gradient as a factor; none where one has another shape."""
        answers = value.elts if isinstance(value, ast.Tuple) else [value]
        if len(answers) != len(self.node.input_specs):
            return []
        shape, _ = self.node.output_specs[0]
        times: list[ast.expr] = []
        for answer, spec in zip(answers, self.node.input_specs):
            if is_word(answer, None):
                times.append(answer)
            elif spec is not None and shape in ((), spec[0]):
                times.append(ast.BinOp(ast.Name(given), ast.Mult(), answer))
            else:
                return []
        return times


def gradients_unread(nodes: Iterable[Any]) -> Iterator[str]:
    """Sentences on the custom functions of some nodes that never read their gradient."""
    for each in unread(nodes):
        yield f"""{each.said}, {each.come_in}, so what is computed from the result of
            {each.node.function.__name__} does not count ({each.line})."""
        yield f"Try: {each.do}."


def unread(nodes: Iterable[Any]) -> Iterator[Unread]:
    """The custom functions of these nodes that never read their gradient, each once."""
    own = [node for node in nodes if isinstance(node, FunctionNode)]
    for node in {node.function: node for node in own}.values():
        function = inspect.unwrap(node.function.backward)
        source, body = definition_of(function)
        if not isinstance(body, ast.FunctionDef | ast.Lambda):
            continue
        arguments = body.args
        names = [each.arg for each in (*arguments.posonlyargs, *arguments.args)][1:]
        several = [arguments.vararg.arg] if arguments.vararg is not None else []
        if not names + several or any(name[0] == "_" for name in names + several):
            continue
        around = parents_in(body)
        used = [each for each in around if is_read(each, {*names, *several, *BY_NAME})]
        if not all(asks_its_form(each, around) for each in used):
            continue
        each = Unread(node, [*names, *(f"*{name}" for name in several)], source, body, bool(used))
        if not all(is_nothing(answer, body) for answer in each.returns):
            yield each


def is_read(thing: ast.AST, names: set[str]) -> bool:
    """Whether this reads one of some names."""
    return isinstance(thing, ast.Name) and isinstance(thing.ctx, ast.Load) and thing.id in names


def asks_its_form(gradient: ast.AST, around: dict[ast.AST, ast.AST]) -> bool:
    """Whether a name is read as in ``g.shape``, ``ones_like(g)`` or ``g is None`` alone."""
    whole = around[gradient]
    while isinstance(whole, ast.Subscript) and whole.value is gradient:
        gradient, whole = whole, around[whole]
    match whole:
        case ast.Attribute(_, name):
            return name in ONLY_ITS_FORM
        case ast.Call(function):
            return name_called(function) in ONLY_ITS_FORM
        case ast.Compare(_, [ast.Is() | ast.IsNot()]):
            return True
    return False


def is_nothing(answer: ast.expr, body: ast.AST) -> bool:
    """Whether this is None or zeros, or a name of such that nothing is written into."""
    match answer:
        case ast.Tuple(answers):
            return all(is_nothing(each, body) for each in answers)
        case ast.BinOp(left, ast.Mult(), right):
            return any(isinstance(each, ast.Constant) and not each.value for each in (left, right))
        case ast.Name(name):
            plain = [each for each in ast.walk(body) if isinstance(each, ast.Assign)]
            given = [each.value for each in plain if ast.unparse(each.targets[0]) == name]
            return bool(given) and all(is_nothing(each, body) for each in given)
    return is_word(answer, None) or is_call(answer, ZEROS)
