"""Groups of a graph from the calls of modules: a box for each call, and one for equal calls.

`add_groups` asks what `watch` recorded. A model that is the only one is not a group itself, so that
the first picture shows its parts. Modules built alike that run one after another, such as the
blocks of a Transformer, become children of a group of kind ``"repeat"``.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from minigrad.language import _

from .forward import Call, forwards_of, step_of
from .model import Graph, Group, Index
from .read import accumulates

REPEATS = 3  #: so many equal modules in a row are one box


def add_groups(
    graph: Graph,
    nodes: Mapping[str, Any],
    tensors: Mapping[str, Any],
    known: Mapping[str, Call] | None = None,
) -> None:
    """Fill `Graph.groups` and the ``group`` of operations and values.

    Args:
        graph: a graph without groups.
        nodes: the live node of each operation, by key.
        tensors: the live tensors of values, by key, as far as they are known.
        known: where operations without a node ran.
    """
    forwards = list(forwards_of(nodes.values()))
    home = dict(known or {})
    for key, node in nodes.items():
        step = None if accumulates(node) else step_of(node)
        asked = () if accumulates(node) else forwards if step is None else (step.forward,)
        calls = (forward.call_of(node._sequence_nr()) for forward in asked)
        call = next((call for call in calls if call is not None), None)
        if call is not None:
            home[key] = call
    if home or any(forward.calls for forward in forwards):
        outermost = {c.path for f in forwards for c in f.calls if c.parent is None}
        _Grouping(graph, home, tensors).fill(outermost)


def find_group(graph: Graph, path: str) -> Group | None:
    """The group of a module, by its path (``net.encoder.0``) or the end of it (``encoder.0``).

    Where several paths end so, it is the shortest; else a group of that name (``block 7``). A model
    that is the only one has no box, its inside is the overview: that is None.

    Raises:
        KeyError: if no module of the graph has this path; the message names those that there are.
    """
    called = [g for g in graph.groups if g.kind != "part"]
    ending = [g for g in called if f".{g.path}".endswith(f".{path}")]
    named = [g for g in called if g.name == path]
    for group in (*sorted(ending, key=lambda g: len(g.path)), *named):
        return group
    opened = {g.path.partition(".")[0] for g in called}
    opened |= {v.name.rpartition(".")[0] for v in graph.values if v.leaf and not called}
    if path in opened:
        return None
    known = ", ".join(dict.fromkeys(g.path for g in called))
    if not known:
        raise KeyError(
            f"there is no module {path!r} to look into: this graph has no boxes. They come from "
            "`with mg.watch(net):` around the forward pass, where net is made of several modules"
        )
    raise KeyError(f"no module {path!r} ran in this graph. Modules in it: {known}")


def at_depth(graph: Graph, depth: int) -> Graph:
    """The graph with the outer modules taken away, so that the first picture shows inner ones.

    At depth 1 nothing is taken away, at depth 2 the parts of the outermost modules stand where
    these stood, and so on; a module without parts of its own stays. Depth 0 is the graph without
    any groups.

    Raises:
        ValueError: if ``depth`` is negative.
    """
    if depth < 0:
        raise ValueError(f"depth must be 0 or more, not {depth}")
    if depth == 1:
        return graph
    index = Index(graph)
    outer = {group.parent for group in graph.groups}
    gone = {
        key
        for key in index.groups
        if depth == 0 or (key in outer and len(index.around(key)) < depth)
    }

    def home(key: str | None) -> str | None:
        return next((each for each in index.around(key) if each not in gone), None)

    kept = [replace(g, parent=home(g.parent)) for g in graph.groups if g.key not in gone]
    kept = [_by_path(g) if g.parent is None and g.kind == "module" else g for g in kept]
    return replace(
        graph,
        groups=kept,
        operations=[replace(o, group=home(o.group)) for o in graph.operations],
        values=[replace(v, group=home(v.group)) for v in graph.values],
    )


def _by_path(group: Group) -> Group:
    """A module named by its whole path, where it stands in no other one any more."""
    _, comma, time = group.name.rpartition(", call ")
    return replace(group, name=f"{group.path}{comma}{time if comma else ''}")


class _Grouping:
    """Makes the groups of one graph; ``home`` has the innermost call around each operation."""

    def __init__(self, graph: Graph, home: Mapping[str, Call], tensors: Mapping[str, Any]):
        self.graph, self.home, self.tensors = graph, home, tensors
        self.sizes = Counter(call for inner in home.values() for call in inner.around())
        self.times = Counter(call.path for call in self.sizes)
        self.inner: dict[Call | None, list[Call]] = defaultdict(list)
        for call in sorted(self.sizes, key=lambda call: call.number):
            self.inner[call.parent].append(call)
        #: the creation numbers of operations that are in no call further in
        self.direct: dict[Call | None, list[int]] = defaultdict(list)
        for operation in graph.operations:
            if operation.sequence is not None:
                self.direct[home.get(operation.key)].append(operation.sequence)
        self.made: dict[Call, Group] = {}

    # -- groups

    def fill(self, outermost: set[str]) -> None:
        """Make all groups; ``outermost`` are the paths of all calls that were in no other one."""
        tops = self.inner[None]
        models = [call for call in tops if self.inner[call]]
        only = len(tops) == 1 and len(outermost) <= 1  # beside a frozen backbone a head is a box
        alone = models if len(models) == 1 else tops if only else []
        parts = [self.inner[call] if call in alone else [call] for call in tops]
        self.add([call for calls in parts for call in calls], None, "")
        for operation in self.graph.operations:
            group = self.made.get(self.home.get(operation.key))
            operation.group = group and group.key
        self.fill_values()

    def add(self, calls: list[Call], parent: Group | None, around: str) -> None:
        """A group for each of some calls that stand side by side, and all that is in them."""
        unpacked = [self.inner[call] if self.only_a_row(call) else [call] for call in calls]
        for run in self.runs([call for some in unpacked for call in some]):
            holder = parent
            if len(run) > 1:
                name, path = repeat_name(run)
                holder = self.group(name, "repeat", parent, path, run[0].kind)
            for call in run:
                name = self.name(call, around, repeated=holder is not parent)
                made = self.made[call] = self.group(name, "module", holder, call.path, about(call))
                self.add(self.inner[call], made, call.path)

    def group(self, name: str, kind: str, parent: Group | None, path: str, said: str) -> Group:
        key = f"m{len(self.graph.groups)}"
        group = Group(key, name, kind, parent.key if parent else None, said, path)
        self.graph.groups.append(group)
        return group

    def name(self, call: Call, around: str, repeated: bool) -> str:
        """The path from the group around it; the number of the call where there are several."""
        name = call.path.removeprefix(f"{around}.") if around else call.path
        name = name or call.kind
        several = self.times[call.path] > 1
        if repeated and not several:
            return f"{repeat_name([call])[0]} {name.rpartition('.')[2]}"
        return f"{name}, call {call.time}" if several else name

    # -- repeats

    def runs(self, calls: list[Call]) -> list[list[Call]]:
        """The calls one by one, or several together where they are equal and in a row."""
        rows: list[list[Call]] = []
        for call in calls:
            if rows and self.follows(rows[-1][-1], call):
                rows[-1].append(call)
            else:
                rows.append([call])
        found: list[list[Call]] = []
        for row in rows:
            together = len(row) >= REPEATS and self.sizes[row[0]] > 1
            found += [row] if together else [[call] for call in row]
        return found

    def only_a_row(self, call: Call) -> bool:
        """Whether there is nothing in a call but equal modules in a row: a box too many."""
        inner = self.inner[call]
        return len(inner) >= REPEATS and not self.direct[call] and len(self.runs(inner)) == 1

    def follows(self, before: Call, after: Call) -> bool:
        """Whether a call is the next one of a row: built alike, and with nothing in between."""
        stems = {re.sub(r"\d+$", "", call.path) for call in (before, after)}
        if before.structure != after.structure or len(stems) > 1 or before.last is None:
            return False
        beside = self.direct[before.parent]
        return not any(before.last < number < after.first for number in beside)

    # -- values

    def fill_values(self) -> None:
        """A leaf, or an operand without gradient, belongs where all its users are.

        What a module was given as an argument stays outside of it.
        """
        index = Index(self.graph)
        given = {group.key: call.given for call, group in self.made.items()}
        for value in self.graph.values:
            chains = [index.around(edge.target) for edge in index.uses[value.key]]
            if index.is_result(value.key) or not chains:
                continue
            tensor = id(self.tensors.get(value.key))
            value.group = next(
                (
                    key
                    for key in chains[0]
                    if all(key in chain for chain in chains)
                    and index.groups[key].kind != "repeat"
                    and tensor not in given[key]
                ),
                None,
            )


def repeat_name(calls: list[Call]) -> tuple[str, str]:
    """What equal calls are called together, and the path that they share."""
    path = calls[0].path
    if len(calls) > 1 and path == calls[1].path:
        return path.rpartition(".")[2] or calls[0].kind, path
    container = path.rpartition(".")[0]
    last = container.rpartition(".")[2]
    plural = len(last) > 2 and last.endswith("s") and not last.endswith("ss")
    return (last[:-1] if plural else "block"), container


def about(call: Call) -> str:
    """What stands under the name of a module: its class and its sizes.

    >>> sizes = {"in_features": 784, "out_features": 128, "parts": 0}
    >>> about(Call(0, "net.0", "Linear", sizes, (), None, 0))
    'Linear 784 → 128'
    >>> about(Call(0, "net.0", "Linear", {**sizes, "frozen": True}, (), None, 0))
    'Linear 784 → 128, frozen'
    """
    said = _sizes(call)
    return _("{module}, frozen").format(module=said) if call.facts.get("frozen") else said


def _sizes(call: Call) -> str:
    facts, kind = call.facts, call.kind
    kernel = facts.get("kernel_size")
    for first, second, sign in SIZES:
        if first in facts and second in facts:
            said = f"{kind} {facts[first]} {sign} {facts[second]}"
            return f"{said}, {_size(kernel)}" if isinstance(kernel, tuple) else said
    if "num_heads" in facts:
        return _("{count} heads").format(count=facts["num_heads"])
    if facts["parts"] > 1:
        return _("{kind}, {count} modules").format(kind=kind, count=facts["parts"])
    sizes = (facts.get(name) for name in ("num_features", "normalized_shape", "kernel_size", "p"))
    size = next((size for size in sizes if size is not None), None)
    return kind if facts["parts"] or size is None else f"{kind} {_size(size)}"


def _size(size: Any) -> str:
    return "×".join(map(str, size)) if isinstance(size, tuple) else f"{size:g}"


SIZES = (
    ("in_features", "out_features", "→"),
    ("in_channels", "out_channels", "→"),
    ("input_size", "hidden_size", "→"),
    ("num_embeddings", "embedding_dim", "×"),
)
