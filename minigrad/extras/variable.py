"""``Variable``: the wrapper that tensors needed before PyTorch 0.4. It now gives back a tensor."""

from __future__ import annotations

from ..autograd.warn import warn
from ..creation import FACTORY_REFUSAL
from ..dtypes import type_name
from ..tensor import Tensor
from .factories import empty


class _VariableMeta(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Tensor)


class Variable(metaclass=_VariableMeta):
    """A tensor with the same memory, and ``requires_grad`` as asked.

    >>> import minigrad as mg
    >>> mg.autograd.Variable(mg.ones(2), requires_grad=True)
    tensor([1., 1.], requires_grad=True)
    """

    def __new__(cls, data=None, requires_grad=False, volatile=False) -> Tensor:
        if bool(volatile):
            warn("volatile was removed and now has no effect. Use `with torch.no_grad():` instead.")
            if requires_grad:
                raise ValueError("Variable can't be volatile and require_grad at the same time!")
        if not isinstance(data, Tensor | None):
            raise TypeError(f"Variable data has to be a tensor, but got {type_name(data)}")
        tensor = empty(0) if data is None else data.detach()
        tensor._set_requires_grad(bool(requires_grad), FACTORY_REFUSAL)
        return tensor


def variable(*args, **kwargs):
    """Refuse: this is what :func:`minigrad.tensor` was called before PyTorch 0.4."""
    raise RuntimeError("torch.autograd.variable(...) is deprecated, use torch.tensor(...) instead")


variable.Variable = Variable  # the function stands where the module of this name would
