"""What values are called: by the reader's names, by expressions, by roles, by what they were."""

import math
import re

import pytest

import minigrad as mg
from minigrad.trace import graph_of, record, record_backward, watch
from minigrad.trace.survey import Survey

LETTERS = "xabc"


def leaf(number=2.0):
    return mg.tensor(number, requires_grad=True)


def unnamed(root, names):
    """(name, role) of the values that the reader did not name, without the root."""
    graph = graph_of(root, names=names)
    return [(v.name, v.role) for v in graph.values if not v.named and v.key not in graph.roots]


CASES = [
    (lambda x, a, b: x * x, "x·x", "the product"),
    (lambda x, a, b: (x + 1) ** 2, "(x+1)²", "the square"),
    (lambda x, a, b: x**3, "x³", "the power"),
    (lambda x, a, b: x**0.5, "x^0.5", "the power"),
    (lambda x, a, b: x - (a - b), "x−(a−b)", "the difference x−(a−b)"),
    (lambda x, a, b: x - a - b, "x−a−b", "the difference x−a−b"),
    (lambda x, a, b: x + (a + b), "x+a+b", "the sum x+a+b"),
    (lambda x, a, b: x * (a + b), "x·(a+b)", "the product"),
    (lambda x, a, b: x / (a * b), "x/(a·b)", "the quotient"),
    (lambda x, a, b: x * (a / b), "x·(a/b)", "the product"),
    (lambda x, a, b: (-x) ** 2, "(−x)²", "the square"),
    (lambda x, a, b: -(x**2), "−x²", "the negative"),
    (lambda x, a, b: x - (-a), "x−(−a)", "the difference"),
    (lambda x, a, b: x * -0.5, "x·(−0.5)", "the product"),
    (lambda x, a, b: 1 - x, "1−x", "the difference"),
    (lambda x, a, b: 1 / x, "1/x", "the product"),
    (lambda x, a, b: x.exp(), "exp(x)", "exp(x)"),
    (lambda x, a, b: (x * a).mean(), "mean(x·a)", "the mean"),
    (lambda x, a, b: mg.stack((x, a)), "stack(x,a)", "stack(x,a)"),
]


@pytest.mark.parametrize(("make", "name", "role"), CASES, ids=[case[1] for case in CASES])
def test_a_result_without_a_name_is_called_by_its_expression(make, name, role):
    x, a, b = leaf(), leaf(3.0), leaf(5.0)
    with record() as tape:
        y = make(x, a, b).sum()
    assert unnamed(y, {"x": x, "a": a, "b": b})[-1] == (name, role)
    assert tape.steps != []


def test_what_an_expression_would_hide_leaves_the_value_without_one():
    x, a = leaf(), leaf(3.0)
    with record() as tape:
        y = x.add(a, alpha=3) * 2
    assert unnamed(y, {"x": x, "a": a}) == [("", "the sum")]
    del tape
    y = (x + 1) * 2  # nobody knows the 1
    assert unnamed(y, {"x": x}) == [("", "the sum")]


def test_an_expression_is_not_longer_than_fourteen_characters():
    weights, factor = leaf(), leaf()
    names = {"weights": weights, "factor": factor}
    assert unnamed((weights * factor).exp(), names) == [("weights·factor", "the product")]
    names = {"weights": weights, "factors": factor}
    assert unnamed((weights * factor).exp(), names) == [("", "the product")]


def test_roles_are_counted_where_there_are_several():
    x, a, b = leaf(), leaf(), leaf()
    y = ((x * a) + (a * b)) * (x - b)
    names = {"x": x, "a": a, "b": b}
    roles = [role for _, role in unnamed(y.exp(), names)]
    assert roles == ["the product x·a", "the product a·b", "the sum", "the difference",
                     "the third product"]  # fmt: skip


def test_a_role_that_a_named_result_could_have_is_told_by_the_expression():
    x = leaf()
    loss = (x * x + x).tanh().sum()
    assert ("x·x+x", "the sum x·x+x") in unnamed(loss, {"x": x, "loss": loss})
    assert ("x·x", "the product") in unnamed(loss, {"x": x, "loss": loss})
    y = (x - loss).tanh() - x
    assert ("x−loss", "the difference x−loss") in unnamed(y, {"x": x, "loss": loss, "y": y})


def test_results_of_one_operation():
    x = mg.tensor([1.0, 2.0, 3.0], requires_grad=True)
    parts = x.unbind()
    y = parts[0] * parts[2]
    del parts
    assert unnamed(y, {"x": x}) == [
        ("unbind(x)[0]", "unbind(x)[0]"),
        ("unbind(x)[2]", "unbind(x)[2]"),
    ]


def random_expression(draw, depth):
    """A Python expression over x, a, b and c."""
    if depth == 0:
        return draw.choice(LETTERS)
    left, right = random_expression(draw, depth - 1), random_expression(draw, draw.randrange(depth))
    form = draw.choice(["({} + {})", "({} - {})", "({} * {})", "({} / {})", "(-{})", "({} ** 2)"])
    return form.format(left, right)


@pytest.mark.parametrize("seed", range(150))
def test_an_expression_means_what_was_computed(seed):
    import random

    draw = random.Random(seed)
    numbers = {letter: draw.uniform(1, 2) for letter in LETTERS}
    leaves = {k: mg.tensor(v, dtype=mg.float64, requires_grad=True) for k, v in numbers.items()}
    with record() as tape:
        root = eval(random_expression(draw, 3), {}, dict(leaves)) * 1.0
    survey = Survey((root,), leaves, tape)
    for value in survey.graph.values:
        if value.name and not value.named:
            code = value.name.replace("−", "-").replace("·", "*").replace("²", "**2")
            known = float(survey.arrays[value.key])
            assert math.isclose(eval(code, {}, numbers), known, rel_tol=1e-9), code


# -- where names are found ------------------------------------------------------------------


def names_of(graph):
    return {value.name for value in graph.values if value.named}


def test_names_reach_into_containers():
    params = [leaf(), leaf()]
    batch = {"x": leaf()}
    y = params[1] * batch["x"]
    assert names_of(graph_of(y)) == {"params[1]", "batch['x']", "y"}


def test_names_reach_attributes():
    class Neuron:
        def __init__(self):
            self.w = leaf()

        @property
        def trap(self):
            raise RuntimeError("asked")

        def run(self, x):
            y = self.w * x
            return names_of(graph_of(y))

    assert Neuron().run(leaf()) == {"self.w", "x", "y"}


def test_names_reach_parameters_of_modules():
    net = mg.nn.Sequential(mg.nn.Linear(2, 1))
    y = net(mg.ones(2))
    assert {"net.0.weight", "net.0.bias"} <= names_of(graph_of(y))


def test_a_variable_comes_before_what_is_inside_of_another():
    a = [leaf()]
    w = a[0]
    y = w * 2
    assert names_of(graph_of(y)) == {"w", "y"}


def test_a_tape_knows_the_names_of_what_it_watched():
    net, x = mg.nn.Linear(1, 1), mg.ones(1)
    with watch(net) as tape:
        y = net(x)
    for known in (tape, None):
        graph = graph_of(y, names={"x": x}, tape=known)
        assert [v.name for v in graph.values if v.leaf] == ["net.weight", "net.bias"]


# -- old values -----------------------------------------------------------------------------


def old_names(graph):
    return [v.name for v in graph.values if re.search("before line", v.name)]


def test_a_value_that_was_written_over_is_called_by_the_line():
    x = leaf()
    a = x * 3
    a += 1
    a *= x
    first = test_a_value_that_was_written_over_is_called_by_the_line.__code__.co_firstlineno
    assert old_names(graph_of(a * 2)) == [
        f"a before line {first + 3}",
        f"a before line {first + 4}",
    ]


def test_writes_into_elements():
    x = leaf()
    a = mg.zeros(2)
    a[0] = x
    a[1] = x * 2
    first = test_writes_into_elements.__code__.co_firstlineno
    assert old_names(graph_of(a.sum())) == [f"a before line {first + 4}"]


def test_nothing_is_said_of_writes_that_were_not_recorded():
    x = leaf()
    a = x * 3 + 1
    with mg.no_grad():
        a += 1
        a.zero_()
    assert old_names(graph_of(a * 2)) == []
    b = x * 3
    b += 1
    with mg.no_grad():
        b += 5
    assert old_names(graph_of(b * 2)) == []


def test_a_loop_writes_more_than_once_with_one_line():
    x = leaf()
    a = x * 3
    for _ in range(2):
        a *= x
    assert old_names(graph_of(a * 2)) == []


# -- roles in modules -----------------------------------------------------------------------


class Two(mg.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = mg.nn.Linear(2, 2)

    def forward(self, x):
        return x * (self.inner(x).tanh() * 2).exp()


class Rows(mg.nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = mg.nn.Sequential(*(Two() for _ in range(4)))
        self.last = Two()

    def forward(self, x):
        return self.last(self.rows(x))


def roles_of(model, *inputs):
    with watch(model=model):
        y = model(*inputs).sum()
    return [value.role for value in graph_of(y, names={}).values if value.role]


def test_results_of_modules_are_called_by_their_modules():
    assert roles_of(Rows(), mg.ones(3, 2))[:7] == [
        "the transposed model.rows.0.inner.weight",
        "the output of rows.0.inner",
        "the tanh in row 0",
        "the product in row 0",
        "the exp in row 0",
        "the output of row 0",
        "the transposed model.rows.1.inner.weight",
    ]


def test_a_module_is_called_by_the_shortest_end_of_its_path_that_is_clear():
    told = roles_of(Rows(), mg.ones(3, 2))
    assert "the output of last.inner" in told
    assert "the output of last" in told
    assert len(set(told)) == len(told)


def test_a_module_that_runs_twice_is_told_by_the_call():
    inner = mg.nn.Linear(2, 2)

    class Twice(mg.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner, self.other = inner, mg.nn.Tanh()

        def forward(self, x):
            return self.other(self.inner(self.inner(x)))

    told = roles_of(Twice(), mg.ones(3, 2))
    assert "the output of inner (call 1)" in told
    assert "the output of inner (call 2)" in told


def test_what_a_module_leaves_on_the_way_is_not_its_output():
    class Aside(mg.nn.Module):
        def forward(self, x):
            self.kept = x * 3
            return (self.kept + 1).detach() + x

    net, x = mg.nn.Sequential(Aside(), mg.nn.Tanh()), mg.ones(2).requires_grad_()
    with watch(net=net):
        y = net[0](x)
        z = (net[1](y) + net[0].kept).sum()
    told = [value.role for value in graph_of(z, names={}).values if value.role]
    assert "the product in net.0" in told


def test_of_many_results_one_with_an_expression_is_called_by_it():
    x = leaf()
    y = x
    for number in range(12):
        y = y * (x * (number + 2))
    told = [value.role for value in graph_of(y * 1, names={"x": x}).values if value.role]
    assert told[1] == "the product x·x·2"
    assert told[7] == "the eighth product"
    assert told[20] == "the product x·12"
    assert told[21] == "the 22nd product"


# -- factors of one, titles -----------------------------------------------------------------


def test_factors_of_one_are_left_out_where_something_is_left():
    x, y = leaf(), leaf(3.0)
    names = {"x": x, "y": y}
    with record() as tape:
        first = x * 1
        second = 1 * first * y
        third = x * y * 1
    told = [unnamed(root * y, names)[:-1] for root in (first, second, third)]
    assert [[name for name, _role in each] for each in told] == [[], ["x·1", "x·1"], ["x·y"]]
    del tape


def title(root, names):
    return record_backward(root, names=names).title


def test_a_title_is_one_level_by_names_or_all_of_a_short_expression():
    x, w = leaf(), leaf(3.0)
    with record() as tape:
        a, b = x + 1, x + 2
        y = a * b
        z = (x * w).mean()
    assert title(y, {"x": x, "a": a, "b": b, "y": y}) == "y = a·b"
    assert title(y, {"x": x, "y": y}) == "y = (x + 1)·(x + 2)"
    assert title(y, {"x": x}) == "(x + 1)·(x + 2)"
    assert title(z, {"x": x, "w": w, "loss": z}) == "loss = mean(x·w)"
    del tape


def test_a_title_that_would_be_long_or_hide_something_is_a_name():
    x = leaf()
    y = x
    for _ in range(40):
        y = y.sin()
    assert title(y, {"x": x, "y": y}) == "y"
    assert title(y, {"x": x}) == "the result of the 40th sin"
    y = (x + 5).exp()  # nobody knows the 5
    assert title(y, {"x": x, "y": y}) == "y"


def test_a_title_of_a_value_times_one_says_so():
    x = leaf()
    with record() as tape:
        y = x * 1
    assert title(y, {"x": x, "y": y}) == "y = x·1"
    del tape


def test_a_parameter_goes_by_its_path_though_a_loop_over_all_left_a_variable():
    net = mg.nn.Sequential(mg.nn.Linear(1, 2), mg.nn.Linear(2, 1))
    for p in net.parameters():
        p.requires_grad_(True)
    paths = ["0.weight", "0.bias", "1.weight", "1.bias"]
    outside = graph_of(net(mg.ones(1, 1)))
    assert sorted(v.name for v in outside.values if v.leaf) == sorted(f"net.{p}" for p in paths)
    with watch(d=net):
        inside = graph_of(net(mg.ones(1, 1)))
    assert sorted(v.name for v in inside.values if v.leaf) == sorted(f"d.{path}" for path in paths)
    given = graph_of(net[1](mg.ones(1, 2)), names={"b": p})
    assert "b" in {v.name for v in given.values}


def test_the_pass_that_made_a_graph_names_it_before_a_later_one():
    net = mg.nn.Linear(1, 1)
    with watch(first=net):
        y = net(mg.ones(1, 1))
    with watch(second=net):
        z = net(mg.ones(1, 1))
    for root, name in ((y, "first"), (z, "second")):
        leaves = {v.name for v in graph_of(root).values if v.leaf}
        assert leaves == {f"{name}.weight", f"{name}.bias"}


def test_the_class_of_a_module_that_nobody_named_comes_after_a_variable():
    lines = {"line": mg.nn.Linear(1, 1)}
    with watch():
        w, y = lines["line"].weight, lines["line"](mg.ones(1, 1))
    leaves = {v.name: v.shape for v in graph_of(y).values if v.leaf}
    assert leaves == {"w": tuple(w.shape), "Linear.bias": (1,)}


def test_a_net_made_anew_keeps_its_names_beside_a_watched_one_of_the_same_name():
    net = mg.nn.Sequential(mg.nn.Linear(2, 1))
    with mg.watch(net) as tape:
        old = net(mg.ones(2))
    net = mg.nn.Sequential(mg.nn.Linear(2, 1))
    assert {"net.0.weight", "net.0.bias"} <= names_of(graph_of(net(mg.ones(2))))
    assert {"net.0.weight", "net.0.bias"} <= names_of(graph_of(old))
    assert tape.forwards


def test_what_is_computed_after_a_watched_pass_takes_its_names_from_it():
    net = mg.nn.Sequential(mg.nn.Linear(2, 1))
    with mg.watch(d=net):
        out = net(mg.ones(2))
    assert {"d.0.weight", "d.0.bias"} <= names_of(graph_of((out * 2).sum()))
