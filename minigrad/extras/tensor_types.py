"""``Tensor(...)``, ``FloatTensor(...)`` and their kin: the constructors of old programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import dtypes
from ..autograd.around import Around
from ..creation import value_of
from ..dtypes import type_name
from ..ops.indexing import ALIAS
from ..ops.strided import shared, view_of
from ..tensor import Tensor, wrap
from .factories import shape_of


def legacy_constructor(data: tuple, dtype: np.dtype) -> Tensor:
    """What ``Tensor(...)`` is: data of this dtype, a view of a tensor, or empty of some sizes."""
    if len(data) == 1:
        (given,) = data
        if isinstance(given, Tensor):
            return view_of(ALIAS, shared(given)[...], given)
        if isinstance(given, bool) or not isinstance(given, int | np.integer | dtypes.Size):
            if not isinstance(given, Sequence | np.ndarray):
                raise TypeError(f"new(): data must be a sequence (got {type_name(given)})")
            result = wrap(value_of(given, dtypes.of_numpy(dtype)))
            return Around.cut(result, "Tensor", given)
    return wrap(np.empty(shape_of(data, "new") if data else (0,), dtype))


class TensorType(type):
    """``FloatTensor`` and its kin: makes tensors of one dtype, which count as its instances."""

    def __call__(cls, *data) -> Tensor:
        if data and isinstance(data[0], Tensor) and data[0].dtype is not cls.dtype:
            raise TypeError(f"expected a {cls.dtype.legacy_name}, got {data[0].type()}; use to()")
        return legacy_constructor(data, cls.dtype.numpy)

    def __instancecheck__(cls, value) -> bool:
        return isinstance(value, Tensor) and value.dtype is cls.dtype


FloatTensor, DoubleTensor, LongTensor = (
    TensorType(
        dtype.legacy_name,
        (),
        {
            "dtype": dtype,
            "__doc__": f"A {dtype.name} tensor from numbers, or of the given sizes.",
            "__module__": "torch",
        },
    )
    for dtype in (dtypes.float32, dtypes.float64, dtypes.int64)
)


def is_tensor(obj: object, /) -> bool:
    """Whether ``obj`` is a tensor."""
    return isinstance(obj, Tensor)


def initialize(self, *data: Any) -> None:
    """``Tensor(...)``: numbers as float32, a view of a tensor, or that size with any values."""
    made = legacy_constructor(data, dtypes.default_float())
    self._value, self._edge = made._value, made._edge
    self._counter, self._meta = made._counter, made._meta


Tensor.__init__ = initialize
