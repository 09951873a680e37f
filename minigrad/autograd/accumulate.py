"""Accumulation: what arrives at the last node of a path is added into ``.grad`` of its leaf."""

from __future__ import annotations

import numpy as np

from ..tensor import wrap
from . import views
from .hooks import taken
from .node import AccumulateGrad


def accumulate(node: AccumulateGrad, g, recorded: bool, owned: bool, handed_over: bool, place):
    """Store the first gradient; add later ones, out of place if the pass is recorded.

    Args:
        node: where it arrived.
        g: the gradient.
        recorded: whether the pass is.
        owned: whether nobody else can reach ``g``, so that it need not be copied.
        handed_over: whether hooks saw ``g``, and none of them kept its tensor. PyTorch then
            makes that tensor the ``.grad``.
        place: the line that ran the pass.

    Returns:
        what the node's hooks see as the gradient that arrived. It shares the memory of a
        ``.grad`` that was handed over, which a post-accumulate hook may write to.
    """
    variable, meta = node.variable, node.variable._meta
    is_plain = variable._edge is None and meta.view is None
    if not is_plain and variable.grad_fn is not None:  # something tracked was written into it
        raise RuntimeError("leaf variable has been moved into the graph interior")
    if meta.requires_grad:  # it did when the graph was made
        first = meta.grad is None
        store(variable, g, recorded, owned)
        meta.touched = place
        if handed_over and first and not recorded and meta.grad._value.strides == g.strides:
            g = meta.grad._value
    if meta.post_hooks:
        for hook in list(meta.post_hooks.values()):
            if taken(hook, hook(variable), variable) is not variable:
                raise RuntimeError("Tensor post accumulate grad hooks should return None.")
    return g


def store(variable, g, recorded: bool, owned: bool) -> None:
    """Make ``g`` the gradient of a leaf, or add it to the one that is there."""
    meta, like = variable._meta, variable._value
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
        alone = g.__class__ is not np.ndarray or owned and g.strides == like.strides
        meta.grad = wrap(g if alone else own(g, like))
    else:
        add_in_place(have, g)


def own(g, like):
    """A value that nobody else can reach, laid out in memory as ``like`` if that has no gaps."""
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
