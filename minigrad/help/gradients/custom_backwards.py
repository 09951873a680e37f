"""Custom functions that end the chain: their ``backward`` gives None, or never reads its gradient.

It is seen in the text of ``backward``: a tuple with None is returned; or the name of the gradient
is not in it, or only its shape is asked for. A custom function that gives nothing or zeros is meant
to be like that.
"""

from __future__ import annotations

import ast
import inspect
import math
from collections.abc import Iterable, Iterator
from types import FrameType
from typing import Any, NamedTuple

from ...autograd.function import FunctionNode
from ...tensor import Tensor
from ..graph.history import nodes_between
from ..graph.nodes import leading_to
from ..program.cuts import SIZES
from ..source.reader import in_brackets
from ..source.syntax import (
    has_no_return,
    is_call,
    is_word,
    name_called,
    own_parts,
    parents_in,
    targets_of,
)
from ..source.texts import Source, all_calls, definition_of, everywhere
from ..source.variables import is_module
from ..words.sentences import tell

ONLY_ITS_FORM = {*SIZES, "device", "expand_as", "reshape_as", "type_as", "view_as", "new_full"}
ZEROS = {"zeros", "zeros_like", "new_zeros"}
BY_NAME = {"locals", "eval", "exec", "vars"}


def given_none(y: Any, x: Any, name: str) -> Iterator[str]:
    """Sentences on a custom function that answers None on the way from ``y`` back to ``x``.

    What a pass was given is known; before one, what the lines of ``backward`` tell.
    """
    for node, place in places_between(y, x):
        own, argument = node.function.__name__, argument_at(node, place)
        known = Returned(node, place)
        to = f"nothing comes to {name}{' on that way' if x.grad is not None else ''}"
        if has_no_return(known.function):
            line = known.source.spoken(known.function.lineno)
            yield f"{own}.backward returns nothing, so {to} ({line})."
            yield f"Try: end {own}.backward with `return` and the gradient of {argument}."
            return
        gives = f"{own}.backward gives None for {argument}, so {to}"
        is_unanswered = getattr(node, "answered", {}).get(place, ()) is None
        if is_unanswered and (other := known.asks_unrecorded):
            yield f"{gives}: {other[0]}."
            yield f"Try: {other[1]}."
            return
        if is_unanswered or known.is_none:
            yield f"{gives}{in_brackets(known.line)}."
            shape = list(node.input_specs[place][0])
            yield tell("give-the-derivative", argument=argument, shape=shape)
            return


def summed_on_the_way(y: Any, x: Any, name: str) -> Iterator[str]:
    """That an answer of a custom function had more elements than its argument, and was summed."""
    for node, place in places_between(y, x):
        got, shape = getattr(node, "answered", {}).get(place), [*node.input_specs[place][0]]
        if got is not None and math.prod(got) > math.prod(shape):
            own = {"own": node.function.__name__, "argument": argument_at(node, place)}
            own |= {"got": [*got], "shape": shape, "line": in_brackets(Returned(node, place).line)}
            yield tell("answer-is-summed", **own)
            yield tell("keep-it-unsummed", name=name, got=str([*got])[1:-1])


def places_between(y: Any, x: Any) -> Iterator[tuple[FunctionNode, int]]:
    """The custom functions on the ways from ``y`` back to ``x``, with the arguments on them."""
    is_own = isinstance(y, Tensor) and isinstance(x, Tensor)
    after = leading_to(y, x) if is_own and y.grad_fn is not None else ()
    for node in nodes_between(y, x) if after else ():
        if isinstance(node, FunctionNode):
            places = [place for place, spec in enumerate(node.input_specs) if spec is not None]
            known = zip(places, node.edges)
            yield from ((node, place) for place, edge in known if edge and edge.node in after)


class Returned:
    """What a ``backward`` returns in a place, as it is written."""

    def __init__(self, node: FunctionNode, place: int):
        self.node, self.place = node, place
        self.source, self.function = definition_of(inspect.unwrap(node.function.backward))
        self.inside = [*ast.walk(self.function)] if self.source is not None else []
        self.returns = [each for each in self.inside if isinstance(each, ast.Return)]

    @property
    def line(self) -> str:
        """The line of the only ``return``, or of the last that has None in the place."""
        given = [each.lineno for each in self.returns if self.is_none_in(each)]
        known = given or [each.lineno for each in self.returns if len(self.returns) == 1]
        return self.source.spoken(max(known)) if known else ""

    @property
    def is_none(self) -> bool:
        """Whether each ``return`` has None in the place."""
        return bool(self.returns) and all(map(self.is_none_in, self.returns))

    def is_none_in(self, given: ast.Return) -> bool:
        """Whether a ``return`` has None in the place."""
        return is_none(given.value, self.place, always_none(self.inside))

    @property
    def made(self) -> list[ast.Assign]:
        """The lines that give the only answer in the place, a name, a value besides None."""
        whole = self.returns[0].value if len(self.returns) == 1 else None
        answers = whole.elts if isinstance(whole, ast.Tuple) else [whole]
        own = getattr(answers[self.place], "id", "") if self.place < len(answers) else ""
        given = [each for each in self.inside if isinstance(each, ast.Assign)]
        return [e for e in given if own in targets_of(e) and not is_word(e.value, None)]

    @property
    def asks_unrecorded(self) -> tuple[str, str] | None:
        """That `grad` gave the answer, for a result that grad mode off has left without history."""
        parts = [each for line in self.made or self.returns for each in ast.walk(line)]
        calls = [each for each in parts if is_call(each, {"grad"}) and each.args]
        if not calls or any(is_call(e, {"enable_grad", "set_grad_enabled"}) for e in self.inside):
            return None
        own = {"result": ast.unparse(calls[0].args[0]), "line": self.source.spoken(calls[0].lineno)}
        return tell("asks-unrecorded", **own), tell("record-in-backward", **own)


def always_none(nodes: list[ast.AST]) -> set[str]:
    """The names to which a function gives None, and nothing else."""
    stored = [n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    made = [n for n in nodes if isinstance(n, ast.Assign) and is_word(n.value, None)]
    given = [each.id for n in made for each in n.targets if isinstance(each, ast.Name)]
    return {name for name in given if stored.count(name) == given.count(name)}


def is_none(value: ast.expr | None, place: int, names: set[str]) -> bool:
    """Whether a tuple of answers has None in a place: the word, or one of these names."""
    answers = value.elts if isinstance(value, ast.Tuple) else [value]
    if any(isinstance(each, ast.Starred) for each in answers) or place >= len(answers):
        return False
    answer = answers[place]
    return answer.id in names if isinstance(answer, ast.Name) else is_word(answer, None)


def argument_at(node: Any, place: int) -> str:
    """What ``forward`` calls one of its arguments."""
    names = [*inspect.signature(node.function.forward).parameters]
    is_given = names[:1] == ["ctx"] or "setup_context" not in vars(node.function)
    names = names[1:] if is_given else names
    return names[place] if place < len(names) else f"argument {place + 1}"


def idle_methods(modules: Iterable[Any], frame: FrameType | None) -> Iterator[str]:
    """That some modules define a method ``backward``, which no pass calls, nor a line of theirs."""
    classes = {type(each): None for each in modules if is_module(each)}
    named = [e for _, e in everywhere(frame, ast.Attribute) if e.attr == "backward"]
    handed = {id(each.func) for _, each in all_calls(frame) if not each.args}
    for kind in classes if all(id(each) in handed for each in named) else ():
        source, method = definition_of(vars(kind).get("backward"))
        if source is not None and len(method.args.args) > 1 + len(method.args.defaults):
            yield tell("idle-method", kind=kind.__name__, line=source.spoken(method.lineno))
            yield tell("method-of-a-function", kind=kind.__name__)


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
        found = [each for each in own_parts(self.body) if isinstance(each, ast.Return)]
        return [each.value for each in found if each.value is not None]

    @property
    def line(self) -> str:
        """The line of its only ``return``, or else the line at which it begins."""
        only = self.returns[0] if len(self.returns) == 1 else self.body
        return self.source.spoken(only.lineno)


def gradients_unread(nodes: Iterable[Any]) -> Iterator[str]:
    """Sentences on the custom functions of some nodes that never read their gradient."""
    for each in unread(nodes):
        reads = "reads no more than the shape of" if each.by_its_form else "never reads"
        own, by = each.node.function.__name__, each.gradients[0]
        yield f"""{own}.backward {reads} {" and ".join(each.gradients)}, so what is computed from
            the result of {own} does not count ({each.line})."""
        by = f"{by[1:]}[0]" if by[0] == "*" else by
        yield f"Try: multiply what {own}.backward returns by {by}, before it sums anything up."


def unread(nodes: Iterable[Any]) -> Iterator[Unread]:
    """The custom functions of these nodes that never read their gradient, each once."""
    own = [node for node in nodes if isinstance(node, FunctionNode)]
    for node in {node.function: node for node in own}.values():
        source, body = definition_of(inspect.unwrap(node.function.backward))
        if not isinstance(body, ast.FunctionDef):
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
