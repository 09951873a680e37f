"""Inference mode: what it marks, and what it refuses afterwards."""

from tests.oracle.snippets import snippet


def flags(tensor):
    return tensor.is_inference(), tensor.requires_grad, tensor.is_leaf


@snippet
def marks(torch, see):
    w = torch.tensor([3.0, 4.0], requires_grad=True)
    base = w * 1
    see("before", torch.is_inference_mode_enabled())
    with torch.inference_mode():
        see("inside", (torch.is_inference_mode_enabled(), torch.is_grad_enabled()))
        x = torch.ones(2)
        made = {"created": x, "computed": w * 2, "cloned": w.clone(), "view": x[:1]}
        made |= {"view of a normal one": base[:1], "detached": w.detach()}
        asked = torch.ones(2, requires_grad=True)
        see("asked for", asked)
        with torch.enable_grad():
            see("enable_grad", (torch.is_grad_enabled(), flags(w * 2)))
    for name, tensor in made.items():
        see(name, flags(tensor))
    see("is a view", [made[key]._is_view() for key in ("view", "view of a normal one")])
    see("outside", [flags(t) for t in (x * 2, x.clone(), x[:1], x.detach(), x.view(2))])
    see("after", (torch.is_inference_mode_enabled(), torch.is_grad_enabled()))
    (asked * 2).sum().backward()
    see("gradient of a leaf made inside", asked.grad)


@snippet
def switched_off_inside(torch, see):
    w = torch.ones(2, requires_grad=True)
    with torch.inference_mode():
        with torch.inference_mode(False):
            see("off", (torch.is_inference_mode_enabled(), torch.is_grad_enabled(), flags(w * 2)))
        with torch.inference_mode(mode=True):
            see("on", flags(w * 2))
    with torch.no_grad():
        with torch.inference_mode(False):
            see("off in no_grad", torch.is_grad_enabled())
        see("no_grad again", torch.is_grad_enabled())
    with see.error("raised inside"), torch.inference_mode():
        raise ValueError("reason")
    see("left", torch.is_inference_mode_enabled())


@snippet
def decorates(torch, see):
    @torch.inference_mode()
    def double(x):
        """Twice."""
        return x * 2

    @torch.inference_mode
    def triple(x):
        return x * 3

    @torch.inference_mode(False)
    def normal(x):
        return x * 4

    w = torch.ones(2, requires_grad=True)
    see("names", (double.__name__, double.__doc__, triple.__name__))
    see("results", [flags(f(w)) for f in (double, triple, normal)])
    with torch.inference_mode():
        see("off by decorator", flags(normal(w)))


@snippet
def refusals(torch, see):
    w = torch.tensor([3.0, 4.0], requires_grad=True)
    with torch.inference_mode():
        x, other = torch.ones(2), torch.ones(2)
        x.add_(1)
        see("written inside", x)
        with see.error("version inside"):
            see("version", x._version)
        with see.error("backward"):
            (w * 2).sum().backward()
    with see.error("version"):
        see("version", x._version)
    with see.error("saved"):
        w * x
    with see.error("saved by a function"):
        Keeps.of(torch).apply(w, x)
    with see.error("saved in place"):
        (w * 1).mul_(x)
    see("not saved", w + x)
    see("cloned", w * x.clone())
    see("read", torch.zeros(2).copy_(x))
    for name, write in {
        "add_": lambda: other.add_(1),
        "copy_": lambda: other.copy_(w.detach()),
        "zero_": lambda: other.zero_(),
        "a view": lambda: other[:1].mul_(2),
        "an item": lambda: other.__setitem__(0, 1.0),
    }.items():
        with see.error(name):
            write()
        with see.error(f"{name} in no_grad"), torch.no_grad():
            write()
    with see.error("requires_grad_"):
        x.requires_grad_()
    with see.error("requires_grad"):
        x.requires_grad = True
    see("not asked", x.requires_grad_(False).requires_grad)


class Keeps:
    """A custom function that saves its second argument."""

    @staticmethod
    def of(torch):
        class Keeping(torch.autograd.Function):
            @staticmethod
            def forward(ctx, a, b):
                ctx.save_for_backward(b)
                return a * 1

            @staticmethod
            def backward(ctx, g):
                return g, None

        return Keeping


@snippet
def views_made_inside(torch, see):
    w = torch.tensor([3.0, 4.0], requires_grad=True)
    base = w * 1
    with torch.inference_mode():
        part = base[:1]
    with see.error("written outside"):
        part.mul_(2)
    see("read outside", part * 2)
    plain = torch.zeros(2)
    with torch.inference_mode():
        part_of_plain = plain[:]
    again = part_of_plain.requires_grad_()[:]
    with see.error("a view of it written outside"):
        again.mul_(2)
    before = w._version
    with torch.inference_mode():
        part.mul_(2)
        w.add_(1)
    see("versions", (base._version, w._version - before))
    see("values", (base.tolist(), w.tolist()))


@snippet
def transforms_inside(torch, see):
    F = torch.func
    x, w = torch.tensor([1.0, 2.0]), torch.tensor([0.5, -1.0], requires_grad=True)

    def cubes(x):
        see("in the function", (torch.is_inference_mode_enabled(), flags(x), flags(x * 2)))
        return (x**3).sum()

    with torch.inference_mode():
        made_inside = torch.ones(2)
        for name, t in {"plain": x, "tracked": w, "made inside": made_inside}.items():
            found = F.grad(cubes)(t)
            see(f"grad: {name}", (found, flags(found)))
        see("vjp", F.vjp(torch.sin, x)[1](x))
        see("jvp", F.jvp(torch.sin, (x,), (made_inside,)))
        see("jacrev", F.jacrev(torch.sin)(x))
        see("jacfwd", F.jacfwd(torch.sin)(x))
        see("hessian", F.hessian(lambda x: (x**3).sum())(x))
        see("each of a batch", F.vmap(F.grad(torch.sin))(x))
        see("grad of grad", F.grad(F.grad(torch.sin))(x[0]))
    see("outside again", (F.grad(cubes)(made_inside), F.jacfwd(torch.sin)(made_inside)))


@snippet
def jacobians_inside(torch, see):
    x = torch.tensor([1.0, 2.0])
    with torch.inference_mode():
        for jacobian in [torch.func.jacrev, torch.func.jacfwd, torch.func.hessian]:
            see(jacobian.__name__, jacobian(torch.sin)(x).is_inference())
