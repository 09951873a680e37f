"""Counts and truths of many elements: nothing is recorded."""

from __future__ import annotations

import numpy as np

from ...autograd.around import Around
from ...tensor import Tensor, wrap
from ..broadcasting import reduced
from ..dims import dims_of, names_none
from ..promotion import raw_tensor
from ..rule import operation


@operation()
def count_nonzero(input, dim=None):
    """How many elements are not 0: of all, or over ``dim`` (a dim or several); an int64 tensor.

    >>> import minigrad as mg
    >>> mg.count_nonzero(mg.tensor([[0.0, 2.0], [3.0, 4.0]]), 0)
    tensor([1, 2])
    """
    x = raw_tensor(input, "count_nonzero")
    value = reduced(np.not_equal(x, 0).sum, axis=dims_of(dim, x.ndim), dtype=np.int64)
    return Around.cut(wrap(value), "count_nonzero", input)


@operation()
def all(input, dim=None, keepdim: bool = False):
    """Whether all elements are true (not 0), or all over ``dim``: a bool tensor; uint8 stays uint8.

    >>> import minigrad as mg
    >>> mg.all(mg.tensor([[True, False], [True, True]]), 0)
    tensor([ True, False])
    """
    return truth(np.logical_and, input, dim, keepdim, "all")


@operation()
def any(input, dim=None, keepdim: bool = False):
    """Whether some element is true (not 0), or some over ``dim``: a bool tensor; uint8 stays uint8.

    >>> import minigrad as mg
    >>> mg.any(mg.tensor([0.0, 2.0]))
    tensor(True)
    """
    return truth(np.logical_or, input, dim, keepdim, "any")


def truth(connective: np.ufunc, input, dim, keepdim: bool, name: str) -> Tensor:
    """The elements as truth values, connected over ``dim``; over no dim at all if it is ()."""
    x = raw_tensor(input, name)
    dims = () if names_none(dim) else dims_of(dim, x.ndim)
    value = reduced(connective.reduce, x.astype(np.bool_), axis=dims, keepdims=keepdim)
    value = value.astype(x.dtype if x.dtype == np.uint8 else np.bool_)
    return Around.cut(wrap(value), name, input)
