"""The reader's own lines: how one name was computed from another, and what was lost on the way.

``b = a.detach()`` leaves no trace in ``b``, but the line is still there to be read. A
:class:`Program` is the assignments that stand above the line that asks; following them backwards
from ``y`` gives the :class:`Cut` s on each route to ``x``. Lines are read, not run again: calls of
functions are not entered, and a branch that was not taken is read like one that was.
"""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from ..autograd import reader
from .cuts import name_called, switches_off
from .statements import ASKS, BINDS, WRITES, effects, uses

TO_CHANGE_A_LEAF = "To change a leaf itself, write `{0} -= ...` inside `with torch.no_grad():`."


@dataclass(frozen=True)
class Source:
    """A piece of program text and what the reader calls it."""

    name: str
    text: str

    def spoken(self, number: int) -> str:
        """A line in words."""
        return reader.quoted(self.name, number, self.text.splitlines()[number - 1])


@dataclass(frozen=True)
class Cut:
    """What took the history away, and the line where it did."""

    what: str
    line: str


@dataclass
class Step:
    """One statement that does something to the name ``target``: see :mod:`.statements`."""

    target: str
    value: ast.expr
    line: str
    untracked: str | None
    kind: str

    def uses(self, functions: dict[str, str]) -> Iterator[tuple[str, list[str]]]:
        """Each name the statement computes with, and what took its history away; last first."""
        for used, lost in uses(self.value, functions):
            keeps = self.kind is WRITES and used == self.target
            yield used, lost if keeps or self.untracked is None else [self.untracked, *lost]


@dataclass
class Program:
    """What the reader has under names, and the statements that came before this line."""

    variables: dict[str, Any] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    untracked_functions: dict[str, str] = field(default_factory=dict)
    asked: list[Step] = field(default_factory=list)

    @classmethod
    def of(cls, frame: FrameType | None) -> Program:
        """The program that runs in ``frame``; lines that cannot be read are left out."""
        if frame is None:
            return cls()
        program = cls({**frame.f_locals, **frame.f_globals, **frame.f_locals})
        for source, body in readable(frame):
            program.read(body, source, None)
            program.asked = arguments_of_question(body, source, frame.f_lineno)
        return program

    def name_of(self, tensor: Any) -> str | None:
        """The reader's name of a tensor."""
        return reader.name_among(self.variables, lambda thing: thing is tensor)

    def name_of_argument(self, tensor: Any, number: int) -> str | None:
        """The name of what was asked about: where it has none, the expression in the question."""
        name = self.name_of(tensor)
        if name is not None or number >= len(self.asked):
            return name
        self.steps.append(self.asked[number])
        return self.asked[number].target

    # -- reading -----------------------------------------------------------------------------------

    def read(self, body: list[ast.stmt], source: Source, untracked: str | None) -> None:
        """Take down the assignments of these statements, and of the blocks inside them."""
        for statement in body:
            line = source.spoken(statement.lineno)
            if isinstance(statement, ast.FunctionDef):
                if off := list(filter(None, map(switches_off, statement.decorator_list))):
                    self.untracked_functions[statement.name] = off[0]
                continue
            for target, value, kind in effects(statement):
                self.steps.append(Step(target, value, line, untracked, kind))
            inner = untracked
            if isinstance(statement, ast.With):
                for item in statement.items:
                    inner = switches_off(item.context_expr) or inner
            for block in ("body", "orelse", "finalbody"):
                self.read(getattr(statement, block, []), source, inner)

    # -- following ---------------------------------------------------------------------------------

    def last(self, name: str, before: int | None = None, kinds: tuple = (BINDS, WRITES)) -> int:
        """The last step before this one that did something of these kinds to ``name``; else -1."""
        steps = enumerate(self.steps[:before])
        return max((i for i, s in steps if s.target == name and s.kind in kinds), default=-1)

    def routes(self, start: str, goal: str) -> list[tuple[Cut, ...]]:
        """The cuts on each way back from ``start`` to a use of the present value of ``goal``.

        Who uses ``net`` uses ``net[0].weight``.
        """
        uses, goal = self.ingredients(start), re.split(r"[.\[]", goal)[0]
        return [cuts for used, at, cuts in uses if used == goal and self.is_present(used, at)]

    def used_earlier_value(self, start: str, name: str) -> bool:
        """Whether ``start`` was computed from what ``name`` meant before it was assigned again."""
        uses = self.ingredients(start)
        return any(used == name and not self.is_present(used, at) for used, at, _ in uses)

    def is_updated(self, name: str) -> bool:
        """Whether a step was taken from its earlier value, as ``w = w - 0.1 * g`` does."""
        at = self.last(name, kinds=(BINDS,))
        value = self.steps[at].value if at >= 0 else None
        subtracts = isinstance(value, ast.BinOp) and isinstance(value.op, ast.Sub)
        return subtracts and self.used_earlier_value(name, name)

    def parts_of(self, name: str) -> set[str]:
        """The other names that ``name`` was computed from."""
        return {used for used, _, _ in self.ingredients(name)} - {name}

    def is_present(self, name: str, at: int) -> bool:
        """Whether ``name`` meant the same tensor at step ``at`` as it does now."""
        return self.last(name, at, (BINDS,)) == self.last(name, kinds=(BINDS,))

    def ingredients(self, start: str) -> Iterator[tuple[str, int, tuple[Cut, ...]]]:
        """Each name ``start`` was computed from, the step that used it, and the cuts between."""
        seen = set()
        waiting: list[tuple[str, int | None, tuple[Cut, ...]]] = [(start, None, ())]
        for name, before, cuts in waiting:  # the list grows while it is walked
            at = self.last(name, before)
            if at < 0 or (at, bool(cuts)) in seen:
                continue
            seen.add((at, bool(cuts)))
            step = self.steps[at]
            for used, lost in step.uses(self.untracked_functions):
                further = cuts + tuple(Cut(what, step.line) for what in lost)
                yield used, at, further
                waiting.append((used, at, further))

    def flagged_after(self, x: str, y: str) -> str | None:
        """The line that asked for gradients of ``x`` only after ``y`` had been computed."""
        asked = self.last(x, kinds=(ASKS,))
        return self.steps[asked].line if asked > self.last(y) >= 0 else None

    def binding_line(self, name: str) -> str | None:
        """The line that made ``name`` mean what it means now."""
        at = self.last(name, kinds=(BINDS,))
        return None if at < 0 else self.steps[at].line


def arguments_of_question(body: list[ast.stmt], source: Source, line: int) -> list[Step]:
    """The arguments of the call of ``explain`` on this line, if there is just one."""
    questions = [
        node
        for node in ast.walk(ast.Module(body, []))
        if isinstance(node, ast.Call)
        and name_called(node.func) == "explain"
        and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    if len(questions) != 1:
        return []
    return [
        Step(f"({ast.unparse(argument)})", argument, source.spoken(argument.lineno), None, BINDS)
        for argument in questions[0].args
    ]


def breaks(routes: list[tuple[Cut, ...]]) -> list[str]:
    """The cuts on these routes, one phrase for a line; a longer way round tells nothing new."""
    cut = [route for route in routes if route]
    by_line: dict[str, dict[str, None]] = {}
    for route in cut:
        if not any(set(other) < set(route) for other in cut):
            for each in route:
                by_line.setdefault(each.line, {})[each.what] = None
    return [f"{'; '.join(whats)} ({line})" for line, whats in by_line.items()]


def readable(frame: FrameType) -> Iterator[tuple[Source, list[ast.stmt]]]:
    """The program text above the line a frame is in: earlier cells of a notebook, then this file.

    Inside a function it is the function's own lines.
    """
    code = frame.f_code
    filename = code.co_filename
    at_top = code.co_name == "<module>"
    if at_top and reader.notebook_cell(filename):
        for number, text in enumerate(frame.f_globals.get("In", [])[:-1]):
            yield from parsed(Source(f"cell In[{number}]", text))
    text = "".join(linecache.getlines(filename, frame.f_globals))
    for source, body in parsed(Source(reader.file_name(filename), text)):
        statements = body if at_top else body_of(body, code.co_firstlineno)
        yield source, [each for each in statements if each.lineno <= frame.f_lineno]


def parsed(source: Source) -> Iterator[tuple[Source, list[ast.stmt]]]:
    """The statements of a source; nothing where it is not Python."""
    try:
        body = ast.parse(source.text).body
    except SyntaxError:
        return
    yield source, body


def body_of(body: list[ast.stmt], first_line: int) -> list[ast.stmt]:
    """The statements of the function that starts at this line."""
    for node in ast.walk(ast.Module(body, [])):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            if first == first_line:
                return node.body
    return []
