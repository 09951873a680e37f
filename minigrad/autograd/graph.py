"""The backward graph, as a program sees it: nodes, edges, and those who watch the recording.

The nodes themselves are in :mod:`.node`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable

from ..tensor import Tensor, gradient_edge
from . import caller
from .grad_mode import state
from .node import GradientEdge, Node, RemovableHandle

__all__ = [
    "GradientEdge", "Node", "RemovableHandle", "get_gradient_edge", "increment_version", "observing"
]  # fmt: skip


class observing:
    """Call ``observer(node, inputs, output)`` after each operation that this thread records inside.

    ``node`` is the new ``grad_fn``, ``inputs`` the operands as they were passed, ``output`` the new
    tensor (a list of tensors where the operation has several results).

    >>> import minigrad as mg
    >>> x = mg.tensor(2.0, requires_grad=True)
    >>> with observing(lambda node, inputs, output: print(node.name(), output.item())):
    ...     y = (x + 1) * x
    AddBackward0 3.0
    MulBackward0 6.0
    """

    def __init__(self, observer: Callable):
        self._observer = observer

    def __enter__(self) -> None:
        state.here.watch(self._observer)

    def __exit__(self, *exception: object) -> None:
        state.here.unwatch(self._observer)


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """The place in the graph that takes the gradient of ``tensor``.

    ``backward`` and ``grad`` accept it where they accept the tensor, which need not be kept.

    Raises:
        RuntimeError: the tensor does not require grad.

    >>> import minigrad as mg
    >>> x = mg.tensor(2.0, requires_grad=True)
    >>> y = x * x
    >>> edge = mg.autograd.graph.get_gradient_edge(y)
    >>> mg.autograd.grad(y * 3, edge)
    (tensor(3.),)
    """
    if not tensor.requires_grad:
        raise RuntimeError(
            "It is not possible to get the gradient edge for a Tensor that does not require "
            "gradients"
        )
    edge = gradient_edge(tensor)
    place = GradientEdge(edge.node, edge.number)
    place.spec = tensor.shape, tensor._value.dtype
    return place


def increment_version(tensor: Tensor | Iterable[Tensor]) -> None:
    """Count an in-place write that autograd was not told of, such as one through ``numpy()``.

    >>> import minigrad as mg
    >>> x = mg.ones(2)
    >>> mg.autograd.graph.increment_version(x)
    >>> x._version
    1
    """
    if not isinstance(tensor, Iterable):
        raise RuntimeError("increment_version expect a Iterable[Tensor] as input")
    for each in (tensor,) if isinstance(tensor, Tensor) else tensor:
        if not isinstance(each, Tensor):
            raise RuntimeError(
                "increment_version expects each element of the iterable to be a tensor"
            )
        each._version_counter().wrote(caller.place())


ON_FIRST_USE = {  # what few programs need, and the module it is in
    "allow_mutation_on_saved_tensors": "allow_mutation",
    "disable_saved_tensors_hooks": "saved_hooks",
    "register_multi_grad_hook": "multi_grad",
    "save_on_cpu": "saved_hooks",
    "saved_tensors_hooks": "saved_hooks",
}


def __getattr__(name: str):
    """Load what few programs need on first use."""
    if name in ON_FIRST_USE:
        return getattr(importlib.import_module(f"minigrad.extras.{ON_FIRST_USE[name]}"), name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
