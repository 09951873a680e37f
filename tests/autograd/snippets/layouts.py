"""How results lie in memory: it decides what ``reshape`` copies, and so what a write changes."""

import itertools

from tests.oracle.snippets import snippet


def layouts(torch):
    """Tensors of 2 × 3 × 4 that lie in memory in different ways, and some that broadcast to it."""
    numbers = torch.arange(24.0) + 1
    return {
        "in reading order": numbers.reshape(2, 3, 4),
        "two dims turned": numbers.reshape(3, 2, 4).transpose(0, 1),
        "turned around": numbers.reshape(4, 3, 2).transpose(0, 2),
        "moved": numbers.reshape(4, 2, 3).permute(1, 2, 0),
        "with gaps": (torch.arange(48.0) + 1).reshape(2, 3, 8)[..., ::2],
        "expanded": numbers[:8].reshape(4, 2).t().unsqueeze(1).expand(2, 3, 4),
        "a turned matrix": numbers[:12].reshape(4, 3).t(),
        "a row": numbers[:4],
        "a number": torch.tensor(2.0),
    }


def lies(tensor):
    """The steps of the dims that have any."""
    return [step for step, size in zip(tensor.stride(), tensor.shape, strict=True) if size > 1]


@snippet
def results_of_one_operand(torch, see):
    operations = {
        "exp": lambda x: x.exp(),
        "twice": lambda x: x * 2,
        "clone": lambda x: x.clone(),
        "relu": lambda x: x.relu(),
        "topk": lambda x: x.topk(2, 1).values,
        "tril": lambda x: x.tril(),
        "gather": lambda x: x.gather(0, torch.zeros(2, 3, 4, dtype=torch.int64)),
        "apart": lambda x: x[[0, 1], :, [0, 1]],
    }
    for name, operation in operations.items():
        chosen = {k: v for k, v in layouts(torch).items() if v.ndim == 3 and k != "expanded"}
        results = {one: operation(x) for one, x in chosen.items()}
        see(name, {one: lies(result) for one, result in results.items()})


@snippet
def a_hook_that_writes_to_its_gradient(torch, see):
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, gradient):
            return gradient.mul_(2)

    def writing(gradient):
        (gradient[0] if isinstance(gradient, tuple) else gradient).mul_(3)

    losses = {
        "mean": lambda y: y.mean(),
        "mean of columns": lambda y: y.mean(0).sum(),
        "mean of kept rows": lambda y: y.mean(1, keepdim=True).sum(),
        "mean of a part": lambda y: y.unbind()[1].mean(),
        "sum": lambda y: y.sum(),
        "sum of means": lambda y: y.sum(0).mean(),
        "mean, turned": lambda y: y.t().mean(),
    }
    for name, loss in losses.items():
        for place in ("leaf", "node", "prehook", "Function", "grad"):
            x = torch.ones(2, 3, requires_grad=True)
            y = x * 2 if place == "node" else Doubled.apply(x) if place == "Function" else x
            if place == "prehook":
                y = x * 2
                y.grad_fn.register_prehook(writing)
            elif place in ("leaf", "node"):
                y.register_hook(writing)
            with see.error(f"{name}, {place}"):
                if place == "grad":
                    see(name, torch.autograd.grad(loss(x), x)[0].mul_(3))
                else:
                    loss(y).backward()
                    see(f"{name}, {place}", x.grad)


@snippet
def where_a_recorded_gradient_lies(torch, see):
    for name, x in layouts(torch).items():
        if name == "expanded":
            continue
        for loss in (lambda x: x.sum(), lambda x: (x * x).sum()):
            leaf = x.detach().clone().requires_grad_()
            loss(leaf).backward(create_graph=True)
            see(name, lies(leaf.grad))


@snippet
def gradients_of_turned_factors(torch, see):
    torch.manual_seed(0)
    net = torch.nn.Linear(2, 3)
    for recorded in [False, True]:
        for shape in [(5, 2), (4, 5, 2), (2,)]:
            loss = net(torch.ones(shape)).pow(2).sum()
            grads = torch.autograd.grad(loss, net.parameters(), create_graph=recorded)
            see("strides", [grad.stride() for grad in grads])
            see("flat", torch.cat([grad.view(-1) for grad in grads]))
        for x, y in [((3, 4), (4, 2)), ((1, 4), (4, 1)), ((3, 1), (1, 2)), ((1, 1), (1, 1))]:
            for turned in itertools.product([False, True], repeat=2):
                leaves = [torch.ones(s[::-1] if turn else s) for s, turn in zip((x, y), turned)]
                leaves = [leaf.requires_grad_() for leaf in leaves]
                left, right = (leaf.t() if turn else leaf for leaf, turn in zip(leaves, turned))
                product = left @ right
                grads = torch.autograd.grad(product.sum(), leaves, create_graph=recorded)
                see("strides", [grad.stride() for grad in grads])
