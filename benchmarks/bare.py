"""The least that an engine in Python costs: values, nodes, a heap, and nothing else.

It has no views, writes in place, versions, hooks, threads, grad modes, dtypes, messages or higher
derivatives. It is nobody's peer: what minigrad takes beyond it is what all of these cost.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any

import numpy as np
from numpy import ndarray

created = itertools.count().__next__


class Leaf:
    """Where a path ends: the gradient that arrives stays here."""

    __slots__ = ("gradient",)
    edges = ()

    def __init__(self) -> None:
        self.gradient = None


class Node:
    """One operation: the nodes of its operands, and the gradients it sends them."""

    __slots__ = ("edges", "send", "sequence")

    def __init__(self, edges: tuple, send: Callable[[Any], tuple]):
        self.edges = edges
        self.send = send
        self.sequence = created()


class Place:
    """The gradient of one element of a vector."""

    __slots__ = ("i", "g", "like")

    def __init__(self, i: int, g: Any, like: ndarray):
        self.i = i
        self.g = g
        self.like = like


class Value:
    """A number or an array, and the node it comes from."""

    __slots__ = ("value", "node")

    def __init__(self, value: Any, node: Leaf | Node | None = None):
        self.value = value
        self.node = node

    def __add__(self, other):
        x = self.value
        if other.__class__ is not Value:
            return Value(x + other, Node((self.node,), lambda g: (g,)))
        y = other.value
        send = both_as_they_are if x.shape == y.shape else lambda g: (fit(g, x), fit(g, y))
        return Value(x + y, Node((self.node, other.node), send))

    __radd__ = __add__

    def __sub__(self, other):
        return Value(self.value - other.value, Node((self.node, other.node), lambda g: (g, -g)))

    def __mul__(self, other):
        x = self.value
        if other.__class__ is not Value:
            return Value(x * other, Node((self.node,), lambda g: (g * other,)))
        y = other.value
        if x.shape == y.shape:
            return Value(x * y, Node((self.node, other.node), lambda g: (g * y, g * x)))
        edges = self.node, other.node
        return Value(x * y, Node(edges, lambda g: (fit(g * y, x), fit(g * x, y))))

    __rmul__ = __mul__

    def __matmul__(self, other):
        x, y, needed = self.value, other.value, self.node is not None
        edges = self.node, other.node
        return Value(x @ y, Node(edges, lambda g: (g @ y.T if needed else None, x.T @ g)))

    def __getitem__(self, i: int):
        x = self.value
        return Value(x[i], Node((self.node,), lambda g: (Place(i, g, x),)))


def both_as_they_are(g) -> tuple:
    """The gradients of a sum of two."""
    return g, g


def fit(g, x):
    """A gradient summed over the dims that broadcasting added to ``x``."""
    leading = g.ndim - x.ndim
    dims = [i for i, n in enumerate(g.shape) if i < leading or x.shape[i - leading] != n]
    return np.add.reduce(g, tuple(dims)).reshape(x.shape)


def elementwise(function: Callable, slope: Callable) -> Callable[[Value], Value]:
    """A function of every element; ``slope`` is its derivative, of operand and result."""

    def operation(value: Value) -> Value:
        x = value.value
        y = function(x)
        return Value(y, Node((value.node,), lambda g: (g * slope(x, y),)))

    return operation


exp = elementwise(np.exp, lambda x, y: y)
sin = elementwise(np.sin, lambda x, y: np.cos(x))
tanh = elementwise(np.tanh, lambda x, y: 1 - y * y)
relu = elementwise(lambda x: np.maximum(x, 0), lambda x, y: y > 0)


def sum(value: Value, dim: int | None = None) -> Value:
    """The sum of all elements, or over a dim."""
    return shrunk(value, dim, 1)


def mean(value: Value, dim: int | None = None) -> Value:
    """The mean of all elements, or over a dim."""
    x = value.value
    return shrunk(value, dim, x.size if dim is None else x.shape[dim])


def shrunk(value: Value, dim: int | None, count: int) -> Value:
    """The sum divided by a count."""
    x = value.value

    def send(g) -> tuple:
        share = g if count == 1 else g / count
        return (np.broadcast_to(share if dim is None else np.expand_dims(share, dim), x.shape),)

    total = np.add.reduce(x, dim)
    return Value(total if count == 1 else total / count, Node((value.node,), send))


def cross_entropy(logits: Value, labels: ndarray) -> Value:
    """The mean of minus the log-probabilities of the labels."""
    x, rows = logits.value, np.arange(len(labels))
    y = x - x.max(1, keepdims=True)
    powers = np.exp(y)
    sums = powers.sum(1, keepdims=True)

    def send(g) -> tuple:
        d = powers / sums
        d[rows, labels] -= 1
        d *= g / len(labels)
        return (d,)

    loss = (np.log(sums[:, 0]) - y[rows, labels]).mean()
    return Value(loss, Node((logits.node,), send))


def backward(result: Value) -> None:
    """Send gradients from a number back to the leaves."""
    root = result.node
    waits, found = {root: 0}, [root]
    for node in found:  # it grows while we walk it
        for edge in node.edges:
            if edge in waits:
                waits[edge] += 1
            elif edge is not None:
                waits[edge] = 1
                found.append(edge)
    ready, buffers = [(-root.sequence, root)], {root: np.float32(1)}
    while ready:
        node = heappop(ready)[1]
        for edge, g in zip(node.edges, node.send(buffers.pop(node))):
            if edge is None:
                continue
            waits[edge] -= 1
            if g.__class__ is Place:
                if edge not in buffers:
                    buffers[edge] = np.zeros_like(g.like)
                buffers[edge][g.i] += g.g
            else:
                buffers[edge] = buffers[edge] + g if edge in buffers else g
            if waits[edge]:
                continue
            if edge.__class__ is Leaf:
                edge.gradient = buffers.pop(edge)
            else:
                heappush(ready, (-edge.sequence, edge))
