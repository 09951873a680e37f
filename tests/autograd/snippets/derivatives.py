"""What derivatives are: second ones, those at zeros, and how gradients travel."""

import itertools

from tests.oracle.snippets import snippet


@snippet
def what_has_no_derivative_raises_as_soon_as_it_is_reached(torch, see):
    def leaf():
        return torch.ones(2, requires_grad=True)

    for name, meet in {
        "before": lambda a, b, c: torch.stack([a // 2, b, c]),
        "between": lambda a, b, c: torch.stack([b, a // 2, c]),
        "after": lambda a, b, c: torch.stack([b, c, a // 2]),
        "the later factor": lambda a, b, c: b * (2 % a) + c,
        "the first factor": lambda a, b, c: (2 % a) * b + c,
    }.items():
        a, b, c = leaf(), leaf(), leaf()
        y = meet(a, b, c)
        with see.error(name):
            y.sum().backward()
        see("a, b, c", (a.grad, b.grad, c.grad))
    a, b = leaf(), leaf()
    first = a * 2
    quotient = first // 2
    second = first * 3
    see("its number", quotient.grad_fn._sequence_nr())
    apart = second.grad_fn._sequence_nr() - first.grad_fn._sequence_nr()
    see("it counts as none", apart)
    quotient.register_hook(lambda g: see("tensor hook", g))
    quotient.retain_grad()
    quotient.grad_fn.register_prehook(lambda grads: see("pre-hook", grads))
    see("its own gradient", torch.autograd.grad((quotient * b).sum(), (quotient, b)))
    with see.error("with hooks"):
        (quotient * b).sum().backward()
    see("gradients", (quotient.grad, b.grad, a.grad))


@snippet
def gradients_where_nothing_was_read(torch, see):
    for name, part in {
        "no rows": lambda x: x[:0],
        "no columns": lambda x: x.t()[:0],
        "as_strided": lambda x: x.as_strided((0, 2), (2, 1)),
    }.items():
        x = torch.ones(2, 2, requires_grad=True)
        base = x * 1
        view = part(base)
        with torch.no_grad():
            base.mul_(2)
        y = view.exp()
        (g,) = torch.autograd.grad(y.sum(), base, create_graph=True)
        see(name, (g, g.requires_grad))
    x = torch.tensor([[], []], requires_grad=True)
    view = x.T
    with torch.no_grad():
        view.sub_(0.5)
    y = view.triu(1).expm1_()
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    with see.error("a second derivative of nothing"):
        torch.autograd.grad(g.sum(), x)


@snippet
def gradients_summed_to_one_value(torch, see):
    for shape in [(3,), (2, 3), (1,), (0,)]:
        x, w = torch.tensor(2.0, requires_grad=True), torch.ones(shape, requires_grad=True)
        for name, y in {"*": x * w, "expand": x.expand(shape) * w}.items():
            (g,) = torch.autograd.grad(y, x, torch.ones(shape), create_graph=True)
            see(f"{name} {shape}", (g, g.grad_fn.name()))
            see("second", torch.autograd.grad(g, w))


@snippet
def a_second_derivative_of_reading_at_places(torch, see):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    for key in ([0, 0], x > 1):
        (g,) = torch.autograd.grad((x[key] ** 3).sum(), x, create_graph=True)
        node = g.grad_fn
        see(str(key), (g, node.name(), [n and n.name() for n, _ in node.next_functions]))
        see("added up", node._saved_accumulate)
        see("second", torch.autograd.grad(g.sum(), x))


@snippet
def gradients_of_squeeze_are_views_where_a_dim_was_taken_away(torch, see):
    for shape in [(), (1,), (2,), (1, 2, 1, 1)]:
        for dim in (None, 0, -1, (0,), (0, -1), ()):
            x = torch.ones(shape, requires_grad=True)
            with see.error(f"squeeze({dim}) of {shape}"):
                y = x.squeeze() if dim is None else x.squeeze(dim)
                (g,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
                see("gradient", (g, g.grad_fn.name(), g._is_view()))
                see("second", torch.autograd.grad(g.sum(), x))


@snippet
def gradients_of_repeat_are_sums(torch, see):
    for shape, counts in [
        ((1,), (2,)), ((2,), (3, 2)), ((2,), (1,)), ((2,), (1, 1)), ((2, 3), (2, 1)), ((), (2,)),
        ((), ()), ((2, 2), (1, 2)),
    ]:  # fmt: skip
        x, w = torch.ones(shape, requires_grad=True), torch.tensor(2.0, requires_grad=True)
        y = x.repeat(counts) * w
        (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        see(f"{shape} by {counts}", (g, g.grad_fn.name(), g._is_view()))
        see("second", torch.autograd.grad(g.sum(), w))


@snippet
def second_derivatives_of_running_products_with_zeros(torch, see):
    for numbers in ([1.75, -2.25, 0.0], [0.0, 3.0, 2.0], [2.0, 0.0, 0.0, 3.0], [0.5, 0.0, 4.0]):
        x = torch.tensor(numbers, requires_grad=True)
        for name, y in {"cubed": x.cumprod(0) ** 3, "divided by": 1 / x.cumprod(0)}.items():
            (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
            see(f"{name}, {numbers}", g.detach())
            see("second", torch.autograd.grad(g.sum(), x))
        (g,) = torch.autograd.grad((x.cumprod(0) ** 2).sum(), x, create_graph=True)
        (h,) = torch.autograd.grad(g.sum(), x, create_graph=True)
        see("third", torch.autograd.grad(h.sum(), x))


@snippet
def a_relu_changed_after_its_derivative_was_recorded(torch, see):
    x = torch.tensor([1.0, -2.0], requires_grad=True)
    y = x.relu()
    y.retain_grad()
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    see("saved for nobody", g.grad_fn._saved_self)
    with torch.no_grad():
        y.zero_()
    with see.error("backward"):
        g.sum().backward()
    see("nothing was retained", y.grad)


@snippet
def a_power_of_minus_one_half_is_rsqrt(torch, see):
    x = torch.tensor([-float("inf"), -0.0, 0.0, 4.0, float("inf")], requires_grad=True)
    y = x**-0.5
    see("value", y)
    (x**0.5).backward(torch.ones(5))
    see("the derivative of the root", x.grad)


@snippet
def a_recorded_sign_keeps_what_it_read(torch, see):
    for name, apply in {
        "abs": lambda x: x.abs(),
        "norm, p=1": lambda x: x.norm(1),
        "norm, p=inf": lambda x: x.norm(float("inf")),
        "norm, p=1.5": lambda x: x.norm(1.5),
    }.items():
        x = torch.tensor([1.0, -2.0], requires_grad=True)
        y = x * 1
        result = apply(y)
        factor = torch.ones(result.shape, requires_grad=True) * 2
        (g,) = torch.autograd.grad(result, y, factor, create_graph=True)
        with torch.no_grad():
            y.neg_()
        with see.error(name):
            g.sum().backward()


@snippet
def an_operation_on_dead_ends_sends_nothing(torch, see):
    x = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        dead = x[...]
    for name, apply in {"cosh": torch.cosh, "sum": torch.sum, "relu": torch.relu}.items():
        y = apply(dead)
        y.grad_fn.register_hook(lambda sent, came, name=name: see(name, sent))
        y.sum().backward()
    for join in (torch.stack, torch.cat):
        for name, parts in {"dead ends": [dead, dead], "one alive": [dead, x]}.items():
            y = join(parts)
            y.grad_fn.register_hook(lambda sent, came, name=name: see(f"{name}", sent))
            y.sum().backward()


@snippet
def second_derivatives_of_take_and_masked_select(torch, see):
    numbers = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    mask = torch.tensor([[True, False, True], [False, True, False]])
    for name, read in {
        "take": lambda x: x.take(torch.tensor([[5, 0], [5, 1]])),
        "masked_select": lambda x: x.masked_select(mask),
        "masked_select, broadcast": lambda x: x.masked_select(mask[0]),
    }.items():
        x = torch.tensor(numbers, requires_grad=True)
        y = read(x)
        factor = torch.ones(y.shape, requires_grad=True)
        (g,) = torch.autograd.grad(y * y, x, factor, create_graph=True)
        see(name, (g, g.grad_fn.name(), g.grad_fn.next_functions[-1][0].name()))
        (h,) = torch.autograd.grad((g * g).sum(), factor, create_graph=True)
        see("by the factor", (h, h.grad_fn.next_functions[0][0].next_functions[0][0].name()))
        see("by x", torch.autograd.grad(h.sum(), x))


@snippet
def equal_elements_vary_by_nothing(torch, see):
    for value in (0.1, 0.7, 1 / 3):
        for dtype in (torch.float32, torch.float64):
            x = torch.full((2, 7), value, dtype=dtype, requires_grad=True)
            y = x.std(dim=-1)
            see(f"{value}, {dtype}", (y, x.var(dim=1), y / y))
            y.sum().backward()
            see("x.grad", x.grad.abs())


@snippet
def a_gradient_that_arrives_unchanged_is_one_tensor(torch, see):
    for name, apply in {
        "expand": lambda x: x.expand(2, 2),
        "squeeze": lambda x: x.squeeze(),
        "view": lambda x: x.view(2, 2),
        "clone": lambda x: x.clone(),
    }.items():
        x, g = torch.ones(2, 2, requires_grad=True), torch.ones(2, 2)
        y = apply(x)
        by_y, by_x, again = torch.autograd.grad(y, [y, x, x], g)
        see(name, (by_y is g, by_x is g, by_x is again))


@snippet
def factors_may_change_once_a_derivative_with_zeros_is_recorded(torch, see):
    for name, product in {"all": lambda x: x.prod(), "a dim": lambda x: x.prod(0).sum()}.items():
        x = torch.tensor([[1.5, -2.0], [0.0, 3.0], [2.0, 0.5]], requires_grad=True)
        (g,) = torch.autograd.grad(product(x), x, create_graph=True)
        with torch.no_grad():
            x.mul_(2)
        with see.error(name):
            g.sum().backward()
        see("x.grad", x.grad)


@snippet
def norms_of_every_order_of_little_and_of_nothing(torch, see):
    orders = (0, 1, 2, 3, 0.5, -1, float("inf"), -float("inf"))
    for order, dim in itertools.product(orders, (None, (), 0, -1, (0, 1))):
        x = torch.tensor([[3.0, 0.0, -4.0], [1.0, 2.0, 2.0]], requires_grad=True)
        length = x.norm(order, dim)
        see(f"order {order} over {dim}", length)
        if order != 0:
            length.sum().backward()
            see("x.grad", x.grad)
        for shape in [(0,), (2, 0), (0, 3)]:
            if not (len(shape) == 1 and dim == (0, 1)):
                with see.error(f"of nothing in the shape {shape}"):
                    see("is", torch.zeros(shape).norm(order, dim))


@snippet
def second_derivatives_of_softplus(torch, see):
    softplus = torch.nn.functional.softplus
    for beta, threshold in ((1, 20), (2.5, 3), (0.5, -1)):
        x = torch.tensor([-2.0, -1.5, 0.0, 0.7, 1.2, 25.0], requires_grad=True)
        (g,) = torch.autograd.grad(softplus(x, beta, threshold).sum(), x, create_graph=True)
        see(f"beta {beta}, threshold {threshold}", (g, g.grad_fn.name()))
        (h,) = torch.autograd.grad(g.sum(), x, create_graph=True)
        see("second", h.detach())
        see("third", torch.autograd.grad(h.sum(), x))
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    (g,) = torch.autograd.grad(softplus(y).sum(), x, create_graph=True)
    with torch.no_grad():
        y.mul_(2)
    with see.error("after the input was changed"):
        g.sum().backward()


@snippet
def which_derivatives_of_running_products_with_zeros_have_a_path(torch, see):
    for numbers in ([0.0, 2.0], [0.0, 2.0, 3.0], [2.0, 0.0, 0.0, 3.0]):
        x = torch.tensor(numbers, requires_grad=True)
        gradient = x.cumprod(0)
        for order in range(1, 4):
            (gradient,) = torch.autograd.grad(gradient.sum(), x, create_graph=True)
            see(f"{numbers}, {order}", (gradient.tolist(), gradient.requires_grad))
            if not gradient.requires_grad:
                break


@snippet
def nan_in_the_second_derivative_of_softplus(torch, see):
    x = torch.tensor([float("nan"), float("inf"), 0.0, 19.0, 21.0], requires_grad=True)
    y = torch.nn.functional.softplus(x)
    for order in range(3):
        (y,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        see(f"derivative {order + 1}", y.detach())


@snippet
def the_spread_of_large_and_of_small_numbers(torch, see):
    for scale in (1e20, 1e-30):
        x = torch.tensor([1.0, 2.0, 4.0]) * scale
        x.requires_grad_()
        for name in ("std", "var"):
            y = getattr(x, name)()
            see(f"{name} of {scale}", (y, torch.autograd.grad(y, x)))
