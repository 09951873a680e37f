"""Saved tensors that may be changed in place: they are copied just before it happens."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from ..autograd.thread_state import state
from ..tensor import Tensor
from .saved_hooks import saved_tensors_hooks


class _Kept:
    """One saved tensor: the original until somebody writes to its memory, then a copy."""

    __slots__ = ("tensor", "copied", "__weakref__")

    def __init__(self, tensor: Tensor):
        self.tensor = tensor.detach()
        self.copied = False


class MutationContext:
    """What is saved inside :func:`allow_mutation_on_saved_tensors`; ``clear()`` forgets it."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget everything that was saved, so that memory can go."""
        self._kept: weakref.WeakSet[_Kept] = weakref.WeakSet()

    def pack(self, tensor: Tensor) -> _Kept:
        kept = _Kept(tensor)
        self._kept.add(kept)
        return kept

    def unpack(self, kept: _Kept) -> Tensor:
        if kept not in self._kept:
            raise AssertionError(
                "Trying to backward outside of the 'allow_mutation_on_saved_tensors' contextin "
                "which the graph was originally recorded."
            )
        return kept.tensor

    def before_write(self, target: Tensor) -> None:
        """Copy what is saved in the memory that is about to be written."""
        memory = target._array()
        for kept in self._kept:
            if not kept.copied and np.may_share_memory(kept.tensor._array(), memory):
                kept.tensor, kept.copied = kept.tensor.clone(), True


@contextmanager
def allow_mutation_on_saved_tensors() -> Iterator[MutationContext]:
    """Let saved tensors be changed in place inside: the derivative uses the values of before.

    The backward pass has to run inside too.

    Raises:
        RuntimeError: the contexts are nested.

    Source: https://docs.pytorch.org/docs/2.13/autograd.html#torch.autograd.graph.allow_mutation_on_saved_tensors

    >>> import minigrad as mg
    >>> with mg.autograd.graph.allow_mutation_on_saved_tensors():
    ...     x = mg.tensor([2.0, 3.0], requires_grad=True)
    ...     y = x.clone()
    ...     z = y.sin().sum()
    ...     _ = y.zero_()
    ...     z.backward()
    >>> x.grad
    tensor([-0.4161, -0.9900])
    """
    if state.here.before_write is not None:
        raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
    context = MutationContext()
    with saved_tensors_hooks(context.pack, context.unpack):
        state.here.before_write = context.before_write
        try:
            yield context
        finally:
            state.here.before_write = None
            context.clear()
