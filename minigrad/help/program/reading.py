"""The statements of a program, taken down one by one as steps: see :mod:`.steps`."""

from __future__ import annotations

import ast
from bisect import bisect_left
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..source.syntax import is_at, is_call, name_called, names_in, parts_in, targets_in
from ..source.texts import Source, failed_at
from .cuts import Loss, lost_by, step_again, switches_off, switches_on
from .statements import ASKS, BINDS, WRITES, effects
from .steps import Step, blocks, owners_in

FACTORIES = {"tensor", "ones", "zeros", "full", "rand", "randn", "linspace", "eye"}


@dataclass
class Reading:
    """What the reader has under names, and the statements that came before this line."""

    variables: dict[str, Any] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    places: dict[str, list[int]] = field(default_factory=dict)  # of the steps of each name
    asked: list[Step] = field(default_factory=list)
    off: Loss | None = None  # what a line has turned grad mode off by, for those below it
    failed: int = 0  # the line that is being read at which the program ended
    running: int = 0  # the line of what is being read that runs now: no branch is left out there
    cutting: set[tuple[str, int]] | None = None  # the lines at which a history has ended
    owners: dict[str, str] = field(default_factory=dict)  # of `p` in a loop over parameters
    turning: set[str] = field(default_factory=set)  # what loops call one thing after the other
    loops: list[tuple[int, int]] = field(default_factory=list)  # the steps from and to of each

    def add(self, step: Step) -> None:
        """One more step."""
        self.places.setdefault(step.target, []).append(len(self.steps))
        self.steps.append(step)

    def read(
        self, body: list[ast.stmt], source: Source, untracked: Loss | None, branch: bool = False
    ) -> None:
        """Take down the assignments of these statements, and of the blocks inside them."""
        for statement in body:
            line = source.spoken(statement.lineno)
            off = self.recording(statement, branch) or untracked
            if isinstance(statement, ast.FunctionDef):
                self.read_globals(statement, source)
                continue
            if self.failed and failed_at(statement, self.failed):
                continue
            if isinstance(statement, ast.For):
                self.owners |= owners_in(statement)
                self.turning |= names_in(statement.target)
            for target, value, kind in effects(statement):
                lines, ran = self.lines_of(source, statement)
                lost = off or (self.into_an_array(target, statement) if ran else None)
                self.add(Step(target, value, line, lost, kind, branch, lines, ran, source))
                if kind is ASKS and target in self.owners:
                    self.add(Step(self.owners[target], value, line, off, kind, branch, lines, ran))
            inner = off
            if isinstance(statement, ast.With):
                for item in statement.items:
                    inner = switches_off(item.context_expr) or inner
                    inner = None if switches_on(item.context_expr) else inner
            failed, start = self.failed, len(self.steps)
            is_loop = isinstance(statement, ast.For | ast.While)
            if is_loop:
                self.failed = 0  # it may have run in an earlier round
            for block, perhaps in blocks(statement):
                perhaps &= not any(is_at(each, self.running) for each in block)
                self.read(block, source, inner, branch or perhaps)
            self.failed = failed
            for at in range(start, len(self.steps)) if is_loop and off else ():
                step = self.steps[at]
                number = min((number for _, number in step.lines), default=0)
                if step.untracked is off and (again := step_again(off, statement, number)):
                    self.steps[at] = replace(step, untracked=again)
            self.loops += [(start, len(self.steps))] * is_loop

    def read_globals(self, function: ast.FunctionDef, source: Source) -> None:
        """Take down what a function binds for others, by ``global``; it may have been called."""
        names = {name for each in parts_in(function, ast.Global) for name in each.names}
        for statement in parts_in(function, ast.stmt) if names else ():
            for target, value, kind in effects(statement):
                if target in names:
                    line, ran = source.spoken(statement.lineno), self.lines_of(source, statement)
                    self.add(Step(target, value, line, None, kind, True, *ran))

    def lines_of(
        self, source: Source, statement: ast.stmt
    ) -> tuple[frozenset[tuple[str, int]], bool]:
        """The lines of a statement, and whether a history has ended in one of them."""
        last = statement.iter if isinstance(statement, ast.For) else statement
        numbers = range(statement.lineno, (last.end_lineno or statement.lineno) + 1)
        lines = frozenset((source.name, number) for number in numbers)
        return lines, any(line in (self.cutting or ()) for line in lines)

    def into_an_array(self, name: str, statement: ast.stmt) -> Loss | None:
        """What is lost where a statement puts a tensor into a NumPy array: ``out[i] = loss``."""
        made = getattr(self.step(name, kinds=(BINDS,)), "value", None)
        by_numpy = is_call(made) and ast.unparse(made.func).startswith(("np.", "numpy."))
        is_array = by_numpy or isinstance(self.variables.get(name), np.ndarray)
        is_item = any(isinstance(each, ast.Subscript) for each in targets_in(statement)[:1])
        return lost_by("array", name) if is_array and is_item else None

    def recording(self, statement: ast.stmt, branch: bool) -> Loss | None:
        """What has turned grad mode off for good, if it has: ``set_grad_enabled(False)``."""
        match statement:
            case ast.Expr(ast.Call(function)) if not branch:
                if name_called(function) == "set_grad_enabled":
                    self.off = switches_off(statement.value)
        return self.off

    # -- what was read -----------------------------------------------------------------------------

    def last(self, name: str, before: int | None = None, kinds: tuple = (BINDS, WRITES)) -> int:
        """The last step before this one that did something of these kinds to ``name``; else -1."""
        places = self.places.get(name, [])
        end = len(places) if before is None else bisect_left(places, before)
        return next((i for i in reversed(places[:end]) if self.steps[i].kind in kinds), -1)

    def step(
        self, name: str, before: int | None = None, kinds: tuple = (BINDS, WRITES)
    ) -> Step | None:
        """The same step itself; None where there is none."""
        at = self.last(name, before, kinds)
        return self.steps[at] if at >= 0 else None

    def asks_line(self, name: str) -> str:
        """The line that asked ``name`` for gradients after it was computed; empty for none."""
        asked = self.last(name, kinds=(ASKS,))
        return self.steps[asked].line if asked > self.last(name) >= 0 else ""

    def factory_line(self, name: str) -> str | None:
        """The line that made ``name`` by a function that takes ``requires_grad``."""
        step = self.step(name)
        is_made = step is not None and step.kind == BINDS and is_call(step.value, FACTORIES)
        return self.last_line(name) if is_made else None

    def last_line(self, name: str) -> str | None:
        """The last line that bound ``name`` or wrote into it; None where a branch decides that."""
        return self.sure_line(self.last(name))

    def sure_line(self, at: int) -> str | None:
        """The line of a step that every run takes."""
        return None if at < 0 or self.steps[at].branch else self.steps[at].line

    def binding_line(self, name: str) -> str | None:
        """The line that made ``name`` mean what it means now; None where a branch decides that."""
        return self.sure_line(self.last(name, kinds=(BINDS,)))
