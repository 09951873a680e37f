"""Large graphs: the middle becomes one box that says how much it stands for."""

from __future__ import annotations

from .model import Edge, Graph, Operation, Value

LIMIT = 60  #: operations that are drawn one by one


def collapse(graph: Graph, limit: int = LIMIT) -> Graph:
    """The graph itself, or with more than ``limit`` operations a smaller one.

    The newest operations stay, where a backward pass begins, and so do the oldest; those between
    become a single operation ``…``. What was left out is said in ``note``; ``stands_for`` maps
    every element that is not drawn to the one drawn in its place.

    >>> many = Graph()
    >>> collapse(many) is many
    True
    """
    operations = [op for op in graph.operations if op.kind == "operation"]
    if len(operations) <= limit:
        return graph
    head, tail = limit // 3, limit - limit // 3 - 1
    middle = operations[head : len(operations) - tail]
    return _without({op.key for op in middle}, graph)


def _without(hidden: set[str], graph: Graph) -> Graph:
    stand_in = min(hidden, key=lambda key: int(key[1:]))
    outside: set[str] = set(graph.roots)
    inside: set[str] = set()
    for edge in graph.edges:
        ends = {edge.source, edge.target}
        (inside if ends & hidden else outside).update(ends - hidden)
    gone = {v.key for v in graph.values if v.key in inside - outside}
    gone |= {op.key for op in graph.operations if op.kind == "accumulate" and op.makes in gone}
    stands_for = dict.fromkeys((hidden - {stand_in}) | gone, stand_in)
    summary = Operation(stand_in, f"{len(hidden)} operations", "…", None, None, "summary")
    summary.hidden = len(hidden)
    operations = [
        summary if op.key == stand_in else op for op in graph.operations if op.key not in stands_for
    ]
    values: list[Value] = [value for value in graph.values if value.key not in gone]
    edges, seen = [], {}
    arguments = 0
    for edge in graph.edges:
        ends = stands_for.get(edge.source, edge.source), stands_for.get(edge.target, edge.target)
        if stand_in not in ends:
            edges.append(edge)
            continue
        if ends[0] == ends[1] or ends in seen:
            stands_for[edge.key] = stand_in
            continue
        seen[ends] = edge.key
        argument = None
        if ends[1] == stand_in:
            argument, arguments = arguments, arguments + 1
        edges.append(Edge(edge.key, *ends, argument, edge.output))
    note = (
        f"{len(hidden)} of {sum(op.kind == 'operation' for op in graph.operations)} operations are "
        f"not drawn: those between the first and the last stand behind …"
    )
    return Graph(values, operations, edges, graph.roots, {}, stands_for, note)
