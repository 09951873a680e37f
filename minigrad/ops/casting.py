"""Changing dtype and undoing broadcasting: how a gradient is brought to fit its operand."""

from __future__ import annotations

import numpy as np

from ..tensor import Tensor, wrap
from . import operands
from .layouts import copied
from .operands import raw
from .reduction import sum as sum_
from .rule import Rule
from .shape import reshape

TO_COPY = Rule("to", "ToCopyBackward0", {"self": lambda g: g}, symbol="dtype")


def cast(input, dtype: np.dtype):
    """``input``, raw or a Tensor, in this NumPy dtype; the derivative casts the gradient back.

    Integers and bools have no history, so they can also be had of a view that may not be used.
    """
    x = raw(input)
    value = operands.cast(x, dtype)
    value = copied(x) if value is x else value
    if dtype.kind != "f" and isinstance(input, Tensor):
        return wrap(value)
    return TO_COPY.record(value, input)


def sum_to(g, shape: tuple):
    """Sum ``g`` over the dimensions in which ``shape`` was broadcast.

    >>> sum_to(np.ones((4, 3)), (3,))
    array([4., 4., 4.])
    >>> sum_to(np.ones((4, 3)), (4, 1)).shape
    (4, 1)
    """
    have = g.shape
    leading = len(have) - len(shape)
    dims = tuple(
        [i for i, n in enumerate(have) if i < leading or n != 1 and shape[i - leading] == 1]
    )
    if g.__class__ is np.ndarray and dims:
        total = np.add.reduce(g, dims)
        return total if total.shape == shape else total.reshape(shape)
    if not shape and leading:
        return sum_(g)
    if dims:
        g = sum_(g, dims, True)
    return reshape(g, shape) if leading else g


def sums_to(shape: tuple, small: tuple) -> bool:
    """Whether :func:`sum_to` can bring ``shape`` to ``small``: ``small`` broadcasts to it.

    >>> sums_to((4, 3), (1, 3)), sums_to((4, 3), (4,))
    (True, False)
    """
    if len(small) > len(shape):
        return False
    trailing = shape[len(shape) - len(small) :]
    return all(n in (1, m) for n, m in zip(small, trailing))
