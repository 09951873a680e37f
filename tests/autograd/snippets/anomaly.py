"""Anomaly mode."""

# ruff: noqa: RUF059, SIM117 - the line that raises stands apart

from tests.oracle.snippets import snippet


@snippet
def a_nan_is_an_error(torch, see):
    x = torch.tensor([0.0, 1.0], requires_grad=True)
    with torch.autograd.set_detect_anomaly(True):
        y = (x.sqrt() * 0).sum()
        with see.error("nan"):
            y.backward()
    see("off again", torch.is_anomaly_enabled())
    x.grad = None
    y = (x.sqrt() * 0).sum()
    y.backward()
    see("without it", x.grad)


@snippet
def the_check_can_be_left_out(torch, see):
    x = torch.tensor([0.0, 1.0], requires_grad=True)
    with torch.autograd.detect_anomaly(check_nan=False):
        y = (x.sqrt() * 0).sum()
        y.backward()
    see("x.grad", x.grad)


@snippet
def modes_nest(torch, see):
    seen = []
    with torch.autograd.set_detect_anomaly(True):
        seen.append(torch.is_anomaly_enabled())
        with torch.autograd.set_detect_anomaly(False):
            seen.append(torch.is_anomaly_enabled())
        seen.append(torch.is_anomaly_enabled())
        with see.error("raised inside"):
            with torch.autograd.set_detect_anomaly(False):
                raise ValueError
        seen.append(torch.is_anomaly_enabled())
    seen.append(torch.is_anomaly_enabled())
    see("enabled", seen)
    torch.autograd.set_detect_anomaly(True)
    see("as a function", torch.is_anomaly_enabled())
    torch.autograd.set_detect_anomaly(False)


@snippet
def a_function_that_raises(torch, see):
    class Bad(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, grad):
            raise RuntimeError("some error in backward")

    x = torch.ones(2, requires_grad=True)
    with torch.autograd.set_detect_anomaly(True):
        with see.error("custom"):
            Bad.apply(x).sum().backward()


@snippet
def in_a_second_pass(torch, see):
    x = torch.tensor(0.0, requires_grad=True)
    with torch.autograd.set_detect_anomaly(True):
        y = x.abs().sqrt()
        with see.error("first"):
            (g,) = torch.autograd.grad(y * 0, x, create_graph=True)


@snippet
def errors_in_hooks(torch, see):
    def boom(*args):
        raise ValueError("boom")

    def registers(x, y):
        leaf = y.grad_fn.next_functions[0][0]
        yield y.register_hook
        yield y.grad_fn.register_prehook
        yield y.grad_fn.register_hook
        yield x.register_hook
        yield x.register_post_accumulate_grad_hook
        yield leaf.register_prehook
        yield leaf.register_hook

    with torch.autograd.set_detect_anomaly(True):
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        y = x * 2
        for register in registers(x, y):
            handle = register(boom)
            with see.error("raises"):
                y.sum().backward(retain_graph=True)
            handle.remove()
        x.register_hook(boom)
        with see.error("asked for"):
            torch.autograd.grad(y.sum(), x, retain_graph=True)
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    x.register_hook(boom)
    with torch.autograd.set_detect_anomaly(True), see.error("used before"):
        (y * x).sum().backward()


@snippet
def what_hooks_make_of_nan(torch, see):
    with torch.autograd.set_detect_anomaly(True):
        x = torch.tensor([0.0, 4.0], requires_grad=True)
        y = x * 2
        handle = y.grad_fn.register_hook(lambda grads, _: (grads[0] / 0 * 0, None))
        with see.error("made"):
            y.sum().backward(retain_graph=True)
        handle.remove()
        with see.error("given"):
            y.backward(torch.tensor([float("nan"), 1.0]))
        with see.error("freed"):
            y.backward(torch.ones(2))
        root = x.sqrt()
        root.grad_fn.register_hook(lambda *_: (torch.ones(2),))
        (root * 0).sum().backward()
        see("taken away", x.grad)
        torch.autograd.backward([x], [torch.tensor([float("nan"), 1.0])])
        see("given to a leaf", x.grad)
