"""Names for tensors: the reader's own variables, found in the frame that called.

A name is only looked up, never invented: what the reader did not name is called after the
operation that made it, ``×₁``, ``+₂``, in order of creation.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from types import FrameType
from typing import Any

PACKAGE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "")


def is_tensor(thing: Any) -> bool:
    """Whether a thing is a tensor of this package, or of one that shares its doors.

    The *type* is asked, because asking an unknown object for an attribute may run its code.

    >>> is_tensor(3)
    False
    """
    kind = type(thing)
    return all(hasattr(kind, door) for door in ("grad_fn", "requires_grad", "is_leaf", "detach"))


def callers_variables() -> dict[str, Any]:
    """The variables of the nearest frame outside this package, locals before globals."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and _inside(frame):
        frame = frame.f_back
    if frame is None:
        return {}
    variables = dict(frame.f_locals)
    for name, thing in frame.f_globals.items():
        variables.setdefault(name, thing)
    return variables


def _inside(frame: FrameType) -> bool:
    return frame.f_code.co_filename.startswith(PACKAGE)


def tensors_among(variables: Mapping[str, Any]) -> dict[str, Any]:
    """The tensors of a namespace that may name a part of a graph.

    Left out are names that start with ``_`` (a notebook's ``_12``), and views that were written
    to: reading ``grad_fn`` of such a view makes it a new node, so looking would change the graph.
    """
    return {
        name: thing
        for name, thing in variables.items()
        if not name.startswith("_") and is_tensor(thing) and not stale_view(thing)
    }


def stale_view(tensor: Any) -> bool:
    """Whether a tensor is a view of memory that was written to."""
    return bool(tensor._is_view() and tensor._version)


class Names:
    """Finds the name of a tensor by identity, or by the node and output number that made it."""

    def __init__(self, tensors: Mapping[str, Any]):
        self.tensors = dict(tensors)
        self._by_id: dict[int, str] = {}
        self._by_maker: dict[tuple[int, int], str] = {}
        for name, tensor in self.tensors.items():
            self._by_id.setdefault(id(tensor), name)
            maker = tensor.grad_fn
            if maker is not None:
                self._by_maker.setdefault((id(maker), tensor.output_nr), name)
        # An id is only good while its object lives.
        self._alive = [tensor.grad_fn for tensor in self.tensors.values()]

    @classmethod
    def of(cls, names: Mapping[str, Any] | None, variables: Mapping[str, Any]) -> Names:
        """Names as given by the reader, or else from ``variables``.

        Raises:
            TypeError: if ``names`` is not a mapping from names to tensors.
        """
        if names is None:
            return cls(tensors_among(variables))
        if not isinstance(names, Mapping):
            raise TypeError(f"names must be a dict such as {{'x': x}}, not {type(names).__name__}")
        for name, tensor in names.items():
            if not isinstance(name, str) or not is_tensor(tensor):
                raise TypeError(
                    "names must map names to tensors, such as {'x': x}; "
                    f"got {name!r}: {type(tensor).__name__}"
                )
        return cls(names)

    def of_tensor(self, tensor: Any) -> str | None:
        return self._by_id.get(id(tensor))

    def of_result(self, node: Any, output: int) -> str | None:
        return self._by_maker.get((id(node), output))

    def result(self, node: Any, output: int) -> Any | None:
        """The reader's tensor that this node made, if they still have it under a name."""
        name = self.of_result(node, output)
        return None if name is None else self.tensors[name]
