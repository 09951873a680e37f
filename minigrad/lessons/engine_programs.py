"""Small formulas of + and ×, by which an engine is tried: their text, their value, their slopes.

A `Program` runs on anything that has + and ×: on the values of an engine, and on fractions, where a
nudge tells the slopes exactly enough. So no engine is needed to judge an engine.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

LEAVES = "abcdefgh"
INNER = "tuvwpqrs"
NUDGE = Fraction(1, 10**6)
LARGEST = 10_000  # values stay below, so that floats hold them exactly


@dataclass(frozen=True)
class Program:
    """A formula, one operation after the other.

    `numbers` are the leaves, called a, b, c; each of `steps` is a sign and the places of its two
    operands, where the leaves come first and then the results of earlier steps. The last one is y.
    A long program has a `title` of its own.

    >>> program = Program((2, 3), (("*", 0, 1), ("+", 2, 0)))
    >>> str(program), program.slopes
    ('y = a*b + a at a = 2, b = 3', (4.0, 2.0))
    """

    numbers: tuple[float, ...]
    steps: tuple[tuple[str, int, int], ...]
    title: str = ""

    def run(self, leaves: Sequence[Any]) -> list[Any]:
        """All values: the leaves and what the steps made of them, y last."""
        values = list(leaves)
        for sign, one, other in self.steps:
            left, right = values[one], values[other]
            values.append(left + right if sign == "+" else left * right)
        return values

    @cached_property
    def slopes(self) -> tuple[float, ...]:
        """How fast y moves with each leaf, by a nudge to either side, in exact fractions."""
        return tuple(self._nudged(leaf) for leaf in range(len(self.numbers)))

    def _nudged(self, leaf: int) -> float:
        ends = []
        for nudge in (NUDGE, -NUDGE):
            leaves = [Fraction(number) for number in self.numbers]
            leaves[leaf] += nudge
            ends.append(self.run(leaves)[-1])
        return round(float((ends[0] - ends[1]) / (2 * NUDGE)), 4)

    def names(self) -> list[str]:
        """What each value is called: a leaf by its letter, a result that several steps use, y."""
        count = len(self.numbers)
        used = [place for _sign, *places in self.steps for place in places]
        inner = iter(INNER)
        names = list(LEAVES[:count])
        for place in range(count, count + len(self.steps)):
            names.append(next(inner) if used.count(place) > 1 else "")
        names[-1] = "y"
        return names

    def __str__(self) -> str:
        if self.title:
            return self.title
        names, written = self.names(), [*LEAVES[: len(self.numbers)]]
        told, sums = [], set()
        for place, (sign, *places) in enumerate(self.steps, len(self.numbers)):
            left, right = (written[at] for at in places)
            if sign == "*":
                left, right = (f"({s})" if s in sums else s for s in (left, right))
            formula = f"{left} + {right}" if sign == "+" else f"{left}*{right}"
            if sign == "+":
                sums.add(formula)
            written.append(names[place] or formula)
            if names[place]:
                told.append(f"{names[place]} = {formula}")
        at = ", ".join(f"{LEAVES[i]} = {number:g}" for i, number in enumerate(self.numbers))
        return f"{', '.join(told)} at {at}"


def program(formula: str, *numbers: float) -> Program:
    """Read a formula of the leaves a, b, … and of names for results: ``t = a*a; y = t + t``.

    >>> str(program("t = a*a; y = t + t", 3))
    't = a*a, y = t + t at a = 3'
    """
    steps: list[tuple[str, int, int]] = []

    class Place:
        def __init__(self, place: int):
            self.place = place

        def __add__(self, other: "Place") -> "Place":
            return self._made("+", other)

        def __mul__(self, other: "Place") -> "Place":
            return self._made("*", other)

        def _made(self, sign: str, other: "Place") -> "Place":
            steps.append((sign, self.place, other.place))
            return Place(len(numbers) + len(steps) - 1)

    exec(formula, {LEAVES[i]: Place(i) for i in range(len(numbers))})
    return Program(tuple(numbers), tuple(steps))


#: What may be used more than once in a random program.
ONCE, LEAF, ANY = "once", "leaf", "any"

SMALL = {
    ONCE: (
        program("y = a + b", 2, 3),
        program("y = a*b", 2, 3),
        program("y = a*b*c", 2, 3, 4),
        program("y = a*b + c", 2, 3, 4),
        program("y = (a + b)*c", 2, 3, 4),
        program("y = (a + b)*c*d + e", 2, 3, 4, 5, 6),
    ),
    LEAF: (
        program("y = a + a", 3),
        program("y = a*a", 3),
        program("y = a*b + a", 2, 3),
        program("y = a*b*a", 3, 4),
        program("y = a + a + a", 2),
        program("y = a*b", 2, 2),
        program("y = (a + b)*(a + c)", 2, 1, 2),
    ),
    ANY: (
        program("t = a*b; y = t + t", 2, 3),
        program("t = a*a; y = t*t", 2),
        program("t = a*b; y = t*a + t", 2, 3),
        program("t = a + b; y = t*t*a", 1, 2),
        program("t = a*b; u = t + t; y = u*u", 1, 2),
        program("t = a*b; u = t + a; y = t*u", 2, 2),
        program("t = a*a; y = (t + a)*(t + b)", 2, 3),
    ),
}


def random_program(draw: random.Random, shared: str) -> Program:
    """A program of one to about nine steps; `shared` says what may be used more than once."""
    count = draw.randint(1, 6 if shared == ONCE else 9)
    leaves = count + 1 if shared == ONCE else draw.randint(1, 3)
    numbers = [draw.choice((-3, -2, -1, 1, 2, 3)) for _ in range(leaves)]
    sizes = [abs(number) for number in numbers]
    free = list(range(leaves))  # values that nobody has used yet
    steps: list[tuple[str, int, int]] = []
    while len(steps) < count or len(free) > 1:
        one = free.pop(draw.randrange(len(free)))
        other = _second(draw, shared, free, leaves, len(sizes))
        if other in free:
            free.remove(other)
        sign = draw.choice("+*") if sizes[one] * sizes[other] < LARGEST else "+"
        steps.append((sign, one, other))
        sizes.append(sizes[one] * sizes[other] if sign == "*" else sizes[one] + sizes[other])
        free.append(len(sizes) - 1)
        if shared == ONCE and len(free) == 1:
            break
    return Program(tuple(numbers), tuple(steps))


def _second(draw: random.Random, shared: str, free: list[int], leaves: int, known: int) -> int:
    """The other operand: one that is still free, or one that may be used again."""
    again = {ONCE: 0, LEAF: leaves, ANY: known}[shared]
    if free and (not again or draw.random() < 0.5):
        return draw.choice(free)
    return draw.randrange(again)


def programs(shared: str, count: int = 200, seed: int = 5) -> list[Program]:
    """The small ones first, then seeded random ones, the shorter before the longer."""
    draw = random.Random(seed)
    drawn = sorted((random_program(draw, shared) for _ in range(count)), key=lambda p: len(p.steps))
    return [*SMALL[shared], *drawn]
