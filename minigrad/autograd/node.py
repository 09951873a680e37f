"""The backward graph: nodes, and the edges along which gradients travel.

A :class:`Node` is what ``grad_fn`` shows. Its ``edges`` say where the gradients of its operands go:
each is a node, an :class:`Output` of a node with several, or None where nobody asked. An edge ends
at another operation or at the ``AccumulateGrad`` of a leaf. Nodes never refer to the tensor they
made, so a graph has no reference cycles and dies with its last user.
"""

from __future__ import annotations

import itertools
from collections import OrderedDict, namedtuple
from collections.abc import Iterable
from typing import Any

from ..messages import message
from .around import Around, notes

# Gives a node its creation number. All threads count together: so a node is newer than those that
# its gradients go to, whoever made them, and the engine relies on that.
next_sequence = itertools.count().__next__

# In the place of a creation number for what is never in the heap: leaves, and results that have no
# derivative, whose error has to come first.
OFF_THE_HEAP = 2**64 - 1


class Freed:
    """Stands for saved values that a backward pass let go of, and knows which line ran it."""

    __slots__ = ("place",)

    def __init__(self, place: tuple | None):
        self.place = place


class Saved:
    """What a node keeps in place of a tensor: ``tensor`` and ``raw`` give the value back."""

    __slots__ = ()

    def result_moved(self, result, number: int) -> None:
        """Output ``number`` of the node lives in other memory now: what keeps it looks there."""


class NodeExtras:
    """What few nodes have: metadata, hooks, the tensors that want to retain their gradient."""

    __slots__ = ("metadata", "tensor_hooks", "retains", "hooks")

    def __init__(self) -> None:
        self.metadata: dict = {}
        self.tensor_hooks: dict[int, OrderedDict] = {}  # output number -> hooks of the tensor
        self.retains: dict[int, Any] = {}  # output number -> weak reference to the tensor
        self.hooks: Any = None  # those of the node itself, see minigrad.extras.node_hooks


class Node:
    """One step of the backward graph, as ``tensor.grad_fn`` shows it.

    Attributes:
        edges: for each operand the node, or the output of one, its gradient is sent to, or None.
        saved: what the derivative needs; see :mod:`minigrad.autograd.saved`. A ``Freed`` once a
            pass let go of it.
        args: plain arguments of the operation, such as dims and sizes; never freed.
        specs: None where every operand has the shape and dtype of the result; else a (shape, dtype)
            for each, to which its gradient is brought back.
        sequence: the creation number; the engine runs the newest node first.

    >>> import minigrad as mg
    >>> x = mg.tensor(2.0, requires_grad=True)
    >>> y = x * x
    >>> y.grad_fn.name(), [node.name() for node, _ in y.grad_fn.next_functions]
    ('MulBackward0', ['torch::autograd::AccumulateGrad', 'torch::autograd::AccumulateGrad'])
    """

    __slots__ = ("specs", "sequence", "extras")  # edges and saved values: each kind as it likes

    args: tuple = ()  # nodes that have some have a slot for them
    rule = None  # the operation's declaration, where there is one
    outputs = 1  # how many results the operation had
    number = 0  # as an edge, a node stands for its one output

    def begin(self, edges: tuple, saved: tuple = (), sequence: int | None = None) -> None:
        """Fill a new node; an ``__init__`` would cost time where another function fills it."""
        self.edges = edges
        self.saved = saved
        self.specs = self.extras = None
        self.sequence = next_sequence() if sequence is None else sequence

    # -- what the engine calls ---------------------------------------------------------------------

    def vjp(self, g: Any, recorded: bool) -> tuple | list:
        """The gradients of the operands from the gradient of the result.

        ``g`` and the answers are raw arrays, or Tensors when ``recorded`` (``create_graph``). None
        stands for zero. A node with several outputs gets a list.
        """
        raise NotImplementedError(f"{self.name()} has no derivative")

    def differentiate(self, g: Any, recorded: bool, freed: Freed | None) -> Iterable[tuple]:
        """Each edge with the gradient that travels along it.

        ``freed`` then takes the place of what the node saved; None lets it stay.
        """
        answers = self.vjp(g, recorded)
        if freed is not None and self.saved:
            self.saved = freed
        return zip(self.edges, answers)

    def result_moved(self, result, number: int) -> None:
        """A 0-d result got memory that others share; a node that saved it must look there."""
        for kept in () if self.is_freed else self.saved:
            if isinstance(kept, Saved):
                kept.result_moved(result, number)

    # -- what a user sees, as in PyTorch -----------------------------------------------------------
    # Its hooks, its metadata and what it answers when called: extras.node_hooks, node_methods.

    def name(self) -> str:
        """The name of the node, such as ``MulBackward0``."""
        return type(self).__name__

    @property
    def next_functions(self) -> tuple:
        """Where the gradients go: (node, output number), or (None, 0) where none is needed."""
        return tuple(
            (None, 0) if edge is None or edge is DEAD_END else (edge.node, edge.number)
            for edge in self.edges
        )

    @property
    def node(self) -> Node:
        """The node itself, which as an edge leads to its one output."""
        return self

    @property
    def is_freed(self) -> bool:
        """Whether a backward pass let go of the saved values; the edges stay."""
        return self.saved.__class__ is Freed

    def not_freed(self) -> tuple:
        """What the node saved; PyTorch's error if a backward pass let go of it."""
        if self.is_freed:
            raise already_freed(self, self.saved)
        return self.saved

    def saved_names(self) -> tuple[str, ...]:
        """The names of the values kept for the derivative: ``_saved_<name>`` shows each."""
        return ()

    def _extras(self) -> NodeExtras:
        if self.extras is None:
            self.extras = NodeExtras()
        return self.extras

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object at {id(self):#x}>"


def already_freed(node: Node, freed: Freed) -> RuntimeError:
    """The error of a derivative whose saved values an earlier pass let go of."""
    return notes.freed(RuntimeError(message("freed")), node, freed)


class PlainNode(Node):
    """A node that keeps its edges and what it saved in tuples.

    Those of a rule, of which a graph has most, keep them in slots instead: see
    :class:`minigrad.ops.rule.RuleNode`.
    """

    __slots__ = ("edges", "saved")
    __init__ = Node.begin


class DeadEnd(PlainNode):
    """Where the gradient goes of what requires grad but has no way back to a leaf: nowhere."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return False  # what asks whether a gradient is wanted takes it for None


DEAD_END = DeadEnd((), sequence=0)  # no creation number, since no operation made it


class AccumulateGrad(PlainNode):
    """Adds the gradient that arrives into ``variable.grad``.

    The node holds its leaf, so that the leaf can be found from the graph alone (``node.variable``);
    the leaf holds the node weakly, or the two would be a reference cycle. It is never in the heap:
    it runs at the end of the pass or, where somebody can see when, as soon as all its parts have
    come. What it does then is in :mod:`.engine`.
    """

    __slots__ = ("variable", "__weakref__")

    def __init__(self, variable):
        self.edges = self.saved = ()
        self.specs = self.extras = None
        self.sequence = OFF_THE_HEAP
        self.variable = variable
        if Around.anomaly is not None:
            Around.anomaly.remember(self)

    def name(self) -> str:
        return "torch::autograd::AccumulateGrad"


class Output:
    """One output of a node that has several: the edge on which its gradient travels."""

    __slots__ = ("node", "number")

    def __init__(self, node: Node, number: int):
        self.node = node
        self.number = number


def edge_to(node: Node, number: int) -> Node | Output:
    """The edge to one output of a node."""
    return node if node.outputs == 1 else Output(node, number)


class GradientEdge(namedtuple("GradientEdge", "node output_nr ownership_token", defaults=[None])):
    """A point in the graph, accepted by ``backward`` and ``grad`` instead of a tensor."""

    spec = None  # the shape and dtype of its tensor, where that is known
