"""Custom Functions that return their inputs, views of them, or what they wrote to."""

from tests.oracle.snippets import snippet


def custom(torch, forward, backward):
    """A Function of these two."""
    members = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type("Custom", (torch.autograd.Function,), members)


def twice(ctx, *gradients):
    """A backward for every forward below: not the true derivative, so that it shows."""
    return sum(gradient * 2 for gradient in gradients if gradient is not None)


def forwards(torch):
    """Ways to return an input or part of it, by name."""
    return {
        "itself": lambda ctx, x: x,
        "itself and another": lambda ctx, x: (x, x * 2),
        "a row": lambda ctx, x: x[:1],
        "rows": lambda ctx, x: (x[:1], x[1:]),
    }


@snippet
def an_input_that_is_saved_and_returned(torch, see):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x

    square = custom(torch, forward, lambda ctx, g: g * ctx.saved_tensors[0])
    for tracked in (True, False):
        leaf = torch.tensor([3.0], requires_grad=True)
        x = leaf if tracked else leaf * 1
        y = square.apply(x)
        see("the same tensor", y.grad_fn.saved_tensors[0] is x)
        (first,) = torch.autograd.grad(y, leaf, create_graph=True)
        see("derivatives", (first, torch.autograd.grad(first, leaf)))


@snippet
def writes_to_what_a_function_returned(torch, see):
    def first(result):
        return result[0] if isinstance(result, tuple) else result

    writes = {
        "into the result": lambda v, x: v.mul_(3),
        "into a view of it": lambda v, x: v.view(-1).mul_(3),
        "into the input, then used": lambda v, x: (x.mul_(3), v + 1),
        "into the input, then asked": lambda v, x: (x.mul_(3), v.grad_fn),
    }
    for name, forward in forwards(torch).items():
        for where, write in writes.items():
            with see.error(f"{name}: {where}"):
                x = torch.ones(2, 2, requires_grad=True) * 1
                see("done", write(first(custom(torch, forward, twice).apply(x)), x))
        with see.error(f"{name}: a leaf"):
            first(custom(torch, forward, twice).apply(torch.ones(2, 2, requires_grad=True))).mul_(3)
        with torch.no_grad():
            x = torch.ones(2, 2, requires_grad=True) * 1
            v = first(custom(torch, forward, twice).apply(x.requires_grad_()))
        see(f"{name}: without a graph", (v.requires_grad, v._is_view()))
        with see.error(f"{name}: without a graph, written"):
            v.mul_(3)


@snippet
def a_view_that_was_written_inside(torch, see):
    def flat(ctx, x):
        y = x.clone().view(-1)
        y += 1
        return y

    def row(ctx, x):
        y = x.clone()
        v = y[:1]
        y.mul_(3)
        return v

    backwards = {
        flat: lambda ctx, g: g.view(2, 2) * 3,
        row: lambda ctx, g: torch.cat([g, g]) * 3,
    }
    for forward, backward in backwards.items():
        x = torch.ones(2, 2, requires_grad=True)
        y = custom(torch, forward, backward).apply(x)
        y.sum().backward()
        see(forward.__name__, (y, x.grad))


@snippet
def what_mark_dirty_refuses(torch, see):
    def marked(ctx, x):
        ctx.mark_dirty(x.mul_(2))

    def one(ctx, x):
        marked(ctx, x)
        return x

    def two(ctx, x):
        marked(ctx, x)
        return x, x + 1

    def lost(ctx, x):
        marked(ctx, x)
        return x * 3

    def strange(ctx, x):
        y = x * 2
        ctx.mark_dirty(y)
        return y

    for forward in (one, two, lost, strange):
        inputs = {
            "a view": (torch.ones(2, 2, requires_grad=True) * 1)[0],
            "no view": torch.ones(2, requires_grad=True) * 1,
            "untracked": torch.ones(2, 2)[0],
        }
        for name, x in inputs.items():
            with see.error(f"{forward.__name__}: {name}"):
                see("result", custom(torch, forward, twice).apply(x))


@snippet
def arguments_and_results(torch, see):
    class Power(torch.autograd.Function):
        @staticmethod
        def forward(x, y=3):
            return x**y

        @staticmethod
        def setup_context(ctx, inputs, output):
            see("inputs", inputs)
            ctx.y = inputs[1]
            ctx.save_for_backward(inputs[0])

        @staticmethod
        def backward(ctx, g):
            return g * ctx.y * ctx.saved_tensors[0] ** (ctx.y - 1), None

    x = torch.tensor(2.0, requires_grad=True)
    for name, call in {
        "default": lambda: Power.apply(x),
        "keyword": lambda: Power.apply(x, y=2),
        "keywords": lambda: Power.apply(x=x, y=2),
        "strange": lambda: Power.apply(x, z=2),
        "none": lambda: Power.apply(),
    }.items():
        with see.error(name):
            y = call()
            see(name, (y, torch.autograd.grad(y, x)))
    listed = custom(torch, lambda ctx, x: [x * 2], twice).apply(x)
    see("a list", (type(listed).__name__, listed[0].requires_grad))

    class Both(Power):
        @staticmethod
        def backward(ctx, g):
            return g, None

    with see.error("vjp and backward"):
        torch.autograd.grad(Both.apply(x), x)


@snippet
def nodes_by_hand(torch, see):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    ones = torch.ones(2)
    row = torch.ones(2, 2, requires_grad=True)
    for name, call in {
        "power": lambda: (x**2).grad_fn(ones),
        "product": lambda: (x * x).grad_fn(ones),
        "by a number": lambda: (x * 2).grad_fn(ones),
        "broadcast": lambda: (x + row).grad_fn(torch.ones(2, 2)),
        "several": lambda: x.unbind()[0].grad_fn(torch.tensor(1.0), torch.tensor(2.0)),
        "none": lambda: (x**2).grad_fn(),
        "too many": lambda: (x**2).grad_fn(ones, ones),
    }.items():
        with see.error(name):
            see(name, call())


@snippet
def hooks_that_answer_what_they_may_not(torch, see):
    leaf, none, number = lambda t: t, lambda t: None, lambda t: 5
    answers = (lambda t: t.grad, none, leaf, number, lambda t: t[:1], lambda t: t.long())
    for answer in (*answers, lambda t: t.add_(t.grad)):
        x = torch.ones(2, requires_grad=True)
        x.register_post_accumulate_grad_hook(answer)
        with see.error("after accumulation"):
            x.sum().backward()
        see("grad", (x, x.grad))
    y = x * 2
    y.grad_fn.register_hook(lambda inputs, outputs: (inputs[0], inputs[0]))
    with see.error("in place of None"):
        y.sum().backward()
    for mode in ("a", 1, None):
        with see.error(f"mode {mode}"):
            torch.set_grad_enabled(mode)


@snippet
def a_multi_grad_hook_and_inputs_outside_of_the_graph(torch, see):
    tensors = [torch.ones(2, requires_grad=True) * i for i in (1, 2, 3)]
    seen = []
    torch.autograd.graph.register_multi_grad_hook(tensors, seen.append)
    product = tensors[1] * tensors[2]
    for inputs in (tensors[:1], tensors[::2], tensors[::2], tensors[1:]):
        product.sum().backward(inputs=inputs, retain_graph=True)
        see("calls so far", len(seen))
