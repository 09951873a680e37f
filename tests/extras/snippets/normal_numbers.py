"""`torch.normal` where mean and deviation are numbers, and where each element has its own."""

from tests.oracle.snippets import snippet


@snippet
def normal_numbers_of_a_size(torch, see):
    torch.manual_seed(3)
    see("of numbers", torch.normal(0, 1, size=(3,)))
    see("in place order", torch.normal(0.5, 2.0, (2, 2)))
    see("named", torch.normal(mean=-1.0, std=0.3, size=[2]))
    see("a leaf", torch.normal(0.0, 0.01, (2,), dtype=torch.float64, requires_grad=True))
    generator = torch.Generator().manual_seed(5)
    see("from a generator", torch.normal(0.0, 1.0, (2,), generator=generator))
    see("what comes next", torch.rand(1))


@snippet
def normal_numbers_of_tensors(torch, see):
    torch.manual_seed(3)
    means, deviations = torch.linspace(-1, 1, 7), torch.linspace(0.1, 3, 7)
    see("of means", torch.normal(means))
    see("of means and a number", torch.normal(means, 1.7))
    see("of deviations", torch.normal(0.3, deviations))
    see("of both", torch.normal(means, deviations))
    see("broadcast", torch.normal(torch.zeros(2, 1), torch.ones(1, 3)))
    see("of two dtypes", torch.normal(means.double(), deviations))
    see("of halves", torch.normal(0.2, torch.full((3,), 0.3, dtype=torch.float16)))
    see("what comes next", torch.rand(1))


@snippet
def gradients_of_normal_numbers(torch, see):
    torch.manual_seed(3)
    mean = torch.zeros(2, 1, requires_grad=True)
    std = torch.ones(3, requires_grad=True)
    for name, y in {
        "of means": torch.normal(mean, 2.0),
        "of deviations": torch.normal(0.5, std),
        "of both": torch.normal(mean, std),
    }.items():
        see(name, (y.grad_fn.name(), y))
        y.sum().backward()
    see("gradients", (mean.grad, std.grad))


@snippet
def refused_normal_numbers(torch, see):
    torch.manual_seed(3)
    two = torch.zeros(2)
    calls = {
        "a negative number": lambda: torch.normal(0.0, -1.0, (2,)),
        "a negative number beside a tensor": lambda: torch.normal(two, -1.0),
        "a negative element": lambda: torch.normal(two, torch.tensor([1.0, -1.0])),
        "whole numbers": lambda: torch.normal(0.0, 1.0, (2,), dtype=torch.int64),
        "whole means": lambda: torch.normal(two.long(), 1.0),
        "sizes that do not fit": lambda: torch.normal(two, torch.ones(3)),
    }
    for name, call in calls.items():
        with see.error(name):
            call()
    for given in [(0, 1), (two, 1.0, (2,)), (0, 1, 3)]:
        try:
            torch.normal(*given)
        except TypeError as error:
            see("no form", str(error).partition(",")[0])
    see("nothing was drawn", torch.rand(1))
