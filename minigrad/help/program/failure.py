"""What an error leaves to look at: the reader's lines that it went through, and where values began.

The same is known while an error is about to be raised, from the frames that run, and afterwards,
from its traceback.
"""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import dropwhile, pairwise
from types import FrameType, TracebackType
from typing import Any

from ..source import reader
from ..source.called import function_called, is_in_a_library, made_by
from ..source.line_order import at
from ..source.lookup import value_of
from ..source.parsed import tree_of_code
from ..source.syntax import is_call, parts_in
from ..source.texts import assignments
from .program import Program
from .statements import BINDS

MOST_CALLS = 5  #: through which a value is followed back
Line = tuple[FrameType, ast.AST | None]  #: a frame of the reader's, and the expression it is in


@dataclass(frozen=True)
class Failure:
    """An error, with the lines of the reader's that it went through, the innermost first."""

    error: BaseException
    lines: Sequence[Line]
    below: Sequence[FrameType] = ()  # those of libraries that the failing line has called

    @classmethod
    def seen(cls, error: BaseException) -> Failure:
        """An error that was raised."""
        passed = [each.tb_frame for each in reader.passed(error.__traceback__)]
        lines = own_lines(error.__traceback__)
        below = passed[passed.index(lines[0][0]) + 1 :] if lines else ()
        return cls(error, lines, below)

    @classmethod
    def now(cls, error: BaseException) -> Failure:
        """An error that is about to be raised."""
        own, below = [], []
        for each in reader.callers(sys._getframe(1)):
            if not is_in_a_library(each.f_code.co_filename):
                own.append(each)
            elif not own:
                below.insert(0, each)
        lines = [(each, expression_of(each, each.f_lasti)) for each in own[:MOST_CALLS]]
        return cls(error, lines, below)

    @property
    def frame(self) -> FrameType | None:
        """The innermost frame of the reader's."""
        return self.lines[0][0] if self.lines else None

    @property
    def expression(self) -> Any:
        """The expression of the reader's that failed."""
        return self.lines[0][1] if self.lines else None

    def value(self, thing: Any) -> Any:
        """What an expression of the failing line stands for; None where that is not known."""
        return None if self.frame is None else value_of(thing, self.frame, None)

    def origin(self, thing: ast.expr, start: FrameType | None = None) -> tuple[ast.expr, FrameType]:
        """The expression that a value was handed down from, through calls, and its frame."""
        lines = [*dropwhile(lambda line: start not in (None, line[0]), self.lines)]
        for (frame, _), (outer, call) in pairwise(lines):
            if not is_argument(thing, frame):
                return thing, frame
            known = Program.of(outer).variables
            called = (
                (function_called(call, known) or made_by(call, known)) if is_call(call) else None
            )
            given = called[1].get(thing.id, ()) if called else ()
            if len(given) != 1 or called[0].__code__ is not frame.f_code:
                return thing, frame
            thing = given[0]
        return thing, lines[-1][0]

    def first(
        self, thing: ast.expr, is_meant: Callable[[Any], bool]
    ) -> tuple[ast.expr, FrameType, str]:
        """Where a kind of value began: its first name, through calls, assignments and indices.

        With the line that computes with it, where that is not the one that failed.
        """
        frame, use = self.frame, ""
        for _ in range(MOST_CALLS):
            below, (thing, frame) = frame, self.origin(thing, frame)
            line, made = made_in(thing, frame) if isinstance(thing, ast.Name) else ("", thing)
            names = parts_in(made or ast.Pass(), ast.Name)
            known = {each.id: each for each in names if is_meant(value_of(each, frame, None))}
            own, use = [*known.values()], use if frame is below else ""
            if len(own) != 1 or own[0].id == getattr(thing, "id", ""):
                break
            thing, use = own[0], line or use
        return thing, frame, use


def is_argument(thing: ast.expr, frame: FrameType) -> bool:
    """Whether this is a name of what a function was called with, and nothing else since."""
    code = frame.f_code
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    is_one = isinstance(thing, ast.Name) and thing.id in names
    return is_one and Program.of(frame, frame.f_lineno).last(thing.id) < 0


def home_of(name: str, frame: FrameType) -> FrameType:
    """The frame whose lines bind a name: this one, or the one at the top."""
    return next((each for each in reader.callers(frame) if name in each.f_locals), frame)


def made_in(thing: ast.expr, frame: FrameType) -> tuple[str, ast.expr | None]:
    """The line that bound a name, or an attribute, and to what; empty where that is not known."""
    if isinstance(thing, ast.Name):
        home = home_of(thing.id, frame)
        program = Program.of(home, home.f_lineno)
        line = program.binding_line(thing.id)
        if line and is_below(line, home):
            return "", None  # in a loop, where an earlier round may have run it
        return (line, program.step(thing.id, kinds=(BINDS,)).value) if line else ("", None)
    if isinstance(thing, ast.Attribute):
        found = {
            line: value
            for line, target, value in assignments(frame)
            if isinstance(target, ast.Attribute) and target.attr == thing.attr
        }
        return next(iter(found.items())) if len(found) == 1 else ("", None)
    return "", None


def is_below(line: str, frame: FrameType) -> bool:
    """Whether a line stands below the one that a frame is at."""
    name, number = at(line)
    return name == reader.file_name(frame.f_code.co_filename) and number > frame.f_lineno


# -- the lines of an error -------------------------------------------------------------------------


def failing(traceback: TracebackType | None) -> tuple[FrameType | None, ast.AST | None]:
    """The innermost frame of the reader's, and the expression that failed in it."""
    return next(iter(own_lines(traceback)), (None, None))


def own_lines(traceback: TracebackType | None) -> list[Line]:
    """The frames of the reader's that an error went through, the innermost first."""
    parts = own_parts(traceback)[:MOST_CALLS]
    return [(each.tb_frame, expression_of(each.tb_frame, each.tb_lasti)) for each in parts]


def own_parts(traceback: TracebackType | None) -> list[TracebackType]:
    """The parts of a traceback that are of the reader's lines, the innermost first."""
    parts = [*reader.passed(traceback)][::-1]
    return [each for each in parts if not is_in_a_library(each.tb_frame.f_code.co_filename)]


def expression_of(frame: FrameType, instruction: int) -> ast.AST | None:
    """The expression that a frame was in."""
    first, last, start, end = reader.position((frame.f_code, instruction))
    linecache.lazycache(frame.f_code.co_filename, frame.f_globals)
    nodes = parts_in(tree_of_code(frame.f_code), ast.expr | ast.AugAssign | ast.For)
    return next((node for node in nodes if stands_at(node, first, last, start, end)), None)


def stands_at(node: Any, first: int, last: int, start: int, end: int) -> bool:
    """Whether an expression stands at a place; an attribute on a line of its own has no start."""
    begins = (node.lineno, node.col_offset) == (first, start)
    ends = (node.end_lineno, node.end_col_offset) == (last, end)
    return ends and (begins or isinstance(node, ast.Attribute))
