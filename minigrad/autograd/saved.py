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

from ..tensor import Tensor, wrap
from .around import Around, notes
from .node import Freed, Saved, edge_to
from .version import NOT_SAVED, VersionCounter

FREED_MESSAGE = (
    "Trying to backward through the graph a second time (or directly access saved tensors after "
    "they have already been freed). Saved intermediate values of the graph are freed when you call "
    ".backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the "
    "graph a second time or if you need to access saved tensors after calling backward."
)


def unchanged(tensor, node, version: int = 0, times_reshaped: int = 0):
    """A tensor that was saved at this version, if it still is; else the famous error."""
    counter = tensor._counter
    if counter is not None and counter.value != version:
        raise stale(tensor, counter, version, node)
    if reshaped(tensor) != times_reshaped:
        raise RuntimeError(
            f"a tensor that {node.name()} saved for its derivative was assigned .data of another "
            f"shape, {list(tensor.shape)}, after it was saved"
        )
    return tensor


def reshaped(tensor) -> int:
    """How often the ``.data`` of a tensor was assigned a value of another shape."""
    return 0 if tensor._meta is None else tensor._meta.reshaped


class SavedInput(Saved):
    """An input that had already been written to, or given another shape, when it was saved."""

    __slots__ = ("kept", "version", "reshaped")

    def __init__(self, tensor):
        self.kept = tensor
        self.version = tensor._counter.value
        self.reshaped = reshaped(tensor)
        if self.version < 0:
            raise RuntimeError(NOT_SAVED)

    def tensor(self, node):
        return unchanged(self.kept, node, self.version, self.reshaped)

    def raw(self, node):
        return self.tensor(node)._value


class SavedSeveral(Saved):
    """Several inputs under one name, such as the indices of ``x[i, j]``; any may be None."""

    __slots__ = ("kept",)

    def __init__(self, kept):
        self.kept = tuple(kept)

    def tensor(self, node):
        return tuple(
            [
                k.tensor(node) if isinstance(k, Saved) else k if k is None else unchanged(k, node)
                for k in self.kept
            ]
        )

    def raw(self, node):
        return tuple([tensor if tensor is None else tensor._value for tensor in self.tensor(node)])


class SavedOutput(Saved):
    """A result of the node itself: its raw value, and the counter of the memory it lives in."""

    __slots__ = ("value", "counter", "version", "number")

    def __init__(self, tensor, number: int = 0):
        self.number = number
        self.keep(tensor)

    def keep(self, tensor) -> None:
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
        if kept._counter is not None:
            unchanged(kept, node)
        return kept if recorded else kept._value
    if isinstance(kept, Saved):
        return kept.tensor(node) if recorded else kept.raw(node)
    return kept


def stale(tensor, counter: VersionCounter, expected: int, node) -> RuntimeError:
    """The famous error: a value that the derivative of ``node`` needs was changed in place."""
    maker = tensor.grad_fn
    made_by = f", which is output {tensor._edge.number} of {short_name(maker)}," if maker else ""
    if Around.anomaly is not None:
        hint = (
            "the backtrace further above shows the operation that failed to compute its gradient. "
            "The variable in question was changed in there or anywhere later. Good luck!"
        )
    else:
        hint = (
            "enable anomaly detection to find the operation that failed to compute its gradient, "
            "with torch.autograd.set_detect_anomaly(True, check_nan=False)."
        )
    error = RuntimeError(
        "one of the variables needed for gradient computation has been modified by an inplace "
        f"operation: [torch.{tensor.dtype.legacy_name} {list(tensor.shape)}]{made_by} is at "
        f"version {counter.value}; expected version {expected} instead. Hint: {hint}"
    )
    return notes.stale(error, tensor, node, expected, counter)


def already_freed(node, freed: Freed) -> RuntimeError:
    """The error of a derivative whose saved values an earlier pass let go of."""
    return notes.freed(RuntimeError(FREED_MESSAGE), node, freed)


def short_name(node) -> str:
    """``Exp`` for ``ExpBackward0``, ``Max1`` for ``MaxBackward1``, as in PyTorch's messages."""
    return re.sub(r"Backward0?(?=\d*$)", "", node.name())
