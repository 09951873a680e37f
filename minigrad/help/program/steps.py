"""The statements of a program as steps, and what else can be read of one statement."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ...autograd.caller import Place
from ..source import reader
from ..source.syntax import calls_in, is_at, name_called, parts_in, root, span
from ..source.texts import Source
from .breaks import Cut
from .cuts import Loss
from .statements import BINDS, RESULT, WRITES, part_of, uses


@dataclass
class Step:
    """One statement that does something to the name ``target``: see :mod:`.statements`."""

    target: str
    value: ast.expr
    line: str
    untracked: Loss | None
    kind: str
    branch: bool = False  # it stands where the program may not have been
    lines: frozenset[tuple[str, int]] = frozenset()  # those of the statement, where that is simple
    ran: bool = False  # whether it is known to have taken away a history
    source: Source | None = None  # the text of the lines

    def uses(self, inside: Callable, key: Any = None) -> Iterator[tuple[str, tuple[Cut, ...]]]:
        """Each name the statement computes with, and what took its history away; last first.

        Where ``key`` is given, it is the item of the target at that place that is computed.
        """
        for used, lost in uses(self.value_at(key), inside):
            keeps = self.kind is WRITES and used == self.target
            lost = lost if keeps or self.untracked is None else [(self.untracked, 0), *lost]
            yield used, tuple([it if isinstance(it, Cut) else self.cut(*it) for it in lost])

    def value_at(self, key: Any) -> ast.expr:
        """What one item of the target is computed from; all where that cannot be told."""
        match self.value:
            case ast.Tuple([whole, ast.Dict([ast.Constant(own)], [part])]) if self.kind is WRITES:
                if key is not None:
                    return part if own == key else part_of(whole, key)
            case _ if self.kind is not WRITES and key is not None:
                return part_of(self.value, key)
        return self.value

    def cut(self, loss: Loss, number: int) -> Cut:
        """A loss in one of these lines; 0 where it is that of the whole statement."""
        is_write = loss.off and self.kind is WRITES and self.target != RESULT
        kept = self.lines if loss.kept and not is_write else frozenset()
        is_part = number and self.source and len(self.lines) > 1
        line = self.source.spoken(number) if is_part else self.line
        return Cut(loss, line, self.ran or not self.branch, kept, number if is_part else 0)


def hands_over_otherwise(node: ast.FunctionDef | ast.Lambda) -> bool:
    """Whether a generator does more than ``yield value``: what it gives is then not followed."""
    plain = [each.value for each in parts_in(node, ast.Expr)]
    yields = parts_in(node, ast.Yield | ast.YieldFrom)
    return any(isinstance(each, ast.YieldFrom) or each not in plain for each in yields)


def in_question(tree: ast.Module, source: Source, place: Place) -> list[Step]:
    """What the one call on this line is about that asks: ``y`` in ``y.backward()``.

    Of several, it is the one that runs now.
    """
    line = reader.line_number(place)
    questions = [each for each in calls_in(tree, QUESTIONS) if is_at(each, line)]
    if len(questions) > 1:
        now = reader.position(place)
        questions = [each for each in questions if span(each) == now]
    if len(questions) != 1:
        return []
    function, things = questions[0].func, questions[0].args
    asks = name_called(function)
    if asks == "checkup":
        return []  # which asks of no tensor alone
    is_method = isinstance(function, ast.Attribute) and name_called(function.value) not in MODULES
    if is_method and asks != "explain":  # `m.explain(y)` with any name of the package
        things = [function.value]
    names = [ast.unparse(thing) if root(thing) else f"({ast.unparse(thing)})" for thing in things]
    return [
        Step(name, thing, source.spoken(thing.lineno), None, BINDS)
        for name, thing in zip(names, things)
    ]


def owners_in(loop: ast.For) -> dict[str, str]:
    """``{"p": "net"}`` of ``for p in net.parameters():`` and of the same with names."""
    match loop.target, loop.iter:
        case (
            (ast.Name(each) | ast.Tuple([_, ast.Name(each)])),
            ast.Call(ast.Attribute(whole, "parameters" | "named_parameters")),
        ):
            owner = root(whole)
            return {each: owner} if owner is not None else {}
    return {}


def is_path(text: str) -> bool:
    """Whether this is written like ``net.weight``."""
    return all(part.isidentifier() for part in text.split("."))


QUESTIONS = {"explain", "checkup", "backward", "grad", "retain_grad", "register_hook"}
MODULES = {"autograd", "torch", "minigrad", "mg"}


def blocks(statement: ast.stmt) -> Iterator[tuple[list[ast.stmt], bool]]:
    """The blocks inside a statement, and whether a run may leave them out."""
    decides = isinstance(statement, ast.If)
    for name in ("body", "orelse", "finalbody"):
        yield getattr(statement, name, []), decides
    for other in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield other.body, True
