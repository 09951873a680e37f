"""What a parameter is."""

import copy

from tests.oracle.snippets import snippet


@snippet
def a_parameter(torch, see):
    data = torch.tensor([1.0, 2.0])
    p = torch.nn.Parameter(data)
    see("it", p)
    see("a number", f"{torch.nn.Parameter(torch.tensor(1.0))}")
    with see.error("a number in a format"):
        f"{torch.nn.Parameter(torch.tensor(1.0)):.2f}"
    see("nothing", torch.nn.Parameter())
    see("frozen", torch.nn.Parameter(data, requires_grad=False))
    see("it is a tensor", isinstance(p, torch.Tensor))
    see("other results", {type(r) is torch.Tensor for r in (p * 1, p[0], p.data, p.detach())})
    see("shares memory", p.data_ptr() == data.data_ptr())
    see("leaf and version", (p.is_leaf, p._version))
    with torch.no_grad():
        p.add_(1)
    see("written", (data, data._version))
    for name, wrong in {"integers": torch.tensor([1, 2]), "a number": 3.0}.items():
        with see.error(name):
            torch.nn.Parameter(wrong)


@snippet
def a_copy_of_a_parameter(torch, see):
    p = torch.nn.Parameter(torch.tensor([1.0, 2.0]))
    (p * p).sum().backward()
    other = copy.deepcopy(p)
    see("copy", other)
    see("gradients", (p.grad, other.grad))
    both = copy.deepcopy([p, p])
    see("once each", both[0] is both[1])
