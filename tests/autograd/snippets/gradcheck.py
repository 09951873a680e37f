"""Checks against finite differences."""

# ruff: noqa: RUF059 - a snippet names the whole example

from tests.oracle.snippets import snippet


def doubles(torch, *numbers):
    return torch.tensor(numbers, dtype=torch.float64, requires_grad=True)


def functions(torch):
    """A right and several wrong derivatives."""

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return 2 * x * grad

    class Wrong(Square):
        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return 3 * x * grad

    class Adds(Square):
        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return 2 * x * grad + (grad == 0) * 1.0

    class Constant(Square):
        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return 2 * x.detach() * grad

    return Square, Wrong, Adds, Constant


@snippet
def right_derivatives_pass(torch, see):
    x, y = doubles(torch, 1.0, 2.0), doubles(torch, 0.5, -1.0)
    check = torch.autograd.gradcheck
    see("one", check(lambda x: x.sin() * x, x))
    see("two inputs", check(lambda x, y: (x * y).exp(), (x, y)))
    see("one in a tuple", check(torch.sin, (x,)))
    see("two outputs", check(lambda x: (x.sin(), x.sum()), x))
    see("with a number", check(lambda x, n: x * n, (x, 3)))
    see("a constant among them", check(lambda x, y: x * y, (x, y.detach())))
    see("a list", check(lambda x, y: x * y, [x, y]))
    see("a custom function", check(functions(torch)[0].apply, x))
    see("a matrix", check(lambda m: m @ m, doubles(torch, [1.0, 2.0], [3.0, 4.0])))
    see("0-d", check(torch.exp, torch.tensor(0.5, dtype=torch.float64, requires_grad=True)))
    see("an output without gradient", check(lambda x: (x.sin(), torch.ones(2)), x))
    see("nothing differentiable", check(lambda x: torch.ones(2), x))
    see("fast", check(torch.sin, x, fast_mode=True))
    see("x is as before", x)
    see("its version", x._version)
    see("its gradient", x.grad)


@snippet
def wrong_derivatives_fail(torch, see):
    _, Wrong, Adds, _ = functions(torch)
    x = doubles(torch, 1.0, 2.0)
    check = torch.autograd.gradcheck
    with see.error("a wrong factor"):
        check(Wrong.apply, x)
    see("without raising", check(Wrong.apply, x, raise_exception=False))
    with see.error("not linear"):
        check(Adds.apply, x)
    with see.error("the second output"):
        check(lambda x: (x.sin(), Wrong.apply(x)), x)
    with see.error("cut off"):
        check(lambda x: x.detach() * 2, x)
    with see.error("partly cut off"):
        check(lambda x: x * x.detach(), x)


@snippet
def second_derivatives(torch, see):
    Square, Wrong, _, Constant = functions(torch)
    x, y = doubles(torch, 1.0, 2.0), doubles(torch, 0.5, -1.0)
    check = torch.autograd.gradgradcheck
    see("one", check(lambda x: x.sin() * x, x))
    see("two inputs", check(lambda x, y: (x * y).exp(), (x, y)))
    see("given vector", check(torch.exp, x, y))
    see("scattered vector", check(torch.exp, x, gen_non_contig_grad_outputs=True))
    see("a custom function", check(Square.apply, x))
    see("a constant one", check(Constant.apply, x, raise_exception=False))
    ones = torch.ones(2, dtype=torch.float64, requires_grad=True)
    with see.error("a constant one"):
        check(Constant.apply, x, ones)


@snippet
def refusals(torch, see):
    check = torch.autograd.gradcheck
    x = doubles(torch, 1.0, 2.0)
    with see.error("nothing to check"):
        check(torch.sin, x.detach())
    with see.error("stride 0"):
        check(torch.sin, x[:1].expand(3))
    with see.error("no mode"):
        check(torch.sin, x, check_backward_ad=False)
    with see.error("single precision"):
        check(torch.sin, torch.tensor([0.3], requires_grad=True))
    see("rough", check(torch.sin, torch.tensor([0.3], requires_grad=True), eps=1e-2, atol=1e-2))
    with see.error("a shape that changes"):
        check(lambda x: x[: 1 + int((x > 1).sum())], x)
    see("its kind", torch.autograd.gradcheck.__module__.rsplit(".", 1)[-1])


@snippet
def noise(torch, see):
    class Noisy(torch.autograd.Function):
        calls = 0

        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, grad):
            Noisy.calls += 1
            return grad * (1 + 1e-7 * Noisy.calls)

    x = doubles(torch, 1.0, 2.0)
    with see.error("not the same twice"):
        torch.autograd.gradcheck(Noisy.apply, x)
    Noisy.calls = 0
    see("allowed", torch.autograd.gradcheck(Noisy.apply, x, nondet_tol=1e-5))


@snippet
def missing_gradients(torch, see):
    class Two(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(False)
            return x.clone(), x * 2

        @staticmethod
        def backward(ctx, a, b):
            if a is None:
                raise RuntimeError("no gradient for the first result")
            return a if b is None else a + 2 * b

    x = doubles(torch, 1.0, 2.0)
    with see.error("None is not handled"):
        torch.autograd.gradcheck(Two.apply, x)
    with see.error("each output is differentiated alone"):
        torch.autograd.gradcheck(Two.apply, x, check_undefined_grad=False)


@snippet
def differences_that_are_not_numbers(torch, see):
    x = torch.tensor([0.0, 1.0], dtype=torch.float64, requires_grad=True)
    for name, f in {"infinite": torch.sqrt, "true or false": lambda x: x > 0}.items():
        with see.error(name):
            torch.autograd.gradcheck(f, x)


@snippet
def what_is_no_tensor_is_refused_and_the_function_runs_as_often(torch, see):
    check, calls = torch.autograd.gradcheck, []

    def counted(x):
        calls.append(1)
        return x * 2, x.exp()

    x = doubles(torch, 1.0, 2.0)
    see("checked", [check(counted, x), torch.autograd.gradgradcheck(counted, x)])
    see("calls", len(calls))
    see("nothing to differentiate", check(lambda x: x.detach() * 0, x))
    for answer in (None, 3, (x, 3), {"a": x}):
        with see.error("no tensor"):
            check(lambda x, answer=answer: answer, x)
