"""What Python and NumPy ask of a tensor: `len(x)`, `for row in x`, `float(x)`, `if x`."""

from __future__ import annotations

import numpy as np

from ..autograd.around import Around, notes
from ..methods import float_scalar, methods_of_tensors, scalar
from ..tensor import Tensor, wrap


@methods_of_tensors
class Protocols:
    """The special methods that are no operators."""

    def __format__(self, spec: str) -> str:
        if self.ndim == 0 and type(self) is Tensor:
            return format(self._value.item(), spec)
        return object.__format__(self, spec)

    def __array__(self, dtype=None, copy=None) -> np.ndarray:
        return np.array(self.numpy(), dtype, copy=copy)

    def __array_wrap__(self, array, context=None, return_scalar=False) -> Tensor:
        # What NumPy compares comes as uint8: PyTorch is older than its own bools.
        return wrap(array.astype(np.uint8) if array.dtype == bool else array)

    def __len__(self) -> int:
        if self.ndim == 0:
            raise TypeError("len() of a 0-d tensor")
        return self._value.shape[0]

    def __iter__(self):
        if self.ndim == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))

    def __bool__(self) -> bool:
        if self._value.size != 1:
            what = "more than one value" if self._value.size else "no values"
            told = f"Boolean value of Tensor with {what} is ambiguous"
            raise notes.known(RuntimeError(told))
        return bool(self._value.item())

    def __float__(self) -> float:
        return float(float_scalar(self))

    def __int__(self) -> int:
        return Around.cut(int(scalar(self)), "int", self)

    def __index__(self) -> int:
        if self._value.size != 1 or self._value.dtype.kind not in "iub":
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self._value.item())


Tensor.__array_priority__ = 1000  # so that NumPy leaves `array * tensor` to Tensor
