"""`explain` on tensors of the real PyTorch of this environment: what it says is then tried."""

import pytest

import minigrad as mg
from minigrad import explain

torch = pytest.importorskip("torch")
pytestmark = [
    pytest.mark.oracle,
    pytest.mark.filterwarnings("error"),  # reading .grad of a non-leaf warns
]


@pytest.fixture
def x():
    return torch.tensor(2.0, requires_grad=True)


told = str


def first(explanation):
    return explanation.sentences[0]


def test_a_leaf_before_a_pass(x):
    assert first(explain(x)).startswith("x.grad is None: no backward pass has filled it, or")
    assert "x is a leaf: no recorded operation made it (grad_fn is None)." in told(explain(x))
    assert "explain(loss, x)" in told(explain(x))


def test_a_leaf_after_a_pass(x):
    (x * 0).backward()
    assert first(explain(x)).startswith("x.grad holds the sum")
    assert "Now x.grad is 0 everywhere." in told(explain(x))
    (x * 3).backward()
    assert "0 everywhere" not in told(explain(x))


def test_a_sparse_gradient_is_not_read():
    w = torch.zeros(3, 2, requires_grad=True)
    torch.nn.functional.embedding(torch.tensor([1]), w, sparse=True).sum().backward()
    assert w.grad.is_sparse
    assert first(explain(w)).startswith("w.grad holds the sum")


@pytest.mark.parametrize(
    ("tensor", "why"),
    [
        (torch.ones(2), "which of these leaves no trace in tensor"),
        (torch.tensor([1, 2]), "Its dtype is torch.int64"),
    ],
)
def test_a_leaf_that_asks_for_none(tensor, why):
    assert first(explain(tensor)).startswith("tensor.grad is None: tensor does not ask")
    assert why in told(explain(tensor))


def test_a_tensor_of_inference_mode():
    with torch.inference_mode():
        t = torch.ones(2)
    assert "t was made under inference_mode()" in told(explain(t))


def test_a_tensor_without_a_name():
    said = explain(torch.ones(2))
    assert first(said).startswith("(the tensor).grad is None")


def test_a_result_has_no_grad_and_says_how_to_keep_it(x):
    y = x * x
    assert first(explain(y)).startswith("y.grad is None: y is not a leaf, and backward() fills")
    assert "MulBackward0" in told(explain(y))
    assert "no backward pass has freed them" in told(explain(y))
    y.retain_grad()
    assert first(explain(y)).startswith("y.grad is None, although it retains: no gradient")
    y.backward(retain_graph=True)
    assert (
        first(explain(y))
        == "y.grad is filled, because it was asked to keep it (retain_grad or inputs=)."
    )
    assert "no backward pass has freed them" in told(explain(y))


def test_asking_to_keep_after_the_pass_is_too_late(x):
    y = x * x
    y.backward()
    y.retain_grad()
    assert "A pass has freed its graph already" in told(explain(y))


def test_a_freed_graph_raises_as_it_says(x):
    y = x * x
    z = y.exp()
    z.backward()
    assert (
        "freed the values that ExpBackward0, MulBackward0 had saved: z.backward() raises now"
        in (told(explain(z)))
    )
    with pytest.raises(RuntimeError, match="second time"):
        z.backward()


def test_a_changed_value_raises_as_it_says(x):
    b = x * 1
    c = b * b
    b.add_(1)
    assert "c.backward() will raise: a value that MulBackward0 saved was changed" in told(
        explain(c)
    )
    with pytest.raises(RuntimeError, match="inplace"):
        c.backward()


def test_where_nothing_is_saved_nothing_is_known(x):
    s = x + 1
    assert "save nothing, so whether a pass has run is unknown." in told(explain(s))
    s.backward()
    assert "save nothing, so whether a pass has run is unknown." in told(explain(s))


def test_code_of_the_reader_behind_saved_values_is_not_run(x):
    def unpack(_packed):
        raise AssertionError("it was unpacked")

    with torch.autograd.graph.saved_tensors_hooks(lambda tensor: tensor, unpack):
        y = x * x
    assert "freed" not in told(explain(y))


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.variable = x
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


def test_a_custom_function_is_a_node_like_others(x):
    y = Double.apply(x)
    assert "no backward pass has freed them" in told(explain(y))
    y.backward()
    assert "y.backward() raises where it reads ctx.saved_tensors again" in told(explain(y))
    y.backward()  # it does not
    assert x.grad == 4


class TestPath:
    def test_there_is_one(self, x):
        y = x * x
        z = y.exp()
        way = "There is a recorded path from z back to x: z → ExpBackward0 → MulBackward0 → x."
        assert first(explain(z, x)) == way
        assert "y is not a leaf: y.grad is filled only after y.retain_grad()." in told(
            explain(z, y)
        )

    def test_there_is_none(self, x):
        y = x * 3
        cut = y.detach() * 2
        assert "cut does not require grad" in first(explain(cut, x))
        other = torch.ones(1, requires_grad=True)
        assert "no node behind y leads to it" in first(explain(y, other))
        assert "y does not require" not in told(explain(y, other))

    def test_another_result_of_the_same_node_is_no_way(self):
        both = torch.ones(2, requires_grad=True) * 1
        a, b = both.unbind()
        y = a * 2
        assert first(explain(y, a)).startswith("There is a recorded path")
        assert first(explain(y, b)).startswith("There is no recorded path")
        assert first(explain(a, b)).startswith("There is no recorded path")

    def test_the_two_libraries_have_no_path(self, x):
        with pytest.raises(TypeError, match="not one of each"):
            explain(x, mg.ones(1))


def test_a_leaf_that_was_meant_and_has_no_name():
    w = torch.randn(3, requires_grad=True).double()
    assert "no name of yours leads to it. Try: ask last" in told(explain(w))
    named = torch.randn(3, requires_grad=True)
    doubled = named.double()
    assert "no name of yours" not in told(explain(doubled))
    smaller = torch.randn(3, requires_grad=True).sum()
    assert "no name of yours" not in told(explain(smaller))


def test_no_line_of_the_program_is_read(x, monkeypatch):
    def read(*_):
        raise AssertionError("a line was read")

    monkeypatch.setattr("minigrad.help.program.program.readable", read)
    y = x.detach() * 2
    assert "leaves no trace in y" in told(explain(y))
