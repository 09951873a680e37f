"""Watching real PyTorch: values, plain numbers, names; the program does what it does unwatched."""

import gc
import warnings
import weakref

import numpy as np
import pytest

from minigrad.trace import graph_of, graph_until_error, record_backward, watch
from minigrad.trace.forward import COPIED, LIVING

torch = pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")
nn, F = torch.nn, torch.nn.functional


def described(graph):
    """Nodes and edges of a graph, without names and values."""
    nodes = [(o.node, o.makes) for o in graph.operations]
    return nodes, [(e.source, e.target, e.argument, e.output) for e in graph.edges]


def node_names(graph):
    """Of a reshape PyTorch makes another node when somebody listens, one that does the same."""
    names = [o.node for o in graph.operations if o.kind == "operation"]
    return [name.replace("ReshapeAlias", "View") for name in names]


def constants(graph):
    return [(o.node.removesuffix("0"), o.constants) for o in graph.operations if o.constants]


def texts(graph):
    return [value.text for value in graph.values]


def test_plain_numbers_and_values_that_nobody_saved():
    x = torch.tensor(2.0, requires_grad=True)
    with watch():
        y = (1 - (x + 3) ** 2) / 4
    graph = graph_of(y)
    assert texts(graph) == ["2", "5", "25", "−24", "−6"]
    assert constants(graph) == [
        ("AddBackward", {1: "3"}),
        ("PowBackward", {1: "2"}),
        ("RsubBackward1", {1: "1"}),
        ("DivBackward", {1: "4"}),
    ]


def test_the_same_program_of_minigrad_gives_the_same_graph():
    import minigrad

    told = []
    for library in (torch, minigrad):
        net = library.nn.Sequential(library.nn.Linear(2, 2), library.nn.ReLU())
        with library.no_grad():
            for number, parameter in enumerate(net.parameters()):
                parameter.copy_(library.ones_like(parameter) * (number + 1))
        x = library.tensor([[1.0, 2.0]])
        with watch(net):
            loss = ((net(x) * 2 + 1) ** 2).mean()
        graph = graph_of(loss)
        groups = [(g.name, g.about, g.parent) for g in graph.groups]
        told.append((described(graph), texts(graph), constants(graph), groups))
    assert told[0] == told[1]


def test_operands_stand_at_their_argument():
    x = torch.tensor([1.0, -2.0], requires_grad=True)
    table = torch.ones(4, 2, requires_grad=True)
    mask, k, where = torch.tensor([True, False]), torch.full((2,), 9.0), torch.tensor([1, 3])
    with watch():
        y = torch.where(mask, k, x)
        z = table[where]
        e = F.embedding(where, table)
    for root, given in ((y, ["k", "x", "mask"]), (z, ["table", "where"]), (e, ["table", "where"])):
        graph = graph_of(root)
        names = {value.key: value.name for value in graph.values}
        edges = sorted((e for e in graph.edges if e.target == "n0"), key=lambda e: e.argument)
        assert [names[edge.source] for edge in edges] == given


def test_values_of_every_dtype():
    for dtype in (torch.float16, torch.bfloat16, torch.float64, torch.complex64, torch.complex128):
        x = torch.tensor([1.0, 2.0], dtype=dtype, requires_grad=True)
        with watch():
            y = (x + 1) * x
        graph = graph_of(y)
        known = [v for v in graph.values if v.shape is not None]
        assert len(known) == 3
        assert "?" not in texts(graph)


def test_results_of_operations_with_several():
    x = torch.arange(6.0).requires_grad_()
    with watch():
        parts = (x * 2).split(2)
        y = (parts[0] + 1).sum() + (parts[2] * 3).sum()
    del parts
    assert "?" not in texts(graph_of(y))


def test_values_before_and_after_a_write():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with watch():
        a = x * 1
        b = a + 10
        a.mul_(5)
        y = (a + b).sum()
    graph = graph_of(y)
    assert texts(graph) == ["[1, 2]", "[1, 2]", "[11, 12]", "[5, 10]", "[16, 22]", "38"]


@pytest.mark.parametrize("size", [3, COPIED + 1])
def test_what_was_written_to_outside_of_autograd(size):
    x = torch.ones(size, requires_grad=True)
    with watch():
        h = x + 1
        y = h.sum()
    assert texts(graph_of(y))[1] != "?"
    with torch.no_grad():
        h.mul_(5)
    del h
    assert texts(graph_of(y))[1] == ("?" if size > COPIED else "all 2")


def test_custom_functions_are_no_other_operation():
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            ctx.save_for_backward(a)
            return a * a + 1

        @staticmethod
        def backward(ctx, g):
            return 2 * g * ctx.saved_tensors[0]

    x = torch.tensor(3.0, requires_grad=True)
    with watch() as tape:
        y = Square.apply(x * 1) * 2
    assert texts(graph_of(y)) == ["3", "3", "10", "20"]
    assert [step.name for step in tape.steps] == ["MulBackward0", "MulBackward0"]


# -- nothing changes -----------------------------------------------------------------------


class Everything(nn.Module):
    """Layers whose code asks whether somebody listens, random ones, and views."""

    def __init__(self):
        super().__init__()
        self.encoder = nn.TransformerEncoderLayer(8, 2, batch_first=True)
        self.rnn = nn.GRU(8, 8, batch_first=True)
        self.conv = nn.Sequential(nn.Conv1d(8, 4, 3), nn.BatchNorm1d(4), nn.ReLU())
        self.out = nn.Linear(4, 3)

    def forward(self, x):
        x, _ = self.rnn(self.encoder(x))
        x = F.normalize(self.conv(x.transpose(1, 2)))
        return self.out(F.dropout(x, 0.5).mean(-1))


def run(watched):
    torch.manual_seed(0)
    net, x = Everything(), torch.randn(4, 5, 8)
    target = torch.tensor([0, 2, 1, 1])

    def forward():
        return (
            F.cross_entropy(net(x), target)
            + torch.cdist(x[0], net.out.weight.repeat(1, 2)[:, :8]).sum()
        )

    if watched:
        with watch(net):
            loss = forward()
    else:
        loss = forward()
    nodes = node_names(graph_of(loss, names={}))
    after = torch.get_rng_state()
    loss.backward()
    grads = [p.grad for p in net.parameters()] + list(net.buffers())
    return loss, nodes, after, grads


def test_the_pass_is_the_same_when_watched():
    (a, nodes_a, random_a, grads_a), (b, nodes_b, random_b, grads_b) = run(False), run(True)
    assert torch.equal(a, b)
    assert nodes_a == nodes_b
    assert torch.equal(random_a, random_b)
    assert all(torch.equal(one, other) for one, other in zip(grads_a, grads_b, strict=True))


def test_every_function_makes_the_nodes_that_it_makes_unwatched():
    x = torch.rand(4, 4, generator=torch.Generator().manual_seed(1)).requires_grad_()
    square = (x.detach() @ x.detach().T + torch.eye(4)).requires_grad_()
    functions = [
        lambda: F.binary_cross_entropy_with_logits(x, x.detach()),
        lambda: F.binary_cross_entropy(x, x.detach()),
        lambda: torch.cdist(x, x + 1),
        lambda: F.scaled_dot_product_attention(x[None], x[None], x[None]),
        lambda: F.multi_head_attention_forward(
            x[:, None], x[:, None], x[:, None], 4, 2, torch.ones(12, 4), None, None, None, False,
            0.0, torch.ones(4, 4), None,
        )[0],
        lambda: torch.linalg.inv(square) + torch.linalg.cholesky(square),
        lambda: torch.linalg.svdvals(square) + torch.logdet(square),
        lambda: torch.einsum("ij,jk->ik", x, x) + x.matmul(x[0]) + torch.outer(x[0], x[1]),
        lambda: x.index_add(0, torch.tensor([0, 1]), x[:2]) + x.masked_fill(x > 0.5, 0.0),
        lambda: F.layer_norm(x, (4,)) + F.batch_norm(x, None, None, training=True),
        lambda: F.group_norm(x, 2) + F.local_response_norm(x[None], 2)[0],
        lambda: F.interpolate(x[None, None], scale_factor=2).sum() + F.pad(x, (1, 1)).sum(),
        lambda: F.huber_loss(x, x.detach() + 1) + F.kl_div(x, x.detach(), reduction="sum"),
        lambda: F.gaussian_nll_loss(x, x.detach(), x + 1),
        lambda: torch.cat([x, x * 2]).sort().values + torch.stack([x, x]).flatten(0, 1),
        lambda: x.cummax(0).values + F.gelu(x) + F.silu(x) + F.softplus(x) + F.elu(x),
        lambda: F.hardtanh(x) + F.prelu(x, x[0, :1]),
        lambda: torch.std(x, 0) + torch.var_mean(x, 0)[0] + x.norm(dim=0) + torch.logsumexp(x, 0),
        lambda: x.reshape(2, 8).unfold(1, 2, 2).contiguous().view(-1).prod(),
        lambda: x.T.reshape(-1).cumsum(0)[-1],
    ]  # fmt: skip
    for function in functions:
        plain = node_names(graph_of(function(), names={}))
        with watch():
            watched = function()
        assert node_names(graph_of(watched, names={})) == plain


def test_nothing_stays_behind_also_after_an_error():
    hooks = nn.modules.module
    before = [len(each) for each in (hooks._global_forward_hooks, hooks._global_forward_pre_hooks)]
    net = nn.Linear(2, 2)
    with pytest.raises(KeyError), watch(net):
        net(torch.ones(2))
        raise KeyError
    after = [len(each) for each in (hooks._global_forward_hooks, hooks._global_forward_pre_hooks)]
    assert before == after
    assert not net._forward_hooks
    assert torch.utils._python_dispatch._get_current_dispatch_mode_stack() == []


def test_a_recording_goes_with_its_graph():
    gc.collect()
    before = len(LIVING)
    net, x = nn.Linear(3, 3), torch.ones(COPIED, 3)
    data = weakref.ref(x)
    with watch(net):
        y = (net(x) + 1).sum()
    assert len(LIVING) > before
    del x, y
    gc.collect()
    assert len(LIVING) == before
    assert data() is None


def test_backward_inside_of_the_block():
    w = torch.tensor(2.0, requires_grad=True)
    with watch():
        loss = (w * 3) ** 2
        (g,) = torch.autograd.grad(loss, w, create_graph=True)
        g.backward()
    assert w.grad.item() == 18.0


def test_hooks_of_the_reader_run_once():
    net, seen = nn.Sequential(nn.Linear(1, 1), nn.Tanh()), []
    net[0].register_forward_hook(lambda module, args, output: seen.append("forward"))
    net[1].register_full_backward_hook(lambda module, gave, took: seen.append("backward"))
    with watch(net):
        loss = net(torch.ones(1, 1)).sum()
    loss.backward()
    assert seen == ["forward", "backward"]


# -- compiled, checkpointed, wrapped -------------------------------------------------------


@pytest.mark.parametrize("first", ["watched", "unwatched"])
def test_a_compiled_model_stays_compiled_and_is_one_node(first):
    torch._dynamo.reset()
    warnings.simplefilter("error")
    net = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 1))
    fast = torch.compile(net, backend="aot_eager", fullgraph=True)
    x = torch.ones(3, 2)
    if first == "unwatched":
        fast(x)
    with watch(net=fast):
        loss = fast(x).sum() * 2
    graph = graph_of(loss, names={})
    assert node_names(graph) == ["CompiledFunctionBackward", "SumBackward0", "MulBackward0"]
    assert {v.name for v in graph.values if v.leaf} == {
        "net.0.weight", "net.0.bias", "net.2.weight", "net.2.bias",
    }  # fmt: skip
    assert record_backward(loss).error is None


def test_attention_is_one_node_with_its_own_name():
    q = torch.ones(1, 2, 4, 8, requires_grad=True)
    with watch():
        y = F.scaled_dot_product_attention(q, q, q).sum()
    assert node_names(graph_of(y))[0].startswith("ScaledDotProduct")


@pytest.mark.parametrize("reentrant", [True, False])
def test_checkpoint(reentrant):
    from torch.utils.checkpoint import checkpoint

    net, x = nn.Linear(2, 2), torch.ones(1, 2, requires_grad=True)
    with watch(net):
        y = checkpoint(net, x, use_reentrant=reentrant).sum()
    assert record_backward(y).error is None
    y.backward()
    assert np.allclose(x.grad, net.weight.detach().sum(0))


def test_wrapped_models_and_operators_of_higher_order():
    net, x = nn.DataParallel(nn.Linear(2, 2)), torch.ones(1, 2, requires_grad=True)
    with watch(net):
        y = net(x).sum()
        y = y + torch.cond(x.sum() > 0, lambda a: a * 2, lambda a: a * 3, (x,)).sum()
        y = y + torch.vmap(lambda a: (a * 2).sum())(x).sum()
    assert "net.module.weight" in [v.name for v in graph_of(y, names={}).values]


# -- a forward pass that raises ------------------------------------------------------------


def failed(tape):
    graph = graph_until_error(tape, names={})
    operation = graph.operations[-1]
    assert operation.kind == "error"
    values = {value.key: value for value in graph.values}
    given = [values[edge.source] for edge in graph.edges if edge.target == operation.key]
    group = [g.name for g in graph.groups if g.key == operation.group]
    return operation, [value.shape for value in given], group, graph


def test_the_graph_up_to_a_layer_that_does_not_fit():
    net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(4, 1))
    with pytest.raises(RuntimeError), watch(net) as tape:
        net(torch.ones(5, 2))
    operation, shapes, group, graph = failed(tape)
    assert operation.error == "mat1 and mat2 shapes cannot be multiplied (5x3 and 4x1)"
    assert operation.symbol == "addmm"
    assert shapes == [(1,), (5, 3), (4, 1)]
    assert group == ["net.2"]
    assert node_names(graph) == ["TBackward0", "AddmmBackward0", "ReluBackward0", "TBackward0"]


def test_an_error_before_any_kernel_shows_the_operands_on_the_line():
    w = torch.ones(3, 2, requires_grad=True)
    with pytest.raises(ValueError, match="Using a target size"), watch() as tape:
        hidden = w * 2
        labels = torch.ones(5)
        F.binary_cross_entropy(hidden, labels)
    operation, shapes, _, _ = failed(tape)
    assert operation.node == "ValueError"
    assert operation.symbol == "binary_cross_entropy"
    assert shapes == [(3, 2), (5,)]


def test_the_first_operation_failed():
    net = nn.Linear(2, 2)
    with pytest.raises(RuntimeError), watch(net) as tape:
        net(torch.ones(3))
    _, shapes, _, graph = failed(tape)
    assert shapes == [(2,), (1, 3), (2, 2)]  # as the kernel was given them
    assert "net.weight" in [value.name for value in graph.values]
