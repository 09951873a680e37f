"""The graph model: names, values, edges, keys, and what is said of a value nobody knows."""

from dataclasses import asdict

import minigrad as mg
from minigrad.trace import graph_of, record, record_backward
from minigrad.trace.names import Names, is_tensor
from minigrad.trace.read import plain_name
from minigrad.viz.drawing import caption


def kept(frame):
    return {row[0]: row[1] for row in frame["details"][2]["rows"]}


def by_name(graph):
    return {value.name: value for value in graph.values}


def test_names_come_from_the_callers_variables():
    x = mg.tensor(2.0, requires_grad=True)
    a = x + 1
    y = a * a
    graph = graph_of(y)
    assert [value.name for value in graph.values] == ["x", "a", "y"]
    assert [value.text for value in graph.values] == ["2", "3", "9"]


def test_given_names_win():
    x = mg.tensor(2.0, requires_grad=True)
    y = x * x
    graph = graph_of(y, names={"weight": x})
    assert [value.name for value in graph.values] == ["weight", "weight·weight"]


def test_x_times_x_has_two_edges():
    x = mg.tensor(2.0, requires_grad=True)
    y = x * x
    graph = graph_of(y)
    operands = [(e.source, e.target, e.argument) for e in graph.edges if e.argument is not None]
    assert operands == [("v0", "n0", 0), ("v0", "n0", 1)]


def test_keys_do_not_depend_on_memory():
    def once():
        x = mg.tensor([1.0, 2.0], requires_grad=True)
        y = (x.exp() * x).sum()
        return asdict(graph_of(y))

    first = once()
    clutter = [mg.ones(3) for _ in range(100)]
    assert first["operations"] != []
    second = once()
    for graph in (first, second):
        for operation in graph["operations"]:
            operation["sequence"] = None
    assert first == second
    assert len(clutter) == 100


def test_an_operand_without_gradient_has_a_box_and_a_number_does_not():
    w = mg.tensor(2.0, requires_grad=True)
    input = mg.ones(2, 2)
    y = (input * w) * 3
    graph = graph_of(y)
    assert by_name(graph)["input"].requires_grad is False
    assert graph.operations[1].constants == {1: "3"}
    assert len(graph.values) == 4


def test_an_unknown_number_reads_question_mark():
    x = mg.tensor(2.0, requires_grad=True)
    y = (x + 1) + 2
    assert graph_of(y).operations[0].constants == {1: "?"}


def test_a_number_that_is_subtracted_from_is_unknown_and_not_absent():
    x = mg.tensor([2.0, 5.0], requires_grad=True)
    t = x[0]
    del x
    y = (4 - t) * 2
    assert caption(graph_of(y).operations[1]) == "? −"  # "−" alone is another operation


def test_the_1_that_a_recorded_pass_began_with_has_no_box_of_its_own():
    x = mg.tensor(2.0, requires_grad=True)
    (slope,) = mg.autograd.grad(x.sin() * x, x, create_graph=True)
    graph = graph_of(slope)
    assert [value.name for value in graph.values if not value.requires_grad] == []
    assert {op.constants.get(0) for op in graph.operations if op.symbol == "×"} >= {"1"}


def test_an_operand_without_a_name_is_counted_among_its_like():
    x = mg.ones(2)
    w = mg.tensor([1.0, 3.0], requires_grad=True)
    y = w * x * mg.tensor([4.0, 5.0])
    assert set(by_name(graph_of(y))) >= {"w", "x", "input₁"}


def test_the_oval_and_the_sentence_have_one_name_for_an_operation():
    net = mg.nn.Linear(2, 1)
    loss = net(mg.ones(3, 2)).sum()
    graph = graph_of(loss, names={"loss": loss})
    assert graph.operations[1].symbol == "linear"
    assert "the result of linear" in {value.role for value in graph.values}
    y = mg.ones(1, requires_grad=True).log1p()
    assert plain_name(y.grad_fn) == "log1p"


def test_an_unknown_value_reads_question_mark():
    x = mg.tensor(2.0, requires_grad=True)
    y = (x + 1) + 1
    assert graph_of(y).values[1].text == "?"


def test_a_tape_knows_what_nobody_saved():
    x = mg.tensor(2.0, requires_grad=True)
    with record() as tape:
        y = (x + 1) + 5
    assert graph_of(y) == graph_of(y, tape=tape)
    graph = graph_of(y)
    assert by_name(graph)["x+1"].text == "3"
    assert [op.constants for op in graph.operations[:2]] == [{1: "1"}, {1: "5"}]


def test_what_was_recorded_lives_as_long_as_the_graph():
    x = mg.tensor(2.0, requires_grad=True)
    with record():
        y = (x + 1) + 5
    first = graph_of(y)
    with record():
        (x + 2) + 6
    assert graph_of(y) == first
    assert first.operations[0].constants == {1: "1"}


def test_a_tape_stops_at_the_end_of_its_block_even_after_an_error():
    x = mg.tensor(2.0, requires_grad=True)
    try:
        with record() as tape:
            x * 2
            raise KeyError
    except KeyError:
        pass
    x * 3
    assert [step.output(0).item() for step in tape.steps] == [4.0]


def test_what_is_kept_and_at_which_version():
    x = mg.tensor(2.0, requires_grad=True)
    e = x.exp()
    y = e * x
    graph = graph_of(y)
    kept = {op.node: [(s.name, s.text, s.version) for s in op.saved] for op in graph.operations}
    assert kept["MulBackward0"] == [("e", "7.38906", 0), ("x", "2", 0)]
    assert kept["ExpBackward0"] == [("e", "7.38906", 0)]
    assert kept["AccumulateGrad"] == []


def test_gradients_that_are_there_are_shown():
    x = mg.tensor(2.0, requires_grad=True)
    a = x * 3
    a.retain_grad()
    y = a * a
    y.backward(retain_graph=True)
    values = by_name(graph_of(y))
    assert values["x"].grad == "36"
    assert values["a"].grad == "12"


def test_several_results_of_one_operation():
    x = mg.tensor([1.0, 2.0, 3.0], requires_grad=True)
    first, second, third = x.unbind()
    y = first * third
    trace = record_backward(y)
    unbind = trace.graph.operations[0]
    assert [trace.graph.values[int(key[1:])].name for key in unbind.outputs] == ["first", "third"]
    frames = trace.frames()
    assert frames[0]["sentence"].endswith(
        "first and third together have both of their parts and are ready."
    )
    assert frames[1]["row"][:3] == ["UnbindBackward0→first, third", "2", "[3.0, None, 1.0]"]
    assert frames[1]["sentence"] == "first and third send [3, 0, 1] to x. x is ready."
    assert kept(frames[-1])[".grad"] == ["x ", ["[3, 0, 1]"]]
    assert second.item() == 2.0


def test_an_in_place_write_into_a_view():
    x = mg.tensor(2.0, requires_grad=True)
    b = mg.zeros(2)
    b[0] = x
    y = (b * 3).sum()
    trace = record_backward(y)
    assert "CopySlices" in [op.node for op in trace.graph.operations]
    assert kept(trace.frames()[-1])[".grad"] == ["x ", ["3"]]


def test_a_custom_function():
    class Double(mg.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

    x = mg.tensor(2.0, requires_grad=True)
    y = Double.apply(x)
    trace = record_backward(y)
    assert trace.graph.operations[0].symbol == "Double"
    frame = trace.frames()[0]
    assert frame["row"][0] == "DoubleBackward→y"
    assert ["sends", [["2"], " → x"]] in frame["details"][0]["rows"]


def chain(length):
    x = mg.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(length):
        y = y * 1.5
    return y


def test_a_deep_graph_needs_no_recursion():
    trace = record_backward(chain(3000))
    assert trace.frames()[-1]["tags"] == ["leaf", "end"]


def test_only_tensors_are_tensors():
    class Trap:
        def __getattr__(self, name):
            raise RuntimeError("asked")

    assert not is_tensor(Trap())
    assert not is_tensor(mg)
    assert is_tensor(mg.ones(1))


def test_private_names_are_not_used():
    _hidden = mg.tensor(2.0, requires_grad=True)
    names = Names.of(None, {"_hidden": _hidden, "_12": _hidden})
    assert names.of_tensor(_hidden) is None


def test_a_term_that_nobody_kept_is_told_from_the_result():
    x = mg.tensor([2.0, 5.0], requires_grad=True)
    a = x + 1
    b = a - 2
    operations = graph_of(b * a).operations
    assert [op.constants for op in operations[:2]] == [{1: "1"}, {1: "2"}]


def test_a_term_that_rounding_hides_stays_unknown():
    x = mg.tensor([2.0, 0.1], requires_grad=True)
    a = x + mg.tensor([1.0, 2.0])
    assert graph_of(a * a).operations[0].constants == {1: "?"}
    a = x - 0.1
    assert graph_of(a * a).operations[0].constants == {1: "?"}
