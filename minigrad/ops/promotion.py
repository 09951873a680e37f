"""What operations are given: tensors, numbers, raw arrays; and the dtype and shape they meet in.

A *raw* value is a NumPy array or scalar: a formula of a plain backward pass computes with those.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy import ndarray

from .. import dtypes
from ..autograd.around import notes
from ..autograd.thread_state import state
from ..dtypes import name_of
from ..messages import message
from ..tensor import Tensor

RAW = np.ndarray, np.generic
NUMBERS = frozenset({int, float, bool})
REALS = frozenset({int, float})
FLOAT_SCALARS = frozenset({np.float16, np.float32, np.float64})


def raw(operand):
    """The raw value of a Tensor; anything else is raw already.

    Raises:
        UnsupportedOperand: it is an array of a subclass, such as a matrix, whose operators mean
            something else.
    """
    if isinstance(operand, Tensor):
        return operand._value
    if operand.__class__ is not ndarray and isinstance(operand, ndarray):
        raise UnsupportedOperand(f"expected Tensor, but got {dtypes.type_name(operand)}")
    return operand


def copied(x):
    """A copy of a raw value that lies in memory as the original does, but without gaps.

    Where elements are repeated its steps tell no order, and the copy is in reading order.

    >>> import numpy as np
    >>> copied(np.ones((3, 2), order="F")).strides, copied(np.broadcast_to(1.0, (2, 3))).strides
    ((8, 24), (24, 8))
    """
    if x.__class__ is not ndarray:
        return x
    return x.copy("K") if 0 not in x.strides else x.copy("C")


def number(value):
    """A Python number, also of a NumPy scalar; one of NumPy's bools is a float to PyTorch."""
    if isinstance(value, np.bool_):
        return float(value)
    return value.item() if isinstance(value, np.generic) else value


def plain_number(value, name: str, argument: str, position: int | None = None):
    """A Python number, also of a 0-d tensor that needs no gradient.

    Raises:
        TypeError: it is another tensor, or no number.
    """
    if isinstance(value, Tensor) and not value.ndim and not value.requires_grad:
        return value.item()
    if isinstance(value, Tensor | np.ndarray | str):
        place = "" if position is None else f" (position {position})"
        kind = dtypes.type_name(value)
        raise TypeError(f"{name}(): argument '{argument}'{place} must be Number, not {kind}")
    return number(value)


def fit(x, y) -> bool:
    """Whether two raw operands meet as they are: floating, of one dtype or the second a number."""
    floating = isinstance(x, RAW) and x.dtype.kind == "f"
    return floating and (y.__class__ in REALS or isinstance(y, RAW) and x.dtype is y.dtype)


# -- operands that do not fit as they are ----------------------------------------------------------


class UnsupportedOperand(TypeError):
    """An operand of a type no tensor operation takes; operators turn it into ``NotImplemented``."""


# Readers see the name in tracebacks, where PyTorch has a plain TypeError.
UnsupportedOperand.__name__ = UnsupportedOperand.__qualname__ = "TypeError"
UnsupportedOperand.__module__ = "builtins"


def not_a_tensor(value, name: str, argument: str, position: int = 1) -> UnsupportedOperand:
    """PyTorch's sentence for an argument that has to be a tensor."""
    wanted = f"must be Tensor, not {dtypes.type_name(value)}"
    return UnsupportedOperand(f"{name}(): argument '{argument}' (position {position}) {wanted}")


def raw_tensor(value, name: str, argument: str = "input", position: int = 1):
    """The raw value of a tensor, or a raw array inside a formula; ``TypeError`` for others."""
    if isinstance(value, Tensor):
        return value._value
    if isinstance(value, RAW):
        return value
    raise not_a_tensor(value, name, argument, position)


def meet(input, other, name: str, floating: bool = False, refuse: Callable | None = None) -> tuple:
    """The raw values of two operands in the dtype that PyTorch gives their result.

    Raises:
        UnsupportedOperand: one of them is neither a tensor nor a number.
        RuntimeError: the shapes do not broadcast.
    """
    x, y = operand_value(input, name, "input"), operand_value(other, name, "other")
    if refuse is not None:
        refuse(x, y)
    if y.__class__ in REALS and x.dtype.kind == "f" or x.__class__ in REALS and y.dtype.kind == "f":
        return x, y
    dtype = result_dtype(x, y)
    if floating and dtype.kind != "f":
        dtype = dtypes.default_float()
    return cast(x, dtype), cast(y, dtype)


def operand_value(operand, name: str, argument: str):
    """The raw value of a tensor, or a plain Python number."""
    if isinstance(operand, Tensor):
        return operand._value
    if operand.__class__ in NUMBERS:
        return operand
    if isinstance(operand, np.generic):
        return number(operand)
    raise not_a_tensor(operand, name, argument)


def result_dtype(*values) -> np.dtype:
    """The dtype of a result, by PyTorch's three categories (see :mod:`minigrad.dtypes`)."""
    found = {}
    for value in values:
        is_raw = isinstance(value, RAW)
        category = "number" if not is_raw else "tensor" if value.ndim else "0-d tensor"
        dtype = value.dtype if is_raw else dtypes.of_number(value)
        found[category] = dtypes.promote(found.get(category, dtype), dtype)
    tensors = dtypes.combine(found.get("tensor"), found.get("0-d tensor"))
    return dtypes.combine(tensors, found.get("number"))


def cast(value, dtype: np.dtype):
    """A raw value or a number in this dtype."""
    if isinstance(value, RAW):
        if value.dtype is dtype:
            return value
        return state.here.quiet((copied(value) if 0 in value.strides else value).astype, dtype)
    return state.here.quiet(np.asarray(value).astype, dtype)[()]


def broadcast(compute: Callable, *values):
    """``compute(*values)`` in silence, with PyTorch's error where shapes do not broadcast."""
    try:
        return state.here.quiet(compute, *values)
    except ValueError:
        raise broadcast_error(*values) from None


def broadcast_error(*values) -> RuntimeError:
    """PyTorch's sentence for shapes that cannot be broadcast together."""
    shape: tuple = ()
    for value in values:
        other = np.shape(value)
        ndim = max(len(shape), len(other))
        a, b = (1,) * (ndim - len(shape)) + shape, (1,) * (ndim - len(other)) + other
        for dim in reversed(range(ndim)):
            if a[dim] != b[dim] and 1 not in (a[dim], b[dim]):
                return notes.known(RuntimeError(message("broadcast", a=a[dim], b=b[dim], dim=dim)))
        shape = tuple(m if n == 1 else n for m, n in zip(a, b))
    return RuntimeError(f"shapes {[np.shape(value) for value in values]} cannot be computed with")


# -- which dtypes an operation has no kernel for, as PyTorch says it -------------------------------


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
