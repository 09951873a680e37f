"""Document 001: notes on the official 60-minute tutorial, and MulConstant."""

# ruff: noqa: RUF059 - a snippet names the whole example, whatever it then looks at

from tests.documents.registry import item, nothing_to_run


def mean_example(torch):
    """out = mean(3 (x + 2)²) for x = ones(2, 2)."""
    x = torch.ones(2, 2, requires_grad=True)
    y = x + 2
    z = y * y * 3
    return x, y, z, z.mean()


def mul_constant(torch, backward):
    """The document's Function around a given backward."""

    class MulConstant(torch.autograd.Function):
        @staticmethod
        def forward(ctx, tensor, constant):
            ctx.constant = constant
            return tensor * constant

    MulConstant.backward = staticmethod(backward)
    return MulConstant


def as_written(ctx, grad_output):
    """The document's backward: it forgets the constant."""
    return grad_output, None


def corrected(ctx, grad_output):
    """Incoming gradient times local derivative."""
    return grad_output * ctx.constant, None


nothing_to_run("001-1.1", "it names its source, the official tutorial")


@item("001-1.2")
def each_run_builds_its_own_graph(torch, see):
    x = torch.tensor(1.0, requires_grad=True)
    for times in (1, 3):
        y = x
        for _ in range(times):
            y = y * 2
        see(f"gradient after {times} doublings", torch.autograd.grad(y, x)[0])


@item("001-1.3")
def requires_grad_tracks_and_backward_fills(torch, see):
    x, y, z, out = mean_example(torch)
    out.backward()
    see("x.grad", x.grad)
    see("y.grad", y.grad)


@item("001-1.4")
def detach_separates_what_it_returns(torch, see):
    x = torch.tensor([3.0], requires_grad=True)
    cut = (x * 2).detach()
    see("what detach returns", cut)
    see("a result of it", (cut * 2).requires_grad)
    see("the original goes on", (x * 2).requires_grad)


@item("001-1.5")
def no_grad_keeps_nothing(torch, see):
    x = torch.tensor([3.0], requires_grad=True)
    with torch.no_grad():
        see("under no_grad", (x * x).grad_fn)
    with see.error("the full-width colon"):
        compile("with torch.no_grad()：\n    pass", "snippet", "exec")


@item("001-1.5", part="eval")
def eval_is_another_matter(torch, see):
    layer = torch.nn.Linear(1, 1)
    layer.eval()
    see("eval() still records", layer(torch.ones(1)).requires_grad)


@item("001-1.6")
def no_cycle_and_no_grad_fn_on_what_the_user_made(torch, see):
    x, y, z, out = mean_example(torch)
    road, node = [], out.grad_fn
    while node is not None:
        road.append(node.name())
        node = node.next_functions[0][0] if node.next_functions else None
    see("from out down to the leaf", road)
    see("x.grad_fn", x.grad_fn)
    see("a result nobody asked to track", (torch.ones(2) * 2).grad_fn)


@item("001-1.7")
def a_scalar_needs_no_argument(torch, see):
    x, y, z, out = mean_example(torch)
    with see.error("z.backward()"):
        z.backward()
    with see.error("another shape"):
        z.backward(torch.ones(4))
    z.backward(torch.full((2, 2), 0.25), retain_graph=True)
    see("with weights", x.grad)
    x.grad = None
    out.backward()
    see("the scalar without", x.grad)


@item("001-1.8")
def variable_still_works_and_returns_a_tensor(torch, see):
    v = torch.autograd.Variable(torch.tensor([1.0]), requires_grad=True)
    see("v", v)
    see("its type is Tensor", type(v) is torch.Tensor)


@item("001-1.9")
def the_mean_example(torch, see):
    x = torch.ones(2, 2, requires_grad=True)
    see("x", x)
    y = x + 2
    see("y", y)
    see("y.grad_fn", y.grad_fn)
    z = y * y * 3
    out = z.mean()
    see("z", z)
    see("out", out)


@item("001-1.10")
def requires_grad_with_nothing_given_means_true(torch, see):
    see("requires_grad_()", torch.ones(2).requires_grad_().requires_grad)
    see("requires_grad_(False)", torch.ones(2).requires_grad_(False).requires_grad)


@item("001-1.11")
def asking_later_and_dividing_by_zero(torch, see):
    a = torch.ones(2, 2)
    a = (a * 3) / (a - 1)
    see("a.requires_grad", a.requires_grad)
    a.requires_grad_(True)
    see("a.requires_grad, asked for", a.requires_grad)
    b = (a * a).sum()
    see("b.grad_fn", b.grad_fn)
    see("a, as written", a)
    a = 2 * torch.ones(2, 2)
    see("a, from twos", (a * 3) / (a - 1))


@item("001-1.12")
def the_seed_of_a_scalar_is_one(torch, see):
    for name, arguments in {"nothing": (), "an integer one": (torch.tensor(1),)}.items():
        x, y, z, out = mean_example(torch)
        out.backward(*arguments)
        see(name, x.grad)


@item("001-1.13")
def the_gradient_of_the_mean_example(torch, see):
    x, y, z, out = mean_example(torch)
    out.backward()
    see("x.grad", x.grad)


@item("001-1.14")
def doubling_until_the_norm_passes_1000(torch, see):
    torch.manual_seed(0)
    x = torch.randn(3, requires_grad=True)
    y = x * 2
    doublings = 1
    while y.data.norm() < 1000:
        y = y * 2
        doublings += 1
    see("y", y)
    see("doublings", doublings)
    gradients = torch.tensor([0.1, 1.0, 0.0001], dtype=torch.float)
    y.backward(gradients)
    see("x.grad", x.grad)
    see("exactly 2ⁿ v", bool((x.grad == 2**doublings * gradients).all()))
    counts = {}
    for seed in range(200):
        torch.manual_seed(seed)
        y, doublings = torch.randn(3) * 2, 1
        while y.norm() < 1000:
            y, doublings = y * 2, doublings + 1
        counts[doublings] = counts.get(doublings, 0) + 1
    see("how often n doublings in 200 draws", dict(sorted(counts.items())))


@item("001-1.15")
def no_grad_changes_results_not_x(torch, see):
    x = torch.tensor([1.0], requires_grad=True)
    see("x", x.requires_grad)
    see("x ** 2", (x**2).requires_grad)
    with torch.no_grad():
        see("x under no_grad", x.requires_grad)
        see("x ** 2 under no_grad", (x**2).requires_grad)


@item("001-1.16")
def a_function_of_ones_own(torch, see):
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx, grad_output):
            (x,) = ctx.saved_tensors
            return grad_output * 3 * x**2

    x = torch.tensor([2.0], requires_grad=True)
    y = Cube.apply(x)
    see("y", y)
    y.backward()
    see("x.grad", x.grad)


@item("001-1.17")
def the_constructor_is_the_dead_style(torch, see):
    class Legacy(torch.autograd.Function):
        def __init__(self, constant):
            self.constant = constant

        def forward(self, tensor):
            return tensor * self.constant

        def backward(self, grad_output):
            return grad_output * self.constant

    a = torch.ones(2, requires_grad=True)
    with see.error("the old style"):
        Legacy(5)(a)

    class TwoByThree(torch.autograd.Function):
        @staticmethod
        def forward(x, y, z):
            return x * y, y * z

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)

        @staticmethod
        def backward(ctx, one, two):
            x, y, z = ctx.saved_tensors
            return one * y, one * x + two * z, two * y

    x, y, z = (torch.tensor(value, requires_grad=True) for value in (2.0, 3.0, 5.0))
    one, two = TwoByThree.apply(x, y, z)
    (one + two).backward()
    see("two outputs come in, three gradients go out", [x.grad, y.grad, z.grad])


@item("001-1.18")
def mul_constant_forgets_the_constant(torch, see):
    wrong, right = mul_constant(torch, as_written), mul_constant(torch, corrected)
    for name, function in {"as written": wrong, "corrected": right}.items():
        a = torch.ones(2, requires_grad=True)
        function.apply(a, 5).sum().backward()
        see(name, a.grad)


@item("001-1.18", part="gradcheck")
def gradcheck_finds_it_out_unless_the_constant_is_one(torch, see):
    wrong, right = mul_constant(torch, as_written), mul_constant(torch, corrected)
    a = torch.ones(2, dtype=torch.double, requires_grad=True)
    with see.error("gradcheck of the wrong one"):
        torch.autograd.gradcheck(lambda a: wrong.apply(a, 5), (a,))
    see("with constant 1", torch.autograd.gradcheck(lambda a: wrong.apply(a, 1), (a,)))
    see("of the right one", torch.autograd.gradcheck(lambda a: right.apply(a, 5), (a,)))


@item("001-1.19")
def a_tensor_kept_on_ctx_skips_the_version_check(torch, see):
    class KeptOnCtx(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.t = x
            return x * x

        @staticmethod
        def backward(ctx, grad_output):
            return grad_output * 2 * ctx.t

    class Saved(KeptOnCtx):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, grad_output):
            (x,) = ctx.saved_tensors
            return grad_output * 2 * x

    for function in (KeptOnCtx, Saved):
        x = torch.tensor([3.0], requires_grad=True)
        y = function.apply(x)
        with torch.no_grad():
            x += 100
        with see.error(f"{function.__name__}: backward"):
            y.backward()
        see(f"{function.__name__}: x.grad, where 6 is right", x.grad)


@item("001-1.20")
def one_return_for_each_input(torch, see):
    def too_few(ctx, grad_output):
        return grad_output * ctx.constant

    def surplus_none(ctx, grad_output):
        return grad_output * ctx.constant, None, None

    def number_for_number(ctx, grad_output):
        return grad_output * ctx.constant, grad_output

    for backward in (too_few, surplus_none, number_for_number):
        a = torch.ones(2, requires_grad=True)
        with see.error(backward.__name__):
            mul_constant(torch, backward).apply(a, 5).sum().backward()
        see(f"{backward.__name__}: a.grad", a.grad)
    a = torch.ones(2, requires_grad=True)
    constant = torch.tensor(5.0, requires_grad=True)
    mul_constant(torch, corrected).apply(a, constant).sum().backward()
    see("None for a tensor loses its gradient", constant.grad)


@item("001-1.21")
def mul_constant_forward(torch, see):
    torch.manual_seed(0)
    a = torch.rand(3, 3, requires_grad=True)
    b = mul_constant(torch, as_written).apply(a, 5)
    see("a:", str(a))
    see("b:", str(b))


@item("001-1.22")
def the_gradient_nobody_printed(torch, see):
    torch.manual_seed(0)
    a = torch.rand(3, 3, requires_grad=True)
    b = mul_constant(torch, as_written).apply(a, 5)
    b.backward(torch.ones_like(a))
    see("a.grad, where 5 is right", a.grad)


nothing_to_run("001-1.23", "a dead link")
