"""Saved values: what a node keeps for its derivative, and the check that nobody changed it since.

An **input** is kept as the tensor itself: it comes back as the same object. An **output** is kept
as its raw value, because a node that held its own result would be a reference cycle. A **number**
is kept as it is.

Each saved tensor is good for one version. The version counter is shared by a tensor, its views and
its ``detach()``, and every in-place write adds one; the derivative compares before it uses the
value. A tensor in ``Node.saved`` stands for version 0, which nearly all are; :class:`SavedInput`
adds the number for the others.
"""

from __future__ import annotations

import re

from numpy import ndarray

from ..messages import message
from ..tensor import Tensor, wrap
from .around import Around, notes
from .node import Freed, Saved, already_freed, edge_to
from .version import VersionCounter


class SavedInput(Saved):
    """An input that had already been written to when it was saved, as a learned weight has."""

    __slots__ = ("kept", "version", "__weakref__")

    def __init__(self, tensor):
        self.kept = tensor
        self.version = tensor._counter.value
        tensor._counter.check("inference-saved")

    def raw(self, node):
        if self.kept._counter.value != self.version:
            raise stale(self.kept, self.kept._counter, self.version, node)
        return self.kept._value

    def tensor(self, node):
        self.raw(node)
        return self.kept


class SavedSeveral(Saved):
    """Several inputs under one name, such as the indices of ``x[i, j]``; any may be None."""

    __slots__ = ("kept",)

    def __init__(self, kept):
        self.kept = tuple(kept)

    def tensor(self, node):
        return tuple([unpacked(kept, node, recorded=True) for kept in self.kept])

    def raw(self, node):
        return tuple([unpacked(kept, node, recorded=False) for kept in self.kept])


class SavedOutput(Saved):
    """A result of the node itself: its raw value, and the counter of the memory it lives in."""

    __slots__ = ("value", "counter", "version", "number")

    def __init__(self, tensor, number: int = 0):
        self.number = number
        self.value = tensor._value
        self.counter = tensor._version_counter()
        self.version = self.counter.value

    def result_moved(self, result, number: int) -> None:
        if number == self.number:
            self.value = result._value

    def raw(self, node):
        if self.counter.value != self.version:
            raise stale(self.tensor_of(node), self.counter, self.version, node)
        return self.value

    def tensor(self, node):
        self.raw(node)
        return self.tensor_of(node)

    def tensor_of(self, node):
        """An equal tensor with the same history; the node does not hold the object itself."""
        result = wrap(self.value)
        result._edge = edge_to(node, self.number)
        result._counter = self.counter
        return result


def unpacked(kept, node, recorded: bool):
    """A saved value, checked against its version: a Tensor when ``recorded``, else raw."""
    if kept.__class__ is Tensor or isinstance(kept, Tensor):
        if kept._counter is not None and kept._counter.value:
            raise stale(kept, kept._counter, 0, node)
        if recorded:
            return kept
        value = kept._value  # without dims as a scalar, since those are faster
        return value[()] if value.__class__ is ndarray and not value.ndim else value
    if kept.__class__ is Freed:  # it stands there for all that the node kept
        raise already_freed(node, kept)
    if isinstance(kept, Saved):
        return kept.tensor(node) if recorded else kept.raw(node)
    return kept


def stale(tensor, counter: VersionCounter, expected: int, node) -> RuntimeError:
    """The famous error: a value that the derivative of ``node`` needs was changed in place."""
    maker = tensor.grad_fn
    maker = f", which is output {tensor._edge.number} of {short_name(maker)}," if maker else ""
    told = message(
        "stale",
        type=tensor.dtype.legacy_name,
        shape=list(tensor.shape),
        made_by=maker,
        version=counter.value,
        expected=expected,
        hint=message("stale-in-anomaly-mode" if Around.anomaly is not None else "stale-hint"),
    )
    return notes.stale(RuntimeError(told), tensor, node, expected, counter)


def short_name(node) -> str:
    """``Exp`` for ``ExpBackward0``, ``Max1`` for ``MaxBackward1``, as in PyTorch's messages."""
    return re.sub(r"Backward0?(?=\d*$)", "", node.name())
