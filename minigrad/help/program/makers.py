"""Which line made what stands in a failing line: back through names, arguments, loops, and lists.

A name is followed to what it was bound to, and one that a loop binds to what the loop goes through;
for a generator of the reader's that is its ``yield``.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from inspect import CO_GENERATOR
from types import FrameType
from typing import Any, NamedTuple

from ..source import reader
from ..source.called import function_called, is_in_a_library
from ..source.lookup import among
from ..source.parsed import text_of_code, tree_of
from ..source.syntax import (
    LOOPS,
    around_line,
    calls_in,
    is_at,
    is_call,
    names_in,
    own_parts,
    scope,
    targets_in,
)
from ..source.texts import Source, definition_of, texts
from .evaluated import value_of
from .failure import Failure, is_argument

MOST_STEPS = 8
LIKE = {"zeros_like", "ones_like", "empty_like", "full_like", "rand_like", "randn_like"}


class Place(NamedTuple):
    """Lines of the reader's, what their names hold now, and the line that they are at."""

    source: Source
    tree: ast.AST
    values: Mapping[str, Any]
    line: float
    frame: FrameType

    @classmethod
    def of(cls, frame: FrameType) -> Place:
        """The function that a frame runs, or the text that it is in."""
        source = Source(reader.file_name(frame.f_code.co_filename), text_of_code(frame.f_code))
        tree, is_top = tree_of(source.text), frame.f_code.co_name == "<module>"
        own = tree if is_top else scope(tree, frame.f_lineno)
        return cls(source, own, {**frame.f_globals, **frame.f_locals}, frame.f_lineno, frame)

    def value(self, thing: ast.expr) -> Any:
        """What an expression gives here, computed again if need be; None where unknown."""
        known = among(thing, self.values, None)
        if known is not None:
            return known
        return value_of(thing, lambda part: among(part, self.values, None))

    def binding(self, name: str) -> tuple[ast.stmt, Place] | None:
        """The statement that has bound a name, and where; None where it may be one of several."""
        if found := self.bindings(name):
            return self.last(found) and (self.last(found), self)
        for each in [] if self.frame is None else reader.callers(self.frame):
            if each.f_code.co_name == "<module>" and not is_in_a_library(each.f_code.co_filename):
                return Place.of(each).at_top(name)
        return None

    def at_top(self, name: str) -> tuple[ast.stmt, Place] | None:
        """The same of a name outside of all functions, in this text or one before."""
        for source, tree in texts(self.frame):
            is_own = source.name == self.source.name
            at = self if is_own else self._replace(source=source, tree=tree, line=float("inf"))
            if found := at.bindings(name):
                return at.last(found) and (at.last(found), at)
        return None

    def bindings(self, name: str) -> list[ast.stmt]:
        """The statements here that bind a name."""
        kinds = ast.Assign | ast.AnnAssign | ast.For
        return [each for each in own_parts(self.tree, kinds) if binds(each, name)]

    def last(self, found: list[ast.stmt]) -> ast.stmt | None:
        """The one of several statements that ran last; None where that depends."""
        above = [each for each in found if each.lineno < self.line]
        if not above:
            return None
        last = max(above, key=lambda each: each.lineno)
        loops = [
            each for each in around_line(self.tree, last.lineno, LOOPS) if is_at(each, self.line)
        ]
        branches = around_line(self.tree, last.lineno, ast.If | ast.Try)
        is_here = all(is_at(each, self.line) for each in branches)
        rounds = [each for each in own_parts(self.tree, LOOPS) if is_at(each, self.line)]
        rounds = [each for each in rounds if each not in loops]
        later = [each for each in found if any(is_at(loop, each.lineno) for loop in rounds)]
        return last if (is_here or len(found) == 1) and later in ([], [last]) else None


class Made(NamedTuple):
    """An expression that made a value, where that stands, and the comprehension around it."""

    value: ast.expr
    at: Place
    around: ast.ListComp | ast.DictComp | None = None

    @property
    def line(self) -> str:
        """The line, as it is spoken of."""
        return self.at.source.spoken(self.value.lineno)

    @property
    def like(self) -> ast.expr | None:
        """What the value was made like, as by ``zeros_like``."""
        return self.value.args[0] if is_call(self.value, LIKE) and self.value.args else None

    @property
    def forgotten(self) -> str:
        """The name that the comprehension around it goes through, and does not use."""
        if self.around is None:
            return ""
        target, parts = self.around.generators[0].target, [*ast.iter_child_nodes(self.around)]
        used = {
            n for each in parts if not isinstance(each, ast.comprehension) for n in names_in(each)
        }
        free = names_in(target) - used
        return free.pop() if len(free) == 1 else ""


def binds(statement: Any, name: str) -> bool:
    """Whether a statement binds a name, perhaps among others."""
    return any(name in names_in(each, ast.Store) for each in targets_in(statement))


def maker(thing: ast.expr, failure: Failure) -> Made | None:
    """What made the value of an expression in the failing line; None where that is not known."""
    if failure.frame is None:
        return None
    value = failure.value(thing)
    thing, frame = failure.origin(thing)
    return None if is_argument(thing, frame) else followed(thing, Place.of(frame), value)


def followed(thing: ast.expr, at: Place, value: Any = None) -> Made | None:
    """The same of an expression in any place."""
    around = None
    for _ in range(MOST_STEPS):
        match thing:
            case ast.Name(name):
                if (found := at.binding(name)) is None:
                    return None
                statement, at = found
                if isinstance(statement, ast.For):
                    known = passed_through(statement.target, statement.iter, name, at)
                    known = known and (*known, None)
                    known = known and picked(known[0], known[1], value)
                else:
                    known = given_to(statement, name, at)
            case ast.Subscript(ast.Name(), ast.Constant(int(number))):
                known = picked(thing.value, at, value, number)
            case ast.Subscript(ast.Name(), ast.Name()):
                known = picked(thing.value, at, value)
                if known is None or known[2] is None:  # a part of something, as it is written
                    return Made(thing, at, around)
            case _:
                return Made(thing, at, around) if thing is not None else None
        if known is None:
            return None
        thing, at, around = known
    return None


Known = tuple[ast.expr, Place, ast.ListComp | ast.DictComp | None]


def given_to(statement: Any, name: str, at: Place) -> Known | None:
    """The expression that an assignment gives to a name."""
    for target in targets_in(statement):
        match target, statement.value:
            case ast.Name(own), value if own == name and value is not None:
                return value, at, None
            case ast.Tuple(targets), ast.Tuple(values) if len(targets) == len(values):
                for one, each in zip(targets, values):
                    if isinstance(one, ast.Name) and one.id == name:
                        return each, at, None
            case ast.Tuple(), value:
                return value, at, None
    return None


def passed_through(target: ast.expr, over: ast.expr, name: str, at: Place) -> tuple | None:
    """What a loop goes through for a name: a list, or what a generator yields for it."""
    if isinstance(target, ast.Name):
        if target.id != name:
            return None
        return yielded(over, None, at) or (over, at)
    for number, each in enumerate(getattr(target, "elts", ())):
        if not binds(ast.For(each, over), name):
            continue
        if is_call(over, {"zip"}) and number < len(over.args):
            return passed_through(each, over.args[number], name, at)
        if is_call(over, {"enumerate"}) and number == 1:
            return passed_through(each, over.args[0], name, at)
        return yielded(over, number, at) if isinstance(each, ast.Name) else None
    return None


def yielded(over: ast.expr, number: int | None, at: Place) -> tuple | None:
    """What the reader's own generator yields, a part of it, and where that stands."""
    called = function_called(over, at.values) if is_call(over) else None
    if not called or not called[0].__code__.co_flags & CO_GENERATOR:
        return None
    source, node = definition_of(called[0])
    yields = own_parts(node, ast.Yield)
    value = yields[0].value if len(yields) == 1 else None
    if number is not None:
        parts = value.elts if isinstance(value, ast.Tuple) else []
        value = parts[number] if number < len(parts) else None
    return value and (value, at._replace(source=source, tree=node, values={}, line=float("inf")))


def grows(over: ast.expr, at: Place) -> bool:
    """Whether a line puts more into a list."""
    calls = calls_in(at.tree, {"append", "extend", "insert"})
    return any(ast.unparse(each.func).rpartition(".")[0] == ast.unparse(over) for each in calls)


def picked(over: ast.expr, at: Place, value: Any, number: int | None = None) -> Known | None:
    """Of a list that is written, the part that made a value; of what is no list, the whole."""
    if isinstance(over, ast.Name):
        found = at.binding(over.id)
        if found is None or isinstance(found[0], ast.For):
            return None
        written = given_to(found[0], over.id, found[1])
        if written is None:
            return None
        whole, at, _ = written
    else:
        whole = over
    match whole:
        case ast.ListComp(each) | ast.DictComp(_, each) if not grows(over, at):
            return each, at, whole
        case ast.ListComp():
            return None
        case ast.List(parts) | ast.Tuple(parts):
            own = [each for each in parts if value is not None and at.value(each) is value]
            if number is not None and not any(isinstance(each, ast.Starred) for each in parts):
                own = parts[number : number + 1] if number >= 0 else []
            return (own[0], at, None) if len(own) == 1 else None
    return whole, at, None
