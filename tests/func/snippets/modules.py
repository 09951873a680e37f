"""``func.functional_call`` and ``func.stack_module_state``."""

from tests.oracle.snippets import snippet


def small_net(torch, seed=0):
    torch.manual_seed(seed)
    return torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh(), torch.nn.Linear(3, 1))


@snippet
def calls(torch, see):
    call = torch.func.functional_call
    net, x = small_net(torch), torch.tensor([[1.0, 2.0]])
    before = {name: p.detach().clone() for name, p in net.named_parameters()}
    zeros = {name: torch.zeros_like(p) for name, p in net.named_parameters()}
    see("own", net(x))
    see("all replaced", call(net, zeros, (x,)))
    see("one argument", call(net, zeros, x))
    see("one replaced", call(net, {"2.bias": torch.tensor([5.0])}, x))
    see("two dicts", call(net, ({"2.bias": torch.ones(1)}, {"0.bias": torch.ones(3)}), x))
    see("unchanged", all(torch.equal(p, before[name]) for name, p in net.named_parameters()))
    see("still parameters", all(p.is_leaf and p.requires_grad for p in net.parameters()))
    own = dict(net.named_parameters())
    see("a name it has not", call(net, {"0.more": torch.ones(1), "2.bias": torch.ones(1)}, x))
    see("and has not now", hasattr(net[0], "more"))
    with see.error("a module it has not"):
        call(net, {"7.bias": torch.ones(1)}, x)
    with see.error("an error inside"):
        call(net, {"2.bias": torch.ones(1)}, torch.ones(1, 5))
    see("back again", dict(net.named_parameters())["2.bias"] is own["2.bias"])
    layer = torch.nn.Linear(2, 1)
    see("keyword", call(layer, {"weight": torch.ones(1, 2), "bias": torch.zeros(1)}, (),
                        {"input": x}))  # fmt: skip


@snippet
def ties_and_names(torch, see):
    call = torch.func.functional_call

    class Tied(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.a = torch.nn.Parameter(torch.tensor([1.0]))
            self.b = self.a
            self.register_buffer("c", torch.tensor([2.0]))

        def forward(self, x):
            return self.a * x + self.b * self.c

    module, x = Tied(), torch.tensor([10.0])
    new = torch.tensor([3.0])
    see("tied", call(module, {"a": new}, x))
    see("untied", call(module, {"a": new}, x, tie_weights=False).detach())
    see("buffer", call(module, {"c": new}, x).detach())
    see("strict", call(module, {"a": new, "c": new}, x, strict=True))
    for label, given, options in (
        ("two values", {"a": new, "b": x}, {}),
        ("missing", {"a": new}, {"strict": True}),
        ("unknown, strict", {"a": new, "c": new, "d": new}, {"strict": True}),
        ("in both", ({"a": new}, {"a": new}), {}),
        ("no dict", 3, {}),
        ("no dicts", [3], {}),
    ):
        with see.error(label):
            call(module, given, x, **options)
    see("after all", module(x).detach())


@snippet
def stacks(torch, see):
    F = torch.func
    nets = [small_net(torch, seed) for seed in range(3)]
    params, buffers = F.stack_module_state(nets)
    see("shapes", {name: list(p.shape) for name, p in params.items()})
    see("leaves", all(p.is_leaf and p.requires_grad for p in params.values()))
    see("buffers", buffers)
    x = torch.tensor([1.0, 3.0])
    call = lambda p, b, x: F.functional_call(nets[0], (p, b), (x,))  # noqa: E731
    see("ensemble", F.vmap(call, in_dims=(0, 0, None))(params, buffers, x).detach())
    with see.error("none"):
        F.stack_module_state([])
    with see.error("classes"):
        F.stack_module_state([nets[0], torch.nn.Linear(2, 1)])
    with see.error("modes"):
        F.stack_module_state([nets[0], small_net(torch).eval()])


@snippet
def what_a_module_assigns(torch, see):
    """It goes into the dict that was given, as what it writes in place does."""

    class Counts(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("calls", torch.zeros(1))
            self.register_buffer("total", torch.zeros(1))

        def forward(self, x):
            self.calls = self.calls + 1
            self.total += x
            if x > 5:
                raise ValueError("too large")
            return self.calls * self.total

    counts, two = Counts(), torch.tensor([2.0])
    for tied in [True, False]:
        given = {"calls": torch.ones(1), "total": two.clone()}
        for x in [two, two, two * 3]:
            with see.error("call"):
                see("answer", torch.func.functional_call(counts, given, x, tie_weights=tied))
            see("given", given)
    see("its own", dict(counts.named_buffers()))
    given = {"calls": torch.ones(1)}
    see("some", (torch.func.functional_call(counts, given, two), given))
    see("all of its own", dict(counts.named_buffers()))
