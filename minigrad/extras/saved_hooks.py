"""Saved-tensor hooks: what the graph keeps for its derivatives may be kept in another form.

A pair of functions stands between a node and its saved tensors: ``pack`` turns a tensor into
anything at all when it is saved, ``unpack`` turns that into a tensor again when the derivative (or
a reader of ``_saved_self``) asks for it. What was packed is no longer compared with its version.
Source: https://docs.pytorch.org/docs/2.13/autograd.html#torch.autograd.graph.saved_tensors_hooks
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..autograd.grad_mode import no_grad
from ..autograd.node import edge_to
from ..autograd.saved import Saved, SavedInput, SavedOutput, SavedSeveral
from ..autograd.thread_state import state
from ..messages import message
from ..tensor import Tensor, gradient_edge, wrap


class _Pairs(threading.local):
    """The pairs of hooks that are active in this thread, innermost last."""

    active: tuple[tuple[Callable, Callable], ...] = ()
    refusal: str | None = None


_pairs = _Pairs()


class saved_tensors_hooks:
    """Pack what is saved inside the ``with`` statement, and unpack it when it is needed.

    Only the innermost pair counts. A result is handed to ``pack_hook`` with its history: return
    ``tensor.detach()`` rather than the tensor itself, or the graph becomes a reference cycle.

    Args:
        pack_hook: gets the tensor to save; what it returns is kept.
        unpack_hook: gets what was kept; returns a tensor with the same values.

    Raises:
        RuntimeError: hooks are disabled here, or ``pack_hook`` changes its argument in place.
        TypeError: ``unpack_hook`` returns something that is not a tensor.

    >>> import minigrad as mg
    >>> x = mg.tensor(3.0, requires_grad=True)
    >>> with mg.autograd.graph.saved_tensors_hooks(lambda t: t.item(), lambda v: mg.tensor(v)):
    ...     y = x.exp()
    >>> y.grad_fn._saved_result
    tensor(20.0855, grad_fn=<ExpBackward0>)
    """

    def __init__(self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]):
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self) -> None:
        if _pairs.refusal is not None:
            raise RuntimeError(_pairs.refusal)
        if not _pairs.active:
            state.here.watch(pack_saved)
        _pairs.active += ((self.pack_hook, self.unpack_hook),)

    def __exit__(self, *exception: object) -> None:
        _pairs.active = _pairs.active[:-1]
        if not _pairs.active:
            state.here.unwatch(pack_saved)


class save_on_cpu(saved_tensors_hooks):
    """Keep saved tensors on the CPU, where all of them are already.

    So nothing is gained. As in PyTorch, nothing is copied either, and what was packed is not
    compared with its version: a write to it after it was saved gives a wrong gradient silently.

    >>> import minigrad as mg
    >>> x = mg.tensor(3.0, requires_grad=True)
    >>> with mg.autograd.graph.save_on_cpu():
    ...     y = x * x
    >>> y.backward()
    >>> x.grad
    tensor(6.)
    """

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda"):
        super().__init__(lambda tensor: tensor.detach(), lambda kept: kept)


@contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Iterator[None]:
    """Refuse saved-tensor hooks inside, with this message.

    Raises:
        RuntimeError: ``error_message``, when hooks are active already or are asked for inside.

    >>> import minigrad as mg
    >>> with mg.autograd.graph.disable_saved_tensors_hooks("not here"):
    ...     mg.autograd.graph.save_on_cpu().__enter__()
    Traceback (most recent call last):
    RuntimeError: not here
    """
    if _pairs.active:
        raise RuntimeError(error_message)
    before, _pairs.refusal = _pairs.refusal, error_message
    try:
        yield
    finally:
        _pairs.refusal = before


def pack_saved(node: Any, inputs: tuple = (), output: Any = ()) -> None:
    """Pack what a new node has just saved."""
    if not _pairs.active:
        return
    pair = _pairs.active[-1]
    outputs = output if isinstance(output, list | tuple) else (output,)
    names = node.saved_names() or [""] * len(node.saved)
    saved = list(node.saved)
    # PyTorch packs inputs in the order of their names, then the result.
    for i in sorted(range(len(saved)), key=lambda i: (names[i] == "result", names[i])):
        saved[i] = _packed_on_saving(saved[i], outputs, pair)
    node.saved = tuple(saved)


def _packed_on_saving(kept: Any, outputs: tuple, pair: tuple) -> Any:
    """A new saved value behind hooks; they get the very tensor that was saved."""
    if not isinstance(kept, Tensor | Saved):
        return kept
    if isinstance(kept, SavedSeveral):
        return SavedSeveral([_packed_on_saving(k, outputs, pair) for k in kept.kept])
    tensor = outputs[kept.number] if isinstance(kept, SavedOutput) else _input(kept)
    return Packed(tensor, kept, pair)


def pack(kept: Any, pair: tuple[Callable, Callable]) -> Packed:
    """Put hooks on a value that a node has kept for a while; they get it without its history."""
    if isinstance(kept, Packed):
        raise RuntimeError(
            "Calling register_hooks on a saved tensor whose hooks have already been set. Hint: "
            "only one pair of hooks is allowed at a time."
        )
    if kept is None:
        raise RuntimeError("Calling register_hooks on a saved tensor with value None is forbidden")
    tensor = wrap(kept.value) if isinstance(kept, SavedOutput) else _input(kept).detach()
    return Packed(tensor, kept, pair)


def _input(kept: Tensor | SavedInput) -> Tensor:
    return kept.kept if isinstance(kept, SavedInput) else kept


class Packed(Saved):
    """What a pack hook made of a saved tensor, and what it takes to make the tensor again."""

    __slots__ = ("packed", "unpack", "edge", "leaf", "number")

    def __init__(self, tensor: Tensor, kept: Any, pair: tuple[Callable, Callable]):
        pack_hook, self.unpack = pair
        self.number = kept.number if isinstance(kept, SavedOutput) else None
        source = None if self.number is not None else _input(kept)
        self.edge = None if source is None else gradient_edge(source)
        self.leaf = source is not None and source.is_leaf
        version = tensor._version
        with no_grad():
            self.packed = pack_hook(tensor)
        if tensor._version != version:
            raise RuntimeError(
                "A saved tensor pack hook is modifying its input in place. Tensors provided as "
                "input to pack hook cannot be modified by in-place operations as this can lead to "
                "unexpected side-effects. Please open an issue if you need to perform in-place "
                "operations on the input to a pack hook."
            )

    def unpacked(self) -> Tensor:
        """What the unpack hook gives back."""
        value = self.unpack(self.packed)
        if not isinstance(value, Tensor):
            raise TypeError(
                "Output of saved tensor unpack_hook expected to be a Tensor but got result of type "
                f"{type(value).__name__}"
            )
        return value

    def raw(self, node: Any) -> Any:
        return self.unpacked()._value

    def tensor(self, node: Any) -> Tensor:
        """The unpacked value with the history of what was saved."""
        value = self.unpacked()
        edge = self.edge if self.number is None else edge_to(node, self.number)
        if edge is None and not value.requires_grad:
            return value
        result = value.detach()
        if edge is not None and self.leaf:  # it accumulates where the saved leaf does
            meta = result._autograd_meta()
            meta.requires_grad, meta.accumulator = True, weakref.ref(edge.node)
        else:
            result._edge = edge
        return result


class SavedTensor:
    """What ``grad_fn._raw_saved_self`` gives: takes a pair of hooks for one saved value."""

    def __init__(self, node: Any, position: int):
        self._node = node
        self._position = position

    def register_hooks(self, pack_hook: Callable, unpack_hook: Callable) -> None:
        """Keep ``pack_hook(value)``; ``unpack_hook`` makes the value again in backward."""
        node, i = self._node, self._position
        if node.is_freed:
            raise RuntimeError(message("freed-hooks"))
        kept = pack(node.saved[i], (pack_hook, unpack_hook))
        node.saved = (*node.saved[:i], kept, *node.saved[i + 1 :])
