"""Methods of ``Tensor`` that few programs call; :mod:`minigrad.methods` has the others."""

from __future__ import annotations

import numpy as np

from .. import dtypes
from ..autograd.around import Around, notes
from ..messages import message
from ..ops.promotion import raw_tensor
from ..tensor import Tensor


def is_contiguous(self) -> bool:
    """Whether the elements lie in memory in reading order."""
    return bool(self._array().flags.c_contiguous)


def data_ptr(self) -> int:
    """The address of the first element."""
    return self._array().__array_interface__["data"][0]


def is_floating_point(self) -> bool:
    """Whether the elements are floating point numbers."""
    return self.dtype.is_floating_point


def element_size(self) -> int:
    """The bytes of one element."""
    return self._value.itemsize


def storage_offset(self) -> int:
    """How many elements of the base lie before the first element of this view."""
    base = self._base
    return 0 if base is None else (self.data_ptr() - base.data_ptr()) // self.element_size()


def detach_(self) -> Tensor:
    """Forget the history of this tensor itself; a view refuses."""
    if self._is_view():
        raise notes.detach_view(RuntimeError(message("detach-view")), self)
    Around.cut(self, "detach_", self)
    self._edge = None
    if self._meta is not None:
        self._meta.requires_grad = False
    return self


def __reversed__(self) -> Tensor:  # noqa: N807
    return self.flip(0) if self.ndim else self


def __contains__(self, element) -> bool:  # noqa: N807
    if not isinstance(element, Tensor | int | float | bool | np.generic):
        raise RuntimeError(
            "Tensor.__contains__ only supports Tensor or scalar, but you passed in a "
            f"{type(element)}."
        )
    return bool((element == self).any())


def type_(self, dtype=None):
    """The name of the tensor's type, ``torch.FloatTensor``; or, given a dtype, :meth:`to`."""
    if dtype is None:
        return f"torch.{self.dtype.legacy_name}"
    if isinstance(dtype, str):
        named = [d for d in dtypes.ALL if f"torch.{d.legacy_name}" == dtype]
        if not named:
            raise ValueError(f"invalid type: '{dtype}'")
        (dtype,) = named
    return self.to(getattr(dtype, "dtype", dtype))  # of a FloatTensor, for one


def type_as(self, other: Tensor) -> Tensor:
    """The tensor in the dtype of another; itself if it is that already."""
    return self.to(dtypes.of_numpy(raw_tensor(other, "type_as", "other").dtype))


def cpu(self) -> Tensor:
    """The tensor itself: it is on the CPU already."""
    return self


def to_named(name: str):
    """The method that converts to the dtype of this name."""

    def convert(self) -> Tensor:
        return self.to(getattr(dtypes, name))

    convert.__name__ = name
    dtype = getattr(dtypes, name).name
    convert.__doc__ = f"The tensor as ``{dtype}``; itself if it is that already."
    return convert


METHODS = (
    is_contiguous, data_ptr, is_floating_point, element_size, storage_offset, detach_,
    __reversed__, __contains__, type_, type_as, cpu,
    *map(to_named, ("float", "double", "half", "long", "int", "short", "bool")),
)  # fmt: skip
type_.__name__ = "type"
for method in METHODS:
    method.__qualname__ = method.__name__  # errors of calls name it
    setattr(Tensor, method.__name__, method)

Tensor.nelement = Tensor.numel
Tensor.ndimension = Tensor.dim
