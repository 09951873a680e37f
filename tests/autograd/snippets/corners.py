"""What random programs found: strides, hooks and histories in odd corners."""

import itertools
import math

from tests.oracle.snippets import snippet


@snippet
def reshapes_of_dims_of_size_1(torch, see):
    for shape in [(1, 3), (3, 1), (1, 1, 3), (2, 1, 3), (1, 2, 3)]:
        for order in itertools.permutations(range(len(shape))):
            x = torch.arange(6.0)[: math.prod(shape)].view(shape).permute(order)
            reshaped = [x.reshape(x.shape), x.reshape(1, *x.shape), x.reshape(*x.shape, 1)]
            several = [*reshaped, x.flatten(), x.unsqueeze(0), x.unsqueeze(-1)]
            see(f"{shape} in the order {order}", several)
            see("their memory", [view.data_ptr() == x.data_ptr() for view in reshaped])
    with see.error("two dims that do not lie as one"):
        torch.zeros(2, 1, 3).permute(2, 1, 0).view(6)


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
