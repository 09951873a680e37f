"""Leaves, flags, and the warning on reading a gradient that will never come."""

from tests.autograd.behavior.registry import behavior


@behavior
def integer_and_bool_results_are_never_tracked(torch, see):
    x = torch.tensor([1.5, -2.5], requires_grad=True)
    for name, result in {
        "argmax": x.argmax(),
        "x > 0": x > 0,
        "long": x.long(),
        "isnan": torch.isnan(x),
    }.items():
        see(name, [result.requires_grad, result.is_leaf, result.grad_fn])


@behavior
def steps_are_tracked_with_gradient_zero(torch, see):
    for name in ("sign", "floor", "ceil", "round"):
        x = torch.tensor([1.5, -2.5], requires_grad=True)
        y = getattr(x, name)()
        see(name, y)
        y.sum().backward()
        see(f"gradient of {name}", x.grad)
    x = torch.tensor([5.5, -2.5], requires_grad=True)
    (x % 2).sum().backward()
    see("gradient of %", x.grad)
    y = x // 2
    see("//", y)
    with see.error("backward of //"):
        y.sum().backward()


@behavior
def flags_of_made_tensors(torch, see):
    see("by default", torch.zeros(2).requires_grad)
    with torch.no_grad():
        asked = torch.zeros(2, requires_grad=True)
    see("a leaf asked for under no_grad", [asked.requires_grad, asked.is_leaf])
    with see.error("an int leaf asked for"):
        torch.zeros(2, dtype=torch.int64, requires_grad=True)
    with see.error("an int tensor asked"):
        torch.tensor([1]).requires_grad = True
    with see.error("by the method"):
        torch.tensor([1]).requires_grad_()
    x = torch.ones(2, requires_grad=True)
    with see.error("a computed tensor told not to"):
        (x * 2).requires_grad_(False)
    with see.error("a computed tensor told to"):
        see("it already did", (x * 2).requires_grad_().requires_grad)


@behavior
def reading_grad_of_a_non_leaf_warns_each_time(torch, see):
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    see("read", y.grad)
    see("read again", y.grad)
    see("by hasattr", hasattr(y, "grad"))
    see("repr does not", repr(y))
    y.retain_grad()
    see("retained: no warning", y.grad)
    see("untracked: no warning", (torch.ones(2) * 2).grad)


@behavior
def retain_grad_and_its_refusals(torch, see):
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    see("before", y.retains_grad)
    y.retain_grad()
    y.retain_grad()
    see("after, twice", y.retains_grad)
    y.sum().backward()
    see("y.grad", y.grad)
    x.retain_grad()
    see("on a leaf it does nothing", x.retains_grad)
    with see.error("without requires_grad"):
        torch.ones(2).retain_grad()


@behavior
def node_names_are_the_odd_ones_too(torch, see):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    results = {
        "x + 1": x + 1,
        "1 - x": 1 - x,
        "x - 1": x - 1,
        "x ** 2": x**2,
        "x ** x": x**x,
        "2 ** x": 2**x,
        "1 / x": 1 / x,
        "x.square()": x.square(),
        "x.T": x.T,
        "x.t()": x.t(),
        "x[...]": x[...],
        "x[0, 1]": x[0, 1],
        "x[0]": x[0],
        "x[:]": x[:],
        "x[x > 1]": x[x > 1],
        "x.double()": x.double(),
        "x.norm()": x.norm(),
        "clamp": x.clamp(0, 1),
        "clamp with tensors": x.clamp(torch.tensor(0.0), torch.tensor(1.0)),
        "x.sum()": x.sum(),
        "x.sum(0)": x.sum(0),
        "x.mean()": x.mean(),
        "x.mean(0)": x.mean(0),
        "x.max()": x.max(),
        "x.max(0)": x.max(0).values,
        "x @ x": x @ x,
        "x @ x[0]": x @ x[0],
        "-x": -x,
        "x.flatten()": x.flatten(),
        "x.clone()": x.clone(),
    }
    for name, result in results.items():
        node = result.grad_fn
        edges = [[target and target.name(), number] for target, number in node.next_functions]
        see(name, [node.name(), edges])


@behavior
def what_each_result_prints(torch, see):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    for name, result in {
        "float": x * 1.5,
        "double": x.double(),
        "0-d": x.sum(),
        "empty": x[2:],
        "int": x.detach().long(),
        "bool": x > 1,
        "float of double": f"{x[0].double()}",
        "formatted": f"{x[1]:.3f}",
    }.items():
        see(name, result)
    see("shape", x.shape)
    see("dtype", x.dtype)
    see("device", x.device)
    see("a grad_fn", (x * 2).grad_fn)
    see("maximum along a dimension", repr(torch.max(x, 0)))
