"""Methods of ``Tensor`` that read it: values, sizes, conversions, printing.

What Python and NumPy ask of a tensor, as in ``len(x)``, is in :mod:`minigrad.extras.protocols`.
"""

from __future__ import annotations

import numpy as np

from . import dtypes, printing
from .autograd.around import Around, notes
from .autograd.backward import backward_from
from .autograd.thread_state import state
from .autograd.warn import warn_once
from .messages import message
from .ops import broadcasting
from .ops.dims import wrap_dim
from .tensor import Tensor


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


def methods_of_tensors(group: type) -> type:
    """Copy the methods of a class onto :class:`Tensor`."""
    for name, method in vars(group).items():
        if callable(method):
            method.__qualname__ = name  # errors of calls name it
            setattr(Tensor, name, method)
    return group


@methods_of_tensors
class Reading:
    """Values, sizes, conversions, printing."""

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
            raise notes.known(RuntimeError(message("not-one-number", count=self._value.size)))
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
                dtypes.check_device(argument)
        if device is not None:
            dtypes.check_device(device)
        kind = dtypes.numpy_dtype(dtype, self._value.dtype)
        return self if kind is self._value.dtype and not copy else broadcasting.cast(self, kind)


Tensor.backward = backward_from
