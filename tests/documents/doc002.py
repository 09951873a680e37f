"""Document 002: backward() and detach(), on the cells of Dive into Deep Learning."""

from tests.documents.registry import item, nothing_to_run


def four_numbers(torch):
    """x = [0, 1, 2, 3], tracked."""
    x = torch.arange(4.0)
    x.requires_grad = True
    return x


def staircase(a):
    """The document's f: double until the norm passes 1000, then look at the sign."""
    b = a * 2
    while b.norm() < 1000:
        b = b * 2
    if b.sum() > 0:
        c = b
    else:
        c = 100 * b
    return c


@item("002-2.1")
def backward_works_through_the_graph(torch, see):
    x = torch.tensor(2.0, requires_grad=True)
    z = (x * x).exp().log()
    z.backward()
    see("x.grad", x.grad)


@item("002-2.2")
def gradients_are_of_the_root_for_each_leaf(torch, see):
    x = torch.tensor(2.0, requires_grad=True)
    unused = torch.tensor(3.0, requires_grad=True)
    plain = torch.tensor(4.0)
    y = x * plain
    z = y * y
    z.backward()
    see("of z with respect to x", x.grad)
    see("a leaf that z does not depend on", unused.grad)
    see("a leaf without requires_grad", plain.grad)


@item("002-2.3")
def the_four_steps(torch, see):
    x = torch.tensor(2.0, requires_grad=True)
    z = x * 3 + 1
    see("forward", z)
    z.backward()
    see("then .grad", x.grad)


@item("002-2.4")
def the_comment_forgets_the_three(torch, see):
    for value in (1.0, 2.0, 5.0):
        x = torch.tensor(value, requires_grad=True)
        y = 2 * x + 3
        z = y**2
        z.backward()
        see(f"x = {value}", x.grad)
        see("8x + 12", 8 * value + 12)
        see("what the comment says", 4 * value * 2)
    with see.error("as printed, with three dots"):
        torch.tensor(..., requires_grad=True)


@item("002-2.5")
def retain_graph_and_create_graph(torch, see):
    x = torch.tensor(2.0, requires_grad=True)
    y = x**3
    y.backward(retain_graph=True)
    y.backward()
    see("two passes", x.grad)
    y = x**3
    (first,) = torch.autograd.grad(y, x, create_graph=True)
    see("first derivative", first)
    see("second derivative", torch.autograd.grad(first, x)[0])


nothing_to_run("002-2.6", "a summary: autograd spares you the derivation")


@item("002-2.7")
def arange_of_a_float(torch, see):
    see("arange(4.0)", torch.arange(4.0))
    see("arange(4)", torch.arange(4))
    with see.error("integers refuse"):
        torch.arange(4).requires_grad = True


@item("002-2.8")
def grad_is_none_at_first(torch, see):
    x = torch.arange(4.0)
    x.requires_grad = True
    see("x.grad", x.grad)


@item("002-2.9")
def twice_the_dot_product(torch, see):
    x = four_numbers(torch)
    y = 2 * torch.dot(x, x)
    see("y", y)


@item("002-2.10")
def its_gradient(torch, see):
    x = four_numbers(torch)
    y = 2 * torch.dot(x, x)
    y.backward()
    see("x.grad", x.grad)


@item("002-2.11")
def its_gradient_is_4x(torch, see):
    x = four_numbers(torch)
    (2 * torch.dot(x, x)).backward()
    see("x.grad == 4 * x", x.grad == 4 * x)


@item("002-2.12")
def cleared_then_the_sum(torch, see):
    x = four_numbers(torch)
    (2 * torch.dot(x, x)).backward()
    x.grad.zero_()
    y = x.sum()
    y.backward()
    see("x.grad", x.grad)


@item("002-2.13")
def cleared_then_the_squares(torch, see):
    x = four_numbers(torch)
    x.sum().backward()
    x.grad.zero_()
    y = x * x
    y.sum().backward()
    see("x.grad", x.grad)


@item("002-2.14")
def a_detached_factor_is_a_constant(torch, see):
    x = four_numbers(torch)
    y = x * x
    u = y.detach()
    z = u * x
    z.sum().backward()
    see("x.grad == u", x.grad == u)
    see("x.grad", x.grad)
    x.grad = None
    (x * x * x).sum().backward()
    see("without detach", x.grad)


@item("002-2.15")
def detach_shares_data_and_version(torch, see):
    x = four_numbers(torch)
    y = x * x
    u = y.detach()
    see("a new tensor", u is not y)
    see("same data", u.data_ptr() == y.data_ptr())
    see("outside the graph", [u.requires_grad, u.grad_fn, u.is_leaf])
    u.add_(1)
    see("version of y after a change of u", y._version)


@item("002-2.16")
def the_pass_stops_at_a_detached_tensor(torch, see):
    x = four_numbers(torch)
    y = x * x
    u = y.detach()
    z = u * x
    see("edges of z", [node and node.name() for node, _ in z.grad_fn.next_functions])
    see("same device", u.device == y.device)
    see("no copy", u.data_ptr() == y.data_ptr())


@item("002-2.17")
def detach_is_not_forever(torch, see):
    x = four_numbers(torch)
    y = x * x
    u = y.detach().requires_grad_()
    (u * 2).sum().backward()
    see("a fresh leaf", u.grad)
    see("the original", [y.requires_grad, y.grad_fn])
    with see.error("a computed tensor keeps its flag"):
        y.requires_grad = False


@item("002-2.18")
def detach_freezes_nothing(torch, see):
    weight = torch.ones(2, requires_grad=True)
    weight.detach()
    see("after weight.detach()", weight.requires_grad)
    weight.requires_grad_(False)
    see("after requires_grad_(False)", weight.requires_grad)
    x = torch.ones(2, requires_grad=True)
    y = x * x
    see("detached afterwards, recorded all the same", [y.grad_fn, y.detach().grad_fn])
    with torch.no_grad():
        see("under no_grad", (x * x).grad_fn)


@item("002-2.19")
def do_not_detach_what_needs_a_gradient(torch, see):
    x = four_numbers(torch)
    y = (x * x).detach()
    with see.error("y.sum().backward()"):
        y.sum().backward()


@item("002-2.20")
def the_first_pass_did_not_free_y(torch, see):
    x = four_numbers(torch)
    y = x * x
    u = y.detach()
    (u * x).sum().backward()
    x.grad.zero_()
    y.sum().backward()
    see("x.grad == 2 * x", x.grad == 2 * x)
    x = four_numbers(torch)
    y = x * x
    (y * x).sum().backward()
    with see.error("without detach"):
        y.sum().backward()


@item("002-2.21")
def the_equality_fails_by_rounding(torch, see):
    for seed in (0, 15):
        torch.manual_seed(seed)
        a = torch.randn(size=(), requires_grad=True)
        d = staircase(a)
        d.backward()
        see(f"seed {seed}: a", a)
        see(f"seed {seed}: a.grad == d / a", a.grad == d / a)
        see(f"seed {seed}: both", [a.grad.item(), (d / a).item()])
        see(f"seed {seed}: close", torch.allclose(a.grad, d / a))
    unequal = 0
    for seed in range(300):
        torch.manual_seed(seed)
        a = torch.randn(size=(), requires_grad=True)
        d = staircase(a)
        d.backward()
        unequal += bool(a.grad != d / a)
    see("unequal among 300 seeds", unequal)


@item("002-2.22")
def the_gradient_holds_inside_a_piece(torch, see):
    for value in (0.97, 0.98, 3.9, 500.0, -1.0):
        a = torch.tensor(value, requires_grad=True)
        staircase(a).backward()
        see(f"slope at {value}", a.grad)
