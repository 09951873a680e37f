"""Entries: where the variable of a transform, or a dual tensor, enters the graph.

``func.grad(f)(x)`` and ``forward_ad.make_dual(x, t)`` differentiate with respect to *this use* of
``x``, and ``x`` may have a history of its own. So the function gets another tensor with the same
memory, behind an :class:`Entry`: a node that the gradient with respect to the variable is taken at,
and through which gradients travel on into the history of ``x``. Transforms nest because each makes
entries of its own, and the graph between them is an ordinary one.

When a transform is over its entries close, and :func:`without_closed` takes away a history that
leads to closed entries alone: nobody can ask for that gradient any more.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Sequence

from ..autograd.backward import grad
from ..autograd.grad_mode import enable_grad
from ..autograd.node import AccumulateGrad, GradientEdge, Node, PlainNode
from ..tensor import Tensor, gradient_edge, made_by
from .factories import zeros_like
from .once_differentiable import NotAgain


class Entry(PlainNode):
    """Passes a gradient on to the tensor that the variable stands for, if that one wants it."""

    __slots__ = ("is_open", "__weakref__")

    def __init__(self, tensor: Tensor):
        super().__init__((gradient_edge(tensor),))
        self.is_open = True

    def vjp(self, g, recorded):
        return (g,)

    def leaf(self, tensor: Tensor) -> Tensor:
        """The variable as a leaf with the memory of ``tensor``: it may not be written to."""
        variable = tensor.detach().requires_grad_()
        variable._meta.accumulator = weakref.ref(self)
        return variable

    def result(self, tensor: Tensor) -> Tensor:
        """The variable as the result of an operation, which may be written to."""
        variable = made_by(self, tensor._array())
        variable._counter = tensor._version_counter()
        return variable


def without_closed(tensor: Tensor) -> Tensor:
    """``tensor``, detached if its history leads to no leaf and to no open entry."""
    return detached_unless(tensor, lambda entry: entry.is_open)


def detached_unless(tensor: Tensor, is_wanted: Callable[[Entry], bool]) -> Tensor:
    """``tensor``, detached if its history leads to no leaf and to no entry that is wanted."""
    for node in nodes_before(tensor):
        if isinstance(node, AccumulateGrad) or isinstance(node, Entry) and is_wanted(node):
            return tensor
    return tensor.detach() if tensor.requires_grad else tensor


def nodes_before(tensor: Tensor, barrier: type | None = None) -> Iterator[Node]:
    """The nodes of the graph behind ``tensor``, each once; none beyond those of a ``barrier``."""
    edge = gradient_edge(tensor)
    stack = [edge.node] if edge is not None else []
    seen = set(stack)
    while stack:
        node = stack.pop()
        yield node
        if barrier is not None and isinstance(node, barrier):
            continue
        before = {edge.node for edge in node.edges if edge is not None} - seen
        seen |= before
        stack.extend(before)


Push = Callable[[Sequence[Tensor]], list[Tensor | None]]


def linearized(outputs: Sequence[Tensor], entries: Sequence[Entry]) -> Push:
    """The function t ↦ J·t, of one tangent for each entry, that the recorded graph describes.

    v·J is linear in v, so its own derivative with respect to v is J: one backward pass with a v
    that is asked for its gradient, and one more for each t. The answer has None for an output that
    does not depend on the entries. What comes out is recorded and can be differentiated again.
    """
    with enable_grad():
        used = [y for y in outputs if y.requires_grad]
        weights = [zeros_like(y, requires_grad=True) for y in used]
        if used:
            edges = [GradientEdge(entry, 0) for entry in entries]
            pulled = grad(used, edges, weights, create_graph=True, allow_unused=True)
            for v in pulled:
                if v is not None and any(isinstance(node, NotAgain) for node in nodes_before(v)):
                    raise RuntimeError(NotAgain.refusal)

    def push(tangents: Sequence[Tensor]) -> list[Tensor | None]:
        pairs = zip(pulled, tangents) if used else ()
        kept = [(g, t) for g, t in pairs if g is not None and g.requires_grad]
        if not kept:
            return [None] * len(outputs)
        with enable_grad():
            roots, seeds = zip(*kept)
            found = iter(grad(roots, weights, seeds, create_graph=True, allow_unused=True))
        return [next(found) if y.requires_grad else None for y in outputs]

    return push
