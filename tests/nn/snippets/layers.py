"""Layers: first weights, results, graphs, and what they refuse."""

from tests.nn.graphs import graph_below
from tests.oracle.snippets import snippet


@snippet
def first_weights(torch, see):
    torch.manual_seed(0)
    for sizes in ((1, 1), (2, 3), (64, 4), (7, 1)):
        layer = torch.nn.Linear(*sizes)
        see(str(sizes), [layer.weight, layer.bias])
    layer = torch.nn.Linear(3, 2, bias=False)
    see("no bias", [layer.weight, layer.bias])
    see("float64", torch.nn.Linear(2, 1, dtype=torch.float64).weight)
    see("version", layer.weight._version)
    layer.reset_parameters()
    see("anew", layer.weight)
    with see.error("negative"):
        torch.nn.Linear(-1, 2)


@snippet
def bits_of_the_first_weights(torch, see):
    torch.manual_seed(3)
    for size in range(1, 40):
        layer = torch.nn.Linear(size, 2)
        exact = [value.hex() for value in layer.weight.flatten().tolist() + layer.bias.tolist()]
        see(str(size), exact)


@snippet
def linear_layers(torch, see):
    for bias in (True, False):
        torch.manual_seed(0)
        layer = torch.nn.Linear(3, 2, bias=bias)
        for shape in ((3,), (4, 3), (2, 2, 3), (0, 3)):
            name = f"bias {bias}, input {shape}"
            count = 1
            for size in shape:
                count *= size
            x = (torch.arange(count, dtype=torch.float32) / 4 - 1).reshape(shape)
            x.requires_grad_()
            y = layer(x)
            see(name, y)
            see(f"{name}: graph", graph_below(y.grad_fn))
            layer.zero_grad()
            (y * y).sum().backward()
            see(f"{name}: gradients", [x.grad, *(p.grad for p in layer.parameters())])


@snippet
def second_derivatives_of_a_layer(torch, see):
    torch.manual_seed(0)
    layer = torch.nn.Linear(3, 2).double()
    x = torch.tensor([[1.0, -2.0, 3.0]], dtype=torch.float64, requires_grad=True)
    y = torch.tanh(layer(x)).sum()
    leaves = [x, layer.weight, layer.bias]
    first = torch.autograd.grad(y, leaves, create_graph=True)
    see("first", list(first))
    second = torch.autograd.grad(sum((g * g).sum() for g in first), leaves)
    see("second", list(second))


@snippet
def what_linear_refuses(torch, see):
    torch.manual_seed(0)
    layer = torch.nn.Linear(3, 2)
    wrong = {
        "size": torch.ones(4),
        "size, 2-d": torch.ones(2, 4),
        "size, 3-d": torch.ones(2, 2, 4),
        "float64": torch.ones(2, 3, dtype=torch.float64),
        "float64, 1-d": torch.ones(3, dtype=torch.float64),
        "integers": torch.ones(2, 3, dtype=torch.int64),
        "0-d": torch.tensor(1.0),
        "list": [1.0, 2.0, 3.0],
    }
    for name, x in wrong.items():
        with see.error(name):
            layer(x)


@snippet
def biases_that_do_not_fit(torch, see):
    x, w = torch.ones(2, 3), torch.ones(4, 3)
    for name, bias in {"size": torch.ones(3), "dtype": torch.ones(4, dtype=torch.float64)}.items():
        with see.error(name):
            torch.nn.functional.linear(x, w, bias)


@snippet
def linear_as_a_function(torch, see):
    F = torch.nn.functional
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    w = torch.tensor([5.0, 6.0], requires_grad=True)
    see("a vector of weights", F.linear(x, w))
    b = torch.tensor(0.5, requires_grad=True)
    y = F.linear(x, torch.eye(2), b)
    see("one number as bias", y)
    y.sum().backward()
    see("its gradient", b.grad)
    see("no inputs: only the bias", F.linear(torch.ones(2, 0), torch.ones(3, 0), torch.ones(3)))
    see("no rows", F.linear(torch.ones(0, 2, 2), torch.ones(3, 2), torch.ones(3)).shape)


@snippet
def what_linear_layers_are_made_of(torch, see):
    F = torch.nn.functional
    wide = torch.arange(24.0).reshape(4, 3, 2)
    for name, x in {
        "1-d": wide[0, 0],
        "2-d": wide[0],
        "3-d": wide,
        "turned": wide.transpose(0, 1),
        "expanded": wide[:1, 0].expand(3, 2),
        "with gaps": torch.arange(4.0)[::2],
    }.items():
        for shape in ((5,), (1,), (), (3, 5)):
            w = torch.ones(5, 2, requires_grad=True)
            b = torch.ones(shape, requires_grad=True)
            with see.error(f"{name}, bias {shape}"):
                y = F.linear(x, w, b)
                see(f"{name}, bias {shape}", (y.shape, graph_below(y.grad_fn)))
                see(f"{name}, bias {shape}: gradients", torch.autograd.grad(y.sum(), (w, b)))
    for x in (wide[0], wide[0, 0]):
        with see.error(f"a vector of weights, {x.ndim}-d"):
            F.linear(x, torch.ones(2), torch.ones(1))
        y = F.linear(x, torch.ones(2, requires_grad=True))
        see(f"a vector of weights, {x.ndim}-d", graph_below(y.grad_fn))
    for wrong in range(3):
        given = [torch.ones(3, 2), torch.ones(5, 2), torch.ones(5)]
        given[wrong] = given[wrong].double()
        with see.error(f"dtype of {wrong}"):
            F.linear(*given)


@snippet
def weights_drawn_anew(torch, see):
    layer = torch.nn.Linear(2, 3)
    layer.more = torch.nn.Parameter(torch.ones(2))
    layer.weight = torch.nn.Parameter(torch.zeros(2, 4))
    torch.manual_seed(3)
    layer.reset_parameters()
    see("four inputs", (layer.weight, layer.bias, layer.more))
    layer.weight = torch.nn.Parameter(torch.zeros(2))
    with see.error("a vector"):
        layer.reset_parameters()
    for sizes in ((0, 3), (3, 0)):
        layer = torch.nn.Linear(*sizes)
        see(f"{sizes}", (layer.weight, layer.bias))


@snippet
def a_weight_changed_too_early(torch, see):
    layer = torch.nn.Linear(2, 1)
    x = torch.ones(1, 2, requires_grad=True)
    y = layer(x).sum()
    with torch.no_grad():
        layer.weight.mul_(2)
    with see.error("backward"):
        y.backward()


@snippet
def activations(torch, see):
    x = torch.tensor([[-1.5, 0.0, 2.0]], requires_grad=True)
    F, nn = torch.nn.functional, torch.nn
    for name, run in {
        "relu": F.relu,
        "tanh": F.tanh,
        "sigmoid": F.sigmoid,
        "softplus": F.softplus,
        "softmax": lambda x: F.softmax(x, dim=1),
        "log_softmax": lambda x: F.log_softmax(x, dim=-1),
        "ReLU": nn.ReLU(),
        "Tanh": nn.Tanh(),
        "Sigmoid": nn.Sigmoid(),
        "Flatten": nn.Flatten(0),
        "in place": lambda x: nn.ReLU(inplace=True)(x * 1),
        "dtype": lambda x: F.softmax(x, 1, dtype=torch.float64),
    }.items():
        y = run(x)
        x.grad = None
        (y * y).sum().backward()
        see(name, [y, x.grad])
    see("flat", nn.Flatten()(torch.ones(2, 3, 4, requires_grad=True)).grad_fn.name())


@snippet
def the_dim_left_out(torch, see):
    F = torch.nn.functional
    for shape in ((), (3,), (2, 3), (3, 2, 2)):
        see(str(shape), F.softmax(torch.ones(shape)))
        see(f"{shape}, logarithm", F.log_softmax(torch.ones(shape)))
    for name in ("softmax", "log_softmax"):
        see(f"{name} with a dtype", getattr(F, name)(torch.ones(2), 0, 3, torch.float64))


@snippet
def activations_as_modules(torch, see):
    nn = torch.nn
    x = torch.tensor([[-1.5, 0.0, 2.0]], requires_grad=True)
    for name, module in {
        "LeakyReLU": nn.LeakyReLU(),
        "LeakyReLU steeper": nn.LeakyReLU(0.5),
        "LeakyReLU in place": nn.LeakyReLU(0.2, inplace=True),
        "Softplus": nn.Softplus(2.0, 3.0),
        "Softmax": nn.Softmax(dim=1),
        "LogSoftmax": nn.LogSoftmax(dim=-1),
        "Identity": nn.Identity(54, unused=True),
    }.items():
        y = module(x * 1)
        x.grad = None
        (y * y).sum().backward()
        see(name, [repr(module), y, x.grad])
    see("no dim", [nn.Softmax()(torch.ones(2, 2)), nn.LogSoftmax()(torch.ones(2, 2))])


@snippet
def leaky(torch, see):
    leaky_relu = torch.nn.functional.leaky_relu
    x = torch.tensor([-2.0, 0.0, -0.0, 3.0, float("nan")], requires_grad=True)
    for inplace in (False, True):
        y = leaky_relu(x * 1, 0.25, inplace)
        see(f"in place {inplace}", [y, y.grad_fn._saved_negative_slope])
        (first,) = torch.autograd.grad((y**2).sum(), x, create_graph=True)
        see(f"in place {inplace}: first", first)
        see(f"in place {inplace}: second", torch.autograd.grad(first.sum(), x))
    with see.error("leaf in place"):
        leaky_relu(x, inplace=True)
    for dtype in (torch.int64, torch.bool):
        with see.error(str(dtype)):
            leaky_relu(torch.ones(2).to(dtype))
    see("0-d", leaky_relu(torch.tensor(-1.0)))
