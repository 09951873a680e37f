"""What a module holds, how it prints, and what it refuses."""

import copy
from collections import OrderedDict
from types import MappingProxyType

from tests.oracle.snippets import snippet


def network(torch):
    torch.manual_seed(1)
    nn = torch.nn
    inner = nn.Sequential(nn.Linear(3, 1, bias=False), nn.Tanh(), nn.Sigmoid())
    return nn.Sequential(nn.Linear(2, 3), nn.ReLU(), inner)


@snippet
def how_modules_print(torch, see):
    nn = torch.nn

    class Noted(nn.Module):
        def __init__(self, note):
            super().__init__()
            self.note = note
            self.layer = nn.Linear(1, 1)

        def extra_repr(self):
            return self.note

    shown = (
        network(torch),
        nn.Sequential(),
        nn.Sequential(OrderedDict(layer=nn.Linear(1, 1), bend=nn.ReLU())),
        nn.Sequential(nn.Flatten(0, 1), nn.MSELoss(), nn.CrossEntropyLoss(), nn.ReLU(True)),
        Noted("one line"),
        Noted("two\nlines"),
    )
    for number, module in enumerate(shown):
        see(str(number), repr(module))


@snippet
def walking_through_modules(torch, see):
    net = network(torch)
    see("parameters", [name for name, _ in net.named_parameters()])
    see("its own", [name for name, _ in net.named_parameters(recurse=False)])
    see("under a prefix", [name for name, _ in net.named_parameters("net")])
    see("modules", [name for name, _ in net.named_modules()])
    see("children", [name for name, _ in net.named_children()])
    order = []
    net.apply(lambda module: order.append(type(module).__name__))
    see("apply", order)
    shared = torch.nn.Linear(1, 1)
    twice = torch.nn.Sequential(shared, shared)
    see("parameters, shared", [name for name, _ in twice.named_parameters()])
    see("all paths", [n for n, _ in twice.named_parameters(remove_duplicate=False)])
    see("modules, shared", [name for name, _ in twice.named_modules()])
    see("children, shared", len(list(twice.children())))
    see("state, shared", list(twice.state_dict()))


@snippet
def attributes_of_modules(torch, see):
    nn = torch.nn
    m = nn.Module()
    m.layer = nn.Linear(1, 1)
    m.weight = nn.Parameter(torch.ones(2))
    m.register_buffer("seen", torch.zeros(2))
    m.note = "text"
    see("parameters", [name for name, _ in m.named_parameters()])
    see("buffers", [name for name, _ in m.named_buffers()])
    see("listed", [name in dir(m) for name in ("layer", "weight", "seen", "note", "nothing")])
    wrong = {"number": 3, "tensor": torch.ones(2), "module": nn.ReLU()}
    for name in ("weight", "layer", "seen"):
        for kind, value in wrong.items():
            if (name, kind) not in {("layer", "module"), ("seen", "tensor"), ("seen", "module")}:
                if (name, kind) != ("weight", "module"):  # names the place of the class
                    with see.error(f"{name} = {kind}"):
                        setattr(m, name, value)
    m.weight = None
    see("weight set to None", [m.weight, len(list(m.parameters()))])
    m.weight = nn.Parameter(torch.zeros(1))
    see("and back", m.weight)
    m.layer = nn.Parameter(torch.ones(1))
    see("a parameter in place of a module", [[n for n, _ in m.named_parameters()], repr(m)])
    m.note = nn.Parameter(torch.ones(1))
    see("a parameter in place of a text", m.note)
    del m.layer
    with see.error("deleted"):
        m.layer  # noqa: B018 - reading it raises
    with see.error("not there"):
        m.nothing  # noqa: B018 - reading it raises


@snippet
def names_that_modules_refuse(torch, see):
    m = torch.nn.Module()
    m.layer = torch.nn.Linear(1, 1)
    for name in ("a.b", "", "forward", "layer"):
        with see.error(f"parameter {name!r}"):
            m.register_parameter(name, None)
        with see.error(f"buffer {name!r}"):
            m.register_buffer(name, None)
    for name in ("a.b", "", "forward"):
        with see.error(f"module {name!r}"):
            m.add_module(name, None)
    with see.error("parameter that is a tensor"):
        m.register_parameter("p", torch.ones(1))
    with see.error("buffer that is a number"):
        m.register_buffer("p", 3)
    with see.error("module that is a number"):
        m.add_module("p", 3)
    with see.error("module that is a number, in a sequence"):
        torch.nn.Sequential(3)


@snippet
def parameters_that_modules_refuse(torch, see):
    class Named(torch.nn.Module):
        weight = 3

    written = torch.nn.Parameter(torch.ones(2), requires_grad=False)
    written.mul_(torch.ones(2, requires_grad=True))
    see("written", written)
    m = Named()
    for name, parameter in {
        "result": written,
        "weight": torch.nn.Parameter(torch.ones(1)),
        "a.b": torch.nn.Parameter(torch.ones(1)),
        "": torch.nn.Parameter(torch.ones(1)),
        "forward": torch.nn.Parameter(torch.ones(1)),
    }.items():
        with see.error(f"{name!r} assigned"):
            setattr(m, name, parameter)
        with see.error(f"{name!r} registered"):
            m.register_parameter(name, parameter)
    see("none", list(m.parameters()))


@snippet
def what_goes_wrong_without_super(torch, see):
    class Module(torch.nn.Module):
        def __init__(self, value):
            self.part = value

    for name, value in {
        "module": torch.nn.ReLU(),
        "parameter": torch.nn.Parameter(torch.ones(1)),
        "number": 3,
    }.items():
        with see.error(name):
            see("it", Module(value).part)
    for register in ("register_buffer", "register_parameter"):
        with see.error(register):
            getattr(Module(3), register)("more", None)


@snippet
def calling_a_module(torch, see):
    with see.error("no forward"):
        torch.nn.Module()(1)
    bend = torch.nn.ReLU()
    before = bend.register_forward_pre_hook(lambda module, args: (args[0] * 3,))
    see("pre-hook", bend(torch.ones(1)))
    after = bend.register_forward_hook(lambda module, args, output: output - args[0] / 2)
    see("both hooks", bend(torch.ones(1)))
    before.remove()
    see("hook", bend(torch.ones(1)))
    after.remove()
    see("none", bend(torch.ones(1)))
    bend.register_forward_pre_hook(lambda module, args: args[0] * 5)
    bend.register_forward_hook(lambda module, args, output: None)
    see("no tuple, no output", bend(torch.ones(1)))


@snippet
def training_and_freezing(torch, see):
    net = network(torch)
    see("eval returns it", net.eval() is net)
    see("modes", [module.training for module in net.modules()])
    net[2].train()
    see("a part in training", [module.training for module in net.modules()])
    with see.error("train(3)"):
        net.train(3)
    net.requires_grad_(False)
    see("frozen", net(torch.ones(2)).requires_grad)
    net.requires_grad_()
    net(torch.ones(2)).sum().backward()
    gradient = net[0].weight.grad
    net.zero_grad(set_to_none=False)
    see("zeros, in place", [gradient is net[0].weight.grad, gradient])
    net.zero_grad()
    see("none", net[0].weight.grad)


@snippet
def dtypes_of_modules(torch, see):
    net = network(torch)
    net.register_buffer("steps", torch.tensor(3))
    net(torch.ones(2)).sum().backward()
    weight = net[0].weight
    net.double()
    see("double", [weight.dtype, weight.grad.dtype, net.steps.dtype, weight is net[0].weight])
    see("result", net(torch.ones(2, dtype=torch.float64)).dtype)
    see("to", net.to(torch.float16)[0].bias.dtype)
    see("float", net.float()[0].bias)
    with see.error("integers"):
        net.to(torch.int64)
    buffer = torch.ones(1)
    net.register_buffer("buffer", buffer)
    net.double()
    see("a buffer is replaced", (buffer.dtype, net.buffer.dtype, net.buffer is buffer))


@snippet
def states_of_modules(torch, see):
    net, other = network(torch), network(torch)
    state = net.state_dict()
    see("state", dict(state))
    see("with a prefix", list(net.state_dict(prefix="net.")))
    see("kept", net.state_dict(keep_vars=True)["0.bias"] is net[0].bias)
    with torch.no_grad():
        net[0].bias.fill_(7.0)
    see("shares memory", state["0.bias"])
    see("loaded", repr(other.load_state_dict(state)))
    see("values", other[0].bias)
    with torch.no_grad():
        net[0].bias.fill_(8.0)
    see("a copy", other[0].bias)
    with see.error("empty"):
        net.load_state_dict({})
    with see.error("no dict"):
        net.load_state_dict([1])
    see("empty, not strict", repr(net.load_state_dict({"more": 1}, strict=False)))
    with see.error("wrong in three ways"):
        wrong = {**state, "0.weight": torch.ones(5, 5), "more": torch.ones(1)}
        del wrong["2.0.weight"]
        net.load_state_dict(wrong)
    with see.error("no tensor"):
        net.load_state_dict({**state, "0.weight": 3})


@snippet
def states_that_are_unlike(torch, see):
    m = torch.nn.Module()
    m.scale = torch.nn.Parameter(torch.tensor(1.0))
    m.wide = torch.nn.Parameter(torch.ones(1).expand(2))
    see("a size of 1", repr(m.load_state_dict({"scale": torch.tensor([2.0])}, strict=False)))
    see("taken", m.scale)
    with see.error("two dims"):
        m.load_state_dict({"scale": torch.tensor([[2.0]])}, strict=False)
    with see.error("into shared memory"):
        m.load_state_dict({"wide": torch.zeros(2)}, strict=False)
    read_only = MappingProxyType({"scale": torch.tensor(3.0)})
    see("any mapping", (repr(m.load_state_dict(read_only, strict=False)), m.scale))


@snippet
def buffers_outside_of_the_state(torch, see):
    module = torch.nn.Module()
    module.register_buffer("kept", torch.ones(1))
    module.register_buffer("passing", torch.zeros(2), persistent=False)
    see("state", module.state_dict())
    see("buffers", [name for name, _ in module.named_buffers()])
    module.passing = torch.ones(2)
    see("assigned", (module.state_dict(), module.passing))
    see("loading", repr(module.load_state_dict({"kept": torch.zeros(1)})))
    with see.error("loading it, too"):
        module.load_state_dict({"kept": torch.zeros(1), "passing": torch.ones(2)})
    del module.passing
    module.register_buffer("passing", torch.ones(2))
    see("now kept", module.state_dict())


@snippet
def parts_by_path(torch, see):
    net = network(torch)
    see("parameter", net.get_parameter("2.0.weight").shape)
    see("module", repr(net.get_submodule("2.1")))
    see("itself", net.get_submodule("") is net)
    see("on the CPU", net.cpu() is net)
    for path in ("9.weight", "0.nothing", "0", "0.weight"):
        with see.error(f"parameter {path}"):
            net.get_parameter(path)
        with see.error(f"module {path}"):
            net.get_submodule(path)


@snippet
def sequences(torch, see):
    net = network(torch)
    see("length", len(net))
    see("by index", [repr(net[0]), repr(net[-1][0])])
    see("slice", repr(net[1:]))
    see("iterating", [type(module).__name__ for module in net])
    with see.error("net[9]"):
        net[9]
    for index in (0.0, "0", None):
        with see.error(f"net[{index!r}]"):
            net[index]
    see("listed", [name in dir(net) for name in ("0", "append")])
    with see.error("a name that is a number"):
        torch.nn.Sequential(OrderedDict([(0, torch.nn.ReLU())]))
    see("append", repr(torch.nn.Sequential(torch.nn.ReLU()).append(torch.nn.Tanh())))
    net[1] = torch.nn.Flatten()
    net[-1] = torch.nn.Tanh()
    see("replaced", repr(net))
    del net[0]
    see("one less", repr(net))
    del net[-1:]
    see("two less", repr(net.append(torch.nn.ReLU())))
    with see.error("net[9] = ..."):
        net[9] = torch.nn.Tanh()
    with see.error("del net[9]"):
        del net[9]


@snippet
def a_copy_of_a_module(torch, see):
    net = network(torch)
    other = copy.deepcopy(net)
    see("type", type(other) is type(net))
    see("its own weights", other[0].weight is net[0].weight)
    with torch.no_grad():
        other[0].weight.zero_()
    see("the same elsewhere", [net[0].weight, other[0].weight, other[0].bias])
    other(torch.ones(2)).sum().backward()
    see("its own gradients", [net[0].bias.grad, other[0].bias.grad])
