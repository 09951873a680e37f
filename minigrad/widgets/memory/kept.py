"""Count what graphs keep: each tensor that a node saves is followed until it is let go.

The counting stands where every node hands over what it saves, at the saved-tensor hooks. So it is
right for checkpoints as well, and it costs nothing while nobody counts.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from typing import Any
from weakref import WeakSet

from ...language import _

BYTES = "The graph keeps {tensors}: {bytes:,} bytes."
NOTHING = "The graph keeps no tensor: 0 bytes."


def storage(tensor: Any) -> tuple[int, int]:
    """Where the memory of a tensor begins, and how many bytes it has; views share theirs."""
    if hasattr(tensor, "untyped_storage"):
        memory = tensor.untyped_storage()
        return memory.data_ptr(), memory.nbytes()
    array = owner(tensor)
    return array.__array_interface__["data"][0], array.nbytes


def owner(tensor: Any) -> Any:
    """The array whose memory a tensor of minigrad uses."""
    array = tensor.detach().numpy()
    while hasattr(array.base, "nbytes"):
        array = array.base
    return array


class Kept:
    """Stands in a node for a saved tensor; it goes when the node lets go of what it saved."""

    __slots__ = ("tensor", "storage", "__weakref__")

    def __init__(self, tensor: Any):
        self.tensor = tensor.detach()  # with its history a result would keep itself alive
        self.storage = storage(tensor)


class GraphMemory:
    """What the graphs keep that were made inside of a ``with`` block, at any time afterwards.

    ``bytes`` are those of different memories: what two nodes save, or a node saves twice, counts
    once. While a block is open, writes in place to what was saved inside are not noticed.
    """

    def __init__(self) -> None:
        self._kept: WeakSet[Kept] = WeakSet()
        self._hooks = ExitStack()

    def __enter__(self) -> GraphMemory:
        for engine in ("minigrad", "torch"):
            if sys.modules.get(engine) is not None:  # None stands for one that is kept out
                pair = sys.modules[engine].autograd.graph.saved_tensors_hooks
                self._hooks.enter_context(pair(self._pack, _unpack))
        return self

    def __exit__(self, *exception: object) -> None:
        self._hooks.close()

    def _pack(self, tensor: Any) -> Kept:
        kept = Kept(tensor)
        self._kept.add(kept)
        return kept

    @property
    def storages(self) -> dict[int, int]:
        """The bytes of each memory that is kept now, by where it begins."""
        return dict(kept.storage for kept in self._kept)

    @property
    def bytes(self) -> int:
        """How many bytes are kept now."""
        return sum(self.storages.values())

    @property
    def tensors(self) -> int:
        """How many different tensors are kept now."""
        return len(self.storages)

    def __repr__(self) -> str:
        if not self.tensors:
            return _(NOTHING)
        tensors = _("1 tensor") if self.tensors == 1 else _("{} tensors").format(self.tensors)
        return _(BYTES).format(tensors=tensors, bytes=self.bytes)


def _unpack(kept: Kept) -> Any:
    return kept.tensor


def graph_memory() -> GraphMemory:
    """Count what the graphs keep that are made inside of this ``with`` block.

    It counts tensors of minigrad and of PyTorch, until nodes let go of them.

    >>> import minigrad as mg
    >>> x = mg.ones(1000, requires_grad=True)
    >>> with graph_memory() as kept:
    ...     y = x.tanh().tanh()
    >>> kept
    The graph keeps 2 tensors: 8,000 bytes.
    >>> y.sum().backward()
    >>> kept.bytes
    0
    """
    return GraphMemory()
