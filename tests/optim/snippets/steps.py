"""Where optimizers go, step by step."""

from tests.oracle.snippets import snippet


def walk(torch, see, make, steps=6, dtype="float64"):
    """Follow an optimizer down a bent valley; one parameter has no gradient in every third step."""
    dtype = getattr(torch, dtype)
    w = torch.tensor([1.5, -0.75, 0.0], dtype=dtype, requires_grad=True)
    b = torch.tensor(2.0, dtype=dtype, requires_grad=True)
    optimizer = make([w, b])
    for step in range(steps):
        optimizer.zero_grad()
        loss = (w**4).sum() + (w * w).sum() * 0.5 + (w[0] - 2 * w[1]) ** 2
        if step % 3 != 2:
            loss = loss + (b * w).sum() ** 2 + b * b
        loss.backward()
        optimizer.step()
        see(f"after step {step}", [w.tolist(), b.item(), loss.item()])
    see("state", optimizer.state_dict())
    see("versions", [w._version, b._version])


SGD = {
    "plain": {},
    "momentum": {"momentum": 0.9},
    "dampening": {"momentum": 0.9, "dampening": 0.25},
    "weight_decay": {"weight_decay": 0.1},
    "momentum_and_weight_decay": {"momentum": 0.5, "weight_decay": 0.1},
    "nesterov": {"momentum": 0.9, "nesterov": True, "weight_decay": 0.01},
    "maximize": {"maximize": True, "momentum": 0.9, "lr": 1e-3},
}
ADAM = {
    "plain": {},
    "options": {"betas": (0.5, 0.75), "eps": 0.01},
    "weight_decay": {"weight_decay": 0.1},
    "decoupled": {"weight_decay": 0.1, "decoupled_weight_decay": True},
    "amsgrad": {"amsgrad": True, "betas": (0.9, 0.5)},
    "maximize": {"maximize": True},
}


@snippet
def steps_of_sgd(torch, see):
    for name, options in SGD.items():
        see(name, "")
        walk(torch, see, lambda params, o=options: torch.optim.SGD(params, **{"lr": 0.01, **o}))


@snippet
def steps_of_adam(torch, see):
    for name, options in ADAM.items():
        see(name, "")
        walk(torch, see, lambda params, o=options: torch.optim.Adam(params, **{"lr": 0.05, **o}))


@snippet
def steps_in_single_precision(torch, see):
    walk(torch, see, lambda params: torch.optim.SGD(params, 0.01, 0.9), 3, "float32")
    walk(torch, see, lambda params: torch.optim.Adam(params, 0.05), 3, "float32")


@snippet
def groups_with_options_of_their_own(torch, see):
    def make(params):
        w, b = params
        groups = [{"params": [w], "lr": 0.001}, {"params": b, "momentum": 0.5}]
        return torch.optim.SGD(groups, lr=0.01, momentum=0.9)

    walk(torch, see, make)


@snippet
def a_learning_rate_that_changes(torch, see):
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=torch.tensor(0.25))
    for rate in (None, 0.5, 0.0):
        if rate is not None:
            optimizer.param_groups[0]["lr"] = rate
        optimizer.zero_grad()
        (w * w).sum().backward()
        optimizer.step()
        see(str(rate), w)


@snippet
def training_a_small_network(torch, see):
    for make in (
        lambda params: torch.optim.SGD(params, lr=0.5, momentum=0.5),
        lambda params: torch.optim.Adam(params, lr=0.05),
    ):
        torch.manual_seed(0)
        nn = torch.nn
        net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 2)).double()
        x = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], dtype=torch.float64)
        y = torch.tensor([0, 1, 1, 0])
        loss_of, optimizer = nn.CrossEntropyLoss(), make(net.parameters())
        for step in range(60):
            optimizer.zero_grad()
            loss = loss_of(net(x), y)
            loss.backward()
            optimizer.step()
            if step % 10 == 9:
                see(f"step {step}", loss.item())
        see("answers", net(x).argmax(1))
