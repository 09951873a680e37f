"""Other ways to say a shape: that of another tensor, dims made one."""

from __future__ import annotations

import math

from ..broadcasting import expand
from ..dims import wrap_dim
from ..rule import operation
from ..shape import VIEW, reshape, view


@operation(VIEW)
def view_as(input, other):
    """``input.view(other.shape)``: the same memory in the shape of ``other``.

    >>> import minigrad as mg
    >>> mg.arange(4).view_as(mg.zeros(2, 2))
    tensor([[0, 1],
            [2, 3]])
    """
    return view(input, *other.shape)


@operation(VIEW)
def flatten(input, start_dim: int = 0, end_dim: int = -1):
    """``input`` with the dims from ``start_dim`` to ``end_dim`` made one.

    >>> import minigrad as mg
    >>> mg.ones(2, 3, 4).flatten(1).shape
    torch.Size([2, 12])
    """
    shape = tuple(input.shape)
    start, end = wrap_dim(start_dim, len(shape)), wrap_dim(end_dim, len(shape))
    if start > end:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if shape and start == end:
        return input
    return reshape(input, (*shape[:start], math.prod(shape[start : end + 1]), *shape[end + 1 :]))


@operation(expand.rule)
def expand_as(input, other):
    """``input.expand(other.shape)``.

    >>> import minigrad as mg
    >>> mg.tensor([1.0, 2.0]).expand_as(mg.zeros(2, 2))
    tensor([[1., 2.],
            [1., 2.]])
    """
    return expand(input, *other.shape)


@operation(expand.rule)
def broadcast_to(input, *sizes, size=None):
    """``input.expand(size)``.

    >>> import minigrad as mg
    >>> mg.broadcast_to(mg.tensor([1.0, 2.0]), (2, 2))
    tensor([[1., 2.],
            [1., 2.]])
    """
    return expand(input, *sizes, size=size)
