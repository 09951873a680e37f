"""Embeddings: rows looked up in a table."""

from tests.nn.graphs import graph_below
from tests.oracle.snippets import snippet


@snippet
def first_rows(torch, see):
    torch.manual_seed(0)
    for sizes in ((3, 2), (5, 7), (0, 3)):
        see(str(sizes), torch.nn.Embedding(*sizes).weight)
    layer = torch.nn.Embedding(4, 3, padding_idx=-2, dtype=torch.float64)
    see("padding", [layer.weight, layer.padding_idx, layer.weight._version])
    layer.reset_parameters()
    see("anew", layer.weight)
    see("shown", [repr(layer), repr(torch.nn.Embedding(4, 3))])
    table = torch.ones(2, 3)
    given = torch.nn.Embedding.from_pretrained(table)
    table[0] = 5
    see("given", [given.weight, repr(torch.nn.Embedding.from_pretrained(table, False, 0))])


@snippet
def rows_looked_up(torch, see):
    F = torch.nn.functional
    for dtype in (torch.float32, torch.float64):
        for padding in (None, 1, -4):
            for places in ([[1, 2, 1], [0, 3, 1]], [2, 2], 3, [], [[]]):
                w = (torch.arange(12.0) / 4 - 1).reshape(4, 3).to(dtype).requires_grad_()
                y = F.embedding(torch.tensor(places, dtype=torch.int64), w, padding)
                name = f"{dtype}, {padding}, {places}"
                see(name, [y, graph_below(y.grad_fn)])
                (y * y).sum().backward()
                see(f"{name}: gradient", w.grad)
    y = F.embedding(torch.tensor([1, 0], dtype=torch.int32), w)
    see("int32", y)
    node = y.grad_fn
    see("kept", [node._saved_indices, node._saved_scale_grad_by_freq, node._saved_sparse])
    see("rows", [node._saved_padding_idx, node._saved_weight_sym_argsize_0])


@snippet
def second_derivatives_of_rows(torch, see):
    for padding in (None, 1):
        w = (torch.arange(6.0, dtype=torch.float64) / 4 - 1).reshape(3, 2).requires_grad_()
        y = torch.nn.functional.embedding(torch.tensor([[1, 2], [1, 0]]), w, padding)
        (first,) = torch.autograd.grad((y**3).sum(), w, create_graph=True)
        see(f"{padding}: first", [first, first.grad_fn.name()])
        (second,) = torch.autograd.grad((first**2).sum(), w, create_graph=True)
        see(f"{padding}: second", second)
        see(f"{padding}: third", torch.autograd.grad(second.sum(), w))


@snippet
def what_embeddings_refuse(torch, see):
    F = torch.nn.functional
    w = torch.ones(4, 3)
    for name, places in {
        "too far": torch.tensor([4]),
        "negative": torch.tensor([-1]),
        "fractions": torch.tensor([1.0]),
        "int16": torch.tensor([1], dtype=torch.int16),
        "bools": torch.tensor([True]),
        "list": [1],
    }.items():
        with see.error(name):
            F.embedding(places, w)
    one = torch.tensor([1])
    for name, table in {"vector": w[0], "3-d": w[None], "list": [1.0]}.items():
        with see.error(f"table: {name}"):
            F.embedding(one, table)
    for padding in (4, -5):
        with see.error(f"padding {padding}"):
            F.embedding(one, w, padding)
        with see.error(f"padding {padding} of a layer"):
            torch.nn.Embedding(4, 3, padding)
    with see.error("shape"):
        torch.nn.Embedding(4, 3, _weight=torch.ones(2, 2))
    with see.error("pretrained vector"):
        torch.nn.Embedding.from_pretrained(torch.ones(2))


@snippet
def a_net_of_embeddings(torch, see):
    nn = torch.nn
    torch.manual_seed(0)
    net = nn.Sequential(nn.Embedding(5, 2, padding_idx=0), nn.Flatten(), nn.Linear(6, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        (net(torch.tensor([[1, 2, 0], [2, 2, 4]])) ** 2).mean().backward()
        optimizer.step()
    see("net", [repr(net), *net.parameters()])


@snippet
def one_hot_rows(torch, see):
    one_hot = torch.nn.functional.one_hot
    for name, (values, options) in {
        "matrix": ([[1, 0], [2, 1]], {}),
        "classes": ([1, 0], {"num_classes": 4}),
        "0-d": (1, {"num_classes": 3}),
        "empty": ([], {"num_classes": 3}),
        "unknown": ([], {}),
        "negative": ([0, -1], {}),
        "too few": ([0, 2], {"num_classes": 2}),
        "none": ([0], {"num_classes": 0}),
    }.items():
        with see.error(name):
            see(name, one_hot(torch.tensor(values, dtype=torch.int64), **options))
    with see.error("float32"):
        one_hot(torch.tensor([1.0]))
    with see.error("int32"):
        one_hot(torch.tensor([1], dtype=torch.int32))
