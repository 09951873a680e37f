"""Changing saved tensors where that is allowed."""

# ruff: noqa: SIM117 - the line that raises stands apart

from tests.oracle.snippets import snippet


@snippet
def the_values_of_before_are_used(torch, see):
    graph = torch.autograd.graph
    with graph.allow_mutation_on_saved_tensors():
        x = torch.tensor([2.0, 3.0], requires_grad=True)
        y = x.clone()
        out = (y**2).sum()
        y.sin_()
        out.backward()
        see("x.grad", x.grad)


@snippet
def results_too(torch, see):
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
        y = x.exp()
        y.mul_(10)
        see("y", y)
        y.sum().backward()
        see("x.grad", x.grad)


@snippet
def a_leaf_changed_under_no_grad(torch, see):
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        w = torch.tensor([3.0, 4.0], requires_grad=True)
        y = (x * w).sum()
        with torch.no_grad():
            w -= 1
        y.backward()
        see("x.grad", x.grad)
        see("w.grad", w.grad)
        see("w", w)


@snippet
def what_it_refuses(torch, see):
    graph = torch.autograd.graph
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    with see.error("nested"):
        with graph.allow_mutation_on_saved_tensors():
            with graph.allow_mutation_on_saved_tensors():
                pass
    with graph.allow_mutation_on_saved_tensors():
        y = x.sin().sum()
    with see.error("backward outside"):
        y.backward()
    with see.error("cleared"):
        with graph.allow_mutation_on_saved_tensors() as context:
            y = x.sin().sum()
            context.clear()
            y.backward()
    y = x.clone()
    z = y.sin().sum()
    y.zero_()
    with see.error("it is over"):
        z.backward()


@snippet
def versions_that_nobody_counted(torch, see):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1.0
    z = y.sin().sum()
    y.detach().numpy()[0] = 5.0
    see("not counted", y._version)
    torch.autograd.graph.increment_version(y)
    see("counted", y._version)
    with see.error("backward"):
        z.backward()
    a, b = torch.ones(2), torch.ones(3)
    torch.autograd.graph.increment_version([a, b, a])
    see("several", (a._version, b._version))
