"""Derivatives of derivatives, and functions of one's own."""

from tests.autograd.behavior.registry import behavior


def derivatives(torch, function, at, count):
    """The value and the first derivatives of a function, until one raises."""
    x = torch.tensor(at, requires_grad=True)
    y = function(x)
    found = [y.item()]
    for _ in range(count):
        (y,) = torch.autograd.grad(y, x, create_graph=True)
        found.append(y.item())
    return found


@behavior
def any_order_through_a_function(torch, see):
    for name in ("sin", "exp", "tanh", "sigmoid", "log", "sqrt", "reciprocal", "atan"):
        see(name, derivatives(torch, lambda x, name=name: getattr(x, name)(), 0.5, 4))
    see("x ** 3", derivatives(torch, lambda x: x**3, 2.0, 4))
    see("x / (1 + x)", derivatives(torch, lambda x: x / (1 + x), 2.0, 4))


@behavior
def a_constant_derivative_has_no_path(torch, see):
    with see.error("x * x: third"):
        derivatives(torch, lambda x: x * x, 2.0, 3)
    with see.error("x ** 2: third"):
        see("x ** 2", derivatives(torch, lambda x: x**2, 2.0, 3))
    with see.error("x ** 2: fourth"):
        derivatives(torch, lambda x: x**2, 2.0, 4)
    with see.error("x + x: second"):
        derivatives(torch, lambda x: x + x, 2.0, 2)
    x = torch.tensor(2.0, requires_grad=True)
    y = torch.tensor(3.0, requires_grad=True)
    (gx,) = torch.autograd.grad(x * x * y, x, create_graph=True)
    (gxx,) = torch.autograd.grad(gx, x, create_graph=True)
    with see.error("x * x * y: third for x"):
        torch.autograd.grad(gxx, x)


@behavior
def the_gradient_of_a_number_that_was_expanded_is_one_of_its_own(torch, see):
    x = torch.tensor([-0.5], requires_grad=True).sum()
    wide = x.expand_as(torch.zeros([]))
    gx, gwide = torch.autograd.grad(wide * 2, [x, wide], create_graph=True)
    see("its node", gx.grad_fn)
    gx.masked_fill_(gx > 0, -5.0)
    see("both", (gx.item(), gwide.item()))


@behavior
def graphs_of_graphs_grow(torch, see):
    for name in ("sin", "tanh", "exp"):
        x = torch.tensor(0.5, requires_grad=True)
        y = getattr(x, name)()
        counts = [graph_size(y)]
        for _ in range(3):
            (y,) = torch.autograd.grad(y, x, create_graph=True)
            counts.append(graph_size(y))
        see(f"nodes below {name} and its derivatives", counts)


def graph_size(tensor):
    """How many nodes a pass from a tensor can reach."""
    found, waiting = {tensor.grad_fn}, [tensor.grad_fn]
    while waiting:
        for node, _ in waiting.pop().next_functions:
            if node is not None and node not in found:
                found.add(node)
                waiting.append(node)
    return len(found)


@behavior
def a_function_that_can_be_differentiated_twice(torch, see):
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x * x

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return 3 * g * x * x

    see("derivatives", derivatives(torch, Cube.apply, 2.0, 3))


@behavior
def once_differentiable(torch, see):
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x * x

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return 3 * g * x * x

    see("first", derivatives(torch, Cube.apply, 2.0, 1))
    with see.error("second"):
        derivatives(torch, Cube.apply, 2.0, 2)


@behavior
def what_a_function_returns_is_checked(torch, see):
    def function(returned):
        class F(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2

            @staticmethod
            def backward(ctx, g):
                return returned(g)

        return F

    for name, returned in {
        "two for one": lambda g: (g, g),
        "a surplus None": lambda g: (g, None),
        "None": lambda g: None,
        "another shape": lambda g: torch.ones(3),
        "a broadcastable shape": lambda g: torch.ones(1),
        "a number": lambda g: 2.0,
        "float64": lambda g: g.double(),
    }.items():
        x = torch.ones(2, requires_grad=True)
        with see.error(name):
            function(returned).apply(x).sum().backward()
        see(f"{name}: x.grad", x.grad)


@behavior
def the_context_of_a_function(torch, see):
    class Both(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y, flag):
            see("needs_input_grad", ctx.needs_input_grad)
            index = x.argmax()
            ctx.mark_non_differentiable(index)
            ctx.save_for_backward(x, y)
            return x * y, index

        @staticmethod
        def backward(ctx, g, unused):
            see("the unused output's gradient", unused)
            _, y = ctx.saved_tensors
            return g * y, None, None

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = torch.tensor([3.0, 4.0])
    product, index = Both.apply(x, y, "flag")
    see("results", [product, index])
    product.sum().backward()
    see("x.grad", x.grad)


@behavior
def a_function_that_writes_in_place(torch, see):
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            x.mul_(2)
            return x

        @staticmethod
        def backward(ctx, g):
            return g * 2

    x = torch.ones(2, requires_grad=True)
    y = x * 1
    z = Double.apply(y)
    see("the same tensor", z is y)
    see("its node", y.grad_fn.name())
    y.sum().backward()
    see("x.grad", x.grad)
    with see.error("of a leaf"):
        Double.apply(x)
