"""Edges of the graph in place of tensors: a pass begins or ends there without the tensor."""

from __future__ import annotations

from ..autograd.node import GradientEdge
from ..tensor import Tensor, gradient_edge


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
