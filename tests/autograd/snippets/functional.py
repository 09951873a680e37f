"""Products with Jacobians and Hessians."""

# ruff: noqa: RUF059 - a snippet names the whole example

from tests.oracle.snippets import snippet


def cubes(x):
    return (x * x * x).sum()


def mixed(x, y):
    return (x * x * y.exp()).sum()


def points(torch):
    return torch.tensor([1.0, 2.0]), torch.tensor([0.5, -1.0])


@snippet
def vjp(torch, see):
    F = torch.autograd.functional
    x, y = points(torch)
    see("one", F.vjp(lambda x: x * x, x, torch.tensor([1.0, 10.0])))
    see("scalar", F.vjp(cubes, x))
    see("two inputs", F.vjp(mixed, (x, y)))
    see("two outputs", F.vjp(lambda x: (x * 2, x.sum()), x, (x, torch.tensor(1.0))))
    see("independent", F.vjp(lambda x, y: x * 2, (x, y), x))
    see("a constant", F.vjp(lambda x: torch.ones(2), x, x))
    see("cut off", F.vjp(cubes, x.clone().requires_grad_())[1].requires_grad)
    p = x.clone().requires_grad_()
    out, g = F.vjp(cubes, p, create_graph=True)
    see("recorded", (out.requires_grad, g))
    see("derivative of that", torch.autograd.grad(g.sum(), p))
    with torch.no_grad():
        see("under no_grad", F.vjp(cubes, x))


@snippet
def jvp(torch, see):
    F = torch.autograd.functional
    x, y = points(torch)
    see("one", F.jvp(lambda x: x.sum() * x, x, torch.tensor([1.0, 0.0])))
    see("two inputs", F.jvp(mixed, (x, y), (y, x)))
    see("two outputs", F.jvp(lambda x: (x * x, x.sum()), x, y))
    see("linear", F.jvp(lambda x: x * 3, x, y))
    see("of a number", F.jvp(lambda x: x.exp(), torch.tensor(1.0)))
    p = x.clone().requires_grad_()
    out, g = F.jvp(lambda x: x.exp(), p, y, create_graph=True)
    see("recorded", (out.requires_grad, g.requires_grad))
    see("derivative of that", torch.autograd.grad(g.sum(), p))


@snippet
def jacobian(torch, see):
    F = torch.autograd.functional
    x, y = points(torch)
    m = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    see("one", F.jacobian(lambda x: x.exp(), x))
    see("a matrix", F.jacobian(lambda m: m.sum(1), m))
    see("its shape", F.jacobian(lambda m: m * 2, m).shape)
    see("a number", F.jacobian(lambda x: x.sum(), x))
    see("two inputs", F.jacobian(lambda x, y: x * y, (x, y)))
    see("two outputs", F.jacobian(lambda x: (x * x, x.sum()), x))
    see("two of both", F.jacobian(lambda x, y: (x * y, x.sum()), (x, y)))
    see("independent", F.jacobian(lambda x, y: x * 2, (x, y)))
    p = x.clone().requires_grad_()
    see("recorded", F.jacobian(lambda x: x * x, p, create_graph=True).requires_grad)
    see("cut off", F.jacobian(lambda x: x * x, p).requires_grad)


@snippet
def hessian(torch, see):
    F = torch.autograd.functional
    x, y = points(torch)
    see("one", F.hessian(cubes, x))
    see("two inputs", F.hessian(mixed, (x, y)))
    see("a number", F.hessian(lambda x: x**3, torch.tensor(2.0)))
    see("linear", F.hessian(lambda x: x.sum(), x))
    p = x.clone().requires_grad_()
    h = F.hessian(cubes, p, create_graph=True)
    see("its derivative", torch.autograd.grad(h.sum(), p))
    see("one in a tuple", F.hessian(cubes, (x,)))
    see("one element in a shape", F.hessian(lambda x: (x * x).sum().reshape(1, 1), x))


@snippet
def products_with_the_hessian(torch, see):
    F = torch.autograd.functional
    x, y = points(torch)
    for name in ("vhp", "hvp"):
        product = getattr(F, name)
        see(f"{name}, one", product(cubes, x, y))
        see(f"{name}, two inputs", product(mixed, (x, y), (y, x)))
        see(f"{name}, a number", product(lambda x: x**4, torch.tensor(2.0)))
        see(f"{name}, linear", product(lambda x: (x * 2).sum(), x, y))
        p = x.clone().requires_grad_()
        out, g = product(cubes, p, y, create_graph=True)
        see(f"{name}, derivative", torch.autograd.grad(g.sum(), p))


@snippet
def strict(torch, see):
    F = torch.autograd.functional
    x, y = points(torch)
    cases = {
        "constant": lambda x, y: torch.ones(()),
        "independent": lambda x, y: x.sum(),
        "linear": lambda x, y: (x + y).sum(),
        "quadratic": lambda x, y: (x * y).sum(),
    }
    for label, function in cases.items():
        for name in ("jacobian", "hessian"):
            for recorded in (False, True):
                with see.error(f"{name} of {label}, recorded {recorded}"):
                    getattr(F, name)(function, (x, y), create_graph=recorded, strict=True)
        for name in ("vjp", "jvp", "vhp", "hvp"):
            for recorded in (False, True):
                v = None if name == "vjp" else (x, y)
                with see.error(f"{name} of {label}, recorded {recorded}"):
                    getattr(F, name)(function, (x, y), v, create_graph=recorded, strict=True)


@snippet
def refusals(torch, see):
    F = torch.autograd.functional
    x, y = points(torch)
    for name in ("vjp", "jvp", "vhp", "hvp"):
        call = getattr(F, name)
        with see.error(f"{name}: a number"):
            call(cubes, 3.0)
        with see.error(f"{name}: numbers"):
            call(cubes, (x, 3.0))
        with see.error(f"{name}: a result that is a number"):
            call(lambda x: 3.0, torch.tensor(1.0))
        with see.error(f"{name}: results that are numbers"):
            call(lambda x: (x, 3.0), torch.tensor(1.0))
        with see.error(f"{name}: no v"):
            call(lambda x: x * 2, x)
        with see.error(f"{name}: v of another size"):
            call(lambda x: (x * 2).sum(), x, torch.ones(3))
        with see.error(f"{name}: too many v"):
            call(lambda x: (x * 2).sum(), x, (x, x))
        with see.error(f"{name}: too few v"):
            call(mixed, (x, y), (x,))
        with see.error(f"{name}: an entry of another size"):
            call(mixed, (x, y), (x, torch.ones(3)))
        with see.error(f"{name}: not a tensor"):
            call(lambda x: (x * 2).sum(), x, 2.0)
    with see.error("hessian of a vector"):
        F.hessian(lambda x: x * 2, x)
    with see.error("hessian of two"):
        F.hessian(lambda x: (x.sum(), x.sum()), x)
    with see.error("vhp of two"):
        F.vhp(lambda x: (x.sum(), x.sum()), x, x)
    with see.error("strategy"):
        F.jacobian(lambda x: x, x, strategy="sideways")
    with see.error("forward, row by row"):
        F.jacobian(lambda x: x, x, strategy="forward-mode")
    for options in ({"create_graph": True}, {"strict": True}, {"vectorize": True, "strict": True}):
        with see.error(f"forward, {options}"):
            F.jacobian(lambda x: x, x, strategy="forward-mode", **options)
        with see.error(f"outer forward, {options}"):
            F.hessian(cubes, x, outer_jacobian_strategy="forward-mode", **options)
    with see.error("outer strategy"):
        F.hessian(cubes, x, outer_jacobian_strategy="sideways")
    with see.error("jacobian of a list"):
        F.jacobian(lambda x: x, [x])
