"""The same doors on real PyTorch: its graphs are read and recorded by the same code."""

import pytest

import minigrad as mg
from minigrad.trace import graph_of, record_backward
from tests.autograd import golden

torch = pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")


@pytest.mark.parametrize("name", golden.PROGRAMS)
def test_frames_are_those_of_minigrad(name):
    import minigrad

    told = []
    for library in (torch, minigrad):
        root, seed, names = golden.PROGRAMS[name](library)
        frames = record_backward(root, seed, names=names).frames()
        told.append([(frame["row"], frame["sentence"], frame["marks"]) for frame in frames])
    assert told[0] == told[1]


def test_nothing_changes_in_torch():
    x = torch.tensor(2.0, requires_grad=True)
    kept = [x * 3]
    kept[0].retain_grad()
    x.grad = before = torch.tensor(1.0)
    y = kept[0] * kept[0]
    record_backward(y)
    assert x.grad is before
    assert before.item() == 1.0
    assert kept[0].grad is None
    y.backward()
    assert x.grad.item() == 37.0


@pytest.mark.parametrize(
    ("function", "size"),
    [("max_pool2d", 2), ("max_pool3d", 2), ("avg_pool2d", 2), ("adaptive_avg_pool2d", 2)],
)
def test_a_class_that_counts_dimensions_goes_by_the_name_of_its_function(function, size):
    x = torch.ones(1, 4, 4, 4, requires_grad=True)
    graph = graph_of(getattr(torch.nn.functional, function)(x, size) * 2)
    pooled = graph.operations[0]
    assert pooled.symbol == function
    assert function in graph.index.values[pooled.makes].role


def test_a_freed_graph_of_torch():
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x
    y.backward()
    assert graph_of(y).operations[0].freed
    with pytest.raises(RuntimeError, match="has been freed"):
        record_backward(y)


@pytest.mark.parametrize("code", [
    "x + y", "x - y", "x * y", "x / y", "x ** 2", "-x", "x @ y", "m @ x", "m @ m", "x % 2", "1 / x",
    "x.reciprocal()", "x.sqrt()", "x.rsqrt()", "x.abs()", "x.sigmoid()", "x.sum()", "m.sum(0)",
    "x.prod()", "m.prod(0)", "x.norm()", "x.mean()", "x.exp()", "x.tanh()", "x.relu()", "m.view(4)",
    "m[0]", "x.log()", "x.max()", "m.softmax(0)", "m.log_softmax(1)", "x.cumsum(0)",
])  # fmt: skip
def test_an_operation_has_the_same_sign(code):
    signs = []
    for library in (mg, torch):
        x, y = (library.tensor([1.0, n], requires_grad=True) for n in (2.0, 3.0))
        m = library.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
        made = graph_of(eval(code, {"x": x, "y": y, "m": m})).operations
        signs.append([operation.symbol for operation in made])
    assert signs[0] == signs[1]
