"""Methods of ``Tensor`` that read it: values, sizes, conversions, printing."""

from __future__ import annotations

import numpy as np

from . import dtypes, printing
from .autograd.around import Around, notes
from .autograd.backward import backward_from
from .autograd.caller import warn_once
from .autograd.grad_mode import state
from .messages import message
from .ops import broadcasting
from .ops.dims import wrap_dim
from .tensor import Tensor, wrap


def scalar(tensor: Tensor):
    """The one element, for ``int(x)``; ``item`` has another sentence for several."""
    if tensor._value.size != 1:
        raise ValueError("only one element tensors can be converted to Python scalars")
    return tensor._value.item()


def float_scalar(tensor: Tensor):
    """The one element, for ``float(x)``: warns as PyTorch does where a gradient gets lost."""
    if tensor.requires_grad:
        warn_once(message("number-of-tracked"))
    return Around.cut(scalar(tensor), "float", tensor)


class Reading:
    """The methods; they are copied onto :class:`Tensor` below."""

    def __repr__(self) -> str:
        try:
            node = self.grad_fn
            name = None if node is None else type(node).__name__
        except RuntimeError:  # a view that may not be used any more can still be looked at
            name = "Invalid"
        kind = type(self).__name__
        return printing.format_tensor(
            self._value,
            grad_fn_name=name,
            requires_grad=self.requires_grad,
            default_dtype=dtypes.default_float(),
            prefix="tensor(" if kind in ("Tensor", "Parameter") else f"{kind}(",
        )

    def __format__(self, spec: str) -> str:
        if self.ndim == 0 and type(self) is Tensor:
            return format(self._value.item(), spec)
        return object.__format__(self, spec)

    def size(self, dim=None):
        """The shape, or the size of one dim."""
        return self.shape if dim is None else self.shape[wrap_dim(dim, self.ndim)]

    def dim(self) -> int:
        """The number of dimensions."""
        return self._value.ndim

    def numel(self) -> int:
        """The number of elements."""
        return self._value.size

    def stride(self, dim=None):
        """The step in memory from one element to the next, for each dim, counted in elements."""
        x = self._array()
        if not x.size:  # NumPy gives empty arrays any strides
            x = np.empty([max(n, 1) for n in x.shape], bool)
        strides = tuple([step // x.itemsize for step in x.strides])
        return strides if dim is None else strides[wrap_dim(dim, self.ndim)]

    def item(self):
        """The value of a tensor of one element as a Python number.

        >>> import minigrad as mg
        >>> mg.tensor([2.5]).item()
        2.5
        """
        if self._value.size != 1:
            raise RuntimeError(
                f"a Tensor with {self._value.size} elements cannot be converted to Scalar"
            )
        return Around.cut(self._value.item(), "item", self)

    def tolist(self):
        """The values as nested lists of Python numbers.

        >>> import minigrad as mg
        >>> mg.tensor([[1, 2], [3, 4]]).tolist()
        [[1, 2], [3, 4]]
        """
        return Around.cut(self._value.tolist(), "tolist", self)

    def numpy(self, *, force: bool = False) -> np.ndarray:
        """The values as an array that shares this tensor's memory.

        Raises:
            RuntimeError: the tensor requires grad; use ``detach()`` first.

        >>> import minigrad as mg
        >>> mg.tensor([1.0, 2.0]).numpy()
        array([1., 2.], dtype=float32)
        """
        if self.requires_grad and not force and state.here.enabled:
            raise notes.no_numpy(RuntimeError(message("numpy-of-tracked")), self)
        return Around.cut(self._array(), "numpy", self)

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
            raise RuntimeError(f"Boolean value of Tensor with {what} is ambiguous")
        return bool(self._value.item())

    def __float__(self) -> float:
        return float(float_scalar(self))

    def __int__(self) -> int:
        return Around.cut(int(scalar(self)), "int", self)

    def __index__(self) -> int:
        if self._value.size != 1 or self._value.dtype.kind not in "iub":
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self._value.item())

    def to(self, *args, dtype=None, device=None, copy=False, non_blocking=False) -> Tensor:
        """The tensor in another dtype; itself if there is nothing to do.

        >>> import minigrad as mg
        >>> mg.tensor([1, 2]).to(mg.float32)
        tensor([1., 2.])
        """
        for argument in args:
            if isinstance(argument, Tensor):
                dtype = argument.dtype
            elif isinstance(argument, dtypes.dtype | type):
                dtype = argument
            else:
                dtypes.device(argument)
        if device is not None:
            dtypes.device(device)
        kind = dtypes.numpy_dtype(dtype, self._value.dtype)
        return self if kind is self._value.dtype and not copy else broadcasting.cast(self, kind)


for _name, _method in vars(Reading).items():
    if callable(_method):
        _method.__qualname__ = _name  # errors of calls name it
        setattr(Tensor, _name, _method)

Tensor.backward = backward_from
Tensor.__array_priority__ = 1000  # so that NumPy leaves `array * tensor` to Tensor
