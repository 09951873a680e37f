"""What a pass hands out is made of plain arrays, whatever travels inside."""

import numpy as np
import pytest

import minigrad as mg

OPERATIONS = {
    "mean": lambda x: x.mean(),
    "mean over a dim": lambda x: x.mean(-1).sum(),
    "mean, dims kept": lambda x: x.mean(-1, keepdim=True).sum(),
    "mean of a view": lambda x: x.reshape(-1).mean(),
    "var": lambda x: x.var(),
    "one element": lambda x: x.reshape(-1)[0] * 2,
    "elements at places": lambda x: x.reshape(-1)[[0, 0]].sum(),
    "sum": lambda x: x.sum(),
    "softmax": lambda x: x.softmax(-1).mean(),
}
PLAIN = (np.ndarray, np.float32)


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("shape", [(3,), (2, 3), (1,), (1, 1)])
@pytest.mark.filterwarnings("ignore:var")
def test_gradients_are_plain_arrays(name, shape):
    seen = []
    x = mg.ones(shape, requires_grad=True)
    between = x * 1
    for each in (x, between):
        each.register_hook(seen.append)
    between.grad_fn.register_prehook(lambda grads: seen.extend(grads))
    between.grad_fn.register_hook(lambda inputs, outputs: seen.extend((*inputs, *outputs)))
    between.retain_grad()
    y = OPERATIONS[name](between) + OPERATIONS[name](x)
    found = [*mg.autograd.grad(y, (x, between), retain_graph=True)]
    y.backward(retain_graph=True)
    y.backward()
    found += [x.grad, between.grad, *(grad for grad in seen if grad is not None)]
    assert {type(grad._value) for grad in found} <= set(PLAIN)
    assert {type(grad.numpy()) for grad in found} == {np.ndarray}
    assert all(grad.shape == x.shape for grad in found)


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.filterwarnings("ignore:Anomaly Detection has been enabled")
def test_anomaly_mode_looks_at_every_root(several):
    with mg.autograd.detect_anomaly():
        x = mg.tensor(-1.0, requires_grad=True)
        fine, wrong = x * 2, x.sqrt()
        roots = [fine, wrong] if several else wrong
        with (
            pytest.warns(UserWarning, match=r"Error detected in SqrtBackward0(.|\n)*x\.sqrt\(\)"),
            pytest.raises(RuntimeError, match="'SqrtBackward0' returned nan values"),
        ):
            mg.autograd.backward(roots)


BESIDE = {
    "mul": lambda x, y: x * y,
    "mul, exchanged": lambda x, y: y * x,
    "div": lambda x, y: x / y,
    "pow": lambda x, y: x**y,
    "sub": lambda x, y: y - x,
    "where": lambda x, y: mg.where(y > 2, x, y),
    "maximum": mg.maximum,
    "addcmul": lambda x, y: mg.addcmul(x, x, y),
    "clamp": lambda x, y: x.clamp(y, y + 1),
    "mse_loss": lambda x, y: mg.nn.functional.mse_loss(x, y),
}


@pytest.mark.parametrize("dtype", ["int64", "float64", "float16"])
@pytest.mark.parametrize("tracked", [False, True])
@pytest.mark.parametrize("name", BESIDE)
def test_a_gradient_has_the_dtype_of_its_tensor_beside_any_other(name, tracked, dtype):
    x = mg.tensor([1.5, 2.5], requires_grad=True)
    y = mg.tensor([2, 3], dtype=getattr(mg, dtype))
    y.requires_grad = tracked and dtype != "int64"
    seen = []
    between = x * 1
    between.grad_fn.register_prehook(lambda grads: seen.extend(grads))
    BESIDE[name](between, y).sum().backward()
    assert {g.dtype for g in (*seen, x.grad)} == {mg.float32}
    assert y.grad is None or y.grad.dtype is y.dtype
