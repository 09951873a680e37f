"""Making tensors from numbers, lists and arrays, copied.

``extras.from_arrays`` shares memory, ``extras.factories`` fills shapes.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import dtypes
from .autograd.around import Around, notes
from .autograd.caller import warn, warn_once
from .autograd.grad_mode import state
from .dtypes import numpy_dtype, type_name
from .messages import message
from .methods import float_scalar
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
        result._autograd_meta().requires_grad = True
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
    result = finish(value_of(data, dtype), requires_grad, device)
    return Around.cut(result, "tensor", data)


def value_of(data: Any, dtype) -> Any:
    """The raw value of anything a tensor can be made from, copied."""
    if data.__class__ is float and dtype is None:  # the commonest
        return state.here.quiet(dtypes.default_float().type, data)
    if isinstance(data, Tensor):
        value = data._value.astype(numpy_dtype(dtype, data._value.dtype))
    elif isinstance(data, np.ndarray):
        value = readable(data).astype(numpy_dtype(dtype, data.dtype))
    elif isinstance(data, NUMBERS):
        return elements([data], dtype)[0]
    elif isinstance(data, Sequence) and not isinstance(data, str | bytes):
        value = array_of(data, dtype)
    else:
        raise cannot_be_data(data)
    return value[()] if value.ndim == 0 else value


NUMBERS = (bool, int, float, np.generic)


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


def array_of(data, dtype):
    """Nested lists as an array; every list of one level must have the same length."""
    shape = nested_shape(data)
    if shape and shape[0] and isinstance(data[0], np.ndarray):
        warn_once(message("one-by-one"))
    numbers: list = []
    flatten(data, shape, 0, numbers)
    return elements(numbers, dtype).reshape(shape)


def natural_dtype(number) -> np.dtype:
    """The dtype a number asks for: NumPy scalars their own, Python floats the default."""
    return number.dtype if isinstance(number, np.generic) else dtypes.of_number(number)


def elements(numbers: list, dtype) -> np.ndarray:
    """Numbers, of which some may be in tensors or arrays, as a vector."""
    whole = dtype is not None and numpy_dtype(dtype).kind != "f"
    numbers = [element(number, whole) for number in numbers]
    natural = [natural_dtype(number) for number in numbers]
    kind = numpy_dtype(dtype, functools.reduce(dtypes.promote, natural) if numbers else None)
    if kind.kind in "iu":
        dtypes.check_long(*numbers)
        numbers = [dtypes.converted(number, kind, kind.name) for number in numbers]
    return state.here.quiet(np.array, numbers, kind)


def nested_shape(data) -> tuple[int, ...]:
    """The shape of nested lists by the first element of each level; a tensor counts as a number."""
    shape: list[int] = []
    while isinstance(data, Sequence | np.ndarray) and getattr(data, "ndim", 1):
        shape.append(len(data))
        if len(shape) > MAX_DIMS:  # a string, a list in itself, a row of a matrix
            raise ValueError(f"too many dimensions '{type_name(data)}'")
        if len(data) == 0:
            break
        data = data[0]
    return tuple(shape)


MAX_DIMS = 128
NESTED = (Sequence, np.ndarray, Tensor)


def flatten(data, shape: tuple, dim: int, numbers: list) -> None:
    """Append the numbers of nested lists to ``numbers``; all lists of a level are equally long."""
    if dim == len(shape):
        numbers.append(data)
    elif not isinstance(data, NESTED) or not getattr(data, "ndim", 1):
        raise TypeError("not a sequence")
    elif len(data) != shape[dim]:
        raise ValueError(f"expected sequence of length {shape[dim]} at dim {dim} (got {len(data)})")
    else:
        for item in data.detach() if isinstance(data, Tensor) else data:
            flatten(item, shape, dim + 1, numbers)


def element(value, whole: bool):
    """One number out of nested lists; ``whole`` says that it goes among integers or bools."""
    if isinstance(value, Tensor):
        kind = value._value.dtype
        return kind.type(value.__index__() if whole or kind.kind != "f" else float_scalar(value))
    if isinstance(value, np.ndarray):
        return float(value) if value.dtype.kind == "f" else value.item()  # nan where masked
    if isinstance(value, NUMBERS):
        return value if isinstance(value, float) or not whole else operator.index(value)
    if isinstance(value, list | tuple):
        raise TypeError(f"'{type(value).__name__}' object cannot be interpreted as an integer")
    raise cannot_be_data(value)


def cannot_be_data(value) -> Exception:
    """The error for data that is neither a number nor made of numbers."""
    if isinstance(value, str | bytes):
        return TypeError(f"new(): invalid data type '{type(value).__name__}'")
    return RuntimeError(f"Could not infer dtype of {type(value).__name__}")
