"""Passes within passes, kept graphs, and what an exception leaves."""

# ruff: noqa: B018 - reading is what is shown

from tests.oracle.snippets import snippet


@snippet
def a_pass_inside_a_hook(torch, see):
    x = torch.tensor(2.0, requires_grad=True)
    w = torch.tensor(3.0, requires_grad=True)
    y = x * x

    def hook(grad):
        see("grad mode in the hook", torch.is_grad_enabled())
        with torch.enable_grad():
            (w * w).backward()
        return grad * w.grad

    y.register_hook(hook)
    (y * 1).backward()
    see("grads", (x.grad, w.grad))


@snippet
def an_operation_without_a_derivative(torch, see):
    def run(compute):
        x = torch.tensor([2.5, 0.75], requires_grad=True)
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        with see.error("raised"):
            compute(x, w).sum().backward()
        see("what was accumulated", (x.grad, w.grad))

    run(lambda x, w: (x // 2) * x - x)
    run(lambda x, w: torch.maximum(x, x // 3) * w)
    run(lambda x, w: x * 3 + w // 2)
    run(lambda x, w: (w // 2) * 1 * 1 + x)


@snippet
def an_exception_in_the_middle(torch, see):
    x = torch.tensor(2.0, requires_grad=True)
    w = torch.tensor(3.0, requires_grad=True)

    def fail(grad):
        raise ValueError("stop")

    y = x * x
    y.register_hook(fail)
    z = y * w
    with see.error("raised"):
        z.backward()
    see("what was accumulated", (x.grad, w.grad))
    see("grad mode", torch.is_grad_enabled())
    with see.error("the product is freed"):
        z.backward()
    (x * w).backward()
    see("the next pass is a new one", (x.grad, w.grad))


@snippet
def retained_graphs_give_the_same(torch, see):
    x = torch.tensor([0.5, 1.0], requires_grad=True)
    y = (x.sin() * x.exp()).prod()
    answers = [torch.autograd.grad(y, x, retain_graph=True)[0] for _ in range(3)]
    see("three times", answers)
    see("freed by the last", torch.autograd.grad(y, x))
    with see.error("once more"):
        torch.autograd.grad(y, x)


@snippet
def gradients_are_not_shared(torch, see):
    x = torch.ones(2, requires_grad=True)
    y = torch.ones(2, requires_grad=True)
    (x + y).sum().backward()
    x.grad.mul_(5)
    see("x and y", (x.grad, y.grad))
    g = torch.ones(2)
    z = x + 0
    (a,) = torch.autograd.grad(z, x, g)
    see("grad answers the vector itself", a is g)
    x.grad = None
    (x + 0).backward(g)
    see("backward stores another", x.grad is g)
    x.grad.zero_()
    see("vector", g)
    u = x * 1
    u.retain_grad()
    v = u + 0
    v.retain_grad()
    v.sum().backward()
    u.grad.zero_()
    see("retained", (u.grad, v.grad))


@snippet
def a_hook_that_edits_its_argument(torch, see):
    x = torch.ones(2, requires_grad=True)
    y = x * 1

    def edit(grad):
        grad.mul_(10)

    y.register_hook(edit)
    a, b = y + 0, y + 0
    (a + b).sum().backward()
    see("x.grad", x.grad)


@snippet
def zero_grad_between(torch, see):
    x = torch.ones(2, requires_grad=True)
    kept = []
    for _ in range(2):
        (x * 2).sum().backward()
        kept.append(x.grad)
    see("the same object", kept[0] is kept[1])
    see("its version", x.grad._version)
    x.grad = None
    (x * 2).sum().backward()
    see("another", x.grad is kept[0])
    x.grad.requires_grad_()
    with see.error("a gradient that requires grad"):
        (x * 2).sum().backward()


@snippet
def mixed_dtypes(torch, see):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    d = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    h = torch.tensor([1.0, 2.0], dtype=torch.float16, requires_grad=True)
    (x * d * h).sum().backward()
    see("grads", (x.grad, d.grad, h.grad))
    y = x.double() * 2
    y.backward(torch.tensor([1, 2]))
    see("integers as a vector", x.grad)


@snippet
def disconnected_parts(torch, see):
    x = torch.tensor(1.0, requires_grad=True)
    y = torch.tensor(2.0, requires_grad=True)
    torch.autograd.backward([x * 2, y * 3])
    see("grads", (x.grad, y.grad))
    with see.error("one without history"):
        torch.autograd.backward([x * 2, torch.tensor(1.0)])
    see("nothing was added", x.grad)
    x.backward()
    see("a leaf as root", x.grad)
    with see.error("a constant"):
        torch.tensor(1.0).backward()
    with see.error("an integer"):
        torch.tensor(1).backward()


@snippet
def a_diamond_with_a_detour(torch, see):
    x = torch.tensor(2.0, requires_grad=True)
    a = x * 3
    b = a.exp()
    c = a + b
    d = c * a
    order = []
    for name, tensor in (("a", a), ("b", b), ("c", c), ("d", d)):
        tensor.register_hook(lambda grad, name=name: order.append((name, round(grad.item(), 3))))
    d.backward()
    see("order", order)
    see("x.grad", x.grad)


@snippet
def accumulating_a_recorded_gradient(torch, see):
    x = torch.tensor(2.0, requires_grad=True)
    (x**3).backward(create_graph=True)
    first = x.grad
    see("first", first)
    (x**3).backward(create_graph=True)
    see("second", x.grad)
    see("another object", x.grad is first)
    (first * 1).backward()
    see("through it", x.grad)
    x.grad = None


@snippet
def empty_and_scalar_shapes(torch, see):
    x = torch.zeros(0, 3, requires_grad=True)
    (x * 2).sum().backward()
    see("empty", x.grad)
    y = torch.ones(1, requires_grad=True)
    y.backward()
    see("one element", y.grad)
    z = torch.ones(1, 1, requires_grad=True)
    (z * 2).backward()
    see("one in two dims", z.grad)
    s = torch.tensor(2.0, requires_grad=True)
    (s * torch.ones(2, 3)).sum().backward()
    see("0-d broadcast", s.grad)
    with see.error("no element"):
        (x * 2).backward()


@snippet
def nodes_after_the_pass(torch, see):
    x = torch.tensor(2.0, requires_grad=True)
    y = x.exp()
    z = (y * y).sum()
    node = z.grad_fn
    z.backward()
    see("names", [node.name(), node.next_functions[0][0].name()])
    with see.error("a saved value"):
        node.next_functions[0][0]._saved_self
    node.metadata["note"] = 1
    see("metadata", z.grad_fn.metadata)


@snippet
def generators_and_decorators(torch, see):
    @torch.no_grad()
    def numbers():
        see("started", torch.is_grad_enabled())
        got = yield torch.is_grad_enabled()
        see("sent", (got, torch.is_grad_enabled()))
        try:
            yield 2
        except ValueError:
            see("thrown in", torch.is_grad_enabled())
            yield 3
        return "end"

    g = numbers()
    see("first", (next(g), torch.is_grad_enabled()))
    see("second", (g.send("x"), torch.is_grad_enabled()))
    see("third", (g.throw(ValueError), torch.is_grad_enabled()))
    with see.error("end"):
        next(g)

    @torch.set_grad_enabled(False)
    def off():
        return torch.is_grad_enabled()

    see("decorated", (off(), torch.is_grad_enabled()))

    @torch.enable_grad()
    def recursive(n):
        return [torch.is_grad_enabled()] + (recursive(n - 1) if n else [])

    with torch.no_grad():
        see("recursive", (recursive(2), torch.is_grad_enabled()))
    with see.error("in a decorated function"):
        torch.no_grad()(lambda: 1 // 0)()
    see("restored", torch.is_grad_enabled())


@snippet
def derivatives_are_recorded_in_the_order_of_the_operands_names(torch, see):
    pair, square = torch.tensor([1.0, 2.0]), torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    for name, apply, values in (
        ("mul", torch.mul, (pair, pair)),
        ("div", torch.div, (pair, pair)),
        ("pow", torch.pow, (pair, pair)),
        ("mm", torch.mm, (square, square)),
        ("mv", torch.mv, (square, pair)),
        ("dot", torch.dot, (pair, pair)),
        ("lerp", lambda a, b, c: torch.lerp(a, b, c) ** 2, (pair, pair, pair)),
        ("where", lambda a, b: torch.where(pair > 1, a, b) ** 2, (pair, pair)),
    ):
        leaves = [value.clone().requires_grad_() for value in values]
        gradients = torch.autograd.grad(apply(*leaves).sum(), leaves, create_graph=True)
        for place, gradient in enumerate(gradients):
            operand = f"{name}, operand {place}"
            gradient.register_hook(lambda g, operand=operand: see(operand, g))
        sum(gradient.sum() for gradient in gradients).backward()


@snippet
def materialized_zeros_lie_in_memory_as_the_input(torch, see):
    x = torch.ones(2, 3, requires_grad=True)
    other = torch.ones(3, requires_grad=True)
    for name, unused in {
        "expanded": other.expand(2, 3),
        "turned": other.expand(2, 3).clone().t(),
        "plain": other,
    }.items():
        (zeros,) = torch.autograd.grad(x.sum(), unused, materialize_grads=True)
        see(name, (zeros, zeros.stride()))


@snippet
def options_by_position(torch, see):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    other = torch.ones(2, requires_grad=True)
    grad = torch.autograd.grad
    see("as penalties are written", grad((x**2).sum(), x, None, True, True, True))
    see("allow_unused is next", grad((x**2).sum(), (x, other), None, None, False, True, True))
    see("to the last", grad(x.sum(), (x, other), None, None, False, True, None, False, True))
    see("in a batch", grad(x * 2, x, torch.eye(2), only_inputs=True, is_grads_batched=True))


@snippet
def what_a_hook_after_accumulation_answers(torch, see):
    for answer in (3, "a", torch.ones(3), torch.ones(2).double(), torch.ones(2)):
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        x.register_post_accumulate_grad_hook(lambda x, answer=answer: answer)
        with see.error("answer"):
            x.sum().backward()
        see("x.grad", x.grad)


def without_gradient(torch):
    """A custom function whose backward answers None."""

    class NoGradient(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, grad):
            return None

    return NoGradient


@snippet
def hooks_that_leave_no_gradient_at_all(torch, see):
    NoGradient = without_gradient(torch)
    for parts in (torch.unbind, torch.split, torch.sort, torch.exp):
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        part = parts(x, 1)[0] if parts is torch.split else parts(x)
        part = part if parts is torch.exp else part[0]
        handle = part.grad_fn.register_prehook(lambda grads: (None,) * len(grads))
        (part * 2).sum().backward(retain_graph=True)
        see("dropped", x.grad)
        handle.remove()
        part.register_hook(lambda grad: None)
        NoGradient.apply(part).sum().backward()
        see("none came", x.grad)


@snippet
def what_was_saved_is_read_also_where_no_gradient_comes(torch, see):
    NoGradient = without_gradient(torch)
    uses = {
        "a product with a number": lambda x: x * 3,
        "a square": lambda x: x * x,
        "sin": lambda x: x.sin(),
        "a product of matrices": lambda x: x @ x,
        "max along a dim": lambda x: x.max(0).values,
        "a sum": lambda x: x.sum() + x,
    }
    for name, use in uses.items():
        x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
        y = use(x)
        y.sum().backward()
        with see.error(f"{name}: freed"):
            see(name, torch.autograd.grad(NoGradient.apply(y).sum(), x, allow_unused=True))
        x = x.detach().clone().requires_grad_()
        y = use(x)
        with torch.no_grad():
            x.add_(1)
        with see.error(f"{name}: changed"):
            see(name, torch.autograd.grad(NoGradient.apply(y).sum(), x, allow_unused=True))


@snippet
def a_gradient_whose_elements_share_their_memory_is_not_added_to(torch, see):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    x.grad = torch.ones(1).expand(2)
    with see.error("in place"):
        (x * x).sum().backward()
    see("is as it was", x.grad)
    (x * x).sum().backward(create_graph=True)
    see("out of place", x.grad)


@snippet
def hooks_that_write_to_the_gradient_of_a_number(torch, see):
    def write(grad):
        grad.mul_(3)

    def write_to_a_view(grad):
        grad.view(1).mul_(3)

    for hook in (write, write_to_a_view):
        x = torch.tensor(2.0, requires_grad=True)
        x.register_hook(hook)
        seen = []
        x.register_hook(lambda grad, seen=seen: seen.append(grad.clone()))
        (x * 2).backward()
        see("of a leaf", (x.grad, seen))
        y = x * 2
        y.register_hook(hook)
        see("inside", torch.autograd.grad(y * y, x))
        y = x * 2
        y.grad_fn.register_prehook(lambda grads, hook=hook: hook(grads[0]))
        see("before a node", torch.autograd.grad(y * y, x))
        y = x * 2
        y.grad_fn.register_hook(lambda inputs, outputs, hook=hook: hook(inputs[0]))
        see("after a node", torch.autograd.grad(y * y, x, create_graph=True))
