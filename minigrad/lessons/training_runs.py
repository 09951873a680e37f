"""A small network learns digits, whole or with something broken in it: what a run has to tell.

The network has two layers and is trained on all images at once; every number is computed here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

import minigrad as mg

from .digits import digits

TURNS = 60
EVERY = 5  #: so often the held-out digits are looked at
NOTHING, ZERO, RATE, DETACH, ROUND = "nothing", "zero_grad", "lr", "detach", "round"
FAULTS = (ZERO, RATE, DETACH, ROUND)
LAYERS = ("first layer", "second layer")


@dataclass(frozen=True)
class Setting:
    """What is trained, and how."""

    fault: str = NOTHING
    inside: int = 32
    rate: float = 0.02
    seed: int = 0


@dataclass(frozen=True)
class Moment:
    """What a net says of the held-out digits at a turn: how many are right, and which are not.

    `wrong` has the number of the image, the digit, and what the net says.
    """

    turn: int
    right: int
    wrong: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class Run:
    """A training: the loss at each turn, each layer's gradient norm, some looks at new digits.

    A norm is None where the layer's weights have no gradient.
    """

    setting: Setting
    losses: tuple[float, ...]
    norms: tuple[tuple[float | None, ...], ...]
    moments: tuple[Moment, ...]


@lru_cache(32)
def trained(setting: Setting) -> Run:
    """Train a net for `TURNS` turns.

    >>> run = trained(Setting())
    >>> len(run.losses), run.losses[0] > 2, run.losses[-1] < 0.1, run.moments[-1].right > 450
    (61, True, True, True)
    """
    images, kinds, new_images, new_kinds = map(mg.from_numpy, digits())
    before = mg.get_rng_state()
    try:
        mg.manual_seed(setting.seed)
        layers = mg.nn.Linear(64, setting.inside), mg.nn.Linear(setting.inside, 10)
    finally:
        mg.set_rng_state(before)
    numbers = [number for layer in layers for number in layer.parameters()]
    rate = setting.rate * (100 if setting.fault == RATE else 1)
    optimizer = mg.optim.Adam(numbers, lr=rate)
    losses, norms, moments = [], [], []
    for turn in range(TURNS + 1):
        if turn % EVERY == 0:
            moments.append(_looked(layers, new_images, new_kinds, turn))
        loss = mg.nn.functional.cross_entropy(_scores(layers, images, setting.fault), kinds)
        if setting.fault != ZERO:
            optimizer.zero_grad()
        loss.backward()
        losses.append(loss.item())
        norms.append([_norm(layer.weight.grad) for layer in layers])
        optimizer.step()
    return Run(setting, tuple(losses), tuple(zip(*norms, strict=True)), tuple(moments))


def _scores(layers: Sequence, images: mg.Tensor, fault: str) -> mg.Tensor:
    first, second = layers
    inside = mg.tanh(first(images))
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
