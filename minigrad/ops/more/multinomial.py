"""Indices drawn at random, each as often as its weight says; the numbers are PyTorch's."""

from __future__ import annotations

import numpy as np

from ...autograd.around import Around
from ...extras import random
from ...tensor import Tensor, wrap
from ..promotion import dtype_name, raw
from ..rule import operation
from .sorting import order


@operation()
def multinomial(
    input: Tensor, num_samples: int, replacement: bool = False, *, generator=None
) -> Tensor:
    """Indices drawn from a row of weights, or from each of several: an int64 tensor.

    With one seed they are PyTorch's (:mod:`minigrad.extras.random`).

    Args:
        input: the weights, a vector or rows of floating point numbers; their sum may be any.
        num_samples: how many to draw from each row.
        replacement: whether an index may be drawn again.
        generator: what draws, in the place of the default generator.

    Raises:
        RuntimeError: a weight is negative, nan or infinite, all are 0, or there are fewer weights
            than draws without replacement.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.multinomial.html

    >>> import minigrad as mg
    >>> _ = mg.manual_seed(0)
    >>> mg.multinomial(mg.tensor([1.0, 2.0, 3.0, 4.0]), 3)
    tensor([2, 1, 3])
    """
    weights = raw(input)
    if weights.dtype.kind != "f":
        told = "multinomial only supports floating-point dtypes for input, got"
        raise RuntimeError(f"{told}: {dtype_name(weights)}")
    if weights.ndim not in (1, 2):
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if num_samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if not replacement and num_samples > weights.shape[-1]:
        raise RuntimeError(
            "cannot sample n_sample > prob_dist.size(-1) samples without replacement"
        )
    draw = with_replacement if replacement and num_samples > 1 else without_replacement
    drawn = draw(np.atleast_2d(weights), num_samples, generator)
    return Around.cut(wrap(drawn if weights.ndim == 2 else drawn[0]), "multinomial", input)


def without_replacement(weights, count: int, generator) -> np.ndarray:
    """The indices of the largest weights over exponential numbers: an exponential race.

    The first to arrive of several waiting times is each one with the probability of its rate; so
    is the first of those that are left.
    """
    if not (np.isfinite(weights).all() and (weights >= 0).all()):
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    refuse_zeros(weights.sum(-1))
    times = random.exponential(weights.shape, weights.dtype, generator)
    return order(weights / times, -1, descending=True)[:, :count].copy()


def with_replacement(weights, count: int, generator) -> np.ndarray:
    """Where uniform numbers fall among the sums of the weights so far."""
    if not (weights >= 0).all():
        told = "invalid multinomial distribution (encountering probability entry < 0)"
        raise RuntimeError(told)
    sums = np.cumsum(weights, -1)
    refuse_zeros(sums[:, -1])
    draws = random.rand((len(weights), count), np.float64, generator)
    rows = [np.searchsorted(row / row[-1], draw) for row, draw in zip(sums, draws)]
    return np.array(rows, np.int64).reshape(draws.shape)


def refuse_zeros(sums) -> None:
    """Refuse rows in which nothing can be drawn."""
    if not (sums > 0).all():
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
