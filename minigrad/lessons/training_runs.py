"""A small network learns digits or moons, whole or with something broken: what a run has to tell.

The network has two layers and is trained on all inputs at once; every number is computed here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

import minigrad as mg

from .digits import digits
from .moons import Boundary, two_moons

TURNS = 60
EVERY = 5  #: so often the held-out digits are looked at
NOTHING, ZERO, RATE, DETACH, ROUND = "nothing", "zero_grad", "lr", "detach", "round"
FAULTS = (ZERO, RATE, DETACH, ROUND)
LAYERS = ("first layer", "second layer")
DIGITS, MOONS = "digits", "moons"


@dataclass(frozen=True)
class Setting:
    """What is trained, and how."""

    fault: str = NOTHING
    inside: int = 32
    rate: float = 0.02
    seed: int = 0
    data: str = DIGITS


@dataclass(frozen=True)
class Moment:
    """What a net says of what it is asked about at a turn: how many are right, and which are not.

    `wrong` has the number of the input, its kind, and what the net says.
    """

    turn: int
    right: int
    wrong: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class Run:
    """A training: the loss at each turn, each layer's gradient norm, some looks at new digits.

    A norm is None where the layer's weights have no gradient. `film` has the boundary between the
    moons at each of the moments.
    """

    setting: Setting
    losses: tuple[float, ...]
    norms: tuple[tuple[float | None, ...], ...]
    moments: tuple[Moment, ...]
    film: Boundary | None = None


def of_moons(fault: str) -> Setting:
    """What is trained on the moons, with a fault or none."""
    return Setting(fault, inside=16, rate=0.1, data=MOONS)


@lru_cache(32)
def trained(setting: Setting) -> Run:
    """Train a net for `TURNS` turns.

    >>> run = trained(Setting())
    >>> len(run.losses), run.losses[0] > 2, run.losses[-1] < 0.1, run.moments[-1].right > 450
    (61, True, True, True)
    """
    inputs, kinds, new_inputs, new_kinds, outputs = _material(setting.data)
    film = Boundary(*two_moons(POINTS)) if setting.data == MOONS else None
    before = mg.get_rng_state()
    try:
        mg.manual_seed(setting.seed)
        first = mg.nn.Linear(inputs.shape[1], setting.inside)
        layers = first, mg.nn.Linear(setting.inside, outputs)
    finally:
        mg.set_rng_state(before)
    numbers = [number for layer in layers for number in layer.parameters()]
    rate = setting.rate * (100 if setting.fault == RATE else 1)
    optimizer = mg.optim.Adam(numbers, lr=rate)
    losses, norms, moments = [], [], []
    for turn in range(TURNS + 1):
        if turn % EVERY == 0:
            moments.append(_looked(layers, new_inputs, new_kinds, turn))
            if film is not None:
                film.take(turn, lambda at: _apart(_scores(layers, at, NOTHING)))
        loss = mg.nn.functional.cross_entropy(_scores(layers, inputs, setting.fault), kinds)
        if setting.fault != ZERO:
            optimizer.zero_grad()
        loss.backward()
        losses.append(loss.item())
        norms.append([_norm(layer.weight.grad) for layer in layers])
        optimizer.step()
    return Run(setting, tuple(losses), tuple(zip(*norms, strict=True)), tuple(moments), film)


POINTS = 200  #: of each moon


def _material(data: str) -> tuple[mg.Tensor, mg.Tensor, mg.Tensor, mg.Tensor, int]:
    """Inputs and kinds to train on, those that are asked about, and how many kinds there are.

    Of the moons no points are held out: what the net says of all others is its boundary.
    """
    if data == DIGITS:
        return (*map(mg.from_numpy, digits()), 10)
    points, signs = two_moons(POINTS)
    kinds = (signs[:, 0] > 0).long()
    return points, kinds, points, kinds, 2


def _apart(scores: mg.Tensor) -> mg.Tensor:
    """By how much the second kind is ahead, a column."""
    return scores[:, 1:] - scores[:, :1]


def _scores(layers: Sequence, inputs: mg.Tensor, fault: str) -> mg.Tensor:
    first, second = layers
    inside = mg.tanh(first(inputs))
    scores = second(inside.detach() if fault == DETACH else inside)
    return scores.round() if fault == ROUND else scores


def _norm(gradient: mg.Tensor | None) -> float | None:
    return None if gradient is None else float(np.linalg.norm(gradient.numpy()))


def _looked(layers: Sequence, images: mg.Tensor, kinds: mg.Tensor, turn: int) -> Moment:
    with mg.no_grad():
        said = _scores(layers, images, NOTHING).argmax(1).tolist()
    wrong = tuple(
        (number, kind, says)
        for number, (kind, says) in enumerate(zip(kinds.tolist(), said, strict=True))
        if kind != says
    )
    return Moment(turn, len(said) - len(wrong), wrong)
