"""What random programs found: strides, hooks and histories in odd corners."""

import itertools

from tests.autograd.snippets.registry import snippet


@snippet
def strides_of_dims_of_size_1(torch, see):
    for shape in [(1, 3), (3, 1), (1, 1, 3), (2, 1, 3), (1, 2, 3)]:
        for order in itertools.permutations(range(len(shape))):
            x = torch.zeros(shape).permute(order)
            reshaped = [x.reshape(x.shape), x.reshape(1, *x.shape), x.reshape(*x.shape, 1)]
            several = [*reshaped, x.flatten(), x.unsqueeze(0), x.unsqueeze(-1)]
            see(f"{shape} in the order {order}", [view.stride() for view in several])
            see("their memory", [view.data_ptr() == x.data_ptr() for view in reshaped])
    row = torch.zeros(1, 3).expand(2, 3)[:1]
    see("a row of an expanded tensor", (row.view(1, 3).stride(), row.view(3, 1).stride()))
    for part in [torch.zeros(3, 2)[:, :1], torch.zeros(4, 2)[::2][:1], torch.zeros(())]:
        see("a part", part.reshape(*part.shape[::-1], 1).stride())
    with see.error("two dims that do not lie as one"):
        torch.zeros(2, 1, 3).permute(2, 1, 0).view(6)


@snippet
def a_column_turned_and_reshaped_may_not_be_added_to_itself(torch, see):
    x = torch.zeros(2, 1)
    turned = x.t().reshape([1, 2]).transpose(1, 0)
    see("strides", (x.stride(), turned.stride()))
    with see.error("add_"):
        turned.add_(x)


@snippet
def hooks_of_a_view_whose_memory_was_written_to(torch, see):
    for by, before in itertools.product(("no_grad", "the base", "the view"), range(3)):
        x = torch.ones(2, 2, requires_grad=True)
        base = x * 1
        view = base.view(4)
        for number in range(before):
            view.register_hook(lambda g, number=number: see("an early hook", number))
        if by == "no_grad":
            with torch.no_grad():
                base.mul_(2)
        else:
            (base if by == "the base" else view).mul_(2)
        see("history", view.grad_fn.name())
        view.register_hook(lambda g: see("a late hook", g))
        view.register_hook(lambda g: see("another", g))
        see(f"written by {by}, {before} hooks before", len(view._backward_hooks))
        (view * 3).sum().backward()
        see("x.grad", x.grad)


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
def a_view_that_may_not_be_used_still_has_integers(torch, see):
    for made in ("under no_grad", "as one of several"):
        base = torch.ones(2, 2, requires_grad=True) * 1.5
        if made == "under no_grad":
            with torch.no_grad():
                view = base.view(4)
        else:
            view = base.unbind()[0]
        base.mul_(2)
        see(made, (view.int(), view.bool(), view.to(torch.int64), view > 1))
        with see.error("double"):
            view.double()


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
def bytes_are_masks_that_do_not_fill(torch, see):
    mask, columns = torch.tensor([1, 0, 1], dtype=torch.uint8), torch.tensor([1])
    for name, key, value in [
        ("a number", mask, 5),
        ("a 0-d tensor", mask, torch.tensor(5.0)),
        ("one value", mask, torch.ones(1, 2)),
        ("rows", mask, torch.ones(2, 2)),
        ("in a column", (mask, 0), 5),
        ("at columns", (mask, columns), 5),
    ]:
        x = torch.zeros(3, 2)
        with see.error(name):
            x[key] = value
        see(name, x)
    see("read", torch.arange(3)[mask])


@snippet
def what_bools_and_integers_are_not_for(torch, see):
    yes, count = torch.tensor([True, False]), torch.tensor([12, 25])
    byte = torch.tensor([1, 2], dtype=torch.uint8)
    for name, call in {
        "relu": lambda: torch.relu(yes),
        "relu_": lambda: yes.clone().relu_(),
        "floor": lambda: torch.floor(yes),
        "ceil": lambda: torch.ceil(yes),
        "round": lambda: torch.round(yes),
        "trunc": lambda: torch.trunc(yes),
        "sign": lambda: torch.sign(yes),
        "round to tens": lambda: torch.round(count, decimals=-1),
        "round to tenths": lambda: torch.round(byte, decimals=1),
        "softplus of ints": lambda: torch.nn.functional.softplus(count),
        "softplus of bools": lambda: torch.nn.functional.softplus(yes),
        "bool % bool": lambda: yes % True,
        "bool // bool": lambda: yes // yes,
        "bool ** bool": lambda: yes**yes,
        "bool, twice": lambda: torch.add(yes, yes, alpha=2),
        "bool ** -1": lambda: yes**-1,
        "int ** -1": lambda: count**-1,
        "byte ** -1": lambda: byte**-1,
        "byte ** a byte": lambda: byte ** torch.tensor(-1),
    }.items():
        with see.error(name):
            see(name, call())


@snippet
def integers_to_negative_powers(torch, see):
    numbers = torch.tensor([1, -1, 2, -2, 0, 5, -1])
    for power in (-1, -2, -3):
        see(f"to a tensor of {power}", numbers ** torch.tensor(power))
        see("and of int8", numbers.to(torch.int8) ** torch.tensor([power]))
        see("a number to a tensor", [n ** torch.tensor([power, 2]) for n in (2, -1, 1)])
    see("some of them", torch.pow(numbers, torch.tensor([2, -1, 3, -1, 0, 1, -2])))
    see("bools", torch.pow(torch.tensor([True, False]), torch.tensor([-1, -2])))
    x = torch.tensor([2, 4])
    x.pow_(torch.tensor([-1, 2]))
    see("in place", x)


@snippet
def rsub_of_two_tensors(torch, see):
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    b = torch.ones(3, 2, dtype=torch.float64, requires_grad=True)
    for alpha in (1, 2):
        y = torch.rsub(a, b, alpha=alpha)
        see(f"alpha={alpha}", (y, y.grad_fn._saved_alpha))
        see("gradients", torch.autograd.grad((y * y).sum(), (a, b)))


@snippet
def truth_over_no_dim(torch, see):
    for x in (torch.tensor([[1, 0], [5, 1]]), torch.tensor([3, 0], dtype=torch.uint8)):
        see("all", (x.all(dim=()), x.all(dim=[]), x.all(), x.all(dim=0)))
        see("any", (x.any(dim=()), x.any(dim=(), keepdim=True), x.any(), x.any(dim=0)))
    see("0-d", (torch.tensor(3).all(dim=()), torch.tensor(0).any(dim=())))


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
def a_flag_of_a_view_that_may_not_be_used(torch, see):
    x = torch.ones(2, 1, requires_grad=True)
    first, _ = x
    with torch.no_grad():
        x.add_(1)
    with see.error("requires_grad_(False)"):
        first.requires_grad_(False)


@snippet
def a_view_given_other_memory_whose_base_is_written(torch, see):
    for name, part in {
        "a view": lambda x: x.view(2, 2),
        "a row": lambda x: x.view(2, 2)[1],
    }.items():
        base = torch.arange(4.0).requires_grad_() * 1
        view = part(base)
        view.data = torch.ones(4, 2)[-len(view) :, 0] if view.dim() == 1 else torch.ones(2, 2)
        base -= 1
        see(name, (view, view.grad_fn.name()))
        see("gradient", torch.autograd.grad((view * 3).sum(), view))
    whole = torch.ones(2, requires_grad=True).sum()
    same = whole.reshape([])
    same.data = torch.tensor(5.0)
    whole -= whole
    see("0-d", torch.autograd.grad(same, whole))


@snippet
def a_power_of_minus_one_half_is_rsqrt(torch, see):
    x = torch.tensor([-float("inf"), -0.0, 0.0, 4.0, float("inf")], requires_grad=True)
    y = x**-0.5
    see("value", y)
    (x**0.5).backward(torch.ones(5))
    see("the derivative of the root", x.grad)


@snippet
def topk_of_equal_elements(torch, see):
    rows = {
        "five": [1.0, 2.0, 1.0, 2.0, 2.0],
        "twenty": [float(place * 7 % 4) for place in range(20)],
        "with nan": [1.0, float("nan"), 1.0, float("nan")],
        "few of many": [float(place * 5 % 3) for place in range(200)],
    }
    for name, row in rows.items():
        for k, largest in itertools.product((1, 2, 3, 18), (True, False)):
            if k <= len(row):
                found = torch.tensor(row).topk(k, largest=largest).indices
                see(f"{k} of {name}, largest={largest}", found)
    x = torch.ones(2, 6, 2, requires_grad=True)
    x.topk(2, dim=1).values.sum().backward()
    see("x.grad", x.grad)


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
def closeness_and_order_of_a_view_that_may_not_be_used(torch, see):
    base = torch.ones(2, requires_grad=True) * 1
    with torch.no_grad():
        view = base[...]
    base.mul_(2)
    for name, ask in {
        "isclose": lambda: torch.isclose(view, torch.ones(2)),
        "allclose": lambda: torch.allclose(torch.ones(2), view),
        "argsort": lambda: view.argsort(),
        "argmax": lambda: view.argmax(),
        "equal": lambda: torch.equal(view, torch.ones(2)),
        "retain_grad": lambda: view.retain_grad(),
    }.items():
        with see.error(name):
            see("answer", ask())
    exactly = torch.isclose(view, torch.ones(2), rtol=0, atol=0)
    see("without tolerance", exactly)


@snippet
def retain_grad_of_a_view_that_does_not_know_its_new_history(torch, see):
    for looks in (False, True):
        base = torch.zeros(2)
        view = base[:1]
        base.add_(torch.ones(2, requires_grad=True))
        if looks:
            see("history", view.grad_fn.name())
        view.retain_grad()
        see("retains", view.retains_grad)
        (view * 3).sum().backward()
        see("grad", view.grad)


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
def a_gradient_that_was_turned_in_place(torch, see):
    for name, turn in {
        "transpose_": lambda g: g.transpose_(0, 1),
        "squeeze_": lambda g: g.squeeze_(),
    }.items():
        for shape in [(2, 3), (1, 2)]:
            x = torch.ones(shape, requires_grad=True)
            (x * 3).sum().backward()
            turn(x.grad)
            with see.error(f"another pass after {name}, {shape}"):
                (x * 3).sum().backward()
            see("x.grad", x.grad)


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
def hooks_of_a_tensor_that_is_turned_in_place(torch, see):
    for name, turn in {
        "squeeze_": lambda y: y.squeeze_(),
        "unsqueeze_": lambda y: y.unsqueeze_(0),
        "t_": lambda y: y.t_(),
        "mul_": lambda y: y.mul_(2),
    }.items():
        for early, view in itertools.product((False, True), (False, True)):
            x = torch.ones(1, requires_grad=True)
            y = (x * 2)[:] if view else x * 2
            if early:
                y.register_hook(lambda g: see("an early hook", g))
            turn(y)
            see(f"{name}, {early=}, {view=}", (y.grad_fn.name(), y._backward_hooks is None))
            y.register_hook(lambda g: see("a late hook", g))
            y.grad_fn.register_hook(lambda sent, came: see("the node's hook", (sent, came)))
            (y * 3).sum().backward()
            see("x.grad", x.grad)


@snippet
def is_leaf_of_a_view_whose_base_was_written(torch, see):
    x = torch.ones(2, requires_grad=True)

    def of_plain_buffer():
        base = torch.zeros(2)
        view = base[:1]
        base.add_(x)
        return view

    def made_in_no_grad():
        base = x * 1
        with torch.no_grad():
            view = base[:1]
        base.add_(x)
        return view

    def one_of_several():
        base = x * 1
        view, _ = base.unbind()
        base.add_(x)
        return view

    for make in (of_plain_buffer, made_in_no_grad, one_of_several):
        view = make()
        with see.error(make.__name__):
            see("is_leaf", view.is_leaf)
        see("what does not ask for its history", (view.requires_grad, view.output_nr, view.grad))


@snippet
def a_mark_of_dirt_that_is_refused_forgets_the_gradient(torch, see):
    class Bump(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            x.add_(1)
            ctx.mark_dirty(x)
            return x

        @staticmethod
        def backward(ctx, g):
            return g

    x = torch.ones(2, requires_grad=True)
    view = x[:]
    view.retain_grad()
    view.sum().backward()
    see("before", view.grad)
    with see.error("apply"):
        Bump.apply(view)
    see("after", view.grad)


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
def copies_of_tensors_with_gaps_or_repeats(torch, see):
    rows = torch.arange(6.0).reshape(2, 3)
    for name, x in {
        "a row again": rows[0].expand(2, 3),
        "a column again": rows[:, :1].expand(2, 3),
        "matrices again": rows.expand(4, 2, 3),
        "again between": rows.unsqueeze(1).expand(2, 4, 3),
        "turned": rows.t(),
        "turned, again": rows.t().expand(2, 3, 2),
        "again, turned": rows.expand(4, 2, 3).permute(2, 0, 1),
        "with gaps": rows.t()[::2],
    }.items():
        copies = x.clone(), x.double(), x.flip(0), torch.zeros_like(x), torch.ones_like(x)
        see(name, [copy.stride() for copy in copies])
        torch.manual_seed(3)
        see("random", (torch.rand_like(x), torch.randint_like(x, 9)))
        leaf = x.detach().requires_grad_()
        (leaf * 2).sum().backward()
        see("gradient", leaf.grad.stride())
    see("all in one row", rows[0].expand(2, 3).clone().view(6))
    see("compared", (rows.expand(2, 2, 3) == rows.double()).view(12))


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
def numbers_written_where_an_expanded_tensor_stands(torch, see):
    for write in (
        lambda x: x.__setitem__(slice(None), 5.0),
        lambda x: x.__setitem__((0, 1), 5.0),
        lambda x: x.fill_(5.0),
        lambda x: x.fill_(torch.tensor(5.0)),
        lambda x: x.copy_(x),
        lambda x: x.copy_(torch.ones(2, 3)),
        lambda x: x.zero_(),
    ):
        for tracked in (False, True):
            memory = torch.arange(3.0, requires_grad=tracked)
            x = (memory * 1).expand(2, 3)
            with see.error("written"):
                write(x)
            see("x", x)
            see("version", x._version)


@snippet
def a_number_to_the_power_of_a_turned_tensor(torch, see):
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).t()
    for name, y in {
        "2 ** x": 2**x,
        "1 ** x": 1.0**x,
        "pow": torch.pow(0.5, x),
        "x ** 2": x**2,
        "2 - x": 2 - x,
        "2 / x": 2 / x,
        "2 % x": 2 % x,
        "of integers": 2 ** x.long(),
    }.items():
        see(name, (y, y.stride()))


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
def comparisons_in_place(torch, see):
    for name in ("eq_", "ne_", "lt_", "le_", "gt_", "ge_"):
        for other in (3, torch.tensor([1.0, 3.0]), torch.ones(2, requires_grad=True)):
            x = torch.tensor([1.0, 2.0], requires_grad=True)
            y = x * 2
            getattr(y, name)(other)
            see(name, (y, [node and node.name() for node, _ in y.grad_fn.next_functions]))
            (y * y).sum().backward()
            see("gradients", (x.grad, getattr(other, "grad", None)))
    buffer = torch.zeros(2)
    buffer.lt_(torch.ones(2, requires_grad=True))
    see("a buffer", buffer)
    base = torch.ones(2, requires_grad=True) * 2
    base[0].lt_(3)
    see("a part", base)


@snippet
def numbers_given_as_tensors(torch, see):
    one, half = torch.ones(2), torch.tensor(0.5)
    tracked = torch.ones(2, requires_grad=True)
    for name, call in {
        "add_": lambda: torch.ones(2).add_(one, alpha=-half),
        "sub": lambda: torch.sub(one, tracked, alpha=half),
        "softplus": lambda: torch.nn.functional.softplus(tracked, half),
        "norm": lambda: tracked.norm(torch.tensor(2.0)),
        "requires grad": lambda: torch.add(one, one, alpha=half.clone().requires_grad_()),
        "a vector": lambda: torch.add(one, one, alpha=torch.tensor([0.5])),
        "copy_": lambda: (tracked * 2).copy_(3),
        "copy_ True": lambda: torch.ones(2).copy_(True),
        "sin_": lambda: torch.sin_(tracked * 2),
        "sin_ of a leaf": lambda: torch.sin_(tracked),
        "zero_": lambda: torch.zero_(tracked * 2),
        "clamp_": lambda: torch.clamp_(torch.ones(2), max=0.5),
        "relu_": lambda: torch.nn.functional.relu_(-one),
        "broadcast_to": lambda: one.broadcast_to(3, 2),
    }.items():
        with see.error(name):
            see(name, call())


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


@snippet
def what_has_to_be_a_tensor(torch, see):
    x = torch.tensor([1.0, -2.0], requires_grad=True)
    for name in ["maximum", "minimum", "logical_and", "logical_or", "dot", "mv", "matmul", "equal"]:
        for number in [0, 0.0, [1.0, 2.0]]:
            with see.error(f"{name} of a tensor and {number}"):
                getattr(torch, name)(x, number)
            with see.error(f"{name} of {number} and a tensor"):
                getattr(torch, name)(number, x)
    for name in ["sum", "mean", "isnan", "isfinite", "logical_not", "allclose", "isclose"]:
        for value in [2.0, [x, x], None]:
            with see.error(f"{name} of {type(value).__name__}"):
                getattr(torch, name)(value, *[x] if "close" in name else [])
    for mask in [x > 0, (x > 0).float(), (x > 0).long(), x]:
        with see.error(f"~ of {mask.dtype}"):
            see("inverted", ~mask)
    see("floating", [x.is_floating_point(), (x > 0).is_floating_point()])
