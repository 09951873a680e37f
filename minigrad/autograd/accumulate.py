"""AccumulateGrad: the last node on every path, which adds what arrives into ``.grad`` of a leaf."""

from __future__ import annotations

import numpy as np

from ..dtypes import cpp_name, type_name
from ..tensor import Tensor, wrap
from . import anomaly_mode, views
from .graph import Node
from .hooks import taken

AT_ONCE = 2**64 - 1  # the creation number of what runs as soon as all its parts have come


class AccumulateGrad(Node):
    """Adds the gradient that arrives into ``variable.grad``.

    The node holds its leaf, the leaf holds the node weakly; so the leaf of a graph can be found
    from the graph alone (``node.variable``), and a leaf does not keep its graphs alive. It has no
    creation number: it runs as soon as all its parts have come.
    """

    __slots__ = ("variable", "__weakref__")

    def __init__(self, variable):
        self.edges = ()
        self.saved = ()
        self.specs = None
        self.sequence = AT_ONCE
        self.extras = None
        self.variable = variable
        if anomaly_mode.is_anomaly_enabled():
            anomaly_mode.remember(self)

    def name(self) -> str:
        return "torch::autograd::AccumulateGrad"

    def accumulate(self, g, recorded: bool, owned: bool) -> None:
        """Store the first gradient; add later ones, out of place if the pass is recorded.

        ``owned`` says that nobody else can reach ``g``, so that it need not be copied.
        """
        variable, meta = self.variable, self.variable._meta
        if variable.grad_fn is not None:  # something tracked was written into it
            raise RuntimeError("leaf variable has been moved into the graph interior")
        if meta.requires_grad:  # it did when the graph was made
            self.store(g, recorded, owned)
        if meta.post_hooks:
            for hook in list(meta.post_hooks.values()):
                if taken(hook, hook(variable), variable) is not variable:
                    raise RuntimeError("Tensor post accumulate grad hooks should return None.")

    def store(self, g, recorded: bool, owned: bool) -> None:
        """Make ``g`` the gradient, or add it to the one that is there."""
        meta, like = self.variable._meta, self.variable._value
        if g.shape != like.shape:
            raise RuntimeError(
                f"a gradient of shape {list(g.shape)} arrived at a leaf of shape "
                f"{list(like.shape)}: its shape was changed after it was used"
            )
        have = meta.grad
        if recorded and have is not None:
            meta.grad = have + g
        elif recorded:
            meta.grad = wrap(room(like, g._value.dtype)).copy_(g)
        elif have is None:
            meta.grad = wrap(g if owned and g.strides == like.strides else own(g, like))
        else:
            add_in_place(have, g)


def own(g, like):
    """A value that nobody else can reach, laid out in memory as ``like`` if that has no gaps."""
    if g.__class__ is not np.ndarray:
        return g
    copy = room(like, g.dtype)
    np.copyto(copy, g)
    return copy


def room(like, dtype: np.dtype) -> np.ndarray:
    """Memory for a gradient of ``like``."""
    new = np.empty_like(like, dtype=dtype)
    gaps = not like.flags.forc and new.strides != like.strides
    return np.empty(like.shape, dtype) if gaps else new


def add_in_place(have, g) -> None:
    """``have += g`` on raw values, counted as one write."""
    views.refuse_expanded(have._value)
    if have._value.shape != g.shape:  # it was turned; PyTorch's sentence if it cannot be broadcast
        have.add_(wrap(g))
        return
    views.update(have, np.add, g, place=None)


def check_assigned_grad(tensor, grad) -> None:
    """Refuse a ``.grad`` that does not fit its tensor, with PyTorch's messages."""
    if not isinstance(grad, Tensor):
        raise TypeError(
            f"assigned grad expected to be a Tensor or None but got grad of type {type_name(grad)}"
        )
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
