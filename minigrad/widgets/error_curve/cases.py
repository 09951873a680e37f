"""The functions of one number whose backward is tried: right, wrong, nearly right, at a kink."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import minigrad as mg

from ...language import _
from ..safe import Refused, parse

ROUGH_PI = 3.14


class _Forgets(mg.autograd.Function):
    """5x, whose backward forgets the 5."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return 5 * x

    @staticmethod
    def backward(ctx: Any, incoming: Any) -> Any:
        return incoming


class _Nearly(mg.autograd.Function):
    """π·x², whose backward has 3.14 for π: off by a twentieth of a percent."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return math.pi * x * x

    @staticmethod
    def backward(ctx: Any, incoming: Any) -> Any:
        (x,) = ctx.saved_tensors
        return incoming * 2 * ROUGH_PI * x


@dataclass(frozen=True)
class Case:
    """A function of one number, the text that stands for it, and where it is tried."""

    code: str
    function: Callable[[Any], Any]
    at: float
    backward: str = ""  # what is special about it, in English: looked up when it is shown

    @property
    def says(self) -> str:
        """The function and its place, as a title and a button say it."""
        what = f", {_(self.backward)}" if self.backward else ""
        return f"`{self.code}`{what}"


CASES = {
    "cube": Case("x * x * x", lambda x: x * x * x, 2.0),
    "forgets": Case("5 * x", _Forgets.apply, 2.0, "backward has no 5"),
    "nearly": Case("pi * x * x", _Nearly.apply, 2.0, "backward has 3.14"),
    "kink": Case("relu(x)", mg.relu, 0.0, "at 0"),
    "beside": Case("relu(x)", mg.relu, 0.003, "at 0.003"),
}  #: those with a button. Their arithmetic is exact to the last digit on every machine.


def case_of(name: str, at: float | None = None) -> Case:
    """The case called `name`, or the expression typed after ``=``, at a place of its own.

    Raises `ValueError` with a sentence for a text that cannot be used.
    """
    if not name.startswith("="):
        known = CASES[name]
        if at is None or at == known.at:
            return known
        named_by_its_place = known.function is mg.relu
        return Case(known.code, known.function, at, "" if named_by_its_place else known.backward)
    expression = parse(name[1:])
    strangers = [other for other in expression.names if other != "x"]
    if strangers:
        said = _("There is only x here, not `{}`.").format(strangers[0])
        raise Refused(said, name[1:], name[1:].find(strangers[0]))
    if not expression.names:
        raise Refused(_("x does not occur in it, so there is no slope."), name[1:], 0)
    return Case(name[1:].strip(), lambda x: expression({"x": x}), 2.0 if at is None else at)
