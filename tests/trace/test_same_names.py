"""Two operands, or two values, with the same name are told apart in sentences and rows."""

import minigrad as mg
from minigrad.trace import graph_of, record_backward, watch
from minigrad.trace.model import Index
from minigrad.trace.speakers import Speakers


def leaf(number=2.0):
    return mg.tensor(number, requires_grad=True)


def rows(frame, section):
    """(label, text) of the rows of a section."""
    told = frame["details"][section]["rows"]
    return [(row[0], "".join(p if isinstance(p, str) else p[0] for p in row[1])) for row in told]


def test_base_and_exponent():
    a = leaf()
    y = a**a
    first, last = record_backward(y, names={"a": a, "y": y}).frames()
    sent = "y sends 4 to a (its first operand) and ≈2.77 to a (its second operand)."
    assert sent in first["sentence"]
    assert [text for label, text in rows(first, 0) if label in ("sends", "")] == [
        "1 × 4 = 4 → a (first operand)",
        "1 × 2.77259 = 2.77259 → a (second operand)",
    ]
    (slopes,) = [text for label, text in rows(first, 0) if label == "local slopes"]
    assert slopes.split("\n")[0].startswith("first operand: ∂y/∂a = ")
    assert slopes.split("\n")[1].startswith("second operand: ∂y/∂a = ")
    assert rows(last, 0)[0][1] == (
        "4 (by y, first operand) + 2.77259 (by y, second operand) = 6.77259"
    )


def test_equal_parts_are_still_said_at_once():
    x = leaf(3.0)
    y = x * x
    first = record_backward(y, names={"x": x, "y": y}).frames()[0]
    assert "y sends 3 to x twice." in first["sentence"]


def test_the_reciprocal_in_a_division_is_not_called_like_its_result():
    """A number over x is a reciprocal times the number."""
    x = leaf()
    y = (1 / x) * 3
    frames = record_backward(y, names={"x": x, "y": y}).frames()
    (slope,) = [text for label, text in rows(frames[1], 0) if label == "local slope"]
    assert slope == "∂(1/x)/∂(x⁻¹) = 1"
    assert ("sends", "3 × 1 = 3 → x⁻¹") in rows(frames[1], 0)


def test_the_title_stays_as_it_was_written():
    x = leaf()
    y = 1 / x
    assert record_backward(y, names={"x": x, "y": y}).title == "y = 1/x"


def test_two_values_with_one_expression_are_called_by_their_roles():
    x = leaf()
    y = (x * x) + (x * x).sin()
    graph = graph_of(y, names={"x": x, "y": y})
    speakers = Speakers(Index(graph))
    squares = [value.key for value in graph.values if value.name == "x·x"]
    assert sorted(speakers.name(key) for key in squares) == [
        "the first product",
        "the second product",
    ]


def test_a_frozen_parameter_is_called_by_its_path():
    nn = mg.nn
    net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
    net[0].weight.requires_grad_(False)
    net[2].bias.requires_grad_(False)
    with watch(net):
        loss = net(mg.ones(4, 2)).sum()
    names = [value.name for value in graph_of(loss).values if not value.requires_grad]
    assert names[1:] == ["net.0.weightᵀ", "net.2.bias"]


def test_a_sum_along_one_dimension_says_along_which():
    x = mg.ones(2, 3, requires_grad=True)
    y = x.sum(1).exp().sum()
    names = [value.name for value in graph_of(y, names={"x": x, "y": y}).values]
    assert names == ["x", "sum(x,1)", "exp(sum(x,1))", "y"]
    z = x.sum(0, keepdim=True) * x
    assert "sum(x" not in str([value.name for value in graph_of(z).values])


def test_a_formula_keeps_expressions_that_others_have_too():
    x = leaf()
    y = (x * x) + (x * x).sin()
    first = record_backward(y, names={"x": x, "y": y}).frames()[0]
    (slopes,) = [text for label, text in rows(first, 0) if label == "local slopes"]
    assert slopes == "∂y/∂(x·x) = 1, ∂y/∂(sin(x·x)) = 1"


def test_a_few_results_of_one_operation_are_called_by_their_names():
    x = mg.ones(4, requires_grad=True)
    a, b, c, d = (x * 2).chunk(4)
    y = (a + b + c + d).sum()
    frames = record_backward(y, names={"x": x, "a": a, "b": b, "c": c, "d": d, "y": y}).frames()
    assert any("a, b, c and d send" in frame["sentence"] for frame in frames)
