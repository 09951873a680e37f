"""Views and writes where history is easily lost."""

# ruff: noqa: RUF059 - a snippet names the whole example

from tests.oracle.snippets import snippet


def road(node, depth=8):
    """The first operand's way back, by node names."""
    names = []
    while node is not None and depth:
        names.append(node.name())
        node = node.next_functions[0][0] if node.next_functions else None
        depth -= 1
    return names


@snippet
def a_view_of_a_view(torch, see):
    x = torch.arange(6.0).requires_grad_()
    base = x * 1
    rows = base.view(2, 3)
    row = rows[1]
    row.mul_(10)
    see("base", base)
    see("rows", rows)
    see("row", row)
    see("roads", (road(base.grad_fn), road(rows.grad_fn), road(row.grad_fn)))
    (base.sum() + rows[0].sum() + row.prod()).backward()
    see("x.grad", x.grad)


@snippet
def two_views_written_in_turn(torch, see):
    x = torch.arange(4.0).requires_grad_()
    base = x * 1
    a, b = base[:3], base[1:]
    a.mul_(2)
    b.add_(a.sum())
    a.exp_()
    see("base", base)
    see("versions", (base._version, a._version, b._version))
    base.sum().backward()
    see("x.grad", x.grad)


@snippet
def a_saved_view_whose_base_changes(torch, see):
    x = torch.arange(4.0).requires_grad_()
    base = x * 1
    view = base[:2]
    y = view.sin().sum()
    base[3] = 7.0
    with see.error("another part was written"):
        y.backward()
    z = base.sum()
    z.backward()
    see("x.grad", x.grad)


@snippet
def a_plain_buffer_is_filled(torch, see):
    w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    buffer = torch.zeros(2, 3)
    first = buffer[0]
    for i in range(3):
        buffer[0, i] = w[i] * (i + 1)
    buffer[1] = w * 10
    see("buffer", buffer)
    see("a view taken before", first)
    (buffer * buffer).sum().backward()
    see("w.grad", w.grad)


@snippet
def a_transposed_view_is_written(torch, see):
    x = torch.arange(6.0).reshape(2, 3).requires_grad_()
    w = torch.tensor([1.0, 10.0], requires_grad=True)
    base = x * 1
    base.t().mul_(w)
    see("base", base)
    base.sum().backward()
    see("x.grad", x.grad)
    see("w.grad", w.grad)


@snippet
def an_expanded_operand_in_place(torch, see):
    x = torch.ones(2, 3, requires_grad=True)
    row = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 1
    y += row
    y *= row
    y.sum().backward()
    see("x.grad", x.grad)
    see("row.grad", row.grad)
    with see.error("writing into an expanded one"):
        torch.ones(1, 3).expand(2, 3).add_(1)
    with see.error("copying into an expanded one"):
        torch.ones(1, 3).expand(2, 3).copy_(torch.ones(2, 3))
    see("filling an expanded one", torch.ones(1, 3).expand(2, 3).fill_(5.0))


@snippet
def a_view_written_by_itself(torch, see):
    x = torch.arange(4.0).requires_grad_()
    base = x * 1
    base[::2] += base[1::2]
    see("interleaved", base)
    base += base.view(4)
    see("the same memory", base)
    base.sum().backward()
    see("x.grad", x.grad)
    y = x * 2
    y *= y
    with see.error("squared in place: the other operand was saved, and is gone"):
        y.sum().backward()


@snippet
def detached_memory_is_shared(torch, see):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    d = y.detach()
    z = y.exp()
    s = y.sin()
    d[0] = 5.0
    see("versions", (y._version, d._version, z._version))
    z.sum().backward(retain_graph=True)
    see("exp kept its result", x.grad)
    with see.error("sin kept its input"):
        s.sum().backward()
    data = y.data
    data.zero_()
    see("data", (y, y._version))


@snippet
def reassigned_data(torch, see):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    x.data = torch.tensor([5.0, 6.0])
    see("x", x)
    y.sum().backward()
    see("the new value is used", x.grad)
    with see.error("integers"):
        x.data = torch.tensor([1, 2])


@snippet
def a_leaf_updated_by_hand(torch, see):
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    for _ in range(3):
        loss = (w * w).sum()
        loss.backward()
        with torch.no_grad():
            w -= 0.1 * w.grad
            w.grad.zero_()
    see("w", w)
    see("w.grad", w.grad)
    see("version", w._version)
    w.grad = None
    loss = (w * w).sum()
    with torch.no_grad():
        w.mul_(2)
    with see.error("updated before backward"):
        loss.backward()


@snippet
def hooks_and_retained_gradients_of_views(torch, see):
    x = torch.arange(4.0).requires_grad_()
    base = x * 1
    base.retain_grad()
    view = base[1:]
    view.retain_grad()
    (view * view).sum().backward()
    see("base.grad", base.grad)
    see("view.grad", view.grad)
    y = x * 1
    y.register_hook(lambda grad: see("old value's hook", grad))
    y.retain_grad()
    y.mul_(3)
    y.register_hook(lambda grad: see("new value's hook", grad))
    y.sum().backward()
    see("y.grad", y.grad)


@snippet
def set_to_a_number_or_a_tensor(torch, see):
    x = torch.arange(4.0).requires_grad_()
    w = torch.tensor(5.0, requires_grad=True)
    y = x * 1
    y[0] = w
    y[1] = 7
    y[2:] = w * 2
    see("y", y)
    see("road", road(y.grad_fn))
    y.sum().backward()
    see("grads", (x.grad, w.grad))
    z = x * 1
    z[...] = w
    see("whole", z)
    z.sum().backward()
    see("grads now", (x.grad, w.grad))
    u = x * 1
    u[torch.tensor([0, 0, 2])] = torch.stack([w, w * 2, w * 3])
    see("by indices", u)
    v = x * 1
    v[v > 1] = 0.0
    see("by a mask", v)
    v.sum().backward()
    see("x.grad", x.grad)


@snippet
def outputs_of_unbind(torch, see):
    x = torch.ones(2, 2, requires_grad=True)
    y = x * 1
    first, second = y.unbind()
    with see.error("write"):
        first.mul_(2)
    see("unchanged", y)
    y.mul_(2)
    with see.error("use after the base changed"):
        first + 1
    with torch.no_grad():
        third = y[0]
    with see.error("made under no_grad"):
        third.mul_(2)


@snippet
def retained_gradients_of_rewritten_views(torch, see):
    x = torch.arange(3.0).requires_grad_()
    for label, write in (
        ("the base", lambda base, view: base.mul_(2)),
        ("the view", lambda base, view: view.mul_(2)),
        ("another view", lambda base, view: base[:2].mul_(2)),
    ):
        base = x * 1
        view = base[1:]
        view.retain_grad()
        write(base, view)
        view.sum().backward()
        see(f"{label} was written", (view.grad, view.retains_grad))


@snippet
def a_write_into_a_view_is_freed(torch, see):
    x = torch.arange(3.0).requires_grad_()
    for label, write in (
        ("a number", lambda base: base[1:].fill_(5.0)),
        ("an addition", lambda base: base[1:].add_(1)),
        ("a product", lambda base: base[1:].mul_(x[1:])),
    ):
        base = x * 1
        write(base)
        base.sum().backward()
        with see.error(label):
            base.sum().backward()


@snippet
def as_strided_stays_in_its_memory(torch, see):
    x = torch.arange(6.0)
    for size, stride, offset in (
        ((2, 2), (3, 1), 1),
        ((3,), (1,), 4),
        ((2, 2), (3, 3), 0),
        ((2,), (-1,), 1),
        ((0,), (1,), 9),
    ):
        with see.error(f"{size} {stride} {offset}"):
            see(f"read {size} {stride} {offset}", x.as_strided(size, stride, offset))


@snippet
def a_view_that_may_not_be_used_can_be_printed(torch, see):
    x = torch.ones(3, requires_grad=True)
    base = x * 2
    first, *_ = base.unbind()
    with torch.no_grad():
        part = base[1:]
    base.mul_(2)
    see("one of several", repr(first))
    see("made under no_grad", repr(part))
    with see.error("using it"):
        first * 2


@snippet
def what_may_still_be_asked_of_a_view_that_may_not_be_used(torch, see):
    for name in ("isnan", "isinf", "isfinite", "isclose", "eq", "sign", "argmax", "all", "nonzero"):
        base = torch.ones(2, 3, requires_grad=True) * 1
        with torch.no_grad():
            view = base.view(-1)
        base[0] *= 0.5
        with see.error(name):
            operands = (view, view) if name in ("isclose", "eq") else (view,)
            see(name, getattr(torch, name)(*operands))


@snippet
def a_retained_gradient_of_a_rewritten_second_output(torch, see):
    class Pair(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2, x * 3

        @staticmethod
        def backward(ctx, g, h):
            return g * 2 + h * 3

    for rewritten in (0, 1):
        outputs = Pair.apply(torch.ones(2, requires_grad=True))
        for output in outputs:
            output.retain_grad()
        outputs[rewritten].mul_(5)
        (outputs[0] + outputs[1] * 10).backward(torch.tensor([1.0, 2.0]))
        see(f"output {rewritten}", [output.grad for output in outputs])


@snippet
def a_write_into_a_view_of_a_tensor_with_gaps(torch, see):
    for name, write in {
        "a new dim": lambda x, w: x[None, 0:].copy_(w * 2),
        "times": lambda x, w: x[None].mul_(w),
        "a row": lambda x, w: x[1].add_(w[0]),
        "turned": lambda x, w: x.t().mul_(w.t()),
    }.items():
        for create_graph in (False, True):
            w = torch.tensor([[3.0], [5.0]], requires_grad=True)
            x = torch.arange(4.0).reshape(2, 2).narrow(1, 0, 1).detach()
            write(x, w)
            see(name, torch.autograd.grad((x * x).sum(), w, create_graph=create_graph)[0].detach())


@snippet
def a_view_of_a_base_that_was_just_written_to_as_input(torch, see):
    base, w = torch.ones(3), torch.tensor([2.0, 3.0, 5.0], requires_grad=True)
    view = base.view(3)
    base *= w
    (base * base).sum().backward(inputs=[view, w])
    see("retains", view.retains_grad)
    see("gradients", (view.grad, w.grad))


@snippet
def truths_among_indices(torch, see):
    x = torch.arange(6.0, requires_grad=True).reshape(2, 3)
    mask = x > 2
    for name, key in {
        "mask, True": (mask, True),
        "mask, True, True": (mask, True, True),
        "mask, tensor": (mask, torch.tensor(True)),
        "row, True": (torch.tensor([True, False]), True),
    }.items():
        y = x[key]
        node = y.grad_fn
        see(name, (y, node.name(), [n.name() for n, _ in node.next_functions]))
    for name, key in {
        "True": True,
        "False": False,
    }.items():
        for value in (7, torch.tensor(5), torch.ones(3, dtype=torch.float64), torch.ones(1, 2, 3)):
            y = x * 1
            with see.error(f"{name} = {value}"):
                y[key] = value
            see(f"{name} = {value}", (y, y._version))


@snippet
def views_of_a_number(torch, see):
    x = torch.tensor(2.0, requires_grad=True)
    see("mT", x.mT is x)
    see("movedim", x.movedim(0, 0))
