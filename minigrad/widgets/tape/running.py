"""Running a program on one input, with its lines counted, and repeating its tape on another.

Nothing is worked out beside the engine: values and gradients are those of minigrad, lines are
counted while the program runs, and what would have come out is what the program returns.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from types import FrameType
from typing import Any

import minigrad as mg

from ...language import _
from .programs import PROGRAMS, Input, Program
from .recording import Step, Tape, tape_of

ROUNDS = 2000  #: a line that runs more often than this is taken for a loop without an end

Numbers = float | tuple[float, ...]


class TooManyRounds(Exception):
    """A line of the program ran more than `ROUNDS` times."""


@dataclass(frozen=True)
class Run:
    """One run: how often each line ran, and what came out; no value where it had to be stopped.

    `nodes` are the operations of the graph, the newest first. `quotient` is the result divided by
    the input, as the engine divides.
    """

    counts: Counter[int]
    value: Numbers | None = None
    gradient: Numbers | None = None
    nodes: tuple[str, ...] = ()
    quotient: Numbers | None = None
    tape: Tape = field(default_factory=lambda: Tape([], ()))
    values: dict[str, Any] = field(default_factory=dict)  #: of all steps of the tape

    @property
    def stopped(self) -> bool:
        return self.value is None


@dataclass(frozen=True)
class Replay:
    """A tape, repeated with another input, beside what the program itself makes of that input."""

    recorded: Run
    value: Numbers
    gradient: Numbers
    values: dict[str, Any]  #: of all steps of the tape
    true: Run
    refused: Step | None  #: the first question with another answer

    @property
    def tape(self) -> Tape:
        return self.recorded.tape

    @property
    def right(self) -> bool:
        """Whether value and gradient are those of the program."""
        return not self.true.stopped and (self.value, self.gradient) == (
            self.true.value,
            self.true.gradient,
        )


@lru_cache(128)
def run(name: str, at: Input) -> Run:
    """Run the program called so.

    >>> found = run("f", 300.0)
    >>> found.value, found.gradient, len(found.nodes), found.counts[4]
    (1200.0, 4.0, 2, 1)
    >>> run("f", 0.0).stopped
    True
    """
    program = PROGRAMS[name]
    x = leaf(at)
    try:
        result, counts = counted(program, x)
    except TooManyRounds as stop:
        return Run(stop.args[0])
    _backward(program, result)
    tape = recorded_at(name, at)
    return Run(
        counts,
        numbers(result),
        numbers(x.grad),
        tuple(_operations(result)),
        numbers(result.detach() / x.detach()),
        tape,
        plain(tape.values(x.detach())),
    )


@lru_cache(32)
def recorded_at(name: str, at: Input) -> Tape:
    """The tape of a run that comes to an end."""
    return tape_of(PROGRAMS[name].function, leaf(at).detach())


@lru_cache(128)
def replay(name: str, recorded: Input, at: Input) -> Replay:
    """Repeat the tape recorded at one input with another one.

    Raises `ValueError` where the recorded run does not come to an end.

    >>> found = replay("f", 300.0, 200.0)
    >>> found.value, found.true.value, found.right, str(found.refused)
    (800.0, 1600.0, False, 'v6 = v5 < 1000    asked: False')
    """
    before = run(name, recorded)
    if before.stopped:
        raise ValueError(_("A run that never ends leaves no tape."))
    program, tape, x = PROGRAMS[name], before.tape, leaf(at)
    values = tape.values(x)
    result = values[tape.result]
    _backward(program, result)
    refused = tape.refused(x.detach())
    return Replay(before, numbers(result), numbers(x.grad), plain(values), run(name, at), refused)


def counted(program: Program, x: Any) -> tuple[Any, Counter[int]]:
    """What the program returns, and how often each of its lines ran.

    Raises `TooManyRounds` with the counts so far. A tracer at work, such as that of a debugger,
    rests meanwhile.
    """
    counts: Counter[int] = Counter()

    def lines(frame: FrameType, event: str, argument: Any) -> Callable[..., Any] | None:
        if frame.f_code.co_filename != program.file:
            return None
        if event == "line":
            counts[frame.f_lineno] += 1
            if counts[frame.f_lineno] > ROUNDS:
                raise TooManyRounds(counts)
        return lines

    function, before = program.function, sys.gettrace()
    sys.settrace(lines)
    try:
        return function(x), counts
    finally:
        sys.settrace(before)


def leaf(at: Input) -> Any:
    """An input as a tensor that asks for its gradient."""
    return mg.tensor(at if isinstance(at, float) else list(at), requires_grad=True)


def _backward(program: Program, result: Any) -> None:
    result.backward(mg.tensor(list(program.v)) if program.v else None)


def _operations(result: Any) -> list[str]:
    """The names of all nodes behind a result but those of leaves, along a graph without forks."""
    names, node = [], result.grad_fn
    while node is not None and node.next_functions:
        names.append(node.name())
        node = next((other for other, _place in node.next_functions if other is not None), None)
    return names


def numbers(tensor: Any) -> Any:
    """The numbers of a tensor: one, or a tuple."""
    found = tensor.tolist()
    return tuple(found) if isinstance(found, list) else found


def plain(values: dict[str, Any]) -> dict[str, Any]:
    """The numbers of all values."""
    return {name: numbers(value) for name, value in values.items()}


def operations(tape: Tape) -> list[Step]:
    """The steps that the result is made of, in order: those that leave nodes."""
    wanted, found = {tape.result}, []
    for step in reversed(tape.steps):
        if step.result in wanted:
            wanted.update(one for one in step.inputs if isinstance(one, str))
            found.append(step)
    return found[::-1]
