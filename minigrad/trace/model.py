"""The graph model: what a picture, a table or a text needs to know about a graph, as plain data.

Two things alternate. A `Value` is a tensor: a leaf, a result, or an operand nobody wants a
gradient for. An `Operation` is a node of the backward graph. An `Edge` says that a value is
operand number ``argument`` of an operation, or, with ``argument`` None, that an operation made
a value. ``x * x`` has two edges from ``x``.

Keys (``v0``, ``n0``, ``e0``) follow the order in which things were made, never their address in
memory: the same program gives the same keys.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple


class Saved(NamedTuple):
    """A value that an operation keeps for its derivative."""

    name: str  #: the reader's name for it, or the name of the operand
    text: str  #: what it is, printed
    version: int | None  #: the version of its memory when it was saved; None where it has none
    slot: str  #: the name under which the node keeps it: ``self`` for ``_saved_self``


@dataclass
class Value:
    """A tensor of the graph, its value and gradient printed; ``"?"`` where nobody recorded it.

    ``leaf`` says that gradients end here, in a ``.grad``; an operand that asks for none
    (``requires_grad`` False) is not one of those.
    """

    key: str
    name: str
    text: str = "?"
    shape: tuple[int, ...] | None = None
    dtype: str = ""  #: where it is a floating one of less than 32 bits
    leaf: bool = False
    requires_grad: bool = True
    frozen: bool = False  #: whether it is a parameter that asks for no gradient
    grad: str | None = None
    named: bool = True  #: whether the name is the reader's own
    role: str = ""  #: what a sentence calls it where it has no name: ``the product``
    group: str | None = None  #: the innermost group it belongs to (a parameter of a module)

    @property
    def called(self) -> str:
        """What a text calls it: its name, or its role where it has none."""
        return self.name or self.role


@dataclass
class Operation:
    """A node of the backward graph.

    ``constants`` prints the operands that are not drawn as boxes of their own: plain numbers,
    as ``{argument number: text}``. An operation whose ``kind`` is ``"accumulate"`` is the
    ``AccumulateGrad`` of the leaf ``makes``. One of kind ``"error"`` has no node: the forward
    pass ended in it, ``node`` is the class of the exception, and it made nothing.
    """

    key: str
    node: str
    symbol: str
    sequence: int | None
    makes: str | None
    kind: str = "operation"
    saved: list[Saved] = field(default_factory=list)
    constants: dict[int, str] = field(default_factory=dict)
    operands: tuple[str, ...] = ()
    freed: bool = False
    outputs: tuple[str, ...] = ()  #: keys of all values it made that are in the graph
    group: str | None = None  #: the innermost group it belongs to
    worked_out: tuple[int, ...] = ()  #: arguments whose constant was told from the result
    error: str = ""  #: why it failed, where ``kind`` is ``"error"``: the forward pass ended here

    def operand(self, argument: int) -> str:
        """The name of an operand; "" where it has none."""
        return self.operands[argument] if argument < len(self.operands) else ""


@dataclass
class Edge:
    """``source`` and ``target`` in the direction of the forward pass."""

    key: str
    source: str
    target: str
    argument: int | None = None
    output: int = 0  #: which result of the operation, on an edge with ``argument`` None


@dataclass
class Group:
    """Operations that a picture may show as one box.

    ``kind`` is ``"module"``, ``"repeat"`` (its children are equal modules in a row) or ``"part"``.
    """

    key: str  #: ``m0``, ``m1`` … in the order of the forward pass
    name: str  #: ``net.0``; of a part ``operations 21 to 60``
    kind: str = "module"
    parent: str | None = None
    about: str = ""  #: what stands under the name: ``Linear 784 → 128``
    path: str = ""  #: the whole path of a module; of a repeat, of what holds its modules


@dataclass
class Graph:
    """Values, operations and edges, each in the order in which they were made."""

    values: list[Value] = field(default_factory=list)
    operations: list[Operation] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    roots: tuple[str, ...] = ()
    groups: list[Group] = field(default_factory=list)

    @cached_property
    def index(self) -> Index:
        """Looks up what belongs to what; made once, when the graph is finished."""
        return Index(self)


class Index:
    """Looks up what belongs to what in a finished graph."""

    def __init__(self, graph: Graph):
        self.graph = graph
        self.values = {value.key: value for value in graph.values}
        self.operations = {operation.key: operation for operation in graph.operations}
        self.edges = {edge.key: edge for edge in graph.edges}
        #: operation -> edges from its operands, by argument number
        self.operands: dict[str, list[Edge]] = defaultdict(list)
        #: operation -> edges to the values it made
        self.results: dict[str, list[Edge]] = defaultdict(list)
        #: value -> edges to the operations that use it
        self.uses: dict[str, list[Edge]] = defaultdict(list)
        #: value -> the operation at which its gradient arrives
        self.maker = {o.makes: o for o in graph.operations if o.kind == "accumulate"}
        for edge in graph.edges:
            if edge.argument is None:
                self.results[edge.source].append(edge)
                self.maker[edge.target] = self.operations[edge.source]
            else:
                self.operands[edge.target].append(edge)
                self.uses[edge.source].append(edge)
        self.groups = {group.key: group for group in graph.groups}
        #: what `groups.scenes` has found
        self.scenes: dict | None = None
        #: element -> its innermost group; what an operation made stands where the operation does
        self.home = {element.key: element.group for element in (*graph.values, *graph.operations)}
        for value, maker in self.maker.items():
            if maker.kind == "accumulate":
                self.home[maker.key] = self.home[value]
            else:
                self.home[value] = maker.group

    def arrivals(self, operation: Operation) -> list[tuple[str, int]]:
        """The values whose gradients arrive at an operation, each with its output number."""
        if operation.kind == "accumulate":
            return [(operation.makes, 0)]
        return [(edge.target, edge.output) for edge in self.results[operation.key]]

    def parts(self, operation: Operation) -> int:
        """How many contributions an operation waits for."""
        return sum(len(self.uses[value]) for value, _output in self.arrivals(operation))

    def is_result(self, value: str) -> bool:
        """Whether an operation made a value."""
        return value in self.maker and self.maker[value].kind != "accumulate"

    def made(self, operation: Operation) -> str:
        """The name of what an operation made, or the names of several results."""
        return ", ".join(self.values[key].called for key in operation.outputs or (operation.makes,))

    def in_slot(self, operation: Operation, slot: str) -> str | None:
        """The value that an operation has under a name: ``other``, or ``result``."""
        if slot == "result":
            return operation.makes
        named = (e for e in self.operands[operation.key] if operation.operand(e.argument) == slot)
        return next((edge.source for edge in named), None)

    def around(self, key: str | None) -> list[str]:
        """The groups that an element lies in, or a group and those around it, innermost first."""
        group = key if key in self.groups else self.home.get(key)
        found = []
        while group is not None:
            found.append(group)
            group = self.groups[group].parent
        return found

    def drawn(self, key: str, inside: str | None) -> str | None:
        """What stands for an element in a scene: itself, a child group; None outside of it."""
        chain = [key, *self.around(key), None]
        return chain[chain.index(inside) - 1] if inside in chain[1:] else None
