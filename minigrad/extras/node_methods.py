"""What few programs ask of a node; the engine does without."""

from __future__ import annotations

from typing import Any

from ..autograd.node import Node


def __call__(self: Node, *grads: Any) -> Any:  # noqa: N807
    """Run the node by hand: the gradients of its operands, before broadcasting is undone.

    >>> import minigrad as mg
    >>> x = mg.tensor(2.0, requires_grad=True)
    >>> (x * 3).grad_fn(mg.tensor(1.0))
    (tensor(3.), None)
    """
    if len(grads) != self.outputs:
        raise TypeError(f"expected {self.outputs} arguments, got {len(grads)} instead")
    g = grads[0] if self.outputs == 1 else list(grads)
    answers = tuple([answer for _, answer in self.differentiate(g, True, None)])
    return answers[0] if len(answers) == 1 else answers


def metadata(self: Node) -> dict:
    """A dict for the program's own notes about this node."""
    return self._extras().metadata


def _sequence_nr(self: Node) -> int:
    """The creation number."""
    return self.sequence


Node.__call__ = __call__
Node.metadata = property(metadata)
Node.requires_grad = True
Node._sequence_nr = _sequence_nr
for method in (__call__, _sequence_nr):
    method.__qualname__ = f"Node.{method.__name__}"
