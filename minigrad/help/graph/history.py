"""The graph behind a tensor, looked at without touching it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...autograd.node import AccumulateGrad, Freed, Node
from ...autograd.saved import SavedInput, SavedOutput
from ...autograd.view_writes import CopySlices
from ...tensor import Tensor
from ..source import reader
from .nodes import leading_to


def nodes_behind(tensor: Tensor) -> list[Node]:
    """Every node that a gradient of ``tensor`` can reach, nearest first."""
    return list(paths_from(tensor))


def is_stale_view(tensor: Tensor) -> bool:
    """Whether reading ``grad_fn`` would make a new node: looking should change nothing."""
    return tensor._is_view() and tensor._meta.version != tensor._version


def paths_from(tensor: Tensor) -> dict[Node, Node | None]:
    """Every reachable node, with the node it was first reached from."""
    start = tensor.grad_fn if tensor.grad_fn is not None else accumulator(tensor)
    if start is None:
        return {}
    came: dict[Node, Node | None] = {start: None}
    waiting = [start]
    for node in waiting:  # the list grows while it is walked
        for edge in node.edges:
            if edge is not None and edge.node not in came:
                came[edge.node] = node
                waiting.append(edge.node)
    return came


def accumulator(leaf: Tensor) -> Node | None:
    """The node that fills ``leaf.grad``, if a graph refers to it."""
    meta = leaf._meta
    return None if meta is None else meta.accumulator()


def way(tensor: Tensor, target: Tensor) -> list[Node] | None:
    """The nodes on a shortest way from ``tensor`` to ``target``; None if there is none."""
    end = accumulator(target) if target.grad_fn is None else target.grad_fn
    came = paths_from(tensor)
    if end not in came:
        return None
    meant = (end, target.output_nr)  # a node may have other results, of which one was used
    if meant != (tensor.grad_fn, tensor.output_nr) and not any(
        edge is not None and (edge.node, edge.number) == meant
        for node in came
        for edge in node.edges
    ):
        return None
    nodes = [end]
    while (before := came[nodes[-1]]) is not None:
        nodes.append(before)
    return nodes[::-1]


def nodes_between(tensor: Tensor, target: Tensor) -> list[Node]:
    """The nodes behind a tensor from which a gradient can reach another; nearest first."""
    leading = leading_to(tensor, target)
    return [node for node in nodes_behind(tensor) if node in leading]


def leaves_behind(tensor: Tensor) -> list[Tensor]:
    """The leaves that ``backward`` of ``tensor`` fills."""
    return [n.variable for n in nodes_behind(tensor) if isinstance(n, AccumulateGrad)]


def passes_through(nodes: list[Node]) -> list[str]:
    """The lines that ran a backward pass and freed one of these nodes, each once."""
    places = {}
    for node in nodes:
        if node.is_freed:
            marks = [getattr(node, slot, None) for slot in ("saved", "write")]
            place = next((mark.place for mark in marks if isinstance(mark, Freed)), None)
            places[place] = reader.spoken(place) if place else "a backward pass"
    return list(places.values())


def keeps_something(node: Node) -> bool:
    """Whether a node still has values that a pass would free."""
    return not node.is_freed and (bool(node.saved) or isinstance(node, CopySlices))


def stale_values(nodes: list[Node]) -> Iterator[tuple[Node, Any, int]]:
    """The (node, counter, version it was saved at) of saved values that were changed since."""
    for node in nodes:
        for kept in () if node.is_freed else node.saved or ():
            match kept:
                case Tensor():
                    counter, version = kept._counter, 0
                case SavedInput():
                    counter, version = kept.kept._counter, kept.version
                case SavedOutput():
                    counter, version = kept.counter, kept.version
                case _:
                    continue
            if counter is not None and counter.value != version:
                yield node, counter, version


def kept_as(node: Any, tensor: Any) -> str:
    """Under which names a node saved a tensor; both of them where that is multiplied by itself."""
    names = node.saved_names()
    kept = zip(names, node.saved or ())
    own = [f"`{name}`" for name, value in kept if getattr(value, "kept", value) is tensor]
    if own:
        return " as " + " and ".join(reversed(own))
    return " (its own result)" if "result" in names else ""
