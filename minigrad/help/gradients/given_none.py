"""Custom functions that give None in the place of a gradient: their ``backward`` says so."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from typing import Any

from ...autograd.function import FunctionNode
from ...tensor import Tensor
from ..graph.history import between
from ..graph.nodes import leading_to
from ..source.reader import in_brackets
from ..source.syntax import has_no_return, is_word, targets_of
from ..source.texts import definition_of
from ..words.sentences import tell


def given_none(y: Any, x: Any, name: str) -> Iterator[str]:
    """Sentences on a custom function that answers None on the way from ``y`` back to ``x``.

    What a pass was given is known; before one, what the lines of ``backward`` tell.
    """
    is_own = isinstance(y, Tensor) and isinstance(x, Tensor)
    for node in between(y, x) if is_own else ():
        if not isinstance(node, FunctionNode):
            continue
        after = leading_to(y, x)
        places = [place for place, spec in enumerate(node.input_specs) if spec is not None]
        for place, edge in zip(places, node.edges):
            if not edge or edge.node not in after:
                continue
            own, argument = node.function.__name__, argument_at(node, place)
            to = f"nothing comes to {name}{' on that way' if x.grad is not None else ''}"
            if line := without_return(node):
                yield f"{own}.backward returns nothing, so {to} ({line})."
                yield f"Try: end {own}.backward with `return` and the gradient of {argument}."
                return
            gives, known = (
                f"{own}.backward gives None for {argument}, so {to}",
                Returned(node, place),
            )
            if other := known.asks_of_another:
                yield f"{gives}: {other[0]}."
                yield f"Try: {other[1]}."
                return
            if place in getattr(node, "unanswered", ()) or known.is_none:
                yield f"{gives}{in_brackets(known.line)}.{known.unless}"
                shape = list(node.input_specs[place][0])
                yield tell("give-the-derivative", argument=argument, shape=shape)
                return


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
        given = {id(each) for each in self.returns if self.is_none_in(each)}
        known = [
            each.lineno for each in self.returns if id(each) in given or len(self.returns) == 1
        ]
        return self.source.spoken(max(known)) if known else ""

    @property
    def is_none(self) -> bool:
        """Whether each ``return`` has None in the place."""
        return bool(self.returns) and all(map(self.is_none_in, self.returns))

    def is_none_in(self, given: ast.Return) -> bool:
        """Whether a ``return`` has None in the place."""
        return is_none(given.value, self.place, always_none(self.inside))

    @property
    def conditions(self) -> list[ast.If]:
        """The ``if`` around each line that gives the answer a value besides None."""
        if len(self.returns) != 1 or not isinstance(self.returns[0].value, ast.Tuple):
            return []
        answers = self.returns[0].value.elts
        match answers[self.place] if self.place < len(answers) else None:
            case ast.Name(own):
                made = [e for e in self.inside if isinstance(e, ast.Assign) and sets(e, own)]
                around = [
                    [i for i in self.inside if isinstance(i, ast.If) and e in i.body] for e in made
                ]
                return [each[0] for each in around if each] if all(around) else []
        return []

    @property
    def asks_of_another(self) -> tuple[str, str] | None:
        """That the answer is made only if another argument needs a gradient, which it does not."""
        for each in self.conditions[:1] if len(self.conditions) == 1 else ():
            match each.test:
                case ast.Subscript(ast.Attribute(_, "needs_input_grad") as asked, ast.Constant(at)):
                    needs = self.node.ctx.needs_input_grad
                    if at != self.place and at < len(needs) and not needs[at]:
                        line, test = self.source.spoken(each.lineno), ast.unparse(asked)
                        other = argument_at(self.node, at)
                        said = (
                            f"it is computed only where {other} needs one, which does not ({line})"
                        )
                        return said, f"{test}[{self.place}] for {test}[{at}] there"
        return None

    @property
    def unless(self) -> str:
        """The condition under which the answer is computed."""
        tests = {f"`{ast.unparse(e.test)}` ({self.at(e)})" for e in self.conditions}
        return f" It is computed only under {' or '.join(sorted(tests))}." if tests else ""

    def at(self, part: ast.If) -> str:
        """The line of a condition, without its text, which is told already."""
        return self.source.spoken(part.lineno).partition(": `")[0]


def sets(statement: ast.Assign, name: str) -> bool:
    """Whether an assignment gives a name another value than None."""
    return not is_word(statement.value, None) and name in targets_of(statement)


def without_return(node: Any) -> str:
    """The first line of a ``backward`` that ends without a value on each way; else empty."""
    source, function = definition_of(inspect.unwrap(node.function.backward))
    return source.spoken(function.lineno) if has_no_return(function) else ""


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
    if isinstance(answer, ast.Name):
        return answer.id in names
    return is_word(answer, None)


def argument_at(node: Any, place: int) -> str:
    """What ``forward`` calls one of its arguments."""
    names = [*inspect.signature(node.function.forward).parameters]
    is_given = names[:1] == ["ctx"] or "setup_context" not in vars(node.function)
    names = names[1:] if is_given else names
    return names[place] if place < len(names) else f"argument {place + 1}"
