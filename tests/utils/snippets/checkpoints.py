"""``utils.checkpoint.checkpoint``: the same gradients, other memory."""

import warnings
from contextlib import contextmanager, nullcontext, suppress
from importlib import import_module

from tests.oracle.snippets import snippet

WAYS = (False, True)


def checkpoint(torch, *args, **kwargs):
    return import_module(f"{torch.__name__}.utils.checkpoint").checkpoint(*args, **kwargs)


def counting(function):
    """The function, and a list with an entry for each time it ran."""
    runs = []

    def counted(*args, **kwargs):
        runs.append(len(args))
        return function(*args, **kwargs)

    return counted, runs


@snippet
def same_gradients(torch, see):
    for way in WAYS:
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        w = torch.tensor([3.0, 4.0], requires_grad=True)
        f, runs = counting(lambda x, w: (x * w).sin().exp())
        y = checkpoint(torch, f, x, w, use_reentrant=way)
        see(f"{way}, value", y.detach())
        see(f"{way}, runs before", len(runs))
        (y * y).sum().backward()
        see(f"{way}, gradients", (x.grad, w.grad))
        see(f"{way}, runs after", len(runs))
        plain = torch.tensor([1.0, 2.0], requires_grad=True)
        ((plain * w).sin().exp() ** 2).sum().backward()
        see(f"{way}, the same", torch.equal(plain.grad, x.grad))


@snippet
def node_and_retain(torch, see):
    for way in WAYS:
        x = torch.tensor(2.0, requires_grad=True)
        f, runs = counting(lambda x: x.exp().sin())
        y = checkpoint(torch, f, x, use_reentrant=way)
        see(f"{way}, node", type(y.grad_fn).__name__)
        y.backward(retain_graph=True)
        y.backward()
        see(f"{way}, twice", (x.grad, len(runs)))
        with see.error(f"{way}, freed"):
            y.backward()
    x = torch.tensor(2.0, requires_grad=True)
    y = checkpoint(torch, lambda x: x.exp(), x, use_reentrant=False)
    see("grad", torch.autograd.grad(y, x))
    y = checkpoint(torch, lambda x: x**3, x, use_reentrant=False)
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    see("second", torch.autograd.grad(g, x))
    y = checkpoint(torch, lambda x: x.exp(), x, use_reentrant=True)
    with see.error("reentrant grad"):
        torch.autograd.grad(y, x)
    with see.error("reentrant inputs"):
        y.backward(inputs=[x])


@snippet
def closures_and_results(torch, see):
    for way in WAYS:
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        w = torch.tensor(3.0, requires_grad=True)
        y = checkpoint(torch, lambda x, w=w: (x * w).exp(), x, use_reentrant=way)
        y.sum().backward()
        see(f"{way}, captured", (x.grad, w.grad))
        a, b = checkpoint(torch, lambda x, n: (x * n, x.sum() ** n), x, 2, use_reentrant=way)
        x.grad = None
        (a.sum() + b).backward()
        see(f"{way}, two results", x.grad)
    y = checkpoint(torch, lambda x, scale: x * scale * w, x, scale=5.0, use_reentrant=False)
    see("keyword", y.detach())
    plain = torch.tensor([1.0, 2.0])
    w.grad = None
    checkpoint(torch, lambda x: (x * w).sum(), plain, use_reentrant=False).backward()
    see("only captured", w.grad)
    with warnings.catch_warnings(record=True) as given:
        y = checkpoint(torch, lambda x: (x * w).sum(), plain, use_reentrant=True)
    see("only captured, reentrant", (y.requires_grad, [str(each.message) for each in given]))
    with torch.no_grad():
        see("no_grad", checkpoint(torch, lambda x: x * 2, x, use_reentrant=False))


@snippet
def nested(torch, see):
    for way in WAYS:
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        inner = lambda x: checkpoint(torch, lambda x: x.exp(), x, use_reentrant=False)  # noqa: E731
        y = checkpoint(torch, lambda x, inner=inner: inner(x.sin()) * x, x, use_reentrant=way)
        y.sum().backward()
        see(f"{way}", x.grad)


@snippet
def random_numbers(torch, see):
    def noisy(x):
        return (x * torch.rand(3)).exp()

    for way in WAYS:
        for preserved in (True, False):
            torch.manual_seed(0)
            x = torch.ones(3, requires_grad=True)
            y = checkpoint(torch, noisy, x, use_reentrant=way, preserve_rng_state=preserved)
            after = torch.rand(2)
            y.sum().backward()
            see(f"{way}, {preserved}: next numbers", (after, torch.rand(2)))
            see(f"{way}, {preserved}: gradient", x.grad)


@snippet
def refusals(torch, see):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with warnings.catch_warnings(record=True) as given:
        y = checkpoint(torch, lambda x: x * 2, x)
    see("unsaid", (type(y.grad_fn).__name__, [str(each.message) for each in given]))
    with see.error("keywords"):
        checkpoint(torch, lambda x, scale: x, x, scale=1.0, use_reentrant=True)
    with see.error("contexts"):
        checkpoint(torch, lambda x: x, x, context_fn=lambda: None, use_reentrant=True)
    with see.error("check"):
        checkpoint(torch, lambda x: x, x, determinism_check="strict", use_reentrant=False)
    z = x * 1
    y = checkpoint(torch, lambda z: z.exp(), z, use_reentrant=False)
    z.add_(1)
    with see.error("argument changed"):
        y.sum().backward()
    with see.error("raises"):
        checkpoint(torch, lambda x: x[5], x, use_reentrant=False)


@snippet
def another_second_run(torch, see):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    errors = []
    for label, second in (
        ("fewer", lambda x: x.exp()),
        ("another shape", lambda x: x[:1].exp().sin()),
        ("more", lambda x: x.exp().sin().cos()),
    ):
        calls = []

        def f(x, calls=calls, second=second):
            calls.append(1)
            return x.exp().sin() if len(calls) == 1 else second(x)

        y = checkpoint(torch, f, x, use_reentrant=False)
        try:
            y.sum().backward()
        except RuntimeError as error:
            errors.append((label, type(error).__name__, str(error).split("Tip")[0]))
    see("errors", errors)
    for label, stop in (("stops early", True), ("runs to the end", False)):
        steps = []

        def f(x, steps=steps):
            y = x.exp()
            steps.append("after the first")
            z = y * 2
            steps.append("the end")
            return z

        checkpoint(torch, f, x, use_reentrant=False, early_stop=stop).sum().backward()
        see(label, steps)


@snippet
def contexts(torch, see):
    said = []

    @contextmanager
    def saying(word):
        said.append(f"enter {word}")
        yield
        said.append(f"leave {word}")

    x = torch.tensor(1.0, requires_grad=True)
    both = lambda: (saying("first"), saying("second"))  # noqa: E731
    y = checkpoint(torch, lambda x: x.exp(), x, context_fn=both, use_reentrant=False,
                   early_stop=False)  # fmt: skip
    see("before", list(said))
    y.backward()
    see("after", said)


@snippet
def hooks_around_a_checkpoint_pack_its_arguments(torch, see):
    lines = []

    def log(what, tensor):
        lines.append(f"{what} {tensor.tolist()}")
        return tensor.detach()

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    for reentrant in WAYS:
        with torch.autograd.graph.saved_tensors_hooks(
            lambda t: log("pack", t), lambda t: log("unpack", t)
        ):
            y = checkpoint(torch, lambda x, n: (x * n).sin(), x * 1, 3, use_reentrant=reentrant)
        y.sum().backward()
        see("hooks", lines.copy())
        lines.clear()
    see("x.grad", x.grad)


@snippet
def contexts_of_the_first_run(torch, see):
    x = torch.ones(2, requires_grad=True)
    contexts = import_module(f"{torch.__name__}.utils.checkpoint").noop_context_fn()
    see("none", [type(context).__name__ for context in contexts])
    quiet = suppress(ZeroDivisionError), nullcontext()
    with see.error("an exception that a context hides"):
        checkpoint(torch, lambda x: 1 / 0, x, use_reentrant=False, context_fn=lambda: quiet)
    with see.error("reentrant"):
        checkpoint(torch, torch.exp, x, use_reentrant=True, context_fn=lambda: quiet)
    with see.error("reentrant, to be explained"):
        checkpoint(torch, torch.exp, x, use_reentrant=True, debug=True)


@snippet
def saved_tensors_without_history_come_back_themselves(torch, see):
    seen = []

    class Identity(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(y)
            return x * 1

        @staticmethod
        def backward(ctx, grad):
            seen.extend(ctx.saved_tensors)
            return grad, None

    x = torch.tensor(1.0, requires_grad=True)
    for y in (torch.tensor(2.0), torch.tensor(2.0, requires_grad=True)):
        checkpoint(torch, Identity.apply, x, y, use_reentrant=False).backward()
        see("the same object", seen[-1] is y)
