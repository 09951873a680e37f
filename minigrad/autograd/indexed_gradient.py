"""Gradients that travel in less memory than they stand for.

What reading ``x[i]`` sends back is zero except in one place. As a dense array it would have the
size of ``x``, so a loop over all ``x[i]`` would take quadratic time. An :class:`IndexedGradient` is
added into the buffer of ``x`` instead, in time proportional to what was read. The engine makes an
array of it before anybody else can see it.
"""

from __future__ import annotations

from typing import Any

import numpy as np


class IndexedGradient:
    """The gradient ``g`` of ``x[key]`` on its way to an ``x`` of this shape.

    >>> IndexedGradient(np.array([1.0, 2.0]), (4,), slice(1, 3)).dense()
    array([0., 1., 2., 0.])
    >>> IndexedGradient(np.array([1.0, 2.0]), (4,), np.array([3, 3]), repeats=True).dense()
    array([0., 0., 0., 3.])
    """

    __slots__ = ("g", "shape", "key", "repeats")

    def __init__(self, g: Any, shape: tuple, key: Any, repeats: bool = False):
        self.g = g
        self.shape = shape
        self.key = key
        self.repeats = repeats  # integer arrays may name an element twice; its gradients add up

    @property
    def dtype(self) -> np.dtype:
        """The dtype of the gradient."""
        return self.g.dtype

    def add_to(self, whole: np.ndarray) -> np.ndarray:
        """Add the gradient in its place."""
        if self.repeats:
            np.add.at(whole, self.key, self.g)
        else:
            whole[self.key] += self.g
        return whole

    def dense(self) -> np.ndarray:
        """The gradient as an array of the full shape."""
        return self.add_to(np.zeros(self.shape, self.g.dtype))
