"""What trays runs: short programs with switches in them, and what may be done afterwards.

A program is code, line by line, and the code on screen is the code that is run. Switches are named
after what they write into a line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

ASKS, NO_GRAD = "x requires_grad", "a no_grad()"
DETACH_A, DETACH_B = "a.detach()", "b.detach()"
RETAIN_A, RETAIN_Y = "a.retain_grad()", "y.retain_grad()"
SWITCHES = (ASKS, NO_GRAD, DETACH_A, RETAIN_A, DETACH_B, RETAIN_Y)

ZERO, NONE = "x.grad.zero_()", "x.grad = None"
STEP = "x -= 0.1 * x.grad"


@dataclass(frozen=True)
class Line:
    """One line of code; `marks` are the pieces that a switch has written into it."""

    code: str
    marks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Program:
    """A program on which `backward()` may be called.

    Attributes:
        title: what it is called.
        lines: makes its code, for the switches that are on.
        names: its tensors, in the order in which the code makes them; the first has the tray.
        passes: the calls of `backward()` that it offers.
        events: all that may be done to it.
        start: the switches that are on at first.
    """

    title: str
    lines: Callable[[frozenset[str]], list[Line]]
    names: tuple[str, ...]
    passes: tuple[str, ...]
    events: tuple[str, ...]
    start: tuple[str, ...] = ()


def case_1(on: Iterable[str]) -> list[Line]:
    """The lines of y = (x + 1)(x + 2) with some switches on.

    >>> for line in case_1([ASKS, DETACH_A, RETAIN_Y]):
    ...     print(line.code)
    x = mg.tensor(2., requires_grad=True)
    a = (x + 1).detach()
    b = x + 2
    y = a * b
    y.retain_grad()
    """
    on = frozenset(on)
    asks = ", requires_grad=True"
    lines = [Line(f"x = mg.tensor(2.{asks})" if ASKS in on else "x = mg.tensor(2.)")]
    for name, sum_ in (("a", "x + 1"), ("b", "x + 2")):
        made, marks = sum_, []
        if f"{name}.detach()" in on:
            made, marks = f"({sum_}).detach()", [".detach()"]
        code = f"{name} = {made}"
        if name == "a" and NO_GRAD in on:
            code, marks = f"with mg.no_grad(): {code}", ["with mg.no_grad():", *marks]
        lines.append(Line(code, tuple(marks)))
        if name == "a" and RETAIN_A in on:
            lines.append(Line(RETAIN_A, (RETAIN_A,)))
    lines.append(Line("y = a * b"))
    if RETAIN_Y in on:
        lines.append(Line(RETAIN_Y, (RETAIN_Y,)))
    return lines


def mean_then_sum(on: Iterable[str] = ()) -> list[Line]:
    """The lines of two results from one table."""
    return [
        Line("x = mg.ones(2, 2, requires_grad=True)"),
        Line("y = x + 2"),
        Line("z = y * y * 3"),
        Line("out = z.mean()"),
        Line("out2 = x.sum()"),
    ]


def descent(on: Iterable[str] = ()) -> list[Line]:
    """The lines of a loss with its minimum at w = 3."""
    return [
        Line("w = mg.tensor(0., requires_grad=True)"),
        Line("loss = (w - 3) ** 2"),
    ]


#: One round of the loop that never clears.
ROUND = "loss.backward(); w -= 0.1 * w.grad"

PROGRAMS = {
    "case 1": Program(
        "y = (x + 1)(x + 2)",
        case_1,
        ("x", "a", "b", "y"),
        ("y.backward()",),
        ("y.backward()", ZERO, NONE, STEP),
        (ASKS,),
    ),
    "mean, then sum": Program(
        "mean, then sum",
        mean_then_sum,
        ("x", "y", "z", "out", "out2"),
        ("out.backward()", "out2.backward()"),
        ("out.backward()", "out2.backward()", ZERO, NONE),
    ),
    "never zeroed": Program("never zeroed", descent, ("w", "loss"), ("loss.backward()",), (ROUND,)),
}


@dataclass(frozen=True)
class Preset:
    """Where to start from: a program, its switches, and the events that tell its story."""

    says: str
    program: str
    on: tuple[str, ...]
    story: tuple[str, ...]


_Y = "y.backward()"
_TWICE = (_Y, _Y)

PRESETS = (
    Preset("as written", "case 1", (ASKS,), (_Y, _Y, ZERO, _Y)),
    Preset("`a.retain_grad()`", "case 1", (ASKS, RETAIN_A), _TWICE),
    Preset("`a.detach()`", "case 1", (ASKS, DETACH_A), _TWICE),
    Preset("`b.detach()`", "case 1", (ASKS, DETACH_B), _TWICE),
    Preset("a in `no_grad`", "case 1", (ASKS, NO_GRAD), _TWICE),
    Preset("cut both", "case 1", (ASKS, DETACH_A, DETACH_B), (_Y,)),
    Preset("mean, then sum", "mean, then sum", (), ("out.backward()", "out2.backward()", ZERO)),
    Preset("never zeroed", "never zeroed", (), (ROUND,) * 12),
)


def needed_again(program: Program, lines: list[Line], event: str) -> range:
    """Which lines, counted from 0, have to run again before an event can have its second pass.

    A pass lets go of what its graph kept, so everything but the leaf is computed anew. A sum keeps
    nothing, and its graph bears any number of passes.

    >>> two = PROGRAMS["mean, then sum"]
    >>> [len(needed_again(two, two.lines(()), event)) for event in two.passes]
    [3, 0]
    """
    last = len(lines) if program is not PROGRAMS["mean, then sum"] else len(lines) - 1
    return range(0) if event == "out2.backward()" else range(1, last)
