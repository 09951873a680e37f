"""Making tensors from numbers, lists and arrays, copied.

``extras.nested_lists`` reads lists, ``extras.from_arrays`` shares memory, and ``extras.factories``
fills shapes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import dtypes
from .autograd.around import Around, notes
from .autograd.meta import AutogradMeta
from .autograd.thread_state import state
from .autograd.warn import warn
from .dtypes import numpy_dtype
from .messages import message
from .ops.binding import as_declared
from .tensor import Tensor, wrap

FACTORY_REFUSAL = "Only Tensors of floating point and complex dtype can require gradients"


def finish(value, requires_grad: bool, device=None) -> Tensor:
    """A new leaf around ``value``."""
    if device is not None:
        dtypes.check_device(device)
    result = wrap(value)
    if requires_grad:
        if value.dtype.kind != "f":
            raise notes.not_floating(RuntimeError(FACTORY_REFUSAL), dtypes.of_numpy(value.dtype))
        result._meta = AutogradMeta(requires_grad=True)
    return result


def tensor(data: Any, *, dtype=None, device=None, requires_grad: bool = False) -> Tensor:
    """A new tensor with a copy of ``data``.

    Floats become the default dtype, ints int64, bools bool.

    Args:
        data: a number, nested lists of numbers, a NumPy array or a tensor.
        dtype: the element type; None lets the data choose.
        requires_grad: ask for gradients of this leaf.

    Raises:
        ValueError: the lists are ragged.
        TypeError: an element is not a number.
        RuntimeError: ``requires_grad`` for an integer or bool tensor.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.tensor.html

    >>> import minigrad as mg
    >>> mg.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    tensor([[1., 2.],
            [3., 4.]], requires_grad=True)
    """
    if isinstance(data, Tensor):
        warn(message("copied"))
    if requires_grad.__class__ is not bool:
        as_declared(requires_grad, "bool", "tensor", "requires_grad")
    return Around.cut(finish(value_of(data, dtype), requires_grad, device), "tensor", data)


def value_of(data: Any, dtype) -> Any:
    """The raw value of anything a tensor can be made from, copied."""
    if data.__class__ is float and dtype is None:  # the commonest
        return state.here.quiet(dtypes.default_float().type, data)
    if isinstance(data, Tensor):
        value = data._value.astype(numpy_dtype(dtype, data._value.dtype))
    elif isinstance(data, np.ndarray):
        value = readable(data).astype(numpy_dtype(dtype, data.dtype))
    elif isinstance(data, NUMBERS):
        return lists().elements([data], dtype)[0]
    elif isinstance(data, Sequence) and not isinstance(data, str | bytes):
        value = lists().array_of(data, dtype)
    else:
        raise cannot_be_data(data)
    return value[()] if value.ndim == 0 else value


NUMBERS = (bool, int, float, np.generic)


def lists():
    """The module that reads numbers out of nested lists, and finds a dtype for all of them."""
    return Around.load("extras.nested_lists")


def readable(array: np.ndarray) -> np.ndarray:
    """An array as PyTorch takes it: of a dtype that it has, and without steps backwards.

    Of a subclass it takes the memory alone: the ``*`` of a matrix and the mask of a masked array
    mean nothing to a tensor.

    Raises:
        TypeError: there is no such dtype.
        ValueError: a stride is negative.
    """
    dtypes.of_numpy(array.dtype)
    if min(array.strides, default=0) < 0:
        raise ValueError(message("negative-strides"))
    return np.asarray(array)


def cannot_be_data(value) -> Exception:
    """The error for data that is neither a number nor made of numbers."""
    if isinstance(value, str | bytes):
        return TypeError(f"new(): invalid data type '{type(value).__name__}'")
    return RuntimeError(f"Could not infer dtype of {type(value).__name__}")
