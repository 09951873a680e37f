"""Data of another shape: no graph goes on with it. PyTorch sums, spreads or refuses gradients."""

import pytest

import minigrad as mg

OPERATIONS = {
    "square": lambda x, other: x * x,
    "product": lambda x, other: x * other,
    "mean": lambda x, other: x.mean(),
    "var": lambda x, other: x.var(),
    "logsumexp": lambda x, other: x.logsumexp(0),
    "max": lambda x, other: x.max(),
}


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("shape", [(1,), (6,), (3, 1), ()])
def test_a_leaf_or_result_of_a_graph_keeps_its_shape(name, shape):
    leaf = mg.tensor([1.0, 2.0, 3.0], requires_grad=True)
    result = leaf * 1
    for x in (leaf, result):
        y = OPERATIONS[name](x, mg.ones(3)).sum()
        with pytest.raises(RuntimeError, match="takes gradients of that shape alone"):
            x.data = mg.ones(shape)
        before = mg.autograd.grad(y, x, retain_graph=True)[0]
        x.data = mg.tensor([1.0, 2.0, 3.0])  # another value of the same shape may come
        assert mg.autograd.grad(y, x)[0].tolist() == before.tolist()


@pytest.mark.parametrize("times_before", [0, 1, 2])
@pytest.mark.parametrize("writes_before", [0, 1])
def test_what_was_saved_is_not_used_in_another_shape(times_before, writes_before):
    x, constant = mg.ones(3, requires_grad=True), mg.ones(3)
    for _ in range(times_before):
        constant.data = mg.ones(2)
        constant.data = mg.ones(3)
    for _ in range(writes_before):
        constant.mul_(2)
    y = x * constant
    mg.autograd.grad(y.sum(), x, retain_graph=True)
    constant.data = mg.ones(2, 3)
    with pytest.raises(RuntimeError, match=r"modified by an inplace .* \[2, 3\]"):
        y.sum().backward()
    with pytest.raises(RuntimeError, match="modified by an inplace"):
        mg.autograd.grad(y.sum(), x, create_graph=True)
    with pytest.raises(RuntimeError, match="modified by an inplace"):
        _ = y.grad_fn._saved_other
    constant.data = mg.ones(3)  # the shape is back, but nobody has compared the elements
    with pytest.raises(RuntimeError, match="modified by an inplace"):
        y.sum().backward()


def test_a_custom_function_is_told():
    class Scale(mg.autograd.Function):
        @staticmethod
        def forward(ctx, x, factor):
            ctx.save_for_backward(factor)
            return x * factor

        @staticmethod
        def backward(ctx, grad):
            (factor,) = ctx.saved_tensors
            return grad * factor, None

    x, factor = mg.ones(3, requires_grad=True), mg.ones(3)
    y = Scale.apply(x, factor)
    factor.data = mg.ones(1, 3)
    with pytest.raises(RuntimeError, match="modified by an inplace"):
        y.sum().backward()


def test_a_parameter_that_no_graph_leads_to_may_change_its_shape():
    w = mg.ones(3, requires_grad=True)
    (w * w).sum().backward()
    w.grad = None
    w.data = mg.full((2, 2), 5.0)
    (w * w).sum().backward()
    assert w.grad.tolist() == [[10.0, 10.0], [10.0, 10.0]]
    assert w._version == 1  # it counts as a write, in PyTorch it does not


@pytest.mark.parametrize("fill", [lambda x, v: x.fill_(v), lambda x, v: x.__setitem__(..., v)])
def test_no_tensor_fills_an_expanded_one(fill):
    """Each element that shares its memory would send the gradient once more."""
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
        fill(mg.ones(2).expand(3, 2), mg.tensor(1.0, requires_grad=True) * 1)
