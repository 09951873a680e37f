"""Running a program and what was done to it, and reading off what came of it.

The engine is asked for everything: values, flags, gradients, errors. Any engine with the names of
PyTorch will do, and PyTorch itself as well.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import CodeType
from typing import Any

from .programs import PROGRAMS, ROUND, STEP, ZERO, Line, Program, needed_again


@dataclass(frozen=True)
class Fact:
    """What one tensor says of itself.

    A table whose entries are all alike counts as one number. `came` is the gradient that passed
    through the tensor in the last backward pass, None if none did.
    """

    value: float
    requires_grad: bool
    is_leaf: bool
    grad_fn: str | None
    grad: float | None
    came: float | None = None


@dataclass(frozen=True)
class Moment:
    """What one event did to the tray of the first tensor.

    `tray` is None where there is no tray, else the bricks in it, the oldest first. `g` is what a
    second name for the tray, taken before the event, holds after it. `error` is what was raised.
    """

    event: str
    tray: tuple[float, ...] | None
    value: float
    g: float | None = None
    error: str = ""
    again: tuple[int, ...] = ()


@dataclass
class Run:
    """A program that was run, and all that was done afterwards."""

    program: Program
    on: frozenset[str]
    lines: list[Line]
    facts: dict[str, Fact | None]  #: None for a tensor whose line was never reached
    moments: list[Moment] = field(default_factory=list)
    stopped: tuple[int, str] | None = None  #: the line that raised, and what it said

    @property
    def first(self) -> str:
        """The name of the tensor with the tray."""
        return self.program.names[0]

    @property
    def tray(self) -> tuple[float, ...] | None:
        """The bricks in the tray now; None where there is none."""
        return self.moments[-1].tray if self.moments else None

    @property
    def passes(self) -> list[Moment]:
        """The backward passes that went through."""
        passes = (*self.program.passes, ROUND)
        return [m for m in self.moments if m.event in passes and not m.error]


class Runner:
    """Runs a program line by line on an engine.

    >>> import minigrad as mg
    >>> from .programs import ASKS, DETACH_A
    >>> run = Runner(mg).run("case 1", [ASKS, DETACH_A], ["y.backward()"])
    >>> run.facts["x"].grad, run.facts["a"].grad, run.facts["b"].came
    (3.0, None, 3.0)
    """

    def __init__(self, engine: Any):
        self.engine = engine

    def run(self, program: str, on: Iterable[str], events: Sequence[str] = ()) -> Run:
        """Run the lines of a program with these switches on, then the events, one by one.

        An event that raises is remembered with what it said, and the next ones still happen, as in
        a notebook. Where a line of the program raises, nothing happens after it.
        """
        chosen, on = PROGRAMS[program], frozenset(on)
        self.program, self.lines = chosen, chosen.lines(on)
        self.names: dict[str, Any] = {"mg": self.engine}
        self.came: dict[str, float] = {}
        self.heard: dict[str, Any] = {}
        self.used: set[str] = set()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            stopped = self._lines(range(len(self.lines)))
            run = Run(chosen, on, self.lines, {}, stopped=stopped)
            for event in events if stopped is None else ():
                run.moments.append(self._event(event, run.tray))
            run.facts.update((name, self._fact(name)) for name in chosen.names)
        return run

    def _lines(self, numbers: Iterable[int]) -> tuple[int, str] | None:
        """Run some lines; the one that raises, and its message."""
        for number in numbers:
            try:
                exec(_compiled(self.lines[number].code), self.names)
            except RuntimeError as error:
                return number, f"RuntimeError: {error}"
        for name in self.program.names:
            self._listen(name)
        return None

    def _listen(self, name: str) -> None:
        """Write down what passes through a tensor; one hook for each that asks."""
        tensor = self.names[name]
        if tensor.requires_grad and self.heard.get(name) is not tensor:
            self.heard[name] = tensor
            tensor.register_hook(lambda gradient: self.came.update({name: as_number(gradient)}))

    def _event(self, event: str, tray: tuple[float, ...] | None) -> Moment:
        first = self.program.names[0]
        x = self.names[first]
        again: tuple[int, ...] = ()
        g = x.grad
        try:
            if event == ROUND:
                self._round()
            elif event == STEP:
                exec(_compiled(f"with mg.no_grad(): {STEP}"), self.names)
            else:
                again = self._before_a_pass(event)
                exec(_compiled(event), self.names)
        except (RuntimeError, AttributeError, TypeError) as error:
            said = f"{type(error).__name__}: {error}"
            return Moment(event, tray, as_number(x), _number(g), said, again)
        return Moment(event, self._bricks(event, tray), as_number(x), _number(g), "", again)

    def _before_a_pass(self, event: str) -> tuple[int, ...]:
        """Run again what a second pass needs; which lines that were."""
        if event not in self.program.passes:
            return ()
        self.came.clear()
        again = needed_again(self.program, self.lines, event) if event in self.used else ()
        self.used.add(event)
        self._lines(again)
        return tuple(again)

    def _round(self) -> None:
        """One round of a loop in which nothing is ever cleared."""
        for code in (
            "loss = (w - 3) ** 2",
            "loss.backward()",
            "with mg.no_grad(): w -= 0.1 * w.grad",
        ):
            exec(_compiled(code), self.names)

    def _bricks(self, event: str, before: tuple[float, ...] | None) -> tuple[float, ...] | None:
        """What is in the tray now: what was there, and what came on top."""
        grad = _number(self.names[self.program.names[0]].grad)
        if grad is None:
            return None
        if event == ZERO:
            return ()
        if event != ROUND and event not in self.program.passes:
            return before
        return (*(before or ()), grad - sum(before or ()))

    def _fact(self, name: str) -> Fact | None:
        if name not in self.names:
            return None
        tensor = self.names[name]
        node = tensor.grad_fn
        return Fact(
            as_number(tensor),
            tensor.requires_grad,
            tensor.is_leaf,
            node and node.name().removeprefix("torch::autograd::"),
            _number(tensor.grad),
            self.came.get(name),
        )


@lru_cache(128)
def _compiled(code: str) -> CodeType:
    return compile(code, "<trays>", "exec")


def as_number(tensor: Any) -> float:
    """The one number of a tensor whose entries are all alike."""
    entry = tensor.tolist()
    while isinstance(entry, list):
        entry = entry[0]
    return entry


def _number(tensor: Any) -> float | None:
    return None if tensor is None else as_number(tensor)
