"""Numbers in nested lists: their shape, their common dtype, and what is refused among them."""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence

import numpy as np

from .. import dtypes
from ..autograd.thread_state import state
from ..autograd.warn import warn_once
from ..creation import NUMBERS, cannot_be_data
from ..dtypes import numpy_dtype, type_name
from ..messages import message
from ..methods import float_scalar
from ..tensor import Tensor


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
