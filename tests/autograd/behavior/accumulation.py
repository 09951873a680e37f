"""Accumulation, aliasing, the order of nodes, and the arguments of backward and grad."""

from tests.autograd.behavior.registry import behavior


@behavior
def the_first_gradient_is_stored_and_later_ones_added_in_place(torch, see):
    x = torch.ones(2, requires_grad=True)
    (x * 3).sum().backward()
    first = x.grad
    (x * 3).sum().backward()
    see("same object", x.grad is first)
    see("versions", first._version)
    see("x.grad", x.grad)


@behavior
def under_create_graph_it_is_added_out_of_place(torch, see):
    x = torch.ones(2, requires_grad=True)
    (x * x).sum().backward(create_graph=True)
    first = x.grad
    see("first", first)
    (x * x).sum().backward(create_graph=True)
    see("another object", x.grad is not first)
    see("second", x.grad)
    see("the first as it was", first)


@behavior
def an_old_grad_fn_stays_on_grad(torch, see):
    x = torch.tensor(2.0, requires_grad=True)
    (x**3).backward(create_graph=True)
    (x * 1).backward()
    see("x.grad", x.grad)


@behavior
def grad_is_never_the_tensor_passed_in(torch, see):
    x = torch.ones(2, requires_grad=True)
    seed = torch.tensor([1.0, 2.0])
    (x + 0).backward(seed)
    see("the same object", x.grad is seed)
    see("the same memory", x.grad.data_ptr() == seed.data_ptr())
    seed.zero_()
    see("x.grad after the seed was changed", x.grad)
    (g,) = torch.autograd.grad(x + 0, x, seed)
    see("but grad returns the seed itself", g is seed)


@behavior
def two_leaves_do_not_share_their_gradient(torch, see):
    x = torch.ones(2, requires_grad=True)
    y = torch.ones(2, requires_grad=True)
    (x + y).sum().backward()
    x.grad.add_(10)
    see("y.grad", y.grad)
    a = torch.ones(2, requires_grad=True)
    b = a + 1
    b.retain_grad()
    b.sum().backward()
    a.grad.add_(10)
    see("the retained one", b.grad)


@behavior
def a_retained_gradient_is_replaced(torch, see):
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    y.retain_grad()
    y.sum().backward(retain_graph=True)
    first = y.grad
    y.sum().backward()
    see("y.grad", y.grad)
    see("another object", y.grad is not first)
    see("x.grad", x.grad)


@behavior
def several_roots_and_several_inputs(torch, see):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = torch.tensor([3.0, 4.0], requires_grad=True)
    z = (x * y).sum()
    see("grad", torch.autograd.grad(z, (x, y), retain_graph=True))
    see("grad with a list", torch.autograd.grad([z], [y], retain_graph=True))
    torch.autograd.backward([z, x.sum()], [torch.tensor(2.0), torch.tensor(3.0)])
    see("several roots", [x.grad, y.grad])


@behavior
def inputs_choose_what_is_filled(torch, see):
    x = torch.tensor(2.0, requires_grad=True)
    y = torch.tensor(3.0, requires_grad=True)
    a = x * y
    z = a * a
    z.backward(inputs=[a, y], retain_graph=True)
    see("a non-leaf and a leaf", [a.grad, y.grad, x.grad])
    z.backward(inputs=x, retain_graph=True)
    see("a single one", x.grad)
    with see.error("none"):
        z.backward(inputs=[])


@behavior
def unused_and_untracked_inputs(torch, see):
    x = torch.tensor(2.0, requires_grad=True)
    unused = torch.tensor(3.0, requires_grad=True)
    plain = torch.tensor(4.0)
    z = x * x
    with see.error("unused"):
        torch.autograd.grad(z, (x, unused))
    with see.error("was anything freed"):
        torch.autograd.grad(z, x)
    z = x * x
    elsewhere = unused * 1
    with see.error("used, but elsewhere"):
        torch.autograd.grad(z, (x, unused))
    with see.error("was anything freed then"):
        torch.autograd.grad(z, x)
    z = x * x
    with see.error("nothing but an unused one"):
        torch.autograd.grad(z, elsewhere)
    with see.error("was anything freed there"):
        torch.autograd.grad(z, x)
    z = x * x
    see("allowed", torch.autograd.grad(z, (x, unused), allow_unused=True, retain_graph=True))
    see(
        "as zeros",
        torch.autograd.grad(z, (x, unused), materialize_grads=True, retain_graph=True),
    )
    with see.error("untracked"):
        torch.autograd.grad(z, plain)
    with see.error("an untracked root"):
        torch.autograd.grad(plain, x)


@behavior
def seeds_that_fit_and_seeds_that_do_not(torch, see):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    for name, seed in {
        "float64": torch.tensor([1.0, 2.0], dtype=torch.float64),
        "int64": torch.tensor([1, 2]),
        "three": torch.ones(3),
        "0-d": torch.tensor(1.0),
    }.items():
        x.grad = None
        with see.error(f"{name}: backward"):
            (x * 3).backward(seed)
        see(f"{name}: x.grad", x.grad)
    with see.error("a number"):
        (x * 3).backward(1.0)


@behavior
def ready_nodes_run_newest_first_and_leaves_at_once(torch, see):
    for count in range(2, 4):
        leaves = [torch.tensor(float(i), requires_grad=True) for i in range(count)]
        log = []
        for i, leaf in enumerate(leaves):
            leaf.register_hook(lambda gradient, i=i, log=log: log.append(i))
        torch.stack(leaves).sum().backward()
        see(f"{count} leaves ready together", log)
    x = torch.tensor(1.0, requires_grad=True)
    log = []
    a = x * 2
    b = x * 3
    c = b * 1
    for name, tensor in {"x": x, "a": a, "b": b, "c": c}.items():
        tensor.register_hook(lambda gradient, name=name: log.append(name))
    (c + a).backward()
    see("newest first", log)


@behavior
def assigning_to_grad(torch, see):
    x = torch.ones(2, requires_grad=True)
    g = torch.tensor([5.0, 6.0])
    x.grad = g
    see("the same object", x.grad is g)
    (x * 2).sum().backward()
    see("added into it", g)
    with see.error("another shape"):
        x.grad = torch.ones(3)
    with see.error("another dtype"):
        x.grad = torch.ones(2, dtype=torch.float64)
    with see.error("no tensor"):
        x.grad = 3
