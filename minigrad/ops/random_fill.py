"""Filling a tensor with random numbers in place; the numbers are PyTorch's (:mod:`..random`)."""

from __future__ import annotations

import numpy as np

from .. import random
from ..autograd.views import check_write
from ..tensor import Tensor
from .declare import operation
from .inplace import check_overlap, overwrite
from .pointwise import zeros_like


@operation(lambda g: zeros_like(g))
def normal_(self, mean: float = 0, std: float = 1, *, generator: random.Generator | None = None):
    """Fill with numbers drawn from the normal distribution; what was there gets no gradient.

    Raises:
        RuntimeError: ``std`` is negative.
        NotImplementedError: the dtype is not a floating point one.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.Tensor.normal_.html

    >>> import minigrad as mg
    >>> _ = mg.manual_seed(0)
    >>> mg.zeros(2).normal_()
    tensor([ 1.5410, -0.2934])
    """
    check_target(self)
    x = self._value
    drawn = random.normal(mean, std, x.size, x.dtype, generator, x.flags.c_contiguous)
    return overwrite(self, in_memory_order(drawn, x), normal_.rule)


@operation(lambda g: zeros_like(g))
def uniform_(self, *bounds, generator: random.Generator | None = None, **named):
    """``uniform_(from=0, to=1)``: fill with numbers that are equally likely between two bounds.

    Raises:
        RuntimeError: the bounds are in the wrong order.
        NotImplementedError: the dtype is not a floating point one.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.Tensor.uniform_.html

    >>> import minigrad as mg
    >>> _ = mg.manual_seed(0)
    >>> mg.zeros(2).uniform_(5, 6)
    tensor([5.4963, 5.7682])
    """
    low, high = bounds_of(*bounds, **named)
    check_target(self)
    x = self._value
    drawn = random.uniform(low, high, x.size, x.dtype, generator)
    return overwrite(self, in_memory_order(drawn, x), uniform_.rule)


def bounds_of(low: float = 0, high: float = 1, **named: float) -> tuple[float, float]:
    """The bounds of :func:`uniform_`: the word ``from`` cannot be the name of a parameter."""
    low, high = named.pop("from", low), named.pop("to", high)
    if named:
        raise TypeError(f"uniform_() got an unexpected keyword argument '{next(iter(named))}'")
    return low, high


def check_target(target: Tensor) -> None:
    """Refuse to write, before any number is drawn."""
    check_write(target, target.requires_grad)
    check_overlap(target)


def in_memory_order(numbers: np.ndarray, like) -> np.ndarray:
    """Numbers in the shape of ``like``, the first one where its memory begins, and so on."""
    order = sorted(range(like.ndim), key=lambda dim: -like.strides[dim])
    laid = numbers.reshape([like.shape[dim] for dim in order])
    return laid.transpose(np.argsort(order)) if order else laid
