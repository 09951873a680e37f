"""The programs whose runs are shown: their code as it is read and run, and inputs to begin with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

Input = float | tuple[float, ...]

F = """\
def f(a):
    b = a * 2
    while b.norm() < 1000:
        b = b * 2
    if b.sum() > 0:
        c = b
    else:
        c = 100 * b
    return c
"""
DOUBLED = """\
def doubled(x):
    y = x * 2
    while y.detach().norm() < 1000:
        y = y * 2
    return y
"""

_NUMBERS = (300.0, 280.0, 200.0, -300.0, 0.98, 0.97, 0.0)


@dataclass(frozen=True)
class Program:
    """A function of one tensor.

    Args:
        name: of the function, and of its program in a state.
        says: what its button says.
        code: its lines.
        letter: how its input is called.
        inputs: inputs with a button, by what the button says.
        v: what is handed to backward where the result has several entries.
    """

    name: str
    says: str
    code: str
    letter: str
    inputs: dict[str, Input]
    v: tuple[float, ...] = ()

    @property
    def file(self) -> str:
        """The file name that frames of this program have."""
        return f"<tape {self.name}>"

    @property
    def lines(self) -> list[str]:
        return self.code.splitlines()

    @cached_property
    def function(self) -> Callable[[Any], Any]:
        """The function itself, made of its lines."""
        names: dict[str, Any] = {}
        exec(compile(self.code, self.file, "exec"), names)
        return names[self.name]

    def input_named(self, at: Input) -> str:
        """What a button says of this input, or its numbers."""
        return next((says for says, known in self.inputs.items() if known == at), written(at))


def written(at: Input) -> str:
    """Numbers of an input as they are typed, with a true minus sign.

    >>> written(-300.0), written((1.0, 2.5))
    ('−300', '1, 2.5')
    """
    numbers = (at,) if isinstance(at, float) else at
    return ", ".join(f"{number:.7g}" for number in numbers).replace("-", "−")


PROGRAMS = {
    "f": Program(
        "f",
        "`while` and `if`",
        F,
        "a",
        dict(zip(("300", "280", "200", "−300", "0.98", "0.97", "0"), _NUMBERS, strict=True)),
    ),
    "doubled": Program(
        "doubled",
        "`while` on a vector",
        DOUBLED,
        "x",
        {
            "1.54, −0.29, −2.18": (1.54, -0.29, -2.18),
            "−0.15, 0.79, 0.95": (-0.15, 0.79, 0.95),
            "0.66, 0.27, 0.06": (0.66, 0.27, 0.06),
        },
        (0.1, 1.0, 0.0001),
    ),
}  #: by their name in a state
