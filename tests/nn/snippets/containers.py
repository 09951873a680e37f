"""Lists and dicts of modules and of parameters."""

from collections import OrderedDict

from tests.oracle.snippets import snippet


def seen(net):
    return [repr(net), [name for name, _ in net.named_parameters()]]


@snippet
def lists_of_modules(torch, see):
    nn = torch.nn
    layers = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2), nn.Tanh()])
    see("three", seen(layers))
    see("empty", seen(nn.ModuleList()))
    see("nested", seen(nn.ModuleList([nn.Sequential(nn.ReLU()), nn.Sequential(nn.ReLU())])))
    see("ways to read", [len(layers), repr(layers[-1]), repr(layers[1:]), layers[0] is layers[-3]])
    see("append", layers.append(nn.ReLU()) is layers)
    see("extend", layers.extend([nn.Linear(2, 1)]) is layers)
    layers += [nn.Sigmoid()]
    see("longer", seen(layers))
    see("sum", seen(layers[:1] + [nn.Tanh()]))
    layers.insert(1, nn.Flatten())
    layers[0] = nn.Linear(3, 3)
    see("changed", seen(layers))
    see("pop", repr(layers.pop(-1)))
    del layers[0]
    del layers[1:3]
    see("shorter", seen(layers))
    see("state", list(layers.state_dict()))
    for index in (9, -9):
        with see.error(f"index {index}"):
            layers[index]
    with see.error("a number"):
        nn.ModuleList(3)
    with see.error("no modules"):
        nn.ModuleList([3])
    with see.error("called"):
        layers(torch.ones(2))


@snippet
def dicts_of_modules(torch, see):
    nn = torch.nn
    parts = nn.ModuleDict({"a": nn.Linear(2, 1), "b": nn.Tanh()})
    see("two", seen(parts))
    see("empty", seen(nn.ModuleDict()))
    see("pairs", seen(nn.ModuleDict([("a", nn.ReLU()), ["c", nn.Tanh()]])))
    see("ordered", seen(nn.ModuleDict(OrderedDict(z=nn.ReLU(), a=nn.Tanh()))))
    parts["c"] = nn.Linear(1, 1, bias=False)
    parts.update(nn.ModuleDict({"a": nn.ReLU()}))
    see("changed", seen(parts))
    see("keys", [list(parts), list(parts.keys()), [name for name, _ in parts.items()]])
    see("values", [repr(part) for part in parts.values()])
    see("in it", ["a" in parts, "z" in parts, len(parts), parts["b"] is parts.b])
    see("pop", repr(parts.pop("b")))
    del parts["a"]
    see("shorter", seen(parts))
    for name, key in {"missing": "z", "taken": "keys", "dot": "a.b"}.items():
        with see.error(name):
            if name == "missing":
                parts[key]
            parts[key] = nn.ReLU()
    for name, wrong in {"number": 3, "numbers": [3], "three": [(1, 2, 3)], "no": {"a": 3}}.items():
        with see.error(name):
            nn.ModuleDict(wrong)
    with see.error("called"):
        parts(torch.ones(2))
    parts.clear()
    see("cleared", len(parts))


@snippet
def lists_of_parameters(torch, see):
    nn = torch.nn
    values = nn.ParameterList([nn.Parameter(torch.ones(2)), torch.zeros(2, 3)])
    see("two", seen(values))
    see("empty", seen(nn.ParameterList()))
    see("second", values[1])
    values.append(torch.tensor(1.0)).append("text")
    values += [torch.ones(1)]
    see("longer", seen(values))
    values[0] = torch.ones(4)
    see("changed", [len(values), values[0], values[-2], seen(values[1:3])])
    see("all", [type(value).__name__ for value in values])
    sum(value.sum() for value in values if not isinstance(value, str)).backward()
    see("gradients", [parameter.grad for parameter in values.parameters()])
    with see.error("index"):
        values[9]
    with see.error("a tensor"):
        nn.ParameterList(torch.ones(2))
    with see.error("a number"):
        values.extend(3)
    with see.error("called"):
        values(torch.ones(2))


@snippet
def containers_in_a_network(torch, see):
    nn = torch.nn

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2)])
            self.ends = nn.ModuleDict({"sum": nn.Linear(2, 1)})
            self.scales = nn.ParameterList([torch.ones(2)])
            self.none = nn.ModuleList()
            self.nothing = nn.Sequential()

        def forward(self, x, end):
            for layer in self.layers:
                x = layer(x).tanh()
            return self.ends[end](x * self.scales[0])

    torch.manual_seed(0)
    net = Net()
    see("net", seen(net))
    see("modules", [name for name, _ in net.named_modules()])
    y = net(torch.ones(3, 2), "sum")
    y.sum().backward()
    see("gradients", [y, *(parameter.grad for parameter in net.parameters())])
    see("loaded", str(Net().load_state_dict(net.state_dict())))
