"""Copies of leaves: ``copy.deepcopy``, and what ``pickle`` and ``copy.copy`` make."""

from __future__ import annotations

import warnings

import numpy as np

from ..autograd.around import notes
from ..ops.strided import address, restrided
from ..tensor import Tensor, wrap


def as_leaf(kind: type, value, requires_grad: bool) -> Tensor:
    """A leaf of some class of tensors around a raw value."""
    tensor = wrap(value)
    tensor.__class__ = kind
    if requires_grad:
        tensor._autograd_meta().requires_grad = True
    return tensor


def deep_copy(self: Tensor, memo: dict) -> Tensor:
    """What ``copy.deepcopy`` makes of a leaf: memory that several tensors share stays shared."""
    from copy import deepcopy  # few programs need it

    if not self.is_leaf:
        told = (
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy "
            "protocol at the moment.  If you were attempting to deepcopy a module, this may be "
            "because of a torch.nn.utils.weight_norm usage, see "
            "https://github.com/pytorch/pytorch/pull/103001"
        )
        raise notes.known(RuntimeError(told))
    x = self._array()
    memory = owner(x)
    offset = address(x) - address(memory)
    memory = deepcopy(memory, memo)  # once for all tensors that look at it
    value = restrided(memory, x.shape, x.strides, offset)
    copy = as_leaf(type(self), value, self.requires_grad)
    if self._meta is not None:
        copy._autograd_meta().grad = deepcopy(self._meta.grad, memo)
    copy.__dict__.update(deepcopy(self.__dict__, memo))
    memo[id(self)] = copy
    return copy


def owner(x: np.ndarray) -> np.ndarray:
    """The array that owns the memory of another."""
    while isinstance(x.base, np.ndarray):
        x = x.base
    return x


def reduced(self: Tensor, protocol: int) -> tuple:
    """What pickle and ``copy.copy`` make: a leaf with these values, without gradient."""
    if self._backward_hooks:
        warn_if_has_hooks(self)
    return as_leaf, (type(self), self._array(), self.requires_grad), self.__dict__ or None


def warn_if_has_hooks(tensor: Tensor) -> None:
    """Warn of hooks that pickling ``tensor`` leaves out.

    >>> import minigrad as mg
    >>> from minigrad.utils.hooks import unserializable_hook
    >>> x = mg.ones(2, requires_grad=True)
    >>> handle = x.register_hook(unserializable_hook(lambda grad: None))
    >>> warn_if_has_hooks(x)
    """
    for hook in (tensor._backward_hooks or {}).values():
        if not hasattr(hook, "__torch_unserializable__"):
            warnings.warn(
                f"backward hook {hook!r} on tensor will not be serialized.  If this is expected, "
                "you can decorate the function with @torch.utils.hooks.unserializable_hook to "
                "suppress this warning",
                stacklevel=2,
            )


Tensor.__deepcopy__ = deep_copy
Tensor.__reduce_ex__ = reduced
