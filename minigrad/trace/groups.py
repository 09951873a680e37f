"""Scenes: what of a large graph one picture shows, with groups of operations as single boxes.

A graph is shown one scene at a time: the overview, or the inside of one group. In a scene,
what belongs to the scene's own group is drawn itself; what belongs to a group further in is
drawn as the box of the child group that holds it; what lies outside and is used inside is a
*boundary* value, a plain box. `with_parts` makes groups where a scene would hold too much.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise
from typing import Any

from .model import Edge, Graph, Group, Index

LIMIT = 60  #: blocks that a scene shows one by one
SEPARATE = 4  #: values that leave one box for another as lines of their own


@dataclass
class Line:
    """One arrow of a scene: an operand edge, or the bundle of several.

    ``source`` and ``target`` are the elements drawn at its ends: a value or a group, and an
    operation or a group. ``key`` is the key of the one edge it stands for, or a bundle's own:
    ``b``, the number of its first edge, and the target (``b12-m3``).
    """

    key: str
    source_value: str  #: the value that is used; the first one where there are several
    source: str
    target: str
    edges: tuple[str, ...]

    @property
    def bundle(self) -> bool:
        return len(self.edges) > 1


@dataclass
class Scene:
    """The elements that stand in one picture, by key, in the order of the graph."""

    inside: str | None
    operations: list[str] = field(default_factory=list)
    values: list[str] = field(default_factory=list)  #: leaves, operands, and results made here
    boundary: list[str] = field(default_factory=list)  #: values of outside that are used here
    groups: list[str] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)


def children(graph: Graph, inside: str | None = None) -> Scene:
    """One scene of a graph: the overview, or the inside of the group ``inside``.

    Every operand edge whose operation is drawn itself is a line of its own, so ``x * x`` has two.
    Into the box of a group goes one line for each value that is used in it. From one group's box
    to the same target go at most `SEPARATE` lines: more values than that are one bundle.

    Raises:
        KeyError: if the graph has no group of that key.

    >>> from minigrad.trace.model import Value
    >>> graph = Graph([Value("v0", "x", leaf=True)], groups=[Group("m0", "net")])
    >>> children(graph).values, children(graph).groups
    (['v0'], ['m0'])
    """
    return scenes(graph)[inside]


def scenes(graph: Graph) -> dict[str | None, Scene]:
    """All scenes of a finished graph by the group they show the inside of, made once.

    The overview is under None.
    """
    if graph.index.scenes is None:
        graph.index.scenes = _scenes(graph.index)
    return graph.index.scenes


def _scenes(index: Index) -> dict[str | None, Scene]:
    graph = index.graph
    found = {inside: Scene(inside) for inside in (None, *index.groups)}
    for group in graph.groups:
        found[group.parent].groups.append(group.key)
    for operation in graph.operations:
        found[index.home[operation.key]].operations.append(operation.key)
    for value in graph.values:
        found[index.home[value.key]].values.append(value.key)
    routes: dict[str | None, list[tuple[str, str, Edge]]] = defaultdict(list)
    for edge in graph.edges:
        if edge.argument is None:
            continue
        for inside in (*index.around(edge.target), None):
            target = index.drawn(edge.target, inside)
            source = index.drawn(edge.source, inside)
            if source != target:
                routes[inside].append((source or edge.source, target, edge))
    for inside, scene in found.items():
        scene.lines = _lines(routes[inside])
        outside = (e.source for source, _, e in routes[inside] if source == e.source)
        scene.boundary = list(dict.fromkeys(k for k in outside if index.drawn(k, inside) is None))
    return found


def _lines(routes: list[tuple[str, str, Edge]]) -> list[Line]:
    """Edges with the elements drawn at their ends, as lines: the bundles are made here."""
    crossing: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for source, target, edge in routes:
        crossing[source, target][edge.source] = None
    bundles: dict[tuple, list[Edge]] = {}
    for source, target, edge in routes:
        if len(crossing[source, target]) > SEPARATE:
            share: tuple = ()  # all values that go this way, as one
        elif target.startswith("m"):
            share = (edge.source,)
        else:
            share = (edge.source, edge.key)
        bundles.setdefault((source, target, *share), []).append(edge)
    found = []
    for (source, target, *_), edges in bundles.items():
        several = f"b{edges[0].key[1:]}-{target}"
        key = several if len(edges) > 1 else edges[0].key
        found.append(Line(key, edges[0].source, source, target, tuple(e.key for e in edges)))
    return found


# -- groups where there are none -----------------------------------------------------------


def with_parts(graph: Graph, limit: int = LIMIT) -> Graph:
    """The graph itself, or one in which no scene shows more than about ``limit`` blocks.

    The first third of a long scene and its end stay as they are, because there a pass ends and
    begins; what lies between becomes groups of kind ``"part"``, in groups again where they are
    many. A leaf that is used in one part only goes into it.

    >>> many = Graph()
    >>> with_parts(many) is many
    True
    """
    return _Divided(graph, limit).divide()


class _Divided:
    """A graph on its way to more groups."""

    def __init__(self, graph: Graph, limit: int):
        self.old, self.limit, self.head = graph, limit, limit // 3
        self.index = Index(graph)
        self.parents = {group.key: group.parent for group in graph.groups}
        self.moved: dict[str, str] = {}  # element -> the part it is put into
        self.made: dict[str, Group] = {}
        #: scene -> its operations and child groups, and the values that are drawn on their own
        self.blocks: dict[str | None, list[str]] = defaultdict(list)
        self.loose: dict[str | None, list[str]] = defaultdict(list)
        self.sizes: Counter[str] = Counter()  # block -> how many operations it holds
        for operation in graph.operations:
            if operation.kind != "accumulate":
                chain = [operation.key, *self.index.around(operation.key), None]
                for inner, group in pairwise(chain):
                    if not self.sizes[inner]:
                        self.blocks[group].append(inner)
                    self.sizes[inner] += 1
        for value in graph.values:
            if not self.index.is_result(value.key):
                self.loose[value.group].append(value.key)

    def divide(self) -> Graph:
        for inside, blocks in list(self.blocks.items()):
            if len(blocks) > self.limit:
                self.part("operations", blocks, inside)
        for inside, values in list(self.loose.items()):
            self.follow(values, inside)
        for inside, values in list(self.loose.items()):
            if len(values) > self.limit:
                self.part("values", values, inside)
        return self.graph() if self.made else self.old

    def part(self, word: str, items: list[str], inside: str | None) -> None:
        """Put the middle of a scene into a part."""
        counts = [self.sizes[key] if word == "operations" else 1 for key in items]
        ends = [0, *accumulate(counts)]
        self.fill(word, items, ends, self.head, len(items) - (self.limit - self.head - 1), inside)

    def fill(self, word: str, items: list[str], ends: list[int], start: int, stop: int, parent):
        """A part of ``parent`` with the items from ``start`` up to ``stop``, divided if many."""
        name = f"{word} {ends[start] + 1} to {ends[stop]}"
        numbers = (int(key[1:]) for key in self.parents)
        part = Group(f"m{max(numbers, default=-1) + 1}", name, "part", parent)
        self.made[part.key], self.parents[part.key] = part, parent
        if stop - start <= self.limit:
            for key in items[start:stop]:
                self.moved[key] = part.key
                if key in self.parents:
                    self.parents[key] = part.key
            return
        span = self.limit
        while span * self.limit < stop - start:
            span *= self.limit
        for first in range(start, stop, span):
            self.fill(word, items, ends, first, min(first + span, stop), part.key)

    def follow(self, values: list[str], inside: str | None) -> None:
        """Move the values of a scene that are used in one part only into that part."""
        staying = []
        for value in values:
            home = self.common([edge.target for edge in self.index.uses[value]], inside)
            if home == inside:
                staying.append(value)
            else:
                self.moved[value] = home
                self.loose[home].append(value)
        self.loose[inside] = staying

    def common(self, operations: list[str], inside: str | None) -> str | None:
        """The innermost part inside of a scene that holds all the operations; else the scene."""
        chains = [self.parts_around(key, inside) for key in set(operations)]
        shared = [parts[0] for parts in zip(*chains) if len(set(parts)) == 1]
        return shared[-1] if shared else inside

    def parts_around(self, key: str, inside: str | None) -> list[str]:
        """The new parts between a scene and an operation, the outermost first."""
        group = self.moved.get(key, self.index.home[key])
        found = []
        while group not in (None, inside):
            if group in self.made:
                found.append(group)
            group = self.parents[group]
        return found[::-1] if group == inside else []

    def graph(self) -> Graph:
        groups = [replace(g, parent=self.moved.get(g.key, g.parent)) for g in self.old.groups]
        return replace(
            self.old,
            operations=[self.at_home(operation) for operation in self.old.operations],
            values=[self.at_home(value) for value in self.old.values],
            groups=[*groups, *self.made.values()],
        )

    def at_home(self, element: Any) -> Any:
        home = self.moved.get(element.key)
        return element if home is None else replace(element, group=home)
