"""Comparing graphs by their shape: which operations there are and what feeds what.

Names of variables, values and the way the code was written play no part. Only public doors of a
graph are used, `grad_fn`, `name()` and `next_functions`, so graphs of PyTorch compare too.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

LEAF = "AccumulateGrad"
# For these the order of the operands makes no difference to a reader of the picture.
_SYMMETRIC = ("AddBackward0", "MulBackward0")


@dataclass(frozen=True)
class Shape:
    """A graph as numbers: `kinds[i]` is the name of node i, `feeds[i]` the nodes that feed it.

    Node 0 is the root. A leaf that asks for gradients is a node; a number, or a tensor that does
    not ask, is an operand without a node and is left out.
    """

    kinds: tuple[str, ...]
    feeds: tuple[tuple[int, ...], ...]

    def count(self, kind: str) -> int:
        return self.kinds.count(kind)


def shape_of(tensor: Any) -> Shape:
    """Read the shape of the recorded graph that ends in `tensor`.

    Raises `ValueError` when nothing was recorded.
    """
    if tensor.grad_fn is None:
        raise ValueError("this tensor has no grad_fn, so there is no graph to read")
    found = [tensor.grad_fn]
    numbers = {tensor.grad_fn: 0}
    feeds = []
    for node in found:  # grows while it is read: every node is visited once
        operands = [operand for operand, _ in node.next_functions if operand is not None]
        for operand in operands:
            if operand not in numbers:
                numbers[operand] = len(found)
                found.append(operand)
        feeds.append(tuple(numbers[operand] for operand in operands))
    return Shape(tuple(_kind(node) for node in found), tuple(feeds))


def leaves_behind(tensor: Any) -> Iterator[Any]:
    """The leaves to which recorded roads lead, once for each road."""
    waiting = [tensor.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None:
            if hasattr(node, "variable"):
                yield node.variable
            waiting += [further for further, _place in node.next_functions]


def _kind(node: Any) -> str:
    return node.name().rpartition("::")[2]


def same_shape(one: Shape, other: Shape) -> bool:
    """True when a renumbering of the nodes makes the graphs equal.

    >>> chain = Shape(("MulBackward0", "AddBackward0", "AccumulateGrad"), ((1, 2), (2,), ()))
    >>> turned = Shape(("MulBackward0", "AccumulateGrad", "AddBackward0"), ((2, 1), (), (1,)))
    >>> same_shape(chain, turned)
    True
    """
    if Counter(one.kinds) != Counter(other.kinds):
        return False
    # Pairs of nodes that have to be the same node; both orders of symmetric operands are tried.
    branches = [({0: 0}, [(0, 0)])]
    while branches:
        twin, open_pairs = branches.pop()
        if not open_pairs:
            return True
        (mine, yours), *rest = open_pairs
        if one.kinds[mine] != other.kinds[yours]:
            continue
        for operands in _orders(other, yours):
            branch = _pair_up(one.feeds[mine], operands, twin)
            if branch is not None:
                fresh = [pair for pair in branch.items() if pair[0] not in twin]
                branches.append((branch, rest + fresh))
    return False


def _orders(shape: Shape, node: int) -> list[tuple[int, ...]]:
    operands = shape.feeds[node]
    turned = operands[::-1]
    both = shape.kinds[node] in _SYMMETRIC and turned != operands
    return [operands, turned] if both else [operands]


def _pair_up(mine: tuple[int, ...], yours: tuple[int, ...], twin: dict) -> dict | None:
    """Extend the one-to-one pairing by these operands; None when they contradict it."""
    if len(mine) != len(yours):
        return None
    twin = dict(twin)
    for a, b in zip(mine, yours, strict=True):
        if twin.get(a, b) != b or (a not in twin and b in twin.values()):
            return None
        twin[a] = b
    return twin
