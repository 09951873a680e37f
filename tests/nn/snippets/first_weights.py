"""Filling weights before training: the numbers, what is recorded, and what is refused."""

from tests.oracle.snippets import snippet


@snippet
def weights_filled(torch, see):
    init = torch.nn.init
    for shape in ((2, 3), (4, 5), (3, 2, 2)):
        for name, fill in {
            "uniform": lambda w: init.uniform_(w, -2.0, 3.0),
            "normal": lambda w: init.normal_(w, 1.0, 0.5),
            "constant": lambda w: init.constant_(w, 0.25),
            "ones": init.ones_,
            "zeros": init.zeros_,
            "xavier uniform": lambda w: init.xavier_uniform_(w, gain=2.0),
            "xavier normal": init.xavier_normal_,
            "kaiming uniform": init.kaiming_uniform_,
            "kaiming normal": lambda w: init.kaiming_normal_(w, 0.5, "fan_out"),
            "kaiming relu": lambda w: init.kaiming_normal_(w, nonlinearity="relu"),
        }.items():
            torch.manual_seed(1)
            weight = torch.nn.Parameter(torch.empty(shape))
            answer = fill(weight)
            see(f"{shape} {name}", [weight, weight.is_leaf, answer is weight])


@snippet
def gains(torch, see):
    gain = torch.nn.init.calculate_gain
    for name in ("linear", "conv2d", "sigmoid", "tanh", "relu", "leaky_relu", "selu"):
        see(name, gain(name))
    see("slope", gain("leaky_relu", 0.2))
    for arguments in (("swish",), ("leaky_relu", True), ("leaky_relu", "0.1")):
        with see.error(str(arguments)):
            gain(*arguments)


@snippet
def what_fillings_refuse(torch, see):
    init = torch.nn.init
    for name, call in {
        "vector": lambda: init.xavier_uniform_(torch.ones(3)),
        "vector, too": lambda: init.kaiming_normal_(torch.ones(3)),
        "mode": lambda: init.kaiming_uniform_(torch.ones(2, 2), mode="sideways"),
        "integers": lambda: init.normal_(torch.ones(2, dtype=torch.int64)),
    }.items():
        with see.error(name):
            call()
    see("empty", init.kaiming_normal_(torch.ones(0, 2)))
