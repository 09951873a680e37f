"""The programs behind the golden tables, and how one backward pass is written down.

Everything here runs on any library with PyTorch's doors: `record.py` runs it on PyTorch and stores
what it saw, the tests run it on minigrad and on PyTorch again. Of the steps the *order* is golden
as well as the numbers.
"""

import math
import random
from itertools import product

# --- the programs of the step tables: each returns its root, its seed and the tensors by name ---


def case_1(torch):
    """y = (x + 1)(x + 2) at x = 2."""
    x = torch.tensor(2.0, requires_grad=True)
    a = x + 1
    b = x + 2
    y = a * b
    return y, None, {"x": x, "a": a, "b": b, "y": y}


def case_2(torch):
    """z = x * x * y at x = 2, y = 3."""
    x = torch.tensor(2.0, requires_grad=True)
    y = torch.tensor(3.0, requires_grad=True)
    t = x * x
    z = t * y
    return z, None, {"x": x, "y": y, "t": t, "z": z}


def four_node_model(torch):
    """Two products, a sum, a product and a mean over three weights."""
    input = torch.ones(2, 2)
    w1, w2, w3 = (torch.tensor(value, requires_grad=True) for value in (2.0, 3.0, 4.0))
    l1 = input * w1
    l2 = l1 + w2
    l3 = l1 * w3
    l4 = l2 * l3
    loss = l4.mean()
    weights = {"input": input, "w1": w1, "w2": w2, "w3": w3}
    return loss, None, {**weights, "l1": l1, "l2": l2, "l3": l3, "l4": l4, "loss": loss}


def mean_example(torch):
    """The mean of 3 (x + 2)² over four ones."""
    x = torch.ones(2, 2, requires_grad=True)
    y = x + 2
    yy = y * y
    z = yy * 3
    out = z.mean()
    return out, None, {"x": x, "y": y, "yy": yy, "z": z, "out": out}


def weighted_vector(torch):
    """x * x + 2 viewed as 2x2, with one weight for each output."""
    x = torch.tensor([1.0, 2.0, 3.0, 4.5], requires_grad=True)
    xx = x * x
    y = xx + 2
    z = y.view(2, 2)
    weights = torch.tensor([[1.0, 0.1], [1.0, 0.01]])
    return z, weights, {"x": x, "xx": xx, "y": y, "z": z}


def square_of_a_line(torch, value):
    """z = (2x + 3)² at a value of x."""
    x = torch.tensor(value, requires_grad=True)
    u = 2 * x
    y = u + 3
    z = y**2
    return z, None, {"x": x, "u": u, "y": y, "z": z}


PROGRAMS = {
    "000-case1": case_1,
    "000-case2": case_2,
    "003-model": four_node_model,
    "001-mean": mean_example,
    "004-weighted": weighted_vector,
    "002-square at 1": lambda torch: square_of_a_line(torch, 1.0),
    "002-square at 2": lambda torch: square_of_a_line(torch, 2.0),
    "002-square at 5": lambda torch: square_of_a_line(torch, 5.0),
}


# --- one backward pass, written down by hooks on its nodes ---


def step_table(program, torch):
    """The steps of a program's backward pass and what it left in the leaves."""
    root, seed, names = program(torch)
    nodes = nodes_below(root.grad_fn)
    label = labels(nodes, names)
    parts = dict.fromkeys(nodes, 0)
    for node in nodes:
        for target, _ in node.next_functions:
            if target is not None:
                parts[target] += 1
    steps = []

    def came_in(node):
        def before(grad_outputs):
            incoming = [flat(gradient) for gradient in grad_outputs]
            sends = "adds into .grad" if is_leaf_node(node) else []
            step = {"node": label[node], "parts": parts[node], "incoming": incoming}
            steps.append({**step, "sends": sends})

        return before

    def went_out(node):
        def after(grad_inputs, grad_outputs):
            targets = [target for target, _ in node.next_functions]
            for gradient, target in zip(grad_inputs, targets, strict=True):
                needed = target is not None
                sent = {"to": label[target], "value": flat(gradient)} if needed else None
                steps[-1]["sends"].append(sent)

        return after

    for node in nodes:
        node.register_prehook(came_in(node))
        if not is_leaf_node(node):
            node.register_hook(went_out(node))
    root.backward(seed)
    leaves = {name: flat(t.grad) for name, t in names.items() if t.is_leaf and t.requires_grad}
    return {"steps": steps, "leaves": leaves}


def nodes_below(root):
    """All nodes that a pass from ``root`` can reach, each once, in order of discovery."""
    found, waiting = {root: None}, [root]
    while waiting:
        for target, _ in waiting.pop().next_functions:
            if target is not None and target not in found:
                found[target] = None
                waiting.append(target)
    return list(found)


def is_leaf_node(node):
    return type(node).__name__ == "AccumulateGrad"


def labels(nodes, names):
    """Nodes by what they made: ``MulBackward0→y``, and ``AccumulateGrad(x)`` for a leaf."""
    made = {tensor.grad_fn: name for name, tensor in names.items() if tensor.grad_fn is not None}
    leaves = {id(tensor): name for name, tensor in names.items()}
    return {
        node: f"AccumulateGrad({leaves[id(node.variable)]})"
        if is_leaf_node(node)
        else f"{type(node).__name__}→{made[node]}"
        for node in nodes
    }


def flat(gradient):
    """A gradient as one list, without the noise of float32; a 0-d one as a number."""
    values = [float(f"{value:.6g}") for value in gradient.detach().reshape(-1).tolist()]
    return values if gradient.dim() else values[0]


# --- random graphs, of which the order alone is golden ---

OPERATIONS = ("add", "mul", "sin", "sum of three")


def random_graph(seed):
    """A seeded program as data: how many leaves, and which earlier values each operation takes."""
    draw = random.Random(seed)
    leaves = draw.randint(2, 7)
    values, operations = leaves, []
    for _ in range(draw.randint(4, 14)):
        name = draw.choice(OPERATIONS)
        arity = {"add": 2, "mul": 2, "sin": 1, "sum of three": 3}[name]
        operations.append([name, [draw.randrange(values) for _ in range(arity)]])
        values += 1
    return {"leaves": leaves, "operations": operations}


def order_of_nodes(graph, torch):
    """The order in which the nodes run when all leaves and results meet in one sum.

    A node is named by its class and the number of the value it made (or accumulates into).
    """
    values = [torch.tensor(1.0 + i / 4, requires_grad=True) for i in range(graph["leaves"])]
    for name, operands in graph["operations"]:
        values.append(applied(torch, name, [values[i] for i in operands]))
    number = {value.grad_fn: i for i, value in enumerate(values) if value.grad_fn is not None}
    leaf = {id(value): i for i, value in enumerate(values) if value.is_leaf}
    root = torch.stack(values).sum()
    order = []
    for node in nodes_below(root.grad_fn):
        at = leaf[id(node.variable)] if is_leaf_node(node) else number.get(node, "root")
        name = f"{type(node).__name__} {at}"
        node.register_prehook(lambda grad_outputs, name=name: order.append(name))
    root.backward()
    return order


def applied(torch, name, operands):
    """One operation of a random graph."""
    if name == "sum of three":
        return torch.stack(operands).sum()
    return getattr(torch, name)(*operands)


# --- the other goldens ---


def hooks_of_case_1(torch):
    """Which gradient each tensor's hook sees, in the order in which they run."""
    y, _, names = case_1(torch)
    log = []
    for name, tensor in names.items():
        tensor.register_hook(lambda gradient, name=name: log.append([name, gradient.item()]))
    y.backward()
    return log


def gradients_of_case_1(torch):
    """The gradients of y for x, a, b and for y itself."""
    y, _, names = case_1(torch)
    inputs = [names[name] for name in "xaby"]
    return [gradient.item() for gradient in torch.autograd.grad(y, inputs)]


TOGGLES = (
    "x.requires_grad",
    "a under no_grad",
    "a.detach()",
    "a.retain_grad()",
    "b.detach()",
    "y.retain_grad()",
)


def leaf_explorer(torch):
    """Case 1 in all 64 settings of six toggles: what each tensor is and what backward leaves."""
    return [explored(torch, *setting) for setting in product((False, True), repeat=6)]


def explored(torch, tracked, a_no_grad, a_detach, a_retain, b_detach, y_retain):
    """One setting of the leaf explorer."""
    on = [tracked, a_no_grad, a_detach, a_retain, b_detach, y_retain]
    row = {"on": [name for name, chosen in zip(TOGGLES, on, strict=True) if chosen]}
    x = torch.tensor(2.0, requires_grad=tracked)
    with torch.set_grad_enabled(not a_no_grad):
        a = x + 1
    a = a.detach() if a_detach else a
    b = x + 2
    b = b.detach() if b_detach else b
    try:
        if a_retain:
            a.retain_grad()
        y = a * b
        if y_retain:
            y.retain_grad()
        y.backward()
    except RuntimeError as error:
        return {**row, "raises": str(error)}
    tensors = {"x": x, "a": a, "b": b, "y": y}
    return {**row, "tensors": {name: described(t) for name, t in tensors.items()}}


def described(tensor):
    """A tensor's four attributes; `.grad` only where reading it gives no warning."""
    node = tensor.grad_fn
    readable = tensor.is_leaf or tensor.retains_grad
    return {
        "requires_grad": tensor.requires_grad,
        "is_leaf": tensor.is_leaf,
        "grad_fn": node and node.name(),
        "grad": tensor.grad.item() if readable and tensor.grad is not None else None,
    }


def doublings(torch):
    """How often the staircase function of document 002 multiplies by two before it stops."""
    counts = {}
    for start in (0.9, 0.97, 0.98, 1.0, -1.0, 500.0, 3.9):
        b, count = torch.tensor(start) * 2, 1
        while b.norm() < 1000:
            b, count = b * 2, count + 1
        counts[str(start)] = count
    return counts


def differences_of_exp(torch):
    """The error of the central difference quotient of exp at 2 in float64, to two digits."""
    errors = {}
    for eps in ("1e-1", "1e-3", "1e-5", "1e-7", "1e-9", "1e-12"):
        h = float(eps)
        ahead, behind = (
            torch.tensor(2 + step, dtype=torch.float64).exp().item() for step in (h, -h)
        )
        errors[eps] = float(f"{abs((ahead - behind) / (2 * h) - math.exp(2)):.1e}")
    return errors


def accumulated(torch):
    """(w - 3)² with steps of 0.1 along a gradient that is never cleared: w after each step."""
    w = torch.tensor(0.0, requires_grad=True)
    path = []
    for _ in range(12):
        ((w - 3) ** 2).backward()
        with torch.no_grad():
            w -= 0.1 * w.grad
        path.append(round(w.item(), 4))
    return path


OTHERS = {
    "hooks of case 1": hooks_of_case_1,
    "gradients of case 1": gradients_of_case_1,
    "leaf explorer": leaf_explorer,
    "doublings": doublings,
    "differences of exp": differences_of_exp,
    "never cleared": accumulated,
}
