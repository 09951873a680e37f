"""Watching a forward pass of minigrad: what is known afterwards, for how long, and nothing else."""

import gc
import weakref

import pytest

import minigrad as mg
from minigrad.nn import module as modules
from minigrad.trace import error_frame, graph_of, graph_until_error, record, watch
from minigrad.trace.forward import COPIED, LIVING

F = mg.nn.functional


def net_of(*layers):
    mg.manual_seed(0)
    return mg.nn.Sequential(*layers)


def leaf_names(graph):
    return [value.name for value in graph.values if value.leaf]


def made(graph, node):
    """The text of what the first operation of a kind made."""
    operation = next(o for o in graph.operations if o.node == node)
    return next(v.text for v in graph.values if v.key == operation.makes)


def test_parameters_have_the_path_of_the_callers_variable():
    classifier = net_of(mg.nn.Linear(2, 3), mg.nn.Tanh(), mg.nn.Linear(3, 1, bias=False))
    with watch(classifier):
        loss = classifier(mg.ones(2)).sum()
    known = ["classifier.0.weight", "classifier.0.bias", "classifier.2.weight"]
    assert sorted(leaf_names(graph_of(loss))) == sorted(known)


def test_several_modules_go_by_the_names_they_are_given():
    nets = [mg.nn.Linear(1, 1), mg.nn.Linear(1, 1)]
    with watch(g=nets[0], critic=nets[1]):
        loss = nets[1](nets[0](mg.ones(1))).sum()
    nets = None
    graph = graph_of(loss, names={})
    assert sorted(leaf_names(graph)) == ["critic.bias", "critic.weight", "g.bias", "g.weight"]


def test_what_is_not_a_module_is_refused():
    with pytest.raises(TypeError, match=r"such as watch\(net\).* not Tensor"):
        watch(mg.ones(2))


def test_a_second_tape_under_the_same_name_takes_nothing_from_the_first():
    x = mg.tensor(2.0, requires_grad=True)
    with record() as tape:
        y = (x + 1) * 3
    first = graph_of(y)
    with record() as tape:  # noqa: F841
        (x + 5) * 3
    assert graph_of(y) == first
    assert [o.constants for o in first.operations[:2]] == [{1: "1"}, {1: "3"}]


def test_a_recording_goes_with_its_graph():
    gc.collect()
    others = len(LIVING)  # of graphs that other tests still hold
    x = mg.tensor(2.0, requires_grad=True)
    with record():
        y = (x + 1) * 3
    assert len(LIVING) == others + 1
    del y
    gc.collect()
    assert len(LIVING) == others


def test_a_tape_keeps_no_graph():
    x = mg.ones(COPIED + 1, requires_grad=True)
    kept = mg.ones(COPIED + 1)
    with record() as tape:
        y = x * kept
    result, operand = weakref.ref(y), weakref.ref(kept)
    del y
    assert result() is None
    del kept
    assert operand() is not None
    del tape
    gc.collect()
    assert operand() is None


def test_a_large_value_that_was_written_to_is_unknown_and_a_small_one_is_as_it_was():
    for size, text in ((COPIED + 1, "?"), (3, "all 2")):
        x = mg.ones(size, requires_grad=True)
        with record():
            h = x + 1
            y = h.sum()
        assert made(graph_of(y), "AddBackward0") != "?"
        with mg.no_grad():
            h.mul_(5)
        del h
        assert made(graph_of(y), "AddBackward0") == text


def test_an_operand_that_was_written_to_is_shown_as_it_was():
    x, k = mg.ones(2, requires_grad=True), mg.tensor([3.0, 4.0])
    with record():
        y = (x + k).sum()
    k.zero_()
    del k
    box = next(v for v in graph_of(y).values if not v.requires_grad)
    assert box.text == "[3, 4]"


def test_values_in_place():
    x = mg.tensor(2.0, requires_grad=True)
    with record():
        a = x * 1
        a.mul_(3)
        y = a + 1
    graph = graph_of(y)
    assert [v.text for v in graph.values] == ["2", "2", "6", "7"]


def test_nothing_stays_behind_also_after_an_error():
    net = net_of(mg.nn.Linear(2, 3))
    with pytest.raises(KeyError), watch(net):
        raise KeyError
    assert modules.OBSERVERS == []
    assert not net._forward_hooks
    assert not net._forward_pre_hooks
    with record() as tape:
        pass
    net(mg.ones(2))
    assert tape.steps == []


def test_the_pass_is_the_same_when_watched():
    net = net_of(mg.nn.Linear(3, 4), mg.nn.ReLU(), mg.nn.Linear(4, 2))
    x, told = mg.ones(5, 3), []
    for watched in (False, True):
        net.zero_grad()
        if watched:
            with watch(net):
                loss = F.cross_entropy(net(x), mg.tensor([0, 1, 0, 1, 0]))
        else:
            loss = F.cross_entropy(net(x), mg.tensor([0, 1, 0, 1, 0]))
        loss.backward()
        told.append([loss.item(), *(p.grad.tolist() for p in net.parameters())])
    assert told[0] == told[1]


def test_a_hook_of_a_module_runs_once_and_sees_the_same():
    net, seen = mg.nn.Linear(1, 1), []
    net.register_forward_hook(lambda module, args, output: seen.append(output.shape))
    with watch(net):
        net(mg.ones(1))
    assert seen == [(1,)]


# -- a forward pass that raises ------------------------------------------------------------


def failed(graph):
    operation = graph.operations[-1]
    assert operation.kind == "error"
    given = [edge.source for edge in graph.edges if edge.target == operation.key]
    names = {value.key: (value.name, value.shape) for value in graph.values}
    return operation, [names[key] for key in given]


def test_the_graph_up_to_a_layer_that_does_not_fit():
    net = net_of(mg.nn.Linear(2, 3), mg.nn.ReLU(), mg.nn.Linear(4, 1))
    with pytest.raises(RuntimeError), watch(net) as tape:
        net(mg.ones(5, 2))
    graph = graph_until_error(tape)
    operation, given = failed(graph)
    assert operation.node == "RuntimeError"
    assert operation.error == "mat1 and mat2 shapes cannot be multiplied (5x3 and 4x1)"
    assert [shape for _, shape in given] == [(5, 3), (1, 4), (1,)]
    assert [g.name for g in graph.groups if g.key == operation.group] == ["net.2"]
    assert [g.name for g in graph.groups] == ["net.0", "net.1", "net.2"]
    assert repr(tape).endswith(f"then RuntimeError: {operation.error}>")
    frame = error_frame(graph)
    assert frame["marks"] == {operation.key: ["error"], operation.group: ["error"]}
    assert frame["sentence"] == f"RuntimeError: {operation.error}"


def test_the_operands_on_the_line_that_raised():
    class Mine(mg.nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = mg.nn.Linear(2, 3), mg.nn.Linear(2, 4)

        def forward(self, x):
            left, right = self.a(x), self.b(x)
            return left + right

    mine = Mine()
    with pytest.raises(RuntimeError), watch(mine) as tape:
        mine(mg.ones(5, 2))
    operation, given = failed(graph_until_error(tape))
    assert operation.symbol == "+"
    assert [shape for _, shape in given] == [(5, 3), (5, 4)]


def test_an_error_that_the_program_catches_itself_is_none():
    net = net_of(mg.nn.Linear(2, 3))
    with watch(net) as tape:
        with pytest.raises(RuntimeError):
            net(mg.ones(3))
        y = net(mg.ones(2)).sum()
    assert tape.failure is None
    assert "net.0.weight" in leaf_names(graph_of(y))
    with pytest.raises(ValueError, match="ended without an error"):
        graph_until_error(tape)


def test_what_a_failed_module_made_is_not_its_output():
    net = mg.nn.Sequential(mg.nn.Linear(2, 3), mg.nn.Linear(4, 1))
    tape = watch(net)
    with pytest.raises(RuntimeError), tape:
        net(mg.ones(5, 2))
    graph = graph_until_error(tape)
    roles = [value.role for value in graph.values]
    assert "the output of net.0" in roles
    assert not any("net.1" in role for role in roles)
