"""How results lie in memory: which dim has the largest step, which the smallest.

It decides what a reshape has to copy, and so whether a write through it shows. NumPy and PyTorch
agree on one operand without gaps; where they do not, results are brought into PyTorch's order here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy import ndarray


def copied(x):
    """A copy of a raw value that lies in memory as the original does, but without gaps."""
    if x.__class__ is not ndarray:
        return x
    return x.copy("K") if 0 not in x.strides else copied_in(order_in_memory(x.shape, x.strides), x)


def laid_out(result: ndarray, *operands) -> ndarray:
    """A raw elementwise result, in memory as PyTorch lays it: as its first operand, if that tells.

    NumPy sees to it for one operand; of several, it takes reading order where they disagree.
    """
    shape = result.shape
    for x in operands:
        if x.__class__ is ndarray and x.ndim > 1:  # the steps of dims of size 1 count if broadcast
            if not x.flags.c_contiguous or 1 in shape and x.shape != shape:
                break
    else:
        return result
    arrays = [x for x in operands if x.__class__ is ndarray]
    if len(arrays) == 1 and 0 not in arrays[0].strides:
        return result
    return ordered(result, order_in_memory(shape, *[steps_in(shape, x) for x in arrays]))


def steps_in(shape: tuple, x: ndarray) -> tuple:
    """The step of an array along each dim of the shape it is broadcast to; 0 where it repeats."""
    new = len(shape) - x.ndim
    steps = [step if n == m else 0 for step, n, m in zip(x.strides, x.shape, shape[new:])]
    return (0,) * new + tuple(steps)


def laid_like(x, result):
    """A raw result of the shape of ``x``, in memory as a copy of ``x`` lies."""
    if x.__class__ is not ndarray or x.flags.c_contiguous:
        return result
    return ordered(result, order_in_memory(x.shape, x.strides))


def ordered(x: ndarray, order: list[int]) -> ndarray:
    """An array whose dims have this order in memory: itself, or a copy."""
    falling = [x.strides[dim] for dim in order if x.shape[dim] > 1]
    return x if falling == sorted(falling)[::-1] else copied_in(order, x)


def copied_in(order: list[int], x: ndarray) -> ndarray:
    """A copy without gaps whose dims have this order in memory."""
    copy = np.empty([x.shape[dim] for dim in order], x.dtype).transpose(np.argsort(order))
    copy[...] = x
    return copy


def order_in_memory(shape: tuple, *steps: Sequence) -> list[int]:
    """The dims of arrays of one shape from the largest step to the smallest.

    Where one array repeats an element along a dim, its step does not tell, and the next array is
    asked; where none tells, a dim stays where it is.
    Source: ``reorder_dimensions`` in PyTorch's ``TensorIterator.cpp``, ``infer_dense_strides`` in
    its ``ExpandUtils.cpp``.

    >>> order_in_memory((2, 3), (8, 24)), order_in_memory((2, 3), (0, 8), (8, 16))
    ([1, 0], [1, 0])
    """
    rising: list[int] = []
    for dim in reversed(range(len(shape))):
        place = at = len(rising)
        rising.append(dim)
        while at:
            at -= 1
            later = comes_later(rising[at], dim, shape, steps)
            if later:
                rising[at], rising[place] = dim, rising[at]
                place = at
            elif later is False:
                break
    return rising[::-1]


def comes_later(one: int, other: int, shape: tuple, steps: tuple) -> bool | None:
    """Whether a dim has larger steps than another; None if no array tells."""
    for each in steps:
        a, b = abs(each[one]), abs(each[other])
        if a and b and (a != b or shape[one] > shape[other]):
            return a >= b
    return None
