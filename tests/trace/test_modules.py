"""Groups of a graph: which module an operation ran in, and equal modules as one."""

import pytest

import minigrad as mg
from minigrad.trace import at_depth, find_group, graph_of, record, record_backward, watch
from minigrad.trace.groups import scenes
from minigrad.trace.model import Graph, Group, Operation, Value

nn = mg.nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first, self.second = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x):
        return x + self.second(self.first(x).relu())


class Deep(nn.Module):
    def __init__(self, blocks=4):
        super().__init__()
        self.embed = nn.Linear(3, 2)
        self.blocks = nn.Sequential(*(Block(2) for _ in range(blocks)))
        self.head = nn.Linear(2, 1)

    def forward(self, x):
        return self.head(self.blocks(self.embed(x))) * 2


def watched(model, *inputs):
    with watch(model=model):
        y = model(*inputs).sum()
    return graph_of(y, names={})


def tree(graph, parent=None):
    return {g.name: tree(graph, g.key) for g in graph.groups if g.parent == parent}


def inside(graph, name):
    """Symbols of operations, and names of leaves and operands, that belong to a group itself."""
    key = None if name is None else find_group(graph, name).key
    made = {e.target for e in graph.edges if e.argument is None}
    symbols = [o.symbol for o in graph.operations if o.group == key and o.kind == "operation"]
    return symbols, [v.name for v in graph.values if v.group == key and v.key not in made]


def test_the_parts_of_the_only_model_stand_in_the_overview():
    graph = watched(nn.Sequential(nn.Linear(3, 2), nn.Tanh(), nn.Linear(2, 1)), mg.ones(4, 3))
    assert tree(graph) == {"model.0": {}, "model.1": {}, "model.2": {}}
    assert [g.about for g in graph.groups] == ["Linear 3 → 2", "Tanh", "Linear 2 → 1"]
    assert [g.key for g in graph.groups] == ["m0", "m1", "m2"]
    assert inside(graph, "model.0") == (["t", "linear"], ["model.0.weight", "model.0.bias"])
    assert inside(graph, "model.1") == (["tanh"], [])
    assert inside(graph, None)[0] == ["Σ"]


def test_an_input_stays_outside_of_what_it_is_given_to():
    x = mg.ones(4, 3)
    model = nn.Sequential(nn.Linear(3, 2), nn.Tanh())
    with watch(model):
        y = model(x).sum()
    assert inside(graph_of(y), None)[1] == ["x"]


def test_equal_modules_in_a_row_are_one_box():
    graph = watched(Deep(4), mg.ones(1, 3))
    block = {"first": {}, "second": {}}
    inner = {f"block {n}": block for n in range(4)}
    assert tree(graph) == {
        "model.embed": {},
        "block": inner,
        "model.head": {},
    }
    repeat = find_group(graph, "block")
    assert (repeat.kind, repeat.about, repeat.path) == ("repeat", "Block", "model.blocks")
    assert inside(graph, None)[0] == ["×", "Σ"]


def test_two_equal_modules_are_two_boxes():
    assert list(tree(watched(Deep(2), mg.ones(1, 3)))["model.blocks"]) == ["0", "1"]


def test_a_row_beside_other_modules_stands_inside():
    class Mixed(nn.Module):
        def __init__(self):
            super().__init__()
            self.body = nn.Sequential(*(Block(2) for _ in range(3)), nn.Tanh())

        def forward(self, x):
            return self.body(x) * 2

    graph = watched(Mixed(), mg.ones(1, 2))
    assert {name: list(parts) for name, parts in tree(graph).items()} == {
        "model.body": ["block", "3"]
    }


def test_modules_with_something_in_between_are_no_row():
    class Apart(nn.Module):
        def __init__(self):
            super().__init__()
            self.blocks = nn.Sequential(*(Block(2) for _ in range(3)))

        def forward(self, x):
            for block in self.blocks:
                x = block(x) * 2
            return x

    kinds = {g.kind for g in watched(Apart(), mg.ones(1, 2, requires_grad=True)).groups}
    assert kinds == {"module"}


def test_modules_of_other_sizes_are_no_row():
    model = nn.Sequential(*(nn.Linear(n, n + 1) for n in range(1, 5)))
    assert {g.kind for g in watched(model, mg.ones(1, 1)).groups} == {"module"}


def test_a_module_that_is_called_again_is_a_box_each_time():
    class Twice(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer, self.other = nn.Linear(2, 2), nn.Tanh()

        def forward(self, x):
            return self.layer(self.other(self.layer(x)))

    graph = watched(Twice(), mg.ones(1, 2))
    assert list(tree(graph)) == ["model.layer, call 1", "model.other", "model.layer, call 2"]
    shared = [v for v in graph.values if v.leaf]
    assert [v.group for v in shared] == [None, None]  # used in two boxes, so in neither


def test_a_cell_in_a_loop_is_one_box_with_its_weights_outside():
    cell = nn.Sequential(nn.Linear(2, 2), nn.Tanh())
    with watch(cell):
        h = mg.ones(1, 2)
        for _ in range(5):
            h = cell(h)
    graph = graph_of(h)
    assert list(tree(graph)) == ["cell"]
    assert list(tree(graph)["cell"]) == [f"cell, call {n}" for n in range(1, 6)]
    assert [v.group for v in graph.values if v.leaf] == [None, None]


def test_two_models_are_a_box_each():
    generator, critic = (nn.Sequential(nn.Linear(1, 1), nn.Tanh()) for _ in range(2))
    with watch(generator, critic):
        y = critic(generator(mg.ones(1))).sum()
    graph = graph_of(y)
    assert list(tree(graph)) == ["generator", "critic"]
    assert list(tree(graph)["critic"]) == ["0", "1"]


def test_modules_are_known_by_their_variable_without_being_named():
    net = nn.Sequential(nn.Linear(1, 1), nn.Tanh())
    criterion = nn.MSELoss()
    with record():
        loss = criterion(net(mg.ones(1)), mg.zeros(1))
    assert list(tree(graph_of(loss))) == ["net.0", "net.1", "criterion"]


def test_only_what_leads_to_the_root_is_grouped():
    heads = nn.Sequential(nn.Linear(1, 1), nn.Tanh()), nn.Sequential(nn.Linear(1, 1))
    with watch(a=heads[0], b=heads[1]):
        y, other = (head(mg.ones(1)).sum() for head in heads)
    assert list(tree(graph_of(y))) == ["a.0", "a.1"]
    assert list(tree(graph_of(other))) == ["b.0"]


def test_a_module_by_its_path():
    graph = watched(Deep(3), mg.ones(1, 3))
    assert find_group(graph, "model.blocks.1.first").about == "Linear 2 → 2"
    assert find_group(graph, "blocks.1") is find_group(graph, "model.blocks.1")
    with pytest.raises(KeyError, match=r"no module 'blok' .*model\.embed, model\.blocks"):
        find_group(graph, "blok")


def test_depth_opens_the_outer_modules():
    graph = watched(Deep(3), mg.ones(1, 3))
    assert at_depth(graph, 1).groups == graph.groups
    assert tree(at_depth(graph, 0)) == {}
    two = at_depth(graph, 2)
    assert list(tree(two)) == [
        "model.embed",
        *(f"model.blocks.{n}" for n in range(3)),
        "model.head",
    ]
    for depth in range(5):
        shown = at_depth(graph, depth)
        drawn = [key for scene in scenes(shown).values() for key in scene.operations]
        assert sorted(drawn) == sorted(o.key for o in graph.operations)
    with pytest.raises(ValueError, match="0 or more"):
        at_depth(graph, -1)


def test_depth_of_a_graph_without_groups():
    graph = Graph([Value("v0", "x")], [Operation("n0", "Node", "+", 0, "v0")])
    assert at_depth(graph, 3) == graph
    assert at_depth(Graph(groups=[Group("m0", "a")]), 0).groups == []


def test_the_title_of_a_step_says_in_which_module_it_runs():
    net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
    with watch(net=net):
        loss = (net(mg.ones(4, 2)) ** 2).mean()
    titles = [frame["title"] for frame in record_backward(loss, names={"loss": loss}).frames()]
    assert titles[:2] == ["run MeanBackward0 (made loss)", "run PowBackward0 (made the square)"]
    assert titles[2] == "in net.2: run AddmmBackward0 (made the output of net.2)"
    assert "in net.2: run AccumulateGrad(net.2.bias)" in titles
    assert "in net.1: run TanhBackward0 (made the output of net.1)" in titles
