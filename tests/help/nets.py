"""Nets that do not learn, and what `checkup` has to say of each; the same for both libraries.

Each function takes the library and returns what is handed to `checkup`. `SAID` tells what the
findings begin with, in order, and `mended` what a learner would have written.
"""


def mended(mg):
    net = mg.nn.Sequential(mg.nn.Linear(2, 2), mg.nn.Tanh(), mg.nn.Linear(2, 1))
    optimizer = mg.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(2):
        optimizer.zero_grad()
        loss = net(mg.ones(1, 2)).sum()
        loss.backward()
    return net, optimizer, loss


def layers_in_a_list(mg):
    class Net(mg.nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = [mg.nn.Linear(2, 2), mg.nn.Linear(2, 1)]
            self.out = mg.nn.Linear(1, 1)

        def forward(self, x):
            for layer in self.layers:
                x = layer(x)
            return self.out(x)

    net = Net()
    return net, mg.optim.SGD(net.parameters(), lr=0.1), net(mg.ones(1, 2)).sum()


def a_plain_tensor(mg):
    net = mg.nn.Linear(1, 1)
    net.scale = mg.ones(1, requires_grad=True)
    return net, None, net(mg.ones(1, 1)) * net.scale


def tensors_in_a_dict(mg):
    net = mg.nn.Linear(1, 1)
    net.scales = {"a": mg.ones(1, requires_grad=True)}
    return net, None, net(mg.ones(1, 1)) * net.scales["a"]


def a_buffer_is_no_stranger(mg):
    net = mg.nn.Linear(1, 1)
    net.register_buffer("mean", mg.zeros(1))
    net.history = [1.0, 2.0]
    net.target = mg.ones(1)
    return net, None, net(mg.ones(1, 1) - net.mean)


def a_layer_replaced_after_the_optimizer(mg):
    net = mg.nn.Sequential(mg.nn.Linear(1, 1))
    optimizer = mg.optim.SGD(net.parameters(), lr=0.1)
    net[0] = mg.nn.Linear(1, 1)
    return net, optimizer, net(mg.ones(1, 1))


def a_layer_that_forward_leaves_out(mg):
    class Net(mg.nn.Module):
        def __init__(self):
            super().__init__()
            self.used, self.forgotten = mg.nn.Linear(1, 1), mg.nn.Linear(1, 1)

        def forward(self, x):
            return self.used(x)

    net = Net()
    return net, mg.optim.SGD(net.parameters(), lr=0.1), net(mg.ones(1, 1))


def a_loss_without_history(mg):
    net = mg.nn.Linear(1, 1)
    return net, None, net(mg.ones(1, 1)).detach().sum()


def a_frozen_layer(mg):
    net = mg.nn.Linear(1, 1)
    net.weight.requires_grad_(False)
    return net, mg.optim.SGD(net.parameters(), lr=0.1), net(mg.ones(1, 1))


def a_misspelt_flag(mg):
    net = mg.nn.Linear(1, 1)
    net.weight.require_grad = False
    return net, None, net(mg.ones(1, 1))


def a_gradient_that_is_nan(mg):
    net = mg.nn.Linear(1, 1, bias=False)
    loss = ((net.weight * 0) ** 0.5).sum() * 0
    loss.backward()
    return net, None, loss


def a_relu_that_is_off(mg):
    net = mg.nn.Linear(1, 1)
    loss = (net(mg.ones(1, 1)) - 100).relu().sum()
    loss.backward()
    return net, None, loss


SAID = {
    mended: ["Nothing stands out."],
    a_buffer_is_no_stranger: ["Nothing stands out."],
    layers_in_a_list: ["layers holds layers in a plain list"],
    a_plain_tensor: ["scale asks for gradients but is a plain tensor"],
    tensors_in_a_dict: ["scales holds tensors that ask for gradients in a plain dict"],
    a_layer_replaced_after_the_optimizer: [
        "The optimizer does not know 0.weight, 0.bias, and a step changes only what it knows: they",
    ],
    a_layer_that_forward_leaves_out: [
        "The loss does not lead back to forgotten.weight, forgotten.bias"
    ],
    a_loss_without_history: ["The loss does not lead back to any parameter of this net."],
    a_frozen_layer: ["Frozen (requires_grad is False): weight"],
    a_misspelt_flag: ["net.weight.require_grad is an attribute that nothing reads (line "],
    a_gradient_that_is_nan: ["The gradient of weight is not a number one can step by"],
    a_relu_that_is_off: ["The gradient of weight, bias is 0 everywhere"],
}


def unlike(findings, begins):
    """The pairs of a finding and what it should have begun with, where they differ."""
    if len(findings) != len(begins):
        return [(findings, begins)]
    return [pair for pair in zip(findings, begins) if not pair[0].startswith(pair[1])]
