"""Which dtypes an operation has no kernel for, as PyTorch says it."""

from __future__ import annotations

import numpy as np

from ..dtypes import name_of


def dtype_name(x) -> str:
    """``Long`` for int64: how PyTorch's messages call the dtype of a raw value."""
    return name_of(x.dtype)


def no_kernel(name: str, x) -> NotImplementedError:
    """What PyTorch says where an operation does not take the dtype of a raw value."""
    return NotImplementedError(f"\"{name}\" not implemented for '{dtype_name(x)}'")


def refuse(kinds: str, name: str, *values) -> None:
    """Refuse raw values whose dtype is of one of these NumPy kinds, such as ``b`` for bools.

    >>> refuse("biu", "softplus_cpu", np.arange(2))
    Traceback (most recent call last):
    NotImplementedError: "softplus_cpu" not implemented for 'Long'
    """
    for value in map(np.asarray, values):
        if value.dtype.kind in kinds:
            raise no_kernel(name, value)
