"""Parameter: a leaf that a module owns and an optimizer changes."""

from __future__ import annotations

from collections.abc import Iterable

from ..autograd import caller
from ..creation import FACTORY_REFUSAL
from ..extras.factories import empty
from ..tensor import Tensor


class Parameter(Tensor):
    """A tensor that requires grad, and that a :class:`Module` finds among its attributes.

    It shares the memory of ``data``. Whatever is computed from it is a plain ``Tensor``.

    Args:
        data: the values; an empty tensor if left out.
        requires_grad: whether gradients are asked for.

    Raises:
        RuntimeError: gradients are asked for of integers or bools.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.nn.parameter.Parameter.html

    >>> import minigrad as mg
    >>> mg.nn.Parameter(mg.tensor([1.0, 2.0]))
    Parameter containing:
    tensor([1., 2.], requires_grad=True)
    """

    __slots__ = ()

    def __new__(cls, data: Tensor | None = None, requires_grad: bool = True) -> Parameter:
        parameter = (empty(0) if data is None else data).detach()
        if requires_grad and not parameter.dtype.is_floating_point:
            raise RuntimeError(FACTORY_REFUSAL)
        parameter.requires_grad = requires_grad
        parameter.__class__ = cls
        return parameter

    def __init__(self, data: Tensor | None = None, requires_grad: bool = True):
        pass  # made by __new__: the memory exists already

    def __repr__(self) -> str:
        return "Parameter containing:\n" + super().__repr__()

    def __deepcopy__(self, memo: dict) -> Parameter:
        copy = type(self)(self.detach().clone(), self.requires_grad)
        memo[id(self)] = copy
        return copy


def clear_gradients(parameters: Iterable[Tensor], set_to_none: bool) -> None:
    """Take the gradients away, or fill them with zeros in place, cut off from their history."""
    place = caller.place(skip=1)
    for parameter in parameters:
        gradient = parameter.grad
        if gradient is None:
            continue
        if set_to_none:
            parameter._meta.assign(None, place)
        else:
            if gradient.grad_fn is not None:
                gradient.detach_()
            else:
                gradient.requires_grad_(False)
            gradient.zero_()
