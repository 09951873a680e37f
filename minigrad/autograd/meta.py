"""The rare parts of a tensor's autograd state; what may be assigned to ``.grad`` and ``.data``."""

from __future__ import annotations

from types import NoneType
from typing import Any

from ..dtypes import name_of
from ..messages import message
from . import caller


class AutogradMeta:
    """The rare parts of a tensor's autograd state.

    Attributes:
        requires_grad: of a leaf; a tensor with a grad_fn requires grad anyway.
        grad: the gradient that has come, or None.
        accumulator: of a leaf a weak reference to its node, which holds the leaf. Before there is
            one, what gives None when called, as the reference to a node that is gone does.
        hooks, post_hooks: dicts of hooks, or None.
        retains_grad: whether a non-leaf is to keep its gradient.
        base: of a view the tensor that owns the memory; see :class:`~.views.View`.
        given: the tensor that was last assigned to ``grad``, or None.
        touched: the line that last added to ``grad``, or (code, instruction, EMPTIED).
    """

    # Defaults on the class would be shorter; CPython reads those several times as slowly as slots.
    __slots__ = (
        "requires_grad", "grad", "accumulator", "hooks", "post_hooks", "retains_grad", "base",
        "given", "touched",
    )  # fmt: skip

    def __init__(self, base: Any = None, requires_grad: bool = False) -> None:
        self.requires_grad = requires_grad
        self.retains_grad = False
        self.grad = self.hooks = self.post_hooks = None
        self.accumulator = NoneType
        self.base = base

    def assign(self, grad: Any, place: caller.Place | None) -> None:
        """What ``x.grad = ...`` does; of a gradient that is taken away the line stays known."""
        if grad is None and self.grad is not None:
            self.touched = place and (place[0], place[1], EMPTIED)
        self.grad = self.given = grad


EMPTIED = "emptied"


def check_assigned_grad(tensor, grad) -> None:
    """Refuse a ``.grad`` that does not fit its tensor, with PyTorch's messages."""
    if grad is tensor:
        raise RuntimeError("can't assign Variable as its own grad")
    if grad.dtype is not tensor.dtype:
        have, given = name_of(tensor.dtype.numpy), grad.dtype.cpp_name
        raise RuntimeError(message("grad-of-another-dtype", have=have, given=given))
    if grad.shape != tensor.shape:
        have, given = list(tensor.shape), list(grad.shape)
        raise RuntimeError(message("grad-of-another-size", have=have, given=given))


def check_new_shape(tensor, shape: tuple) -> None:
    """Before ``.data`` gets another shape: see to it that no recorded graph goes on with it.

    It counts as a write, so nodes that saved this tensor refuse to use it.
    """
    edge, meta = tensor._edge, tensor._autograd_meta()
    node = meta.accumulator() if edge is None else edge.node
    if node is not None:
        values = {"have": list(tensor.shape), "given": list(shape), "node": node.name()}
        raise RuntimeError(message("data-of-another-shape", **values))
    tensor._version_counter().wrote(caller.place())
