"""What nodes save, when it is freed, and when a change of it is an error."""

from tests.autograd.behavior.registry import behavior

CHANGEABLE = (
    *("exp", "sigmoid", "tanh", "sqrt", "relu", "tan", "expm1", "reciprocal", "sin", "cos"),
    *("log", "abs", "neg", "square", "clone", "rsqrt", "exp2", "log1p", "atan", "sinh", "cosh"),
)


@behavior
def which_values_may_be_changed_afterwards(torch, see):
    for name in CHANGEABLE:
        outcome = []
        for which in ("result", "input"):
            leaf = torch.tensor([0.5, 1.5], requires_grad=True)
            x = leaf.clone()
            y = getattr(x, name)()
            with torch.no_grad():
                (y if which == "result" else x).zero_()
            try:
                y.sum().backward()
                outcome.append("may change")
            except RuntimeError as error:
                outcome.append(
                    "raises for" + str(error).split("which is output 0 of")[-1].split(",")[0]
                )
        see(f"{name}: result, input", outcome)


@behavior
def which_operands_may_be_changed_afterwards(torch, see):
    calls = {
        "x + y": lambda x, y: x + y,
        "x * y": lambda x, y: x * y,
        "x / y": lambda x, y: x / y,
        "x ** y": lambda x, y: x**y,
        "x ** 2": lambda x, y: x**2,
        "2 ** x": lambda x, y: 2**x,
        "x * 2": lambda x, y: x * 2,
        "1 / x": lambda x, y: 1 / x,
        "x @ y": lambda x, y: x @ y,
        "x.sum()": lambda x, y: x.sum(),
        "x.max()": lambda x, y: x.max(),
        "x.max(0)": lambda x, y: x.max(0).values,
        "x.prod()": lambda x, y: x.prod(),
        "x.cumsum(0)": lambda x, y: x.cumsum(0),
        "x.softmax(0)": lambda x, y: x.softmax(0),
        "x[0]": lambda x, y: x[0],
        "x.clamp(0, 1)": lambda x, y: x.clamp(0, 1),
        "where": lambda x, y: torch.where(x > 1, x, y),
        "maximum": lambda x, y: torch.maximum(x, y),
    }
    for name, call in calls.items():
        outcome = []
        for which in ("x", "y", "result"):
            x = torch.tensor([0.5, 1.5], requires_grad=True).clone()
            y = torch.tensor([2.0, 1.0], requires_grad=True).clone()
            result = call(x, y)
            with torch.no_grad():
                {"x": x, "y": y, "result": result}[which].zero_()
            try:
                result.sum().backward()
                outcome.append("may change")
            except RuntimeError:
                outcome.append("raises")
        see(f"{name}: x, y, result", outcome)


@behavior
def what_a_node_shows_of_what_it_saved(torch, see):
    x = torch.tensor([0.5, 1.5], requires_grad=True)
    y = torch.tensor([2.0, 3.0], requires_grad=True)
    node = (x * y).grad_fn
    see("x * y", [node._saved_self, node._saved_other])
    see("the same objects", [node._saved_self is x, node._saved_other is y])
    node = (x * 2).grad_fn
    see("x * 2", [node._saved_self, node._saved_other])
    node = (x * y.detach()).grad_fn
    see("x * constant", [node._saved_self, node._saved_other])
    e = x.exp()
    see("exp", e.grad_fn._saved_result)
    see("an equal tensor, not the same", e.grad_fn._saved_result is e)
    see("an exponent", (x**2).grad_fn._saved_exponent)
    see("a dim", x.softmax(0).grad_fn._saved_dim)
    with see.error("what it did not save"):
        (x + y).grad_fn._saved_self  # noqa: B018 - the look itself raises


@behavior
def only_nodes_that_saved_and_ran_are_freed(torch, see):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    for name, root in {
        "x * x": (x * x).sum(),
        "x * 2": (x * 2).sum(),
        "x ** 2": (x**2).sum(),
        "x + x": (x + x).sum(),
        "x[0]": x[0],
        "x.view(2, 1)": x.view(2, 1).sum(),
        "x.exp()": x.exp().sum(),
        "-x": (-x).sum(),
    }.items():
        root.backward()
        with see.error(f"{name} a second time"):
            root.backward()


@behavior
def a_pass_to_one_input_frees_only_its_nodes(torch, see):
    x = torch.tensor(2.0, requires_grad=True)
    y = torch.tensor(3.0, requires_grad=True)
    a, b = x * x, y * y
    z = a + b
    torch.autograd.grad(z, x)
    see("b kept its values", b.grad_fn._saved_self)
    with see.error("a did not"):
        a.grad_fn._saved_self  # noqa: B018
    see("edges stay", [node.name() for node, _ in z.grad_fn.next_functions])
    b.backward()
    see("y.grad", y.grad)


@behavior
def a_freed_number_and_an_exponent(torch, see):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x**3
    y.sum().backward()
    see("an exponent is never freed", y.grad_fn._saved_exponent)
    y = x * 2
    y.sum().backward()
    with see.error("a number beside a tensor is"):
        y.grad_fn._saved_other  # noqa: B018
