"""Transforms of functions: gradients, products with Jacobians, Jacobians."""

from collections import OrderedDict, defaultdict

from tests.oracle.snippets import snippet


def points(torch):
    return torch.tensor([1.0, 2.0]), torch.tensor([0.5, -1.0])


def mixed(x, y):
    return (x * x * y.exp()).sum()


@snippet
def grad(torch, see):
    F = torch.func
    x, y = points(torch)
    see("one", F.grad(lambda x: (x**3).sum())(x))
    see("first of two", F.grad(mixed)(x, y))
    see("second", F.grad(mixed, argnums=1)(x, y))
    see("last", F.grad(mixed, -1)(x, y))
    see("both", F.grad(mixed, argnums=(0, 1))(x, y))
    see("other order", F.grad(mixed, argnums=(1, 0))(x, y))
    see("one in a tuple", F.grad(mixed, argnums=(1,))(x, y))
    see("keyword", F.grad(lambda x, scale=1.0: (x * scale).sum())(x, scale=3.0))
    see("aux", F.grad(lambda x: ((x * x).sum(), x * 2), has_aux=True)(x))
    see("and value", F.grad_and_value(mixed, argnums=(0, 1))(x, y))
    see(
        "and value and aux",
        F.grad_and_value(lambda x: ((x * x).sum(), {"double": x * 2}), has_aux=True)(x),
    )
    see("a dict", F.grad(lambda p: (p["w"] * p["b"]).sum())({"w": x, "b": y}))
    see("nested", F.grad(lambda p: p[0].sum() * p[1]["c"])([x, {"c": y.sum()}]))
    see("constant", F.grad(lambda x: torch.tensor(3.0))(x))
    see("unused", F.grad(lambda x, y: x.sum(), argnums=(0, 1))(x, y))
    see("second derivative", F.grad(lambda x: F.grad(lambda x: x**3)(x))(torch.tensor(2.0)))
    fourth = torch.sin
    for _ in range(4):
        fourth = F.grad(fourth)
    see("fourth", fourth(torch.tensor(1.0)))
    see("no gradient left", (x.grad, x.requires_grad))


@snippet
def perturbations(torch, see):
    """Nested derivatives must not mix up whose variable is whose."""
    F = torch.func
    one = torch.tensor(1.0)
    see("x d/dy(x + y)", F.grad(lambda x: x * F.grad(lambda y: x + y)(one))(one))
    see("x d/dy(x y)", F.grad(lambda x: x * F.grad(lambda y: x * y)(one))(one * 3))
    see("same value", F.grad(lambda x: F.grad(lambda y: x * y * y)(x))(one * 3))
    inner = lambda x: F.jvp(lambda y: x * y, (one,), (one,))[1]  # noqa: E731
    see("jvp in jvp", F.jvp(lambda x: x * inner(x), (one * 2,), (one,)))
    see("grad of jvp", F.grad(lambda x: F.jvp(torch.sin, (x,), (one,))[1])(one))
    see("jvp of grad", F.jvp(F.grad(torch.sin), (one,), (one,)))


@snippet
def with_autograd(torch, see):
    """Results keep the history of what was tracked outside, and only that."""
    F = torch.func
    x, _ = points(torch)
    w = torch.tensor(3.0, requires_grad=True)
    square = lambda x: (w * x * x).sum()  # noqa: E731
    g = F.grad(square)(x)
    see("tracked", (g.detach(), g.requires_grad))
    see("its derivative", torch.autograd.grad(g.sum(), w))
    tracked = x.clone().requires_grad_()
    g = F.grad(lambda x: (x**3).sum())(tracked)
    see("of a tracked point", torch.autograd.grad(g.sum(), tracked))
    see("untracked", F.grad(lambda x: (x * x).sum())(x).requires_grad)
    y, pull = F.vjp(square, x)
    see("vjp", (y.requires_grad, pull(torch.tensor(1.0))[0].requires_grad))
    see("jvp", [part.requires_grad for part in F.jvp(square, (x,), (x,))])
    see("jacfwd", F.jacfwd(lambda x: x * x)(x).requires_grad)
    with torch.no_grad():
        see("under no_grad", F.grad(square)(x))
        see("and value", F.grad_and_value(square)(x))
        see("vjp under no_grad", F.vjp(square, x)[1](torch.tensor(1.0)))
        see("jvp under no_grad", F.jvp(square, (x,), (x,)))
        see("second under no_grad", F.hessian(square)(x))

    def partly(x):
        with torch.no_grad():
            c = x * x
        return (x * c).sum()

    see("no_grad inside", F.grad(partly)(x))
    see("detach inside", F.grad(lambda x: (x * x.detach()).sum())(x))
    see("detach inside, forward", F.jvp(lambda x: (x * x.detach()).sum(), (x,), (x,)))


@snippet
def vjp(torch, see):
    F = torch.func
    x, y = points(torch)
    out, pull = F.vjp(lambda x: x * x, x)
    see("output", out)
    see("pulled", pull(torch.tensor([1.0, 10.0])))
    see("again", pull(torch.ones(2)))
    out, pull = F.vjp(mixed, x, y)
    see("two primals", pull(torch.tensor(1.0)))
    out, pull = F.vjp(lambda x: {"a": x * 2, "b": (x.sum(), x)}, x)
    see("a tree", out)
    see("from a tree", pull({"a": x, "b": (torch.tensor(1.0), y)}))
    out, pull, aux = F.vjp(lambda x: (x * 2, x * 3), x, has_aux=True)
    see("aux", (out, aux, pull(y)))
    see("of a tree", F.vjp(lambda p: p["w"] * 2, {"w": x})[1](y))
    see("independent", F.vjp(lambda x, y: x * 2, x, y)[1](y))
    see("constant", F.vjp(lambda x: torch.ones(2), x)[1](y))


@snippet
def jvp(torch, see):
    F = torch.func
    x, y = points(torch)
    see("one", F.jvp(lambda x: x.sum() * x, (x,), (y,)))
    see("two", F.jvp(mixed, (x, y), (y, x)))
    see("a tree out", F.jvp(lambda x: {"a": x * x, "b": x.sum()}, (x,), (y,)))
    see("a tree in", F.jvp(lambda p: p["w"] * p["w"], ({"w": x},), ({"w": y},)))
    see("aux", F.jvp(lambda x: (x * x, x * 3), (x,), (y,), has_aux=True))
    see("constant", F.jvp(lambda x: (x.sin(), torch.ones(2)), (x,), (y,)))
    with see.error("strict"):
        F.jvp(lambda x: torch.ones(2), (x,), (y,), strict=True)

    def writes(x):
        z = torch.zeros(3)
        z[1:] = x * x
        return z.mul_(2)

    see("in place", F.jvp(writes, (x,), (y,)))
    see("matrix", F.jvp(lambda m: m @ m, (torch.eye(2) * 2,), (torch.ones(2, 2),)))


@snippet
def jacobians(torch, see):
    F = torch.func
    x, y = points(torch)
    m = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    for name in ("jacrev", "jacfwd"):
        jac = getattr(F, name)
        see(f"{name}, one", jac(lambda x: x * x)(x))
        see(f"{name}, a matrix", jac(lambda m: m.sum(1))(m))
        see(f"{name}, its shape", jac(lambda m: m * 2)(m).shape)
        see(f"{name}, a number", jac(lambda x: x.sum())(x))
        see(f"{name}, of a number", jac(lambda x: torch.stack([x, x * x]))(torch.tensor(3.0)))
        see(f"{name}, second argument", jac(lambda x, y: x * y, argnums=1)(x, y))
        see(f"{name}, both", jac(lambda x, y: x * y, argnums=(0, 1))(x, y))
        see(f"{name}, one in a tuple", jac(lambda x, y: x * y, argnums=(1,))(x, y))
        see(f"{name}, a tree", jac(lambda x: {"a": x * 2, "b": (x.sum(),)})(x))
        see(f"{name}, by a tree", jac(lambda p: p["w"] * p["b"])({"w": x, "b": y.sum()}))
        see(f"{name}, aux", jac(lambda x: (x * 2, x.sum()), has_aux=True)(x))
        see(f"{name}, constant", jac(lambda x: torch.ones(2))(x))
        see(f"{name}, independent", jac(lambda x, y: x * 2, argnums=(0, 1))(x, y))
        twice = jac(jac(lambda x: x**3))
        see(f"{name} twice", twice(x))
    see("chunks", F.jacrev(lambda x: x * x, chunk_size=1)(x))
    see("other order", F.jacrev(F.jacfwd(lambda x: x**3))(x))


@snippet
def hessians(torch, see):
    F = torch.func
    x, y = points(torch)
    see("cubes", F.hessian(lambda x: (x**3).sum())(x))
    see("mixed", F.hessian(mixed)(x, y))
    see("both", F.hessian(mixed, argnums=(0, 1))(x, y))
    see("of a vector", F.hessian(lambda x: x**3)(x))
    see("of a number", F.hessian(lambda x: x**4)(torch.tensor(2.0)))
    product = F.jvp(F.grad(lambda x: (x**3).sum()), (x,), (y,))[1]
    see("hessian-vector product", product)
    see("reverse over reverse", F.vjp(F.grad(lambda x: (x**3).sum()), x)[1](y))


@snippet
def refusals(torch, see):
    F = torch.func
    x, y = points(torch)
    see_error(see, "integers", lambda: F.grad(lambda x: x.sum())(torch.tensor([1, 2])))
    see_error(see, "a vector", lambda: F.grad(lambda x: x)(x))
    see_error(see, "a number", lambda: F.grad(lambda x: 3)(x))
    see_error(see, "no aux", lambda: F.grad(lambda x: x.sum(), has_aux=True)(x))
    see_error(see, "written", lambda: F.grad(lambda x: x.mul_(2).sum())(x))
    see_error(see, "no tensor", lambda: F.grad(lambda x: x)(3.0))
    for argnums in (2, (0, 0), (), "a", -3, (0.0,), (0, -2)):
        see_error(see, f"argnums {argnums}", lambda n=argnums: F.grad(mixed, argnums=n)(x, y))
    see_error(see, "vjp: bool", lambda: F.vjp(lambda x: x > 0, x))
    see_error(see, "vjp: None", lambda: F.vjp(lambda x: None, x))
    see_error(see, "vjp: a number", lambda: F.vjp(lambda x: 1.0, x))
    see_error(see, "vjp: no aux", lambda: F.vjp(lambda x: x, x, has_aux=True))
    see_error(see, "vjp: shape", lambda: F.vjp(lambda x: x * 2, x)[1](torch.ones(3)))
    see_error(see, "vjp: structure", lambda: F.vjp(lambda x: x * 2, x)[1]((x, x)))
    see_error(see, "jvp: no tuple", lambda: F.jvp(torch.sin, x, x))
    see_error(see, "jvp: structure", lambda: F.jvp(torch.sin, (x,), (x, x)))
    see_error(see, "jvp: size", lambda: F.jvp(torch.sin, (x,), (torch.ones(3),)))
    see_error(see, "jvp: nothing", lambda: F.jvp(lambda: x, (), ()))
    see_error(see, "jvp: a number", lambda: F.jvp(torch.sin, (1.0,), (1.0,)))
    see_error(see, "jvp: None", lambda: F.jvp(lambda x: None, (x,), (x,)))
    ints = torch.tensor([1, 2])
    for pair in [(ints, ints), (ints, x), (x, ints)]:
        see_error(see, f"jvp: {pair}", lambda p=pair: F.jvp(torch.sin, p[:1], p[1:]))
    see_error(see, "jacfwd: integers", lambda: F.jacfwd(torch.sin)(ints))
    for aux in (3, None, "a", {"a": [x, 1.5]}):
        see_error(
            see, f"grad: aux {aux}", lambda a=aux: F.grad(lambda x: (x[0], a), has_aux=True)(x)
        )
        for f in (F.vjp, lambda f, x, **h: F.jvp(f, (x,), (x,), **h)):
            see_error(see, f"aux {aux}", lambda a=aux, f=f: f(lambda x: (x, a), x, has_aux=True))
    once = F.vjp(torch.sin, x)[1]
    see("vjp: once", once(y, retain_graph=False))
    see_error(see, "vjp: twice", lambda: once(y))
    see_error(see, "jacrev: chunks", lambda: F.jacrev(torch.sin, chunk_size=0))


@snippet
def hooks_of_variables(torch, see):
    F = torch.func
    x = torch.tensor([1.0, 2.0], requires_grad=True)

    def hooked(x):
        x.register_hook(lambda g: g * 10)
        return (x * x).sum()

    see("grad", F.grad(hooked)(x.detach()))
    found = F.grad(hooked)(x)
    found.sum().backward()
    see("of what is tracked", (found.tolist(), x.grad, x._backward_hooks))
    see("grad of grad", F.grad(F.grad(hooked))(torch.tensor(2.0)))
    pull = F.vjp(hooked, x.detach())[1]
    see("vjp, twice", (pull(torch.tensor(1.0)), pull(torch.tensor(2.0))))
    see("jacrev", F.jacrev(hooked)(x.detach()))


@snippet
def outputs_that_are_no_floats(torch, see):
    F = torch.func
    x, y = points(torch)
    for name, f in {
        "comparison": lambda x: x > 1,
        "index": lambda x: (x * 2, x.argmax()),
        "constant": lambda x: (torch.tensor([1, 2]), x.sum()),
    }.items():
        see(f"jvp: {name}", F.jvp(f, (x,), (y,)))
        see(f"jacfwd: {name}", F.jacfwd(f)(x))


@snippet
def once_differentiable(torch, see):
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x**3, x * 2

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx, g, h):
            (x,) = ctx.saved_tensors
            return 3 * g * x * x + 2 * h

    x = torch.tensor(1.5)
    v = torch.tensor(2.0, requires_grad=True)
    see("grad", torch.func.grad(lambda x: Cube.apply(x)[0])(x))
    (pulled,) = torch.func.vjp(lambda x: Cube.apply(x)[0], x)[1](v)
    see("leads to", (pulled.requires_grad, len(pulled.grad_fn.next_functions)))
    with see.error("again"):
        pulled.backward()


@snippet
def dicts_of_every_kind(torch, see):
    x, y = points(torch)
    for kind in [OrderedDict(a=x, b=y), defaultdict(list, a=x, b=y)]:
        found = torch.func.grad(lambda d: (d["a"] * d["b"]).sum())(kind)
        see(type(kind).__name__, (type(found).__name__, dict(found)))


def see_error(see, label, call):
    with see.error(label):
        call()
