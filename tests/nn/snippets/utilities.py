"""Clipping gradients, and parameters as one vector."""

from tests.oracle.snippets import snippet


def two_gradients(torch, dtype):
    a = torch.zeros(2, requires_grad=True)
    b = torch.zeros(2, 2, dtype=dtype, requires_grad=True)
    a.grad = torch.tensor([3.0, -4.0])
    b.grad = torch.tensor([[0.5, 0.0], [-12.0, 1.0]], dtype=dtype)
    return a, torch.zeros(3, requires_grad=True), b


@snippet
def gradients_clipped_by_norm(torch, see):
    clip = torch.nn.utils.clip_grad_norm_
    for dtype in (torch.float32, torch.float64):
        for order in (2.0, 1, 3, "inf", float("inf")):
            for most in (1.0, 5, 100):
                given = two_gradients(torch, dtype)
                total = clip(given, most, order)
                see(f"{dtype}, {order}, {most}", [total, given[0].grad, given[2].grad])
    a, none, b = two_gradients(torch, torch.float32)
    kept = a.grad
    see("one", clip(a, 1.0))
    see("in place", [kept is a.grad, kept.requires_grad, kept])
    see("none", [clip([], 1.0), clip([none], 1.0), none.grad])
    see("no longer a generator", clip((p for p in ()), 1.0))
    see("generator", [clip((p for p in (a, b)), max_norm=2.0), b.grad])
    a.grad = torch.tensor([float("inf"), 1.0])
    with see.error("infinite"):
        clip([a], 1.0, error_if_nonfinite=True)
    see("infinite all the same", [clip([a], 1.0), a.grad])


@snippet
def gradients_clipped_by_value(torch, see):
    for most in (1, 0.25, 100.0):
        given = two_gradients(torch, torch.float64)
        see(f"{most}", torch.nn.utils.clip_grad_value_(given, most))
        see(f"{most}: gradients", [given[0].grad, given[1].grad, given[2].grad])
    a = given[0]
    torch.nn.utils.clip_grad_value_(a, 2)
    see("one", [a.grad, a.grad._version])
    torch.nn.utils.clip_grad_value_((p for p in given), 0.125)
    see("generator", [a.grad, given[2].grad])


@snippet
def parameters_as_one_vector(torch, see):
    to_vector = torch.nn.utils.parameters_to_vector
    from_vector = torch.nn.utils.vector_to_parameters
    torch.manual_seed(0)
    net = torch.nn.Linear(2, 3)
    vector = to_vector(net.parameters())
    see("vector", [vector, vector.grad_fn.name()])
    (vector**2).sum().backward()
    see("gradients", [p.grad for p in net.parameters()])
    new = torch.arange(9.0)
    from_vector(new, net.parameters())
    see("new", list(net.parameters()))
    new[0] = 50
    see("one memory", net.weight)
    with see.error("list"):
        from_vector([1.0], net.parameters())
    with see.error("too short"):
        from_vector(torch.ones(3), net.parameters())
