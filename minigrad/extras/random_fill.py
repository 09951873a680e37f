"""Filling a tensor with random numbers in place; the numbers are PyTorch's (:mod:`.random`)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..autograd.views import check_write, refuse_expanded
from ..ops.more.overwriting import overwrite
from ..ops.piecewise import zeros_like
from ..ops.rule import operation
from ..tensor import Tensor
from . import random


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
    dense = self._value.flags.c_contiguous
    return fill(self, normal_, lambda *like: random.normal(mean, std, *like, generator, dense))


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
    return fill(self, uniform_, lambda *like: random.uniform(low, high, *like, generator))


def bounds_of(low: float = 0, high: float = 1, **named: float) -> tuple[float, float]:
    """The bounds of :func:`uniform_`: the word ``from`` cannot be the name of a parameter."""
    low, high = named.pop("from", low), named.pop("to", high)
    if named:
        raise TypeError(f"uniform_() got an unexpected keyword argument '{next(iter(named))}'")
    return low, high


def fill(target: Tensor, operation: Callable, draw: Callable) -> Tensor:
    """Write ``draw(count, dtype)``: the first number where the memory begins, and so on."""
    check_write(target, target.requires_grad)  # before any number is drawn
    refuse_expanded(target._value)
    x = target._value
    order = sorted(range(x.ndim), key=lambda dim: -x.strides[dim])
    laid = draw(x.size, x.dtype).reshape([x.shape[dim] for dim in order])
    return overwrite(target, laid.transpose(np.argsort(order)) if order else laid, operation.rule)
