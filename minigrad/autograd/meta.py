"""The rare parts of a tensor's autograd state; what may be assigned to ``.grad`` and ``.data``."""

from __future__ import annotations

import sys
from collections import OrderedDict
from typing import Any

from ..dtypes import cpp_name


class AutogradMeta:
    """The rare parts of a tensor's autograd state."""

    __slots__ = (
        "requires_grad",
        "grad",
        "accumulator",
        "hooks",
        "post_hooks",
        "retains_grad",
        "reshaped",
        "touched",  # the line that last added to ``.grad``, or (code, instruction, EMPTIED)
    )

    view = None  # of a view it is a minigrad.autograd.views.View, which is its own

    def __init__(self) -> None:
        self.requires_grad = False  # of a leaf; a tensor with a grad_fn requires grad anyway
        self.grad: Any = None
        self.accumulator = (
            None  # weak reference to the AccumulateGrad node of a leaf, which holds the leaf
        )
        self.hooks: OrderedDict | None = None
        self.post_hooks: OrderedDict | None = None
        self.retains_grad = False
        self.reshaped = 0  # how often `.data` was assigned a value of another shape

    def assign(self, grad: Any) -> None:
        """What ``x.grad = ...`` does."""
        if grad is None and self.grad is not None:
            caught = sys._getframe(2)  # the line itself, without a search
            self.empty((caught.f_code, caught.f_lasti))
        self.grad = grad

    def empty(self, place: tuple | None) -> None:
        """Forget the gradient, but not which line took it away."""
        self.grad = None
        self.touched = place and (*place, EMPTIED)


EMPTIED = "emptied"


def check_assigned_grad(tensor, grad) -> None:
    """Refuse a ``.grad`` that does not fit its tensor, with PyTorch's messages."""
    if grad is tensor:
        raise RuntimeError("can't assign Variable as its own grad")
    if grad.dtype is not tensor.dtype:
        raise RuntimeError(
            f"attempting to assign a gradient with dtype '{cpp_name(grad.dtype)}' to a tensor with "
            f"grad_dtype '{tensor.dtype.legacy_name.removesuffix('Tensor')}'. The gradient must "
            "match the tensor's grad_dtype (defaults to the tensor's dtype). You can set the "
            "tensor's grad_dtype attribute with a specific dtype, or None to allow any dtype. Set "
            "grad_dtype with caution. Diverging the dtypes of a tensor and its gradient may break "
            "downstream systems that assume they match."
        )
    if grad.shape != tensor.shape:
        raise RuntimeError(
            f"attempting to assign a gradient of size '{list(grad.shape)}' to a tensor of size "
            f"'{list(tensor.shape)}'. Please ensure that the gradient and the tensor are the same "
            "size"
        )


def check_new_shape(tensor, shape: tuple) -> None:
    """Before ``.data`` gets another shape: see to it that no recorded graph goes on with it."""
    meta = tensor._autograd_meta()
    node = (
        tensor._edge.node if tensor._edge is not None else meta.accumulator and meta.accumulator()
    )
    if node is not None:
        raise RuntimeError(
            f"data of shape {list(shape)} assigned to a tensor of shape {list(tensor.shape)}, "
            f"whose {node.name()} in the recorded graph takes gradients of that shape alone. "
            "Use detach() first, or let go of what was computed from it"
        )
    meta.reshaped += 1  # nodes that saved this tensor refuse to use it
    tensor._version_counter()  # which is what has them look


NON_LEAF_GRAD = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad "
    "attribute won't be populated during autograd.backward(). If you indeed want the .grad field "
    "to be populated for a non-leaf Tensor, use .retain_grad() on the non-leaf Tensor. If you "
    "access the non-leaf Tensor by mistake, make sure you access the leaf Tensor instead. See "
    "github.com/pytorch/pytorch/pull/30531 for more information."
)
