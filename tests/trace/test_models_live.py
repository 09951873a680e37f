"""Models of real PyTorch: modules as groups, steps that end in PyTorch's own gradients."""

import random

import numpy as np
import pytest

from minigrad.trace import graph_of, record_backward, watch
from minigrad.trace.groups import scenes

torch = pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")
nn, F = torch.nn, torch.nn.functional


class Residual(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return x + self.inner(x)


def mlp_mse():
    net = nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 1))
    return net, lambda: F.mse_loss(net(torch.randn(8, 4)), torch.randn(8, 1))


def mlp_cross_entropy():
    net, criterion = (
        nn.Sequential(nn.Linear(4, 5), nn.ReLU(), nn.Linear(5, 3)),
        nn.CrossEntropyLoss(),
    )
    return net, lambda: criterion(net(torch.randn(8, 4)), torch.randint(0, 3, (8,)))


def convolution():
    net = nn.Sequential(
        nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
        nn.Linear(36, 2),
    )  # fmt: skip
    return net, lambda: net(torch.randn(2, 3, 8, 8)).logsumexp(1).sum()


def residual():
    net = nn.Sequential(
        nn.Conv2d(1, 2, 3, padding=1),
        Residual(nn.Sequential(nn.Conv2d(2, 2, 3, padding=1), nn.BatchNorm2d(2), nn.ReLU())),
    )
    return net, lambda: net(torch.randn(2, 1, 5, 5)).pow(2).mean()


def transformer():
    net = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    return net, lambda: net(torch.randn(2, 3, 8)).sum()


def embedding():
    net = nn.Sequential(nn.Embedding(10, 3, sparse=True), nn.Flatten(), nn.Linear(6, 1))
    return net, lambda: net(torch.tensor([[1, 2], [2, 7]])).sum()


MODELS = [mlp_mse, mlp_cross_entropy, convolution, residual, transformer, embedding]


def dense(gradient):
    return gradient.to_dense() if gradient.layout != torch.strided else gradient


def check_pass(net, loss):
    """A recorded pass adds what `backward` adds, and leaves nothing in `.grad`."""
    net.zero_grad()
    trace = record_backward(loss)
    assert all(parameter.grad is None for parameter in net.parameters())
    told = {turn.node: turn.accumulation.after for turn in trace.turns if turn.accumulation}
    leaf = {o.key: o.makes for o in trace.graph.operations}
    loss.backward()
    names = {name: dense(p.grad) for name, p in net.named_parameters() if p.grad is not None}
    values = {v.key: v.name.removeprefix("net.") for v in trace.graph.values}
    found = {values[leaf[node]]: after for node, after in told.items()}
    assert set(found) == set(names)
    for name, gradient in names.items():
        assert np.allclose(found[name], gradient, rtol=1e-5, atol=1e-6), name


@pytest.mark.parametrize("model", MODELS)
def test_a_pass_ends_in_the_gradients_of_pytorch(model):
    torch.manual_seed(0)
    net, forward = model()
    with watch(net):
        loss = forward()
    graph = graph_of(loss)
    assert [v.name for v in graph.values if v.leaf and not v.name.startswith("net.")] == []
    assert "?" not in [v.text for v in graph.values]
    check_pass(net, loss)


def test_case_1():
    x = torch.tensor(2.0, requires_grad=True)
    with watch():
        y = (x + 1) * (x + 2)
    trace = record_backward(y)
    assert [turn.accumulation.after for turn in trace.turns if turn.accumulation] == [7.0]
    assert x.grad is None
    y.backward()
    assert x.grad.item() == 7.0


def test_hooks_of_the_reader_take_part():
    net = nn.Sequential(nn.Linear(2, 2), nn.Tanh())
    net[0].weight.register_hook(lambda gradient: gradient * 10)
    net[1].register_full_backward_hook(lambda module, gave, took: (gave[0] * 2,))
    with watch(net):
        loss = net(torch.ones(1, 2)).sum()
    check_pass(net, loss)


def test_batch_statistics_and_random_numbers_are_left_alone():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2), nn.Dropout(0.5))
    with watch(net):
        loss = net(torch.randn(4, 2)).sum()
    before = {name: value.clone() for name, value in net.state_dict().items()}
    state = torch.get_rng_state()
    record_backward(loss)
    assert torch.equal(torch.get_rng_state(), state)
    assert all(torch.equal(value, before[name]) for name, value in net.state_dict().items())


def test_twelve_transformer_layers_are_one_box():
    net = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 12)
    net.requires_grad_(True)
    with watch(net):
        loss = net(torch.randn(1, 3, 8)).sum()
    graph = graph_of(loss)
    overview = scenes(graph)[None]
    shown = {group.key: group for group in graph.groups}
    assert [shown[key].name for key in overview.groups] == ["layer"]
    assert [shown[key].kind for key in overview.groups] == ["repeat"]
    layers = [g.name for g in graph.groups if g.parent == overview.groups[0]]
    assert layers == [f"layer {number}" for number in range(12)]
    assert len(overview.operations) < 12 * 8 + 5  # the loss, and the leaves' accumulators at most
    assert len(graph.operations) > 500


# -- random models -------------------------------------------------------------------------


def random_layer(rng, width, depth):
    choice = rng.randrange(9 if depth else 6)
    if choice == 0:
        return nn.Linear(width, width)
    if choice == 1:
        return rng.choice([nn.Tanh, nn.ReLU, nn.GELU, nn.Sigmoid])()
    if choice == 2:
        return nn.LayerNorm(width)
    if choice == 3:
        return nn.BatchNorm1d(width)
    if choice == 4:
        return nn.Dropout(0.3)
    if choice == 5:
        return nn.Identity()
    if choice == 6:
        return Residual(random_layer(rng, width, depth - 1))
    if choice == 7:
        return nn.Sequential(*(random_layer(rng, width, depth - 1) for _ in range(3)))
    shared = random_layer(rng, width, depth - 1)
    return nn.Sequential(shared, shared)


def nodes_between(output, inputs):
    """The nodes of a graph that lead to a result and not yet to what it was made of."""
    stop, found, stack = {t.grad_fn for t in inputs}, set(), [output.grad_fn]
    while stack:
        node = stack.pop()
        if node is not None and node not in found and node not in stop:
            found.add(node)
            stack += [target for target, _ in node.next_functions]
    return {node._sequence_nr() for node in found if hasattr(node, "_sequence_nr")}


@pytest.mark.parametrize("seed", range(100))
def test_random_models(seed):
    """Groups hold what really ran in a module, as PyTorch's hooks and its graph tell."""
    rng = random.Random(seed)
    torch.manual_seed(seed)
    net = nn.Sequential(
        nn.Linear(3, 3), *(random_layer(rng, 3, 2) for _ in range(rng.randint(2, 5)))
    )
    x, calls = torch.randn(4, 3), []
    paths = {module: f"net.{path}".strip(".") for path, module in net.named_modules()}

    def seen(module, inputs, output):
        if output is not inputs[0]:
            calls.append((paths[module], nodes_between(output, inputs)))

    handles = [module.register_forward_hook(seen) for module in net.modules()]
    with watch(net):
        loss = net(x).pow(2).mean()
    for handle in handles:
        handle.remove()
    graph = graph_of(loss)
    by_key = {group.key: group for group in graph.groups}
    leaf_numbers = {None, 2**64 - 1}
    wanted = {}
    for path, numbers in calls:
        for number in numbers - leaf_numbers:
            wanted.setdefault(number, []).append(path)
    for operation in graph.operations:
        if operation.kind == "operation":
            around, key = set(), operation.group
            while key is not None:
                around.add(by_key[key].path)
                key = by_key[key].parent
            assert around - {"net"} == set(wanted.get(operation.sequence, [])) - {"net"}
    assert "?" not in [v.text for v in graph.values]
    check_pass(net, loss)
