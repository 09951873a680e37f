"""The backward pass: one loop over the nodes that a gradient has reached, newest first.

    seed → the newest node → its derivative → bring each gradient to its operand's shape and dtype
         → add it into the next node's buffer → the newest node that has a buffer, and so on

A part is one gradient that comes to a node; several are added. An operation is newer than those
that made its operands. So nothing is left that could send another part to the newest node: it has
got them all, and nobody has to count. A leaf is no operation and never in the heap. It gets its
gradient at the end, unless somebody can see when (hooks, targets, anomaly mode): then as soon as
it has all its parts, and for that they are counted.

A gradient is a raw array in a plain pass and a Tensor in a recorded one (``create_graph``); the
loop is the same, and nothing recurses.
"""

from __future__ import annotations

import contextvars
from _heapq import heappop, heappush  # without importing heapq's own Python code
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy import ndarray

from ..messages import message
from ..ops.broadcasting import like_operands
from ..tensor import wrap
from . import caller, hooks, views
from .around import Around
from .indexed_gradient import IndexedGradient
from .node import DEAD_END, OFF_THE_HEAP, AccumulateGrad, Freed, Node, Output
from .thread_state import OFF, ON, WATCHED, in_silence, state


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
        roots: (edge, seed) pairs; a seed is a Tensor.
        retain_graph: keep the saved values of the nodes that run.
        create_graph: record the pass; gradients are then Tensors with a history.
        targets: edges whose gradients are asked for. Only nodes on the way to one of them run.
        capture: called with the number of a target and the gradient that arrives there, raw or
            a Tensor as the pass is recorded or not. None lets the leaves among the targets
            accumulate, and other targets only retain.
    """
    here = state.here
    enabled = here.enabled
    outer = here.running  # a hook may run a pass inside a pass
    try:
        here.running = _Pass(roots, retain_graph, create_graph, targets, capture)
        here.enabled = create_graph
        recording = create_graph and here.new_counter is None  # not in inference mode
        here.mode = OFF if not recording else WATCHED if here.watchers else ON
        # Floating-point warnings are off in a copy of the context, so there is nothing to restore.
        # It is not `here.quiet`: that is entered by the operations inside of a recorded pass.
        contextvars.copy_context().run(in_silence, here.running.run)
    finally:
        # Ctrl-C may arrive at any call, so nothing is called: set_enabled() is written out.
        here.running = outer
        here.enabled = enabled
        recording = enabled and here.new_counter is None
        here.mode = OFF if not recording else WATCHED if here.watchers else ON


class _Pass:
    """One backward pass: what was asked, and what has come so far."""

    def __init__(self, roots, retain_graph: bool, create_graph: bool, targets, capture):
        self.roots = roots
        self.retain_graph = retain_graph
        self.recorded = create_graph  # gradients are Tensors then, else raw
        self.targets: dict[Node, list[tuple[int, int]]] = {}  # node -> (output number, target)
        self.restricted = bool(targets)  # then only nodes on the way to one of them run
        for i, edge in enumerate(targets) if targets else ():
            if edge is not None:
                self.targets.setdefault(edge.node, []).append((edge.number, i))
        self.capture = capture
        self.needed: dict[Node, bool] = {}  # when restricted: nodes to enter, and whether they run
        self.entered: dict | None = None  # the nodes to enter, once somebody asked
        self.parts: dict[Node, int] | None = None  # parts to come, once somebody may look on
        self.buffers: dict[Node, Any] = {}  # the gradient so far; a list for several outputs
        self.owned: set = set()  # whose buffers nobody else can reach: they are added to in place

    def starts(self) -> list[Node]:
        """The nodes of the roots."""
        return [each.node if type(each) is Output else each for each, _ in self.roots]

    def count(self) -> None:
        """Count the parts that come to each node; find which nodes targets need."""
        starts = self.starts()
        senders = senders_of(starts)
        self.parts = count_parts(starts, senders)
        if self.restricted:
            self.needed = nodes_leading_to(self.targets, senders)
            if self.capture is None:  # nodes that are asked to fill .grad run themselves
                self.needed |= {node: True for node in self.targets if node in self.needed}
            # The hooks of the only root run, even if no input lies behind it.
            if len(starts) == 1 and (starts[0].extras or starts[0].__class__ is AccumulateGrad):
                self.needed.setdefault(starts[0], False)

    def run(self) -> None:
        """The loop. Its names are local, since it is the innermost one of every backward pass."""
        restricted, anomaly = self.restricted, Around.anomaly is not None
        special = anomaly or restricted  # then run_with_hooks may run nodes without hooks, too
        if special:
            self.count()
        parts, buffers, owned, recorded = self.parts, self.buffers, self.owned, self.recorded
        needed, targets = self.needed, self.targets
        self.place = caller.place(skip=4)  # run, in_silence, run_backward, and who called that
        freed = self.freed = None if self.retain_graph else Freed(self.place)
        run_with_hooks, visit_leaf = self.run_with_hooks, self.visit_leaf
        if anomaly:
            run_with_hooks, visit_leaf = map(Around.anomaly.telling, (run_with_hooks, visit_leaf))
        ready: list[tuple[int, Node]] = []  # a heap: (-creation number, node), but for leaves
        leaves: list[Node] = []  # that are ready, where somebody can tell when they are visited
        node, g = DEAD_END, None  # no rule made the seeds, so none of them is owned
        pairs = self.roots if recorded else [(edge, seed._value) for edge, seed in self.roots]
        try:
            while True:
                # Each gradient goes where its edge leads, and is added to what came before.
                for edge, answer in pairs:
                    if not edge:
                        continue
                    if edge.__class__ is Output:  # one of several results of the next node
                        if answer is not None:
                            answer = self.in_slot(edge, answer)
                        edge = edge.node
                    if restricted and edge not in needed:
                        continue
                    if edge not in buffers:  # the first part
                        if answer.__class__ is ndarray:
                            # What the formula of a rule made, the pass may add into: if it is no
                            # view, and not g itself, which the formula of `add` hands on.
                            if answer.base is None and answer is not g and node.rule is not None:
                                owned.add(edge)
                        elif answer.__class__ is IndexedGradient:
                            answer = answer.dense()
                            owned.add(edge)
                        sequence = edge.sequence
                        # OFF_THE_HEAP is one number for all leaves, so that `is` will do.
                        if sequence is not OFF_THE_HEAP:
                            heappush(ready, (-sequence, edge))
                        elif parts is None:  # a visit that runs hooks, or raises, does not wait
                            meta = edge.variable._meta if edge.__class__ is AccumulateGrad else None
                            if not meta or edge.extras or meta.hooks or meta.post_hooks:
                                leaves.append(edge)
                        buffers[edge] = answer
                    elif answer is not None:
                        have = buffers[edge]
                        if have.__class__ is not ndarray and have is not None:
                            buffers[edge] = have + answer  # scalars or Tensors
                        elif answer.__class__ is IndexedGradient and edge in owned:
                            answer.add_to(have)
                        else:  # arrays, perhaps in memory that others see; or only zero had come
                            buffers[edge] = self.add(have, answer, edge)
                    if parts is not None and edge.sequence is OFF_THE_HEAP:
                        parts[edge] = left = parts[edge] - 1
                        if not left:
                            leaves.append(edge)
                if leaves:
                    if parts is None:
                        parts = self.begin_counting(ready)
                    else:
                        for leaf in leaves:
                            visit_leaf(leaf)
                    leaves.clear()
                if not ready:
                    break
                # The newest node: its derivative gives each edge its gradient.
                node = heappop(ready)[1]
                g = buffers.pop(node)
                pairs = None  # the node has still to send
                if node.extras is not None or special and (anomaly or node in targets):
                    if parts is None:
                        parts = self.begin_counting(ready, node)
                    pairs, g = run_with_hooks(node, g)
                else:
                    pairs = node.differentiate(g, recorded, freed)
                    if node.specs is not None:
                        pairs = like_operands(node, pairs)
        except Exception:
            if self.parts is None:
                # PyTorch would have filled the leaves that have all their parts by now. Not after
                # Ctrl-C, which is no Exception: then nothing more is to run.
                self.begin_counting(ready, node if pairs is None else None)
            raise
        # What is left are leaves without hooks.
        for leaf, g in buffers.items():
            if g is not None:
                accumulate(leaf, g, recorded, leaf in owned, False, self.place)

    def begin_counting(self, ready: list[tuple[int, Node]], running: Node | None = None) -> dict:
        """From here on count parts; and visit each leaf that has all of its own already.

        Returns:
            how many parts the others wait for, from what is ready and from the node that runs.
        """
        starts = [node for _, node in ready] + ([] if running is None else [running])
        # Off the heap is also what raises for want of a derivative: what it leads to waits for it.
        parts = self.parts = count_parts(starts, senders_of([*starts, *self.buffers]))
        for leaf in [each for each in self.buffers if not parts[each]]:
            self.visit_leaf(leaf)
        return parts

    def reaches(self, node: Node) -> bool:
        """Whether a gradient will enter a node, as hooks ask. A root that is alone has got it."""
        if self.entered is None:
            self.entered = self.needed if self.restricted else senders_of(self.starts())
        return node in self.entered and self.starts() != [node]

    def in_slot(self, edge: Output, g) -> list | None:
        """Take a gradient of one result of a node with several; a list for all of them if new."""
        node, number = edge.node, edge.number
        have = self.buffers.get(node)
        slots = have or [None] * node.outputs
        slots[number] = self.add(slots[number], g, (node, number))
        return None if have else slots

    def add(self, have, g, key):
        """The sum of two gradients, in the place of the first if nobody else can see it.

        The first is None where nothing but zero has come.
        """
        if have is None:
            return g.dense() if g.__class__ is IndexedGradient else g
        if not self.recorded and have.__class__ is np.ndarray:
            owned = key in self.owned
            self.owned.add(key)
            if g.__class__ is IndexedGradient:
                return g.add_to(have if owned else have.copy())
            if owned and have.dtype is g.dtype:
                return np.add(have, g, have)
        return have + g

    def run_with_hooks(self, node: Node, g):
        """Run a node that has hooks or metadata, is asked for, or is watched by anomaly mode."""
        extras, recorded = node.extras, self.recorded
        runs = not self.restricted or self.needed[node]
        if extras is not None and not runs:  # what is only asked for is taken after these hooks
            g = hooks.of_tensors(node, g, recorded)
        if self.capture is not None:
            for number, i in self.targets.get(node, ()):
                self.capture(i, g[number] if node.outputs > 1 and g is not None else g)
        if not runs:
            return (), g
        if extras is not None:
            g = hooks.of_tensors(node, g, recorded)
            if extras.hooks is not None:
                g = extras.hooks.before(node, g, recorded)
        pairs = like_operands(node, node.differentiate(g, recorded, None))
        answers = [a.dense() if a.__class__ is IndexedGradient else a for _, a in pairs]
        if extras is not None and extras.hooks is not None:
            if self.restricted:
                answers = [
                    answer if edge is not None and edge.node in self.needed else None
                    for edge, answer in zip(node.edges, answers)
                ]
            answers = extras.hooks.after(node, answers, g, recorded)
        if self.freed is not None and node.saved:
            node.saved = self.freed
        if Around.anomaly is not None:
            Around.anomaly.check_nan(node, answers, recorded)
        return zip(node.edges, answers), g

    def visit_leaf(self, node: AccumulateGrad) -> None:
        """Add what arrived at a leaf into its ``.grad``, or hand it to whoever asked for it."""
        g = self.buffers.pop(node)
        if node.__class__ is not AccumulateGrad:
            self.run_with_hooks(node, g)  # which raises, unless the gradient is all that is asked
            return
        recorded = self.recorded
        owned, let_go = node in self.owned, False
        on_tensor = node.variable._meta.hooks
        on_node = None if node.extras is None else node.extras.hooks
        if self.restricted and not self.needed.get(node):
            if on_tensor and g is not None:
                g = hooks.of_tensor(on_tensor, g, recorded)
            for _, i in self.targets.get(node, ()):
                self.capture(i, g)
            return
        if on_tensor or on_node is not None and on_node.pre:
            g, let_go = hooks.of_leaf(node, on_tensor, on_node, g, recorded)
            owned = False
        if g is not None:
            g = accumulate(node, g, recorded, owned, let_go, self.place)
        if on_node is not None:
            on_node.after(node, (), g, recorded)


# -- the end of a path ----------------------------------------------------------------------------


def accumulate(node: AccumulateGrad, g, recorded: bool, owned: bool, let_go: bool, place):
    """Make the first gradient of a leaf its ``.grad``, and add later ones to that.

    Args:
        node: where it arrived.
        g: the gradient.
        recorded: whether the pass is; then it is added out of place.
        owned: whether nobody else can reach ``g``, so that it need not be copied.
        let_go: whether hooks saw ``g`` and none kept it. PyTorch then makes it the ``.grad``.
        place: the line that ran the pass.

    Returns:
        what the hooks of the node see: ``g``, or the memory of the ``.grad`` that it became, which
        a post-accumulate hook may write to.
    """
    leaf = node.variable
    meta = leaf._meta
    like = leaf._value
    have = meta.grad
    if (leaf._edge is not None or meta.base is not None) and leaf.grad_fn is not None:
        raise RuntimeError("leaf variable has been moved into the graph interior")
    if g.shape != like.shape:
        raise RuntimeError(message("leaf-of-another-shape", g=list(g.shape), have=list(like.shape)))
    if meta.requires_grad:  # it did when the graph was made
        meta.touched = place  # for help: the line that last gave it a gradient
        if recorded:
            meta.grad = wrap(new_like(like, g._value.dtype)).copy_(g) if have is None else have + g
        elif have is None:
            as_it_is = g.__class__ is not ndarray or owned and g.strides == like.strides
            meta.grad = wrap(g if as_it_is else copy_like(g, like))
            if let_go and meta.grad._value.strides == g.strides:
                g = meta.grad._value
        else:
            views.refuse_expanded(have._value)
            views.update(have, np.add, g, place=None)
    for hook in list(meta.post_hooks.values()) if meta.post_hooks else ():
        if hooks.taken(hook, hook(leaf), leaf) is not leaf:
            told = message("post-hook-answer")
            raise hooks.notes.hook_answer(RuntimeError(told), hook, leaf, leaf)
    return g


def copy_like(g, like):
    """A copy of ``g``, laid out in memory as ``like`` if that has no gaps."""
    copy = new_like(like, g.dtype)
    np.copyto(copy, g)
    return copy


def new_like(like, dtype: np.dtype) -> np.ndarray:
    """Memory for a gradient of ``like``, in its layout if that has no gaps."""
    new = np.empty_like(like, dtype=dtype)
    gaps = not like.flags.forc and new.strides != like.strides
    return np.empty(like.shape, dtype) if gaps else new


# -- counting, where hooks look on -----------------------------------------------------------------


def senders_of(starts: list[Node]) -> dict[Node, list[Node]]:
    """For every node that can be reached, the nodes that send to it, once for each edge."""
    senders: dict[Node, list[Node]] = {node: [] for node in starts}
    found = list(senders)
    for node in found:  # it grows while we walk it
        for edge in node.edges:
            if edge:  # neither None nor DEAD_END
                receiver = edge.node if edge.__class__ is Output else edge
                if receiver not in senders:
                    senders[receiver] = []
                    found.append(receiver)
                senders[receiver].append(node)
    return senders


def count_parts(starts: list[Node], senders: dict[Node, list[Node]]) -> dict[Node, int]:
    """How many parts come to each node that can be reached, the seeds of ``starts`` among them."""
    parts = {node: len(sending) for node, sending in senders.items()}
    for node in starts:
        parts[node] += 1
    return parts


def nodes_leading_to(targets: dict, senders: dict[Node, list[Node]]) -> dict[Node, bool]:
    """The nodes a gradient must enter to reach ``targets``; False where it is only taken."""
    needed = {node: False for node in targets if node in senders}
    found = list(needed)
    for node in found:  # it grows while we walk it
        for sender in senders[node]:
            if sender not in needed:
                found.append(sender)
            needed[sender] = True
    return needed
