"""The graph model: what a picture, a table or a text needs to know about a graph, as plain data.

Two things alternate. A `Value` is a tensor: a leaf, a result, or an operand nobody wants a
gradient for. An `Operation` is a node of the backward graph. An `Edge` says that a value is
operand number ``argument`` of an operation, or, with ``argument`` None, that an operation made
a value. ``x * x`` has two edges from ``x``.

Keys (``v0``, ``n0``, ``e0``) follow the order in which things were made, never their address in
memory: the same program gives the same keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
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
    leaf: bool = False
    requires_grad: bool = True
    grad: str | None = None
    named: bool = True  #: whether the name is the reader's own


@dataclass
class Operation:
    """A node of the backward graph.

    ``constants`` prints the operands that are not drawn as boxes of their own: plain numbers,
    as ``{argument number: text}``. An operation whose ``kind`` is ``"accumulate"`` is the
    ``AccumulateGrad`` of the leaf ``makes``.
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
    hidden: int = 0  #: how many operations it stands for, in a collapsed graph


@dataclass
class Edge:
    """``source`` and ``target`` in the direction of the forward pass."""

    key: str
    source: str
    target: str
    argument: int | None = None
    output: int = 0  #: which result of the operation, on an edge with ``argument`` None


@dataclass
class Graph:
    """Values, operations and edges, each in the order in which they were made."""

    values: list[Value] = field(default_factory=list)
    operations: list[Operation] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    roots: tuple[str, ...] = ()
    #: the widest text of each slot of each element: ``{key: {slot: text}}``
    room: dict[str, dict[str, str]] = field(default_factory=dict)
    #: in a collapsed graph, the element that stands for one that is not drawn
    stands_for: dict[str, str] = field(default_factory=dict)
    note: str = ""

    def elements(self) -> Iterator[Value | Operation | Edge]:
        yield from self.values
        yield from self.operations
        yield from self.edges

    def as_dict(self) -> dict:
        """The whole graph as JSON would hold it.

        >>> Graph([Value("v0", "x", "2", (), leaf=True)]).as_dict()["values"][0]["name"]
        'x'
        """
        plain = asdict(self)
        for operation in plain["operations"]:
            operation["saved"] = [dict(zip(Saved._fields, kept)) for kept in operation["saved"]]
            operation["constants"] = {str(k): v for k, v in operation["constants"].items()}
        return _lists(plain)


class Index:
    """Looks up what belongs to what in a finished graph."""

    def __init__(self, graph: Graph):
        self.graph = graph
        self.values = {value.key: value for value in graph.values}
        self.operations = {operation.key: operation for operation in graph.operations}
        self.edges = {edge.key: edge for edge in graph.edges}
        #: operation -> edges from its operands, by argument number
        self.operands: dict[str, list[Edge]] = {key: [] for key in self.operations}
        #: operation -> edges to the values it made
        self.results: dict[str, list[Edge]] = {key: [] for key in self.operations}
        #: value -> the operation at which its gradient arrives
        self.maker: dict[str, Operation] = {}
        for edge in graph.edges:
            if edge.argument is None:
                self.results[edge.source].append(edge)
                self.maker[edge.target] = self.operations[edge.source]
            else:
                self.operands[edge.target].append(edge)
        for operation in graph.operations:
            if operation.kind == "accumulate":
                self.maker[operation.makes] = operation

    def arrivals(self, operation: Operation) -> list[tuple[str, int]]:
        """The values whose gradients arrive at an operation, each with its output number."""
        if operation.kind == "accumulate":
            return [(operation.makes, 0)]
        return [(edge.target, edge.output) for edge in self.results[operation.key]]

    def made(self, operation: Operation) -> str:
        """The name of what an operation made, or the names of several results."""
        return ", ".join(self.values[key].name for key in operation.outputs or (operation.makes,))

    def operand(self, edge_key: str) -> Value:
        """The value at the operand end of an edge: the receiver of what is sent along it."""
        return self.values[self.edges[edge_key].source]


def _lists(data):
    """Tuples become lists, as in JSON."""
    if isinstance(data, dict):
        return {key: _lists(item) for key, item in data.items()}
    if isinstance(data, Iterable) and not isinstance(data, str):
        return [_lists(item) for item in data]
    return data
