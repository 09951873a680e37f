"""Tensors that share the memory of an array, or of another tensor, where that is possible."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..autograd.around import Around
from ..autograd.warn import warn_once
from ..creation import readable, tensor
from ..dtypes import type_name
from ..messages import message
from ..tensor import Tensor, wrap


def from_numpy(array: np.ndarray) -> Tensor:
    """A tensor that shares the memory of ``array``.

    >>> import minigrad as mg, numpy as np
    >>> mg.from_numpy(np.array([1.0, 2.0]))
    tensor([1., 2.], dtype=torch.float64)
    """
    if not isinstance(array, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type_name(array)})")
    if not array.flags.writeable:
        warn_once(message("read-only"))
    return Around.cut(wrap(readable(array)), "from_numpy", array)


def as_tensor(data: Any, dtype=None, device=None) -> Tensor:
    """``data`` as a tensor: the same object or the same memory where that is possible.

    >>> import minigrad as mg
    >>> x = mg.ones(2)
    >>> mg.as_tensor(x) is x
    True
    """
    if isinstance(data, np.ndarray):
        data = from_numpy(data)
    if isinstance(data, Tensor):
        return data.to(dtype=dtype, device=device)
    return tensor(data, dtype=dtype, device=device)
