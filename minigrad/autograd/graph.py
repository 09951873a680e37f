"""The backward graph, as a program sees it: nodes, edges, and those who watch the recording.

The nodes themselves are in :mod:`.node`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable

from .handle import RemovableHandle
from .node import GradientEdge, Node
from .thread_state import state

ON_FIRST_USE = {  # what few programs need, and the module it is in
    "allow_mutation_on_saved_tensors": "allow_mutation",
    "disable_saved_tensors_hooks": "saved_hooks",
    "get_gradient_edge": "gradient_edges",
    "increment_version": "increment_version",
    "register_multi_grad_hook": "multi_grad",
    "save_on_cpu": "saved_hooks",
    "saved_tensors_hooks": "saved_hooks",
}

__all__ = ["GradientEdge", "Node", "RemovableHandle", "observing", *ON_FIRST_USE]


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


def __getattr__(name: str):
    """Load what few programs need on first use."""
    if name in ON_FIRST_USE:
        return getattr(importlib.import_module(f"minigrad.extras.{ON_FIRST_USE[name]}"), name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
