"""What a typed expression is at a point: its value, its slopes, and what nudges say of them.

All in float64. A nudge moves one number, to one side or to both; the chord through the two points
has the slope that the nudge measures.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha1
from typing import Any

import minigrad as mg
from minigrad import viz
from minigrad.trace import record_backward, watch

from ...language import _
from ..safe import LARGEST_VECTOR, Expression, Refused, parse

NUDGES = (1.0, 0.5, 0.1, *(10.0**-power for power in range(2, 13)))
SAMPLES = 80
REACH = 1.5  # so far to either side the curve is drawn
STEP_ASIDE = 1e-7  # where the slopes on either side of a kink are asked for
KINKED = ("relu", "abs")
RESULTS = ("z", "y", "f", "out", "result", "value")

Value = float | list[float]


@dataclass(frozen=True)
class Place:
    """One number of the leaves: `x`, or an entry of a vector, `v[0]`."""

    leaf: str
    at: int | None = None

    @property
    def name(self) -> str:
        return self.leaf if self.at is None else f"{self.leaf}[{self.at}]"


@dataclass(frozen=True)
class Row:
    """What is known about a place: its number, autograd's slope, and the nudge's."""

    place: Place
    value: float
    slope: float
    nudged: float

    @property
    def difference(self) -> float:
        return self.nudged - self.slope


class Measured:
    """An expression at values, nudged.

    Args:
        text: the expression.
        values: a number or the numbers of a vector, for each name.
        by: the name of the place that the curve goes along; the first one if there is no such.
        nudge: how far it is moved.
        both: whether to both sides.

    Raises:
        Refused: if the text is no expression, or the values do not fit into it.

    >>> found = Measured("(2*x + 3)**2", {"x": 1.0}, "x", 0.5)
    >>> found.value, found.row.slope, found.row.nudged
    (25.0, 20.0, 22.0)
    """

    def __init__(
        self, text: str, values: Mapping[str, Value], by: str, nudge: float, both: bool = False
    ):
        self.expression = parse(text)
        self.values = {name: values[name] for name in self.expression.names}
        self.nudge, self.both = nudge, both
        self.places = list(places(self.values))
        if not self.places:
            raise Refused(_("Write a name such as `x`: without one nothing can move."), text, 0)
        self.by = next((place for place in self.places if place.name == by), self.places[0])
        self._bent = False
        leaves = _leaves(self.values)
        result = self.expression(leaves, seen=self._look_for_a_kink)
        if result.is_leaf and result.requires_grad:
            said = _("Nothing is computed here. Write an operation, such as `{0} * {0}`.")
            raise Refused(said.format(self.expression.names[0]), text, 0)
        if result.numel() != 1:
            said = _("The result has {} numbers. Put `sum(…)` around it, so that it is one.")
            raise Refused(said.format(result.numel()), text, 0)
        self.result = next(name for name in RESULTS if name not in leaves)
        self.value = result.item()
        self.slopes = _gradients(result, leaves)

    def _look_for_a_kink(self, name: str, argument: Any) -> None:
        if name in KINKED and bool((argument.detach() == 0).any()):
            self._bent = True

    def moved(self, place: Place, by: float) -> dict[str, Value]:
        """The values with one number moved."""
        value = self.values[place.leaf]
        if place.at is None:
            return {**self.values, place.leaf: value + by}
        entries = [n + by if i == place.at else n for i, n in enumerate(value)]
        return {**self.values, place.leaf: entries}

    def value_at(self, place: Place, by: float) -> float:
        """The result after a move."""
        values = self.moved(place, by).items()
        return self.expression({n: mg.tensor(v, dtype=mg.float64) for n, v in values}).item()

    def nudged(self, place: Place, nudge: float) -> float:
        """The slope of the chord."""
        low = self.value_at(place, -nudge) if self.both else self.value
        return (self.value_at(place, nudge) - low) / (nudge * (1 + self.both))

    @cached_property
    def rows(self) -> list[Row]:
        return [
            Row(place, number(self.values, place), number(self.slopes, place),
                self.nudged(place, self.nudge))
            for place in self.places
        ]  # fmt: skip

    @property
    def row(self) -> Row:
        """That of the place that the curve goes along."""
        return next(row for row in self.rows if row.place == self.by)

    @cached_property
    def differences(self) -> dict[float, float]:
        """How far each nudge's slope is from autograd's."""
        slope = self.row.slope
        return {nudge: self.nudged(self.by, nudge) - slope for nudge in NUDGES}

    @cached_property
    def kink(self) -> tuple[float, float] | None:
        """The slopes on either side of a kink, or None where there is none.

        Only `relu` and `abs` of exactly 0 have one; the slopes beside it are autograd's own.
        """
        if not self._bent:
            return None
        sides = []
        for step in (-STEP_ASIDE, STEP_ASIDE):
            leaves = _leaves(self.moved(self.by, step))
            sides.append(number(_gradients(self.expression(leaves), leaves), self.by))
        low, high = sides
        if math.isclose(low, high, rel_tol=1e-5, abs_tol=1e-5) or not math.isfinite(low + high):
            return None
        return round(low, 5), round(high, 5)

    @cached_property
    def curve(self) -> tuple[tuple[float, float], ...]:
        """Points of the curve around the place."""
        reach = max(REACH, 1.5 * self.nudge)
        steps = [reach * (2 * i / SAMPLES - 1) for i in range(SAMPLES + 1)]
        here = self.row.value
        return tuple((here + step, self.value_at(self.by, step)) for step in steps)

    @property
    def graph(self) -> viz.Figure:
        """The graph with its values, and the gradients of a whole pass."""
        return _graph(self.expression.text, json.dumps(self.values), self.result)


@lru_cache(64)  # nudges leave it as it is, and laying it out takes the longest
def _graph(text: str, values: str, result: str) -> viz.Figure:
    leaves = _leaves(json.loads(values))
    with watch() as tape:
        made = parse(text)(leaves)
    back = record_backward(made, names=leaves | {result: made}, tape=tape)
    last = back.frames()[-1]
    labels = {key: {**slots, "state": ""} for key, slots in last["labels"].items()}
    marks = {edge.key: ("always",) for edge in back.graph.edges}
    alt = _("the graph of {}, with values and gradients").format(text)
    # Of its own: a graph also has the numbers of its nodes, which are others in each run.
    prefix = f"mgp{sha1(f'{text}{values}'.encode()).hexdigest()[:8]}"
    frame = {**last, "marks": marks, "labels": labels}
    return viz.draw(back.graph, "both", alt, frame, prefix=prefix)


def _leaves(values: Mapping[str, Value]) -> dict[str, Any]:
    return {
        name: mg.tensor(value, dtype=mg.float64, requires_grad=True)
        for name, value in values.items()
    }


def places(values: Mapping[str, Value]):
    """Every single number of the leaves."""
    for name, value in values.items():
        if isinstance(value, list):
            yield from (Place(name, at) for at in range(len(value)))
        else:
            yield Place(name)


def number(values: Mapping[str, Any], place: Place) -> float:
    """The number at a place."""
    value = values[place.leaf]
    return float(value if place.at is None else value[place.at])


def _gradients(result: Any, leaves: Mapping[str, Any]) -> dict[str, Value]:
    names, tensors = list(leaves), list(leaves.values())
    if not result.requires_grad:
        return {name: leaves[name].detach().mul(0).tolist() for name in names}
    found = mg.autograd.grad(
        result, tensors, mg.ones_like(result), allow_unused=True, retain_graph=True
    )
    return {
        name: (leaf.detach() * 0 if slope is None else slope).tolist()
        for name, leaf, slope in zip(names, tensors, found, strict=True)
    }


def first_values(expression: Expression, known: Mapping[str, Value]) -> dict[str, Value]:
    """A value for each name: the known one, else 1, or a vector where `@` needs one."""
    sizes = [len(value) for value in known.values() if isinstance(value, list)]
    vector = [float(n + 1) for n in range(min(LARGEST_VECTOR, max(sizes, default=2)))]
    return {
        name: known.get(name, vector if name in expression.vectors else 1.0)
        for name in expression.names
    }
