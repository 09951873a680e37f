"""Scenes and parts: each element stands somewhere once, and every edge can be seen."""

import random

import pytest

from minigrad.trace.groups import children, scenes, with_parts
from minigrad.trace.model import Edge, Graph, Group, Index, Operation, Value


class Builder:
    """A graph by hand: leaves and operations in the order in which they are named."""

    def __init__(self):
        self.graph = Graph()

    def value(self, leaf=False, group=None):
        value = Value(f"v{len(self.graph.values)}", f"name{len(self.graph.values)}", leaf=leaf)
        value.group = group
        self.graph.values.append(value)
        return value.key

    def leaf(self, group=None):
        key = self.value(True, group)
        number = len(self.graph.operations)
        node = Operation(f"n{number}", "AccumulateGrad", "", None, key, "accumulate")
        self.graph.operations.append(node)
        return key

    def edge(self, source, target, argument=None):
        edge = Edge(f"e{len(self.graph.edges)}", source, target, argument)
        self.graph.edges.append(edge)
        return edge.key

    def op(self, *operands, group=None):
        key, made = f"n{len(self.graph.operations)}", self.value()
        node = Operation(key, "AddBackward0", "+", None, made, outputs=(made,), group=group)
        self.graph.operations.append(node)
        for argument, source in enumerate(operands):
            self.edge(source, key, argument)
        self.edge(key, made)
        return made

    def group(self, name, parent=None, kind="module"):
        key = f"m{len(self.graph.groups)}"
        self.graph.groups.append(Group(key, name, kind, parent))
        return key


def chain(length):
    b = Builder()
    value = b.leaf()
    for _ in range(length):
        value = b.op(value, value)
    return b.graph


def test_without_groups_the_overview_is_the_graph():
    b = Builder()
    x = b.leaf()
    y = b.op(x, x)
    scene = children(b.graph)
    assert scene.values == [x, y]
    assert scene.groups == []
    assert scene.boundary == []
    assert [(line.key, line.source, line.target, line.edges) for line in scene.lines] == [
        ("e0", x, "n1", ("e0",)),
        ("e1", x, "n1", ("e1",)),
    ]


def test_a_module_is_one_box_with_one_line_for_each_value_that_goes_in():
    b = Builder()
    net = b.group("net")
    x, w = b.leaf(), b.leaf(group=net)
    h = b.op(x, w, group=net)
    k = b.op(h, x, group=net)
    y = b.op(k, x)
    overview, inside = children(b.graph), children(b.graph, net)
    assert overview.groups == [net]
    assert w not in overview.values
    assert h not in overview.values
    assert [(line.key, line.source, line.target) for line in overview.lines] == [
        ("b0-m0", x, net),
        ("e6", net, "n4"),
        ("e7", x, "n4"),
    ]
    assert overview.lines[0].edges == ("e0", "e4")
    assert overview.lines[0].bundle
    assert inside.boundary == [x]
    assert inside.values == [w, h, k]
    assert y not in inside.values
    assert [(line.key, line.source, line.target) for line in inside.lines] == [
        ("e0", x, "n2"),
        ("e1", w, "n2"),
        ("e3", h, "n3"),
        ("e4", x, "n3"),
    ]


def test_many_values_between_the_same_two_boxes_are_one_bundle():
    b = Builder()
    first = b.group("first")
    x = b.leaf()
    made = [b.op(x, group=first) for _ in range(5)]
    b.op(*made)
    (into, out) = children(b.graph).lines
    assert into.source == x
    assert into.target == first
    assert len(into.edges) == 5
    assert (out.source, out.target, len(out.edges)) == (first, "n6", 5)


def test_a_group_inside_a_group_is_seen_from_both():
    b = Builder()
    outer = b.group("outer")
    inner = b.group("inner", outer)
    x = b.leaf()
    h = b.op(x, group=inner)
    b.op(h, group=outer)
    assert children(b.graph).groups == [outer]
    assert children(b.graph, outer).groups == [inner]
    assert [(line.source, line.target) for line in children(b.graph, outer).lines] == [
        (x, inner),
        (inner, "n2"),
    ]
    assert children(b.graph, inner).boundary == [x]


def test_a_group_that_does_not_exist():
    with pytest.raises(KeyError):
        children(Graph(), "m9")


def test_a_short_graph_gets_no_parts():
    graph = chain(60)
    assert with_parts(graph) is graph


@pytest.mark.parametrize("length", [61, 100, 2000, 4000])
def test_a_long_chain_is_never_shown_at_once(length):
    graph = with_parts(chain(length))
    check(graph, limit=60)
    parts = [group for group in graph.groups if group.parent is None]
    assert [part.name for part in parts] == [f"operations 21 to {length - 39}"]
    assert len(children(graph).operations) == 60  # with the AccumulateGrad of the leaf


def test_a_stack_of_a_thousand_leaves():
    b = Builder()
    b.op(*[b.leaf() for _ in range(1000)])
    graph = with_parts(b.graph)
    check(graph, limit=60)
    assert [group.name for group in graph.groups if group.parent is None] == ["values 21 to 961"]
    assert len(children(graph).lines) == 60  # 59 leaves and a bundle


def test_a_leaf_goes_where_it_is_used():
    b = Builder()
    value = b.leaf()
    for _ in range(200):
        value = b.op(value, b.leaf())
    graph = with_parts(b.graph)
    check(graph, limit=60)
    assert len(children(graph).values) == 60 + 59  # a leaf for each operation shown


def test_modules_in_the_middle_go_into_a_part_whole():
    b = Builder()
    value = b.leaf()
    groups = [b.group(f"layer{i}") for i in range(100)]
    for group in groups:
        value = b.op(b.op(value, group=group), group=group)
    graph = with_parts(b.graph)
    check(graph, limit=60)
    (part,) = (group for group in graph.groups if group.kind == "part")
    assert part.name == "operations 41 to 122"  # 20 layers of 2 before it
    assert children(graph).groups == groups[:20] + groups[61:] + [part.key]
    assert children(graph, part.key).groups == groups[20:61]


def test_random_graphs_lose_nothing():
    for seed in range(100):
        draw = random.Random(seed)
        b = Builder()
        groups = [None]
        for number in range(draw.randrange(4)):
            groups.append(b.group(f"g{number}", draw.choice(groups)))
        values = [b.leaf(draw.choice(groups)) for _ in range(1 + draw.randrange(6))]
        for _ in range(draw.randrange(1, 60)):
            taken = [draw.choice(values) for _ in range(draw.randrange(1, 4))]
            values.append(b.op(*taken, group=draw.choice(groups)))
        check(b.graph)
        check(with_parts(b.graph, limit=6))


def check(graph, limit=None):
    """Every element stands in one scene; every operand edge is in a line wherever it can be."""
    found, homes = scenes(graph), Index(graph)
    assert set(found) == {None, *(group.key for group in graph.groups)}
    for kind in ("operations", "values", "groups"):
        listed = [key for scene in found.values() for key in getattr(scene, kind)]
        assert sorted(listed) == sorted(element.key for element in getattr(graph, kind))
    bundles = {}
    for inside, scene in found.items():
        drawn = {*scene.operations, *scene.values, *scene.groups, *scene.boundary}
        assert not set(scene.boundary) & set(scene.values)
        shown = [edge for line in scene.lines for edge in line.edges]
        assert len(shown) == len(set(shown))
        for line in scene.lines:
            assert {line.source, line.target} <= drawn
            assert line.source != line.target
            if line.bundle:
                assert bundles.setdefault(line.key, line.edges) == line.edges
        here = {
            edge.key
            for edge in graph.edges
            if edge.argument is not None
            and homes.drawn(edge.target, inside) is not None
            and homes.drawn(edge.target, inside) != homes.drawn(edge.source, inside)
        }
        assert set(shown) == here
        if limit is not None:
            blocks = [key for key in scene.operations if is_block(graph, key)]
            assert len(blocks) + len(scene.groups) <= limit
            assert len(scene.lines) <= 4 * limit


def is_block(graph, key):
    return graph.operations[int(key[1:])].kind != "accumulate"
