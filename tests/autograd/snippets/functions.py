"""Custom functions in all their forms."""

# ruff: noqa: B018 - reading is what is shown

from tests.oracle.snippets import snippet


def make(torch, forward, backward, setup_context=None, name="F"):
    body = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    if setup_context is not None:
        body["setup_context"] = staticmethod(setup_context)
    return type(name, (torch.autograd.Function,), body)


@snippet
def saved_tensors_are_checked(torch, see):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 2 * x * grad

    F = make(torch, forward, backward)
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    z = F.apply(y)
    see("the saved one is the same", z.grad_fn.saved_tensors[0] is y)
    y.add_(1)
    with see.error("changed since"):
        z.sum().backward()
    z = F.apply(x)
    z.sum().backward()
    with see.error("twice"):
        z.sum().backward()
    with see.error("read when freed"):
        z.grad_fn.saved_tensors
    z = F.apply(x)
    z.sum().backward(retain_graph=True)
    z.sum().backward()
    see("x.grad", x.grad)


@snippet
def without_a_forward_context(torch, see):
    def forward(x, n):
        return x**n

    def setup_context(ctx, inputs, output):
        x, n = inputs
        ctx.save_for_backward(x, output)
        ctx.n = n

    def backward(ctx, grad):
        x, output = ctx.saved_tensors
        return grad * ctx.n * output / x, None

    F = make(torch, forward, backward, setup_context, name="Power")
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = F.apply(x, 3)
    see("y", y)
    see("its attribute", y.grad_fn.n)
    see("what needs a gradient", y.grad_fn.needs_input_grad)
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    see("g", g)
    see("second", torch.autograd.grad(g.sum(), x))


@snippet
def several_results(torch, see):
    got = []

    def forward(ctx, x, y):
        return x + y, x * y, (x > y)

    def backward(ctx, a, b, c):
        got.append((a, b, c))
        return a, b

    F = make(torch, forward, backward)
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = torch.tensor([2.0, 1.0], requires_grad=True)
    p, q, r = F.apply(x, y)
    see("results", (p, q, r))
    see("numbers", (p.output_nr, q.output_nr, r.requires_grad))
    q.sum().backward()
    see("what backward got", got[0])
    see("grads", (x.grad, y.grad))


@snippet
def unused_results_can_come_as_none(torch, see):
    got = []

    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return x.clone(), x.clone()

    def backward(ctx, a, b):
        got.append((a, b))
        return a if b is None else b

    F = make(torch, forward, backward)
    x = torch.tensor([1.0], requires_grad=True)
    F.apply(x)[0].sum().backward()
    F.apply(x)[1].sum().backward()
    see("got", got)


@snippet
def no_gradient_for_any_result(torch, see):
    got = []

    def forward(ctx, x):
        return x * 2, x * 3, "not a tensor"

    def backward(ctx, *grads):
        got.append(grads)
        return grads[0]

    def leave_unset(ctx, x):
        ctx.set_materialize_grads(False)
        return forward(ctx, x)

    Nothing = make(torch, lambda ctx, x: x * 1, lambda ctx, grad: None, name="Nothing")
    for several in (forward, leave_unset):
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        p, q, word = make(torch, several, backward).apply(x)
        (Nothing.apply(p) + Nothing.apply(q)).sum().backward()
        see(word, x.grad)
    see("got", got)


@snippet
def not_differentiable(torch, see):
    def forward(ctx, x):
        y, i = x * 2, x * 3
        ctx.mark_non_differentiable(i)
        return y, i

    def backward(ctx, grad, unused):
        see("for the marked one", unused)
        return grad * 2

    F = make(torch, forward, backward)
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y, i = F.apply(x)
    see("marked", (i.requires_grad, i.grad_fn))
    y.sum().backward()
    see("x.grad", x.grad)


@snippet
def returning_an_input(torch, see):
    F = make(torch, lambda ctx, x: x, lambda ctx, grad: grad * 5)
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = F.apply(x)
    see("not the same", y is x)
    see("y", y)
    see("a view", y._is_view())
    y.sum().backward()
    see("x.grad", x.grad)
    plain = torch.ones(2)
    see("nothing tracked", F.apply(plain))
    with torch.no_grad():
        see("under no_grad", F.apply(x).requires_grad)


@snippet
def returning_a_view(torch, see):
    F = make(torch, lambda ctx, x: x[:1], lambda ctx, grad: torch.cat([grad, grad * 0]))
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = F.apply(x * 1)
    see("y", y)
    y.sum().backward()
    see("x.grad", x.grad)


@snippet
def writing_in_place(torch, see):
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x

    F = make(torch, forward, lambda ctx, grad: grad * 2)
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    z = F.apply(y)
    see("the same", z is y)
    see("z", z)
    see("version", z._version)
    z.sum().backward()
    see("x.grad", x.grad)
    base = x * 1
    F.apply(base[1:])
    see("the base", base)
    base.sum().backward()
    see("x.grad through the view", x.grad)
    plain = torch.ones(2)
    F.apply(plain)
    see("nothing tracked", plain._version)
    with see.error("a leaf"):
        F.apply(torch.ones(2, requires_grad=True))


@snippet
def gradients_are_fitted(torch, see):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    m = torch.ones(3, 2)
    F = make(torch, lambda ctx, x, m: x + m, lambda ctx, grad: (grad, None), name="Add")
    F.apply(x, m).sum().backward()
    see("summed", x.grad)
    h = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    F = make(torch, lambda ctx, x: x.float(), lambda ctx, grad: grad)
    F.apply(h).sum().backward()
    see("cast", h.grad)
    F = make(torch, lambda ctx, x: x.sum(), lambda ctx, grad: grad)
    with see.error("too small"):
        F.apply(x).backward()
    F = make(torch, lambda ctx, x: x * 1, lambda ctx, grad: 3.0)
    with see.error("a number"):
        F.apply(x).sum().backward()
    F = make(torch, lambda ctx, x: x * 1, lambda ctx, grad: None)
    x.grad = None
    F.apply(x).sum().backward()
    see("None", x.grad)
    F = make(torch, lambda ctx, n, x: x * n, lambda ctx, grad: (grad, grad))
    with see.error("a gradient for a number"):
        F.apply(3.0, x).sum().backward()


@snippet
def grad_mode_inside(torch, see):
    seen = []

    def forward(ctx, x):
        seen.append(torch.is_grad_enabled())
        seen.append((x * 2).requires_grad)
        return x * 2

    def backward(ctx, grad):
        seen.append(torch.is_grad_enabled())
        return grad * 2

    F = make(torch, forward, backward)
    x = torch.tensor(1.0, requires_grad=True)
    F.apply(x).backward()
    torch.autograd.grad(F.apply(x), x, create_graph=True)
    see("enabled", seen)


@snippet
def a_graph_inside_backward(torch, see):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        with torch.enable_grad():
            inner = x.detach().requires_grad_()
            (g,) = torch.autograd.grad(inner * inner, inner, grad)
        return g

    F = make(torch, forward, backward)
    x = torch.tensor(3.0, requires_grad=True)
    F.apply(x).backward()
    see("x.grad", x.grad)


@snippet
def misuse(torch, see):
    class Empty(torch.autograd.Function):
        pass

    class NoBackward(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

    x = torch.tensor(1.0, requires_grad=True)
    with see.error("no forward"):
        Empty.apply(x)
    with see.error("no backward"):
        NoBackward.apply(x).backward()
    see("without tracking it is enough", NoBackward.apply(x.detach()))

    def saves(ctx, x):
        ctx.save_for_backward(x, 3.0)
        return x * 2

    with see.error("saving a number"):
        make(torch, saves, lambda ctx, grad: grad).apply(x).backward()
    with see.error("returning a string"):
        make(torch, lambda ctx, x: "no", lambda ctx, grad: grad).apply(x)
    with see.error("returning nothing"):
        see("nothing", make(torch, lambda ctx, x: None, lambda ctx, grad: grad).apply(x))


@snippet
def saving_what_is_neither_input_nor_output(torch, see):
    def forward(ctx, x):
        between = x.exp()
        ctx.save_for_backward(between, None)
        return between * 2

    def backward(ctx, grad):
        between, nothing = ctx.saved_tensors
        see("nothing", nothing)
        return grad * 2 * between

    x = torch.tensor([0.0, 1.0], requires_grad=True)
    make(torch, forward, backward).apply(x).sum().backward()
    see("x.grad", x.grad)


@snippet
def hooks_on_the_node(torch, see):
    F = make(torch, lambda ctx, x: x * 2, lambda ctx, grad: grad * 2, name="Twice")
    x = torch.tensor([1.0], requires_grad=True)
    y = F.apply(x)
    y.grad_fn.register_hook(lambda inputs, outputs: see("hook", (inputs, outputs)))
    y.grad_fn.register_prehook(lambda outputs: see("prehook", outputs))
    y.register_hook(lambda grad: see("tensor", grad))
    see("name", (y.grad_fn.name(), type(y.grad_fn).__name__))
    see("next", [node.name() for node, _ in y.grad_fn.next_functions])
    y.sum().backward()


@snippet
def the_users_own_attributes_may_have_any_name(torch, see):
    names = ["edges", "saved", "outputs", "number", "rule", "node", "function", "send", "args"]

    def forward(ctx, x):
        for name in names:
            setattr(ctx, name, (name, x.shape))
        ctx.save_for_backward(x)
        return x**3

    def backward(ctx, grad):
        see("attributes", [getattr(ctx, name) for name in names])
        see("all of them", sorted(vars(ctx)))
        (x,) = ctx.saved_tensors
        return 3 * x * x * grad

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = make(torch, forward, backward).apply(x)
    y.retain_grad()
    see("of the node", (y.output_nr, y.grad_fn.needs_input_grad))
    (first,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x)
    see("derivatives", (y.grad, first, second))


@snippet
def written_in_place_and_without_a_gradient(torch, see):
    for marked in (False, True):

        def forward(ctx, x, other, marked=marked):
            if marked:
                other.add_(1)
                ctx.mark_dirty(other)
            ctx.mark_non_differentiable(other)
            return x * 2, other

        F = make(torch, forward, lambda ctx, grad, zeros: (grad * 2, None))
        leaf = torch.ones(2, requires_grad=True)
        for name, other in {"plain": torch.ones(2), "leaf": leaf, "result": leaf * 1}.items():
            for given in (other, other[:]):
                x = torch.ones(2, requires_grad=True)
                y, same = F.apply(x, given)
                what = f"{name}, {'a view, ' * given._is_view()}{'written' * marked}"
                see(what, (same, same is given, same.requires_grad, same._is_view(), given))
                see("gradient", torch.autograd.grad(y.sum(), x))


@snippet
def arguments_by_name(torch, see):
    def forward(ctx, x, factor=2, power=1):
        see("needs", ctx.needs_input_grad)
        ctx.factor = factor
        return x**power * factor

    def backward(ctx, grad):
        return (grad * ctx.factor, None, None)[: len(ctx.needs_input_grad)]

    F = make(torch, forward, backward)
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    for name, call in {
        "a number": lambda: F.apply(x, factor=3),
        "the tensor": lambda: F.apply(x=x),
        "all": lambda: F.apply(power=1, factor=5, x=x),
    }.items():
        y = call()
        see(name, (y, torch.autograd.grad(y.sum(), x)))

    def rest(ctx, x, **others):
        return x * 2

    with see.error("one that has no place"):
        make(torch, rest, backward).apply(x, factor=3)


def twice_and_thrice(torch, backward, option):
    """A function of two results, with an option of its class turned on."""

    def forward(ctx, x):
        ctx.save_for_backward(x, None)
        return x * 2, x * 3

    F = make(torch, forward, backward)
    setattr(F, option, True)
    return F


@snippet
def marks_of_dirt_that_are_not_returned(torch, see):
    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, marked):
            ctx.mark_dirty(marked)
            return x * 2

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    for name, marked in {"a leaf": x, "a result": x * 1, "no input": torch.ones(2)}.items():
        with see.error(name):
            F.apply(x, marked)


@snippet
def arrays_in_a_function(torch, see):
    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, save):
            if save:
                ctx.save_for_backward(x.detach().numpy())
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g.numpy(), None

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with see.error("saved"):
        F.apply(x, True)
    with see.error("answered"):
        F.apply(x, False).sum().backward()


@snippet
def a_number_as_the_gradient_of_what_needs_none(torch, see):
    F = make(torch, lambda ctx, x, w: x * w, lambda ctx, g: (g, 3))
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with see.error("answered"):
        F.apply(x, torch.ones(2)).sum().backward()


@snippet
def where_a_gradient_leads_that_cannot_be_differentiated(torch, see):
    @torch.autograd.function.once_differentiable
    def backward(ctx, grad):
        return grad, None, grad * 3

    x, y = (torch.tensor([1.0, 2.0], requires_grad=True) for _ in "xy")
    z = make(torch, lambda ctx, x, n, y: x + n * y, backward).apply(x, 3, y)
    z.sum().backward(torch.ones((), requires_grad=True), create_graph=True)
    node = x.grad.grad_fn.next_functions[1][0]
    see("its node", type(node).__name__)
    edges = node.next_functions
    see("leads to", [None if edge is None else type(edge).__name__ for edge, _ in edges])
    see("which are leaves of its own", [edge and edge.variable is x for edge, _ in edges])
    see("past it", torch.autograd.grad(x.grad.sum() + x.sum(), x))
    with see.error("through it"):
        x.grad.sum().backward()


@snippet
def once_differentiable_with_names(torch, see):
    @torch.autograd.function.once_differentiable
    def scaled(ctx, g, by=1):
        return g * by

    see("by name", scaled(None, torch.ones(2), by=3))


@snippet
def a_function_that_wants_no_zeros_is_told_of_a_missing_gradient(torch, see):
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 2

    def backward(ctx, grad):
        see("grad", grad)
        return torch.ones(2) if grad is None else 2 * grad

    F = make(torch, forward, backward)
    N = make(torch, lambda ctx, x: x * 1, lambda ctx, grad: None, name="N")
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    N.apply(F.apply(x)).sum().backward()
    see("x.grad", x.grad)
    see("past others", torch.autograd.grad((N.apply(F.apply(x).exp()) + 1).sum(), x))
    x = x.detach().double().requires_grad_()
    with see.error("gradcheck"):
        torch.autograd.gradcheck(make(torch, forward, lambda ctx, grad: 2 * grad).apply, x)
