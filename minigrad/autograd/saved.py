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

from . import notes

FREED_MESSAGE = (
    "Trying to backward through the graph a second time (or directly access saved tensors after "
    "they have already been freed). Saved intermediate values of the graph are freed when you call "
    ".backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the "
    "graph a second time or if you need to access saved tensors after calling backward."
)


class VersionCounter:
    """Counts the in-place writes to one piece of memory.

    It remembers where the last few came from (a :data:`~.reader.Place`, or None where that is
    unknown), for the note on the error when a derivative needed the old value.
    """

    __slots__ = ("value", "writers")

    def __init__(self) -> None:
        self.value = 0
        self.writers: tuple = ()

    def wrote(self, place: tuple | None) -> None:
        """Count a write that the reader's program made at ``place``."""
        self.value += 1
        self.writers = (*self.writers[-7:], place)


class Freed:
    """Stands for saved values that a backward pass let go of, and knows which line ran it."""

    __slots__ = ("place",)

    def __init__(self, place: tuple | None):
        self.place = place


def unchanged(tensor, node):
    """A tensor that was saved at version 0, if it still is; else the famous error."""
    counter = tensor._counter
    if counter is not None and counter.value:
        raise stale(tensor, counter, 0, node)
    return tensor


class Saved:
    """What a node keeps in place of a tensor: ``tensor`` and ``raw`` give the value back."""

    __slots__ = ()


class SavedInput(Saved):
    """An input that had already been written to when it was saved."""

    __slots__ = ("kept", "version")

    def __init__(self, tensor):
        self.kept = tensor
        self.version = tensor._counter.value
        if self.version < 0:
            from .inference import NOT_SAVED

            raise RuntimeError(NOT_SAVED)

    def tensor(self, node):
        counter = self.kept._counter
        if counter.value != self.version:
            raise stale(self.kept, counter, self.version, node)
        return self.kept

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

    def raw(self, node):
        if self.counter.value != self.version:
            raise stale(self.tensor_of(node), self.counter, self.version, node)
        return self.value

    def tensor(self, node):
        self.raw(node)
        return self.tensor_of(node)

    def tensor_of(self, node):
        """An equal tensor with the same history; the node does not hold the object itself."""
        from ..tensor import wrap
        from .graph import edge_to

        result = wrap(self.value)
        result._edge = edge_to(node, self.number)
        result._counter = self.counter
        return result


def stale(tensor, counter: VersionCounter, expected: int, node) -> RuntimeError:
    """The famous error: a value that the derivative of ``node`` needs was changed in place."""
    from .anomaly_mode import is_anomaly_enabled

    maker = tensor.grad_fn
    made_by = f", which is output {tensor._edge.number} of {short_name(maker)}," if maker else ""
    if is_anomaly_enabled():
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
