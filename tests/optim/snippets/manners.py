"""How optimizers print, what they keep, and what they refuse."""

from tests.oracle.snippets import snippet


def parameters(torch):
    return [
        torch.nn.Parameter(torch.tensor([1.0, 2.0])),
        torch.nn.Parameter(torch.tensor([3.0])),
    ]


def with_gradients(parameters):
    sum((p * p).sum() for p in parameters).backward()
    return parameters


@snippet
def how_optimizers_print(torch, see):
    SGD, Adam = torch.optim.SGD, torch.optim.Adam
    w, b = parameters(torch)
    see("SGD", repr(SGD([w, b], lr=0.1)))
    see("Adam", repr(Adam([w, b])))
    see("groups", repr(SGD([{"params": [w], "lr": 0.5}, {"params": b, "name": "x"}], lr=0.1)))
    see("kind", isinstance(SGD([w], lr=0.1), torch.optim.Optimizer))


@snippet
def what_optimizers_keep(torch, see):
    for make in (
        lambda params: torch.optim.SGD(params, lr=0.1),
        lambda params: torch.optim.SGD(params, lr=0.1, momentum=0.9),
        torch.optim.Adam,
    ):
        params = parameters(torch)
        optimizer = make(params)
        see("defaults", optimizer.defaults)
        see("before", optimizer.state_dict())
        with_gradients(params)
        see("returns", optimizer.step())
        see("after", optimizer.state_dict())
        see("groups", optimizer.param_groups)
        see("known", [parameter in optimizer.state for parameter in params])


@snippet
def going_on_from_a_state(torch, see):
    for make in (
        lambda params: torch.optim.SGD(params, lr=0.1, momentum=0.9),
        lambda params: torch.optim.Adam(params, lr=0.1),
    ):
        params, others = parameters(torch), parameters(torch)
        one, other = make(with_gradients(params)), make(with_gradients(others))
        one.param_groups[0]["lr"] = 0.25
        one.step()
        other.load_state_dict(one.state_dict())
        see("loaded", other.state_dict())
        one.step()
        see("shared", other.state_dict())
        other.step()
        see("its own parameters", others)


@snippet
def states_that_do_not_fit(torch, see):
    w, b = parameters(torch)
    SGD = torch.optim.SGD
    one, two = SGD([w], lr=0.1), SGD([w, b], lr=0.1)
    groups = SGD([{"params": w}, {"params": b}], lr=0.1)
    with see.error("size"):
        one.load_state_dict(two.state_dict())
    with see.error("number"):
        one.load_state_dict(groups.state_dict())


@snippet
def states_with_more_in_them(torch, see):
    (w, b) = with_gradients(parameters(torch))
    optimizer = torch.optim.Adam([w, b])
    optimizer.step()
    group = optimizer.param_groups[0]
    optimizer.state["all"] = {"steps": 3}
    optimizer.state[w]["more"] = {"of": [torch.ones(1, dtype=torch.float64)]}
    state = optimizer.state_dict()
    see("saved", state)
    optimizer.load_state_dict(state)
    see("loaded", optimizer.state_dict())
    see("the group is another", optimizer.param_groups[0] is group)
    see("nan passes", torch.optim.SGD([w], lr=float("nan")).param_groups[0]["lr"])
    see("betas are a tuple", torch.optim.Adam([w], betas=[0.9, 0.99]).defaults["betas"])


@snippet
def groups_that_the_program_keeps(torch, see):
    w, b = parameters(torch)
    first, second = {"params": w, "lr": 0.5}, {"params": [b]}
    optimizer = torch.optim.SGD([first], lr=0.1)
    optimizer.add_param_group(second)
    see("the same dicts", [g is d for g, d in zip(optimizer.param_groups, (first, second))])
    see("completed", (first, second))


@snippet
def parameters_with_names(torch, see):
    w, b = parameters(torch)
    more = torch.nn.Parameter(torch.ones(1))
    layer = torch.nn.Linear(1, 1)
    optimizer = torch.optim.SGD(layer.named_parameters(), lr=0.1)
    see("names", (repr(optimizer), optimizer.state_dict()))
    other = torch.optim.SGD([("first", w), ("second", b)], lr=0.2)
    other.load_state_dict(optimizer.state_dict())
    see("loaded", other.state_dict())
    with see.error("without names"):
        optimizer.add_param_group({"params": [more]})
    with see.error("names for some"):
        optimizer.add_param_group({"params": [("more", more), torch.nn.Parameter(more)]})
    with see.error("with names"):
        torch.optim.SGD([more], lr=0.1).add_param_group({"params": [("w", w)]})


@snippet
def parameters_that_are_refused(torch, see):
    w, b = parameters(torch)
    wrong = {
        "nothing": [],
        "a tensor": w,
        "a number": [3],
        "generators in a list": [torch.nn.Linear(1, 1).parameters()],
        "lists in a list": [[w], [b]],
        "a result": [w * 2],
        "twice in two groups": [{"params": [w]}, {"params": [w]}],
        "a set in a group": [{"params": {w}}],
        "a dict": {"a": 1},
        "a group without parameters": [{"lr": 1}],
        "no iterable": 3,
    }
    for name, params in wrong.items():
        with see.error(name):
            torch.optim.SGD(params, lr=0.1)
    optimizer = torch.optim.SGD([w], lr=0.1)
    with see.error("added twice"):
        optimizer.add_param_group({"params": [w]})
    with see.error("added, a list"):
        optimizer.add_param_group([b])
    see("twice in one group", len(torch.optim.SGD([w, w], lr=0.1).param_groups))
    optimizer.add_param_group({"params": b, "lr": 0.5})
    see("added", [group["lr"] for group in optimizer.param_groups])


@snippet
def options_that_are_refused(torch, see):
    params = parameters(torch)
    wrong = {
        "SGD": (
            {"lr": -1},
            {"momentum": -1},
            {"weight_decay": -1},
            {"nesterov": True},
            {"nesterov": True, "momentum": 0.9, "dampening": 0.1},
            {"lr": "high"},
            {"fused": True, "foreach": True},
        ),
        "Adam": (
            {"lr": -1},
            {"eps": -1},
            {"weight_decay": -1},
            {"betas": (1.0, 0.9)},
            {"betas": (0.9, -0.1)},
            {"betas": (0, 0.9)},
            {"betas": (torch.tensor(0.9), 0.9)},
            {"lr": float("nan")},
        ),
    }
    for name, several in wrong.items():
        for options in several:
            with see.error(f"{name} {options}"):
                getattr(torch.optim, name)(params, **options)


@snippet
def clearing_gradients(torch, see):
    params = parameters(torch)
    optimizer = torch.optim.SGD(params[:1], lr=0.1)
    with_gradients(params)
    optimizer.zero_grad()
    see("default", [parameter.grad for parameter in params])
    optimizer.step()
    see("a step without gradients", params)
    with_gradients(params)
    gradient = params[0].grad
    optimizer.zero_grad(set_to_none=False)
    see("zeros", [gradient is params[0].grad, gradient])
    (first,) = torch.autograd.grad((params[0] ** 3).sum(), params[0], create_graph=True)
    params[0].grad = first
    optimizer.zero_grad(set_to_none=False)
    see("cut off", [first, first.requires_grad])


@snippet
def a_closure(torch, see):
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)

    def closure():
        optimizer.zero_grad()
        loss = (w * w).sum()
        loss.backward()
        return loss

    with torch.no_grad():
        see("returns", optimizer.step(closure))
    see("stepped", w)


@snippet
def a_step_between_forward_and_backward(torch, see):
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)
    (w * w).sum().backward()
    loss = (w * w).sum()
    optimizer.step()
    see("w", [w, w._version])
    with see.error("backward"):
        loss.backward()
