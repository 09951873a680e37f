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

FREEZE_U, FREEZE_W = "u.requires_grad_(False)", "w.requires_grad_(False)"
NO_GRAD_A, NO_GRAD_B = "A no_grad()", "B no_grad()"
DETACH, ITEM, ASKS_AGAIN = "a.detach()", "a.item()", "b.requires_grad_()"
CUTS = (DETACH, ITEM)
MODEL_SWITCHES = (FREEZE_U, NO_GRAD_A, DETACH, ITEM, ASKS_AGAIN, FREEZE_W, NO_GRAD_B)

TRAIN, CLEAR = "optimizer.step()", "optimizer.zero_grad()"


@dataclass(frozen=True)
class Line:
    """One line of code; `marks` are the pieces that a switch has written into it.

    A line that runs `once` stays as it is when a second pass needs the others again.
    """

    code: str
    marks: tuple[str, ...] = ()
    once: bool = False


@dataclass(frozen=True)
class Program:
    """A program on which `backward()` may be called.

    Attributes:
        title: what it is called.
        lines: makes its code, for the switches that are on.
        names: its tensors, in the order in which the code makes them; the first has the tray.
        passes: the calls of `backward()` that it offers.
        events: all that may be done to it.
        switches: what can be switched on, in the order of the lines.
        rivals: switches of which one at most is on.
        group: programs of one group are shown together.
    """

    title: str
    lines: Callable[[frozenset[str]], list[Line]]
    names: tuple[str, ...]
    passes: tuple[str, ...]
    events: tuple[str, ...]
    switches: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()
    group: str = "one graph"


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
    lines = [Line(f"x = mg.tensor(2.{asks if ASKS in on else ''})", once=True)]
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
        Line("x = mg.ones(2, 2, requires_grad=True)", once=True),
        Line("y = x + 2"),
        Line("z = y * y * 3"),
        Line("out = z.mean()"),
        Line("out2 = x.sum()"),
    ]


def descent(on: Iterable[str] = ()) -> list[Line]:
    """The lines of a loss with its minimum at w = 3."""
    return [
        Line("w = mg.tensor(0., requires_grad=True)", once=True),
        Line("loss = (w - 3) ** 2"),
    ]


def two_models(on: Iterable[str] = ()) -> list[Line]:
    """The lines of a model A whose output a goes as b into a model B, with some switches on.

    >>> for line in two_models([FREEZE_W, NO_GRAD_A, ITEM]):
    ...     print(line.code)
    u = mg.tensor(3., requires_grad=True)
    w = mg.tensor(5., requires_grad=True)
    w.requires_grad_(False)
    optimizer = mg.optim.SGD([u, w], lr=0.01)
    with mg.no_grad(): a = 2 * u
    b = mg.tensor(a.item())
    y = b * w
    loss = (y - 29) ** 2
    """
    on = frozenset(on)
    under = "with mg.no_grad():"
    weights = [Line(f"{name} = mg.tensor({value}, requires_grad=True)", once=True)
               for name, value in (("u", "3."), ("w", "5."))]  # fmt: skip
    frozen = [Line(line, (line,), True) for line in (FREEZE_U, FREEZE_W) if line in on]
    made_a, made_y = Line("a = 2 * u"), Line("y = b * w")
    made_b, asks = Line("b = a"), [Line(ASKS_AGAIN, (ASKS_AGAIN,))] if ASKS_AGAIN in on else []
    if NO_GRAD_A in on:
        made_a = Line(f"{under} {made_a.code}", (under,))
    if DETACH in on:
        made_b = Line("b = a.detach()", (".detach()",))
    elif ITEM in on:
        made_b = Line("b = mg.tensor(a.item())", ("mg.tensor(a.item())",))
    if NO_GRAD_B in on:
        made_y = Line(f"{under} {made_y.code}", (under,))
    optimizer = Line("optimizer = mg.optim.SGD([u, w], lr=0.01)", once=True)
    loss = Line("loss = (y - 29) ** 2")
    return [*weights, *frozen, optimizer, made_a, made_b, *asks, made_y, loss]


#: One round of the loop that never clears.
ROUND = "loss.backward(); w -= 0.1 * w.grad"

PROGRAMS = {
    "case 1": Program(
        "y = (x + 1)(x + 2)",
        case_1,
        ("x", "a", "b", "y"),
        ("y.backward()",),
        ("y.backward()", ZERO, NONE, STEP),
        SWITCHES,
    ),
    "mean, then sum": Program(
        "mean, then sum",
        mean_then_sum,
        ("x", "y", "z", "out", "out2"),
        ("out.backward()", "out2.backward()"),
        ("out.backward()", "out2.backward()", ZERO, NONE),
    ),
    "never zeroed": Program("never zeroed", descent, ("w", "loss"), ("loss.backward()",), (ROUND,)),
    "two models": Program(
        "model A, then model B",
        two_models,
        ("u", "w", "a", "b", "y"),
        ("loss.backward()",),
        ("loss.backward()", TRAIN, CLEAR),
        MODEL_SWITCHES,
        CUTS,
        "two models",
    ),
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
_LOSS = "loss.backward()"
_TRAINED = (_LOSS, TRAIN, CLEAR)

PRESETS = (
    Preset("as written", "case 1", (ASKS,), (_Y, _Y, ZERO, _Y)),
    Preset("`a.retain_grad()`", "case 1", (ASKS, RETAIN_A), _TWICE),
    Preset("`a.detach()`", "case 1", (ASKS, DETACH_A), _TWICE),
    Preset("`b.detach()`", "case 1", (ASKS, DETACH_B), _TWICE),
    Preset("a in `no_grad`", "case 1", (ASKS, NO_GRAD), _TWICE),
    Preset("cut both", "case 1", (ASKS, DETACH_A, DETACH_B), (_Y,)),
    Preset("mean, then sum", "mean, then sum", (), ("out.backward()", "out2.backward()", ZERO)),
    Preset("never zeroed", "never zeroed", (), (ROUND,) * 12),
    Preset("nothing cut", "two models", (), _TRAINED),
    Preset("`b = a.detach()`", "two models", (DETACH,), _TRAINED),
    Preset("`a.item()`", "two models", (ITEM,), _TRAINED),
    Preset("A in `no_grad`", "two models", (NO_GRAD_A,), _TRAINED),
    Preset("A frozen", "two models", (FREEZE_U,), _TRAINED),
    Preset("B frozen", "two models", (FREEZE_W,), _TRAINED),
    Preset("cut, then asked", "two models", (DETACH, ASKS_AGAIN), _TRAINED),
    Preset("both in `no_grad`", "two models", (NO_GRAD_A, NO_GRAD_B), (_LOSS,)),
)


def group_of(program: str) -> list[Preset]:
    """The presets that are shown together with those of a program."""
    group = PROGRAMS[program].group
    return [preset for preset in PRESETS if PROGRAMS[preset.program].group == group]


def needed_again(program: Program, lines: list[Line], event: str) -> range:
    """Which lines, counted from 0, have to run again before an event can have its second pass.

    A pass lets go of what its graph kept, so everything but the leaves is computed anew. A sum
    keeps nothing, and its graph bears any number of passes.

    >>> two = PROGRAMS["mean, then sum"]
    >>> [len(needed_again(two, two.lines(()), event)) for event in two.passes]
    [3, 0]
    """
    last = len(lines) if program is not PROGRAMS["mean, then sum"] else len(lines) - 1
    first = next(number for number, line in enumerate(lines) if not line.once)
    return range(0) if event == "out2.backward()" else range(first, last)
