"""The nodes of a graph by their public doors, so that one of PyTorch is walked in the same way."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable
from typing import Any

MOST_NODES = 20_000  #: so many are looked at
SAME_VALUES = {"T", "Transpose", "View", "Reshape", "Unsqueeze", "Squeeze", "Permute", "Expand"}


def next_of(node: Any) -> list[Any]:
    """The nodes that the gradients of a node go to."""
    return [after for after, _number in node.next_functions if after is not None]


def reached(
    starts: Iterable[Any], further: Callable[[Any], Iterable[Any]] = next_of, most: float = math.inf
) -> list[Any]:
    """Some nodes, and all that they lead to ``further`` on, each once, nearest first."""
    waiting = list(dict.fromkeys(starts))
    seen = set(waiting)
    for node in waiting:  # the list grows while it is walked
        for after in further(node):
            if after not in seen and len(seen) < most:
                seen.add(after)
                waiting.append(after)
    return waiting


def nodes_behind(y: Any) -> list[Any]:
    """The nodes a gradient of ``y`` can reach, nearest first."""
    return [] if y.grad_fn is None else reached([y.grad_fn], most=MOST_NODES)


def fills_a_leaf(node: Any) -> bool:
    """Whether a node adds to ``.grad``; the context of a custom function may have any attribute."""
    return type(node).__name__ == "AccumulateGrad"


def is_end(node: Any, x: Any) -> bool:
    """Whether a gradient that comes to a node has arrived at ``x``."""
    return node is x.grad_fn if x.grad_fn is not None else getattr(node, "variable", None) is x


def leading_to(y: Any, x: Any) -> set[Any]:
    """The nodes behind ``y`` from which a gradient can reach ``x``."""
    nodes, users = reached([y.grad_fn]), {}
    for node in nodes:
        for after in next_of(node):
            users.setdefault(after, []).append(node)
    return {*reached((n for n in nodes if is_end(n, x)), lambda node: users.get(node, ()))}


def leaves_behind(loss: Any) -> list[Any]:
    """The leaves that ``loss.backward()`` fills."""
    return [loss] if loss.grad_fn is None else leaves_of(loss.grad_fn)


def leaves_of(node: Any) -> list[Any]:
    """The leaves that a gradient of what a node made comes to."""
    return [each.variable for each in reached([node]) if fills_a_leaf(each)]


def kind_of(node: Any) -> str:
    """``Div`` of ``DivBackward0``; empty where there is no node."""
    return "" if node is None else node.name().rpartition("::")[2].partition("Backward")[0]


def saved(node: Any, slot: str) -> Any:
    """A tensor that a node saved; None where it cannot be read, or where that runs own code."""
    raw, kept = getattr(node, f"_raw_saved_{slot}", None), getattr(node, "saved", None)
    own = kept if isinstance(kept, tuple | list) else ()  # nodes of PyTorch do not show it
    if getattr(raw, "unpack_hook", None) or any(hasattr(each, "unpack") for each in own):
        return None
    if getattr(node, "is_freed", False):  # no need for the error, which is slow: it gets a note
        return None
    try:
        value = getattr(node, f"_saved_{slot}", None)
    except RuntimeError:  # freed, or changed in place since
        return None
    return value if hasattr(type(value), "grad_fn") else None


def is_custom(node: Any) -> bool:
    """Whether a custom function made a node; its type tells, as a freed node would raise."""
    return hasattr(type(node), "saved_tensors")


def dimension(saved: int) -> int:
    """A dimension as it was written: nodes show -1 as PyTorch does."""
    return saved - 2**64 if saved >= 2**63 else saved


def dimensions(node: Any) -> list[int]:
    """The dimensions that an operation runs over, as they were written; none where over all."""
    dims = getattr(node, "_saved_dim", None)
    several = dims if isinstance(dims, tuple | list) else [] if dims is None else [dims]
    return [*map(dimension, several)]


def dim_of(node: Any) -> int | None:
    """The one dimension that a softmax runs over; None of other operations."""
    return next(iter(dimensions(node)), None)


def clamped(node: Any) -> tuple[float | None, float | None] | None:
    """Between which numbers a clamp keeps its results; None for tensors, which a pass frees."""
    return (node._saved_min, node._saved_max) if node.name() == "ClampBackward1" else None


def leaf_of(node: Any, through: Collection[str] = SAME_VALUES) -> Any:
    """The leaf whose values a node passes on; None where it is a result."""
    while node is not None and kind_of(node) in through:
        node = node.next_functions[0][0]
    return node.variable if node is not None and fills_a_leaf(node) else None


def is_all_0(value: Any) -> bool:
    """Whether a tensor is 0 everywhere."""
    return value.is_floating_point() and value.numel() > 0 and not bool(value.detach().any())
