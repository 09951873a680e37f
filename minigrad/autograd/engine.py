"""The backward pass: one loop over ready nodes.

    seed → ready nodes, newest first → the node's derivative → bring each gradient to its operand's
    shape and dtype
         → add it into the next node's buffer → that node is ready when all its parts have come

A gradient is a raw array in a plain pass and a Tensor in a recorded one (``create_graph``); the
loop is the same. Nothing recurses, and every edge is visited twice: once to count the parts a node
waits for, once to send.
"""

from __future__ import annotations

from _heapq import heappop, heappush  # heapq itself is a long explanation of these
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy import ndarray

from ..ops.casting import cast, sum_to
from . import anomaly_mode, hooks, reader
from .accumulate import AT_ONCE, AccumulateGrad
from .grad_mode import state
from .graph import Node, Output
from .part import Part, whole
from .saved import Freed


def run_backward(
    roots: list[tuple[Node | Output, Any]],
    *,
    retain_graph: bool,
    create_graph: bool,
    targets: list[Node | Output | None] = (),
    capture: Callable[[int, Any], None] | None = None,
) -> None:
    """Send gradients from ``roots`` back through the graph.

    Args:
        roots: (edge, seed) pairs; a seed is a Tensor, or None where no gradient starts.
        retain_graph: keep the saved values of the nodes that run.
        create_graph: record the pass; gradients are then Tensors with a history.
        targets: edges whose gradients are asked for. Only nodes on the way to one of them run, and
            the gradient that
        capture: None lets the leaves among the targets accumulate, and other targets only retain.
    """
    here = state.here
    enabled, outer = here.enabled, here.running
    here.set_enabled(create_graph)
    here.running = _Pass(retain_graph, create_graph, targets, capture)
    try:
        with np.errstate(all="ignore"):
            here.running.run(roots)
    finally:
        here.running = outer
        here.set_enabled(enabled)


class _Pass:
    """One backward pass: what each node still waits for, and what has come so far."""

    def __init__(self, retain_graph: bool, create_graph: bool, targets, capture):
        self.retain_graph = retain_graph
        self.recorded = create_graph
        self.targets: dict[Node, list[tuple[int, int]]] = {}  # node -> (output number, target)
        for i, edge in enumerate(targets):
            if edge is not None:
                self.targets.setdefault(edge.node, []).append((edge.number, i))
        self.restricted = bool(targets)
        self.capture = capture
        self.waits: dict[Node, int] = {}  # parts a node still waits for
        self.needed: dict[Node, bool] = {}  # when restricted: nodes to enter, and whether they run
        self.buffers: dict[Node, Any] = {}  # the gradient so far; a list for several outputs
        self.owned: set = set()  # buffers nobody else can reach, to be added to in place

    def run(self, roots) -> None:
        """The loop. Its names are local, since it is the innermost one of every backward pass."""
        root = GraphRoot(roots, self.recorded)
        waits = self.waits = count_parts(root)
        lone = self.lone = root.edges[0].node if len(roots) == 1 else None
        if self.restricted:
            self.needed = nodes_leading_to(self.targets, waits) | {root: True}
            if self.capture is None:  # nodes that are asked to fill .grad run themselves
                self.needed |= {node: True for node in self.targets if node in waits}
            # The hooks of a lone root run, even if no input lies behind it.
            if lone is not None and (lone.extras or lone.__class__ is AccumulateGrad):
                self.needed.setdefault(lone, False)
        restricted, needed, targets = self.restricted, self.needed, self.targets
        buffers, owned, recorded = self.buffers, self.owned, self.recorded
        ready: list = [(0, root)]  # a heap of (-creation number, node)
        leaves: list[Node] = []  # and other ends of a path
        freed = self.freed = None if self.retain_graph else Freed(reader.place(skip=2))
        alert = anomaly_mode.is_anomaly_enabled()
        wary = alert or bool(targets)
        attended, visit_leaf = self.attended, self.visit_leaf
        if alert:
            attended, visit_leaf = map(anomaly_mode.telling, (attended, visit_leaf))
        while ready:
            node = heappop(ready)[1]
            g = buffers.pop(node, None)
            if node.extras is not None or wary and node is not root and (alert or node in targets):
                pairs, g = attended(node, g)
            else:
                pairs = node.send(g, recorded, freed)
                if node.specs is not None:
                    pairs = fitted(node, pairs)
            for edge, answer in pairs:
                if edge is None:
                    continue
                target = edge.node if type(edge) is Output else edge
                left = waits[target] - 1
                if left:
                    waits[target] = left
                if restricted and target not in needed:
                    continue
                if answer is None:
                    pass
                elif target is not edge:
                    self.put_slot(target, edge.number, answer)
                elif target in buffers:
                    have = buffers[target]
                    arrays = have.__class__ is ndarray or answer.__class__ is Part
                    buffers[target] = self.add(have, answer, target) if arrays else have + answer
                elif answer.__class__ is ndarray:
                    buffers[target] = answer
                    # An array that a formula made is the engine's own, if it is no view.
                    if answer.base is None and answer is not g and node.rule is not None:
                        owned.add(target)
                elif answer.__class__ is Part:
                    buffers[target] = answer.dense()
                    owned.add(target)
                else:
                    buffers[target] = answer
                if not left:
                    if target.sequence is AT_ONCE:
                        leaves.append(target)
                    else:
                        heappush(ready, (-target.sequence, target))
            if leaves:
                for leaf in in_heap_order(leaves):
                    if leaf.__class__ is AccumulateGrad:
                        visit_leaf(leaf)
                    else:  # it raises, unless its gradient is all that was asked for
                        attended(leaf, buffers.pop(leaf, None))
                leaves = []

    def reaches(self, node: Node) -> bool:
        """Whether a gradient will enter this node; a root that is alone has its own already."""
        return node in (self.needed if self.restricted else self.waits) and node is not self.lone

    def put_slot(self, node: Node, number: int, g) -> None:
        """Add a gradient of one output of a node with several."""
        slots = self.buffers.setdefault(node, [None] * node.outputs)
        have = slots[number]
        if have is not None:
            slots[number] = self.add(have, g, (node, number))
        else:
            slots[number] = g.dense() if g.__class__ is Part else whole(g)

    def add(self, have, g, key):
        """The sum of two gradients, in the place of the first if nobody else can see it."""
        if not self.recorded and have.__class__ is np.ndarray:
            own = key in self.owned and have.dtype is g.dtype
            self.owned.add(key)
            if g.__class__ is Part:
                return g.add_to(have if own else have.copy())
            if own:
                return np.add(have, g, have)
        return have + g

    def attended(self, node: Node, g):
        """Run a node that has hooks, is asked for, or knows where it was made."""
        extras, recorded, g = node.extras, self.recorded, whole(g)
        hooked = extras is not None and (extras.tensor_hooks or extras.retains)
        runs = not self.restricted or self.needed[node]
        if hooked and not runs:  # what is only asked for is taken after the tensor's hooks
            g = hooks.before_node(node, g, recorded)
        if self.capture is not None:
            for number, i in self.targets.get(node, ()):
                self.capture(i, g[number] if node.outputs > 1 and g is not None else g)
        if not runs:
            return (), g
        if hooked:
            g = hooks.before_node(node, g, recorded)
        if extras is not None and extras.pre_hooks:
            g = hooks.run_pre_hooks(node, g, recorded)
        pairs = fitted(node, node.send(g, recorded, None))
        answers = [a.dense() if a.__class__ is Part else a for _, a in pairs]
        if extras is not None and extras.post_hooks:
            if self.restricted:
                answers = [
                    answer if edge is not None and edge.node in self.needed else None
                    for edge, answer in zip(node.edges, answers)
                ]
            answers = hooks.run_post_hooks(node, answers, g, recorded)
        if self.freed is not None and node.saved:
            node.saved = self.freed
        anomaly_mode.check_nan(node, answers, recorded)
        return zip(node.edges, answers), g

    def visit_leaf(self, node: AccumulateGrad) -> None:
        """Add what arrived at a leaf into its ``.grad``, or hand it to whoever asked for it."""
        g = self.buffers.pop(node, None)
        owned = node in self.owned
        variable, extras, recorded = node.variable, node.extras, self.recorded
        if variable._meta.hooks:
            g, owned = hooks.before_leaf(variable, whole(g), recorded), False
        if self.restricted:
            if not self.needed.get(node):
                g = whole(g)
                for _, i in self.targets.get(node, ()):
                    self.capture(i, g)
                return
        if extras is not None and extras.pre_hooks:
            g, owned = hooks.run_pre_hooks(node, whole(g), recorded), False
        if g is not None:
            node.accumulate(g, recorded, owned)
        if extras is not None and extras.post_hooks:
            hooks.run_post_hooks(node, (), g, recorded)


class GraphRoot(Node):
    """Where a pass starts: its operands are the roots, its gradients the seeds."""

    __slots__ = ()

    def __init__(self, roots, recorded: bool):
        self.edges = tuple([edge for edge, _ in roots])
        self.saved = tuple([s if recorded or s is None else s._value for _, s in roots])
        self.specs = self.extras = None

    def vjp(self, g, recorded):
        return self.saved


def count_parts(root: Node) -> dict[Node, int]:
    """For every node that can be reached, the number of edges that lead to it."""
    parts = {root: 0}
    found = [root]
    for each in found:  # it grows while we walk it
        for edge in each.edges:
            if edge in parts:
                parts[edge] += 1
            elif edge is not None:
                node = edge.node if type(edge) is Output else edge
                if node in parts:
                    parts[node] += 1
                else:
                    parts[node] = 1
                    found.append(node)
    return parts


def nodes_leading_to(targets: dict, reachable: dict) -> dict[Node, bool]:
    """The nodes a gradient must enter to reach ``targets``; False where it is only taken."""
    senders: dict[Node, list[Node]] = {}
    for node in reachable:
        for edge in node.edges:
            if edge is not None:
                senders.setdefault(edge.node, []).append(node)
    needed = {node: False for node in targets if node in reachable}
    found = list(needed)
    for node in found:  # it grows while we walk it
        for sender in senders.get(node, ()):
            if sender not in needed:
                found.append(sender)
            needed[sender] = True
    return needed


def fitted(node: Node, pairs: Iterable[tuple]) -> Iterable[tuple]:
    """Gradients in the shape and dtype of their operands: broadcasting and promotion undone."""
    if node.specs is None:
        return pairs
    return [
        (edge, g if g is None or spec is None or edge is None else fit(g, *spec))
        for (edge, g), spec in zip(pairs, node.specs)
    ]


def fit(g, shape: tuple | None, dtype: np.dtype):
    """Sum ``g``, raw or a Tensor, over the dims that broadcasting added, and cast it."""
    if shape is not None and g.shape != shape:
        g = sum_to(g, shape)
    raw = g if isinstance(g, (ndarray, np.generic)) else g._value
    return g if raw.dtype is dtype else cast(g, dtype)


def in_heap_order(leaves: list) -> list:
    """Ready leaves in the order of PyTorch's queue.

    They have equal priorities there, so the order is what C++'s ``push_heap`` and ``pop_heap`` make
    of ties: as given up to three, then 0 2 1 3, 0 2 4 1 3, and so on.
    """
    if len(leaves) <= 3:
        return leaves
    heap, order = list(leaves), []
    while heap:
        order.append(heap[0])
        last = heap.pop()
        hole, child, size = 0, 0, len(heap)
        if not size:
            break
        while child < (size - 1) // 2:
            child = 2 * child + 2
            heap[hole], hole = heap[child], child
        if size % 2 == 0 and child == (size - 2) // 2:
            child = 2 * child + 1
            heap[hole], hole = heap[child], child
        heap[hole] = last
    return order
