"""``Variable``: the wrapper that tensors needed before PyTorch 0.4. It now gives back a tensor."""

from __future__ import annotations

from ..tensor import Tensor


class _VariableMeta(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Tensor)


class Variable(metaclass=_VariableMeta):
    """A tensor with the same memory, and ``requires_grad`` as asked.

    >>> import minigrad as mg
    >>> mg.autograd.Variable(mg.ones(2), requires_grad=True)
    tensor([1., 1.], requires_grad=True)
    """

    def __new__(cls, data: Tensor, requires_grad: bool = False) -> Tensor:
        return data.detach().requires_grad_(requires_grad)
