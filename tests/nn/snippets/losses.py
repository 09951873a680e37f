"""Losses: numbers, gradients, graphs, extremes, and what they refuse."""

from tests.nn.graphs import graph_below
from tests.ops.observe import signed
from tests.oracle.snippets import snippet

REDUCTIONS = ("mean", "sum", "none")


def scores(torch, dtype="float64"):
    values = [[0.5, -1.0, 2.0], [1.5, 0.25, -0.5], [-2.0, 3.0, 0.0], [1.0, 1.0, 1.0]]
    return torch.tensor(values, dtype=getattr(torch, dtype), requires_grad=True)


def weights_like(torch, loss):
    """Different numbers for the elements of a loss, to weigh them with."""
    count = torch.arange(loss.numel(), dtype=loss.dtype).reshape(loss.shape)
    return count * 0.5 + 0.25


def saved(node):
    """What a node keeps: tensors by their shape, all else as it is."""
    names = ("self", "target", "weight", "pos_weight", "total_weight", "reduction", "ignore_index")
    kept = {name: getattr(node, f"_saved_{name}", "nothing") for name in names}
    return {n: list(v.shape) if hasattr(v, "shape") else signed(v) for n, v in kept.items()}


def show(torch, see, name, loss, leaves):
    """The loss, its node, and its first and second derivatives."""
    see(name, loss)
    see(f"{name}: node", [loss.grad_fn.name(), saved(loss.grad_fn)])
    see(f"{name}: next", [n and n.name() for n, _ in loss.grad_fn.next_functions])
    v = weights_like(torch, loss)
    first = torch.autograd.grad(loss, leaves, v, create_graph=True)
    see(f"{name}: first", [gradient.detach() for gradient in first])
    total = sum((gradient * gradient).sum() for gradient in first)
    second = torch.autograd.grad(total, leaves, retain_graph=True)
    see(f"{name}: second", list(second))


@snippet
def squared_differences(torch, see):
    x = scores(torch)
    t = torch.arange(12, dtype=torch.float64).reshape(4, 3).requires_grad_()
    for reduction in REDUCTIONS:
        loss = torch.nn.functional.mse_loss(x, t, reduction=reduction)
        show(torch, see, reduction, loss, [x, t])


@snippet
def squared_differences_at_the_edges(torch, see):
    loss = torch.nn.functional.mse_loss
    x = torch.ones(2, 3, requires_grad=True)
    row = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = loss(x, row)
    see("broadcast", y)
    y.backward()
    see("gradients", [x.grad, row.grad])
    with see.error("shapes"):
        loss(x, torch.ones(2))
    with see.error("reduction"):
        loss(x, x, reduction="avg")
    with see.error("integers"):
        loss(torch.ones(2, dtype=torch.int64), torch.ones(2, dtype=torch.int64))
    see("mixed", loss(torch.ones(2), torch.zeros(2, dtype=torch.float64)))
    x.grad = None
    y = loss(x, torch.zeros(2, 3, dtype=torch.int64))
    y.backward()
    see("integer target", [y, x.grad])
    see("0-d", loss(torch.tensor(3.0), torch.tensor(1.0)))
    empty = torch.ones(0, requires_grad=True)
    y = loss(empty, torch.ones(0))
    y.backward()
    see("empty", [y, empty.grad])
    see("class", torch.nn.MSELoss(reduction="sum")(torch.ones(3), torch.zeros(3)))
    with see.error("class, reduction"):
        torch.nn.MSELoss(reduction="avg")(torch.ones(3), torch.zeros(3))


@snippet
def likelihoods(torch, see):
    x = torch.log_softmax(scores(torch).detach(), 1).requires_grad_()
    t = torch.tensor([0, 2, 1, 1])
    w = torch.tensor([1.0, 2.0, 0.5], dtype=torch.float64)
    for reduction in REDUCTIONS:
        for name, options in {
            "plain": {},
            "weights": {"weight": w},
            "one ignored": {"ignore_index": 1},
        }.items():
            loss = torch.nn.functional.nll_loss(x, t, reduction=reduction, **options)
            see(f"{name} {reduction}", loss)
            see(f"{name} {reduction}: node", [loss.grad_fn.name(), saved(loss.grad_fn)])
            v = weights_like(torch, loss).requires_grad_()
            (first,) = torch.autograd.grad(loss, x, v, create_graph=True)
            see(f"{name} {reduction}: first", first)
            see(f"{name} {reduction}: by v", torch.autograd.grad((first * first).sum(), (x, v)))


@snippet
def cross_entropies(torch, see):
    x = scores(torch)
    t = torch.tensor([0, 2, 1, 1])
    w = torch.tensor([1.0, 2.0, 0.5], dtype=torch.float64)
    for reduction in REDUCTIONS:
        for name, options in {"plain": {}, "weights": {"weight": w}}.items():
            loss = torch.nn.functional.cross_entropy(x, t, reduction=reduction, **options)
            show(torch, see, f"{name} {reduction}", loss, [x])
    one = x[0].detach().requires_grad_()
    show(torch, see, "one example", torch.nn.functional.cross_entropy(one, torch.tensor(2)), [one])


@snippet
def cross_entropies_of_probabilities(torch, see):
    x = scores(torch)
    p = torch.softmax(torch.arange(12, dtype=torch.float64).reshape(4, 3) / 5, 1).requires_grad_()
    w = torch.tensor([1.0, 2.0, 0.5], dtype=torch.float64)
    for reduction in REDUCTIONS:
        for name, options in {"plain": {}, "weights": {"weight": w}}.items():
            loss = torch.nn.functional.cross_entropy(x, p, reduction=reduction, **options)
            see(f"{name} {reduction}", loss.detach())
            v = weights_like(torch, loss)
            first = torch.autograd.grad(loss, (x, p), v, create_graph=True)
            see(f"{name} {reduction}: first", [gradient.detach() for gradient in first])


@snippet
def what_losses_are_made_of(torch, see):
    F = torch.nn.functional
    x = scores(torch)
    p = torch.softmax(x.detach() * 2, 1).requires_grad_()
    w = torch.tensor([1.0, 2.0, 0.5], dtype=torch.float64, requires_grad=True)
    for name, loss in {
        "mean": lambda x, p: F.cross_entropy(x, p),
        "sum": lambda x, p: F.cross_entropy(x, p, reduction="sum"),
        "weights": lambda x, p: F.cross_entropy(x, p, w),
        "one example": lambda x, p: F.cross_entropy(x[0], p[0], w),
        "no example": lambda x, p: F.cross_entropy(x[:0], p[:0]),
        "no example, weights": lambda x, p: F.cross_entropy(x[:0], p[:0], w, reduction="sum"),
        "no class": lambda x, p: F.cross_entropy(x[:, :0], p[:, :0]),
        "broadcast": lambda x, p: F.mse_loss(x, p[:, :1]),
        "broadcast, too": lambda x, p: F.mse_loss(x[0], p),
    }.items():
        y = loss(x, p)
        see(name, (y, graph_below(y.grad_fn)))
        see(f"{name}: gradients", torch.autograd.grad(y, (x, p)))


@snippet
def constants_of_losses(torch, see):
    F = torch.nn.functional
    x, t, w = torch.ones(2, 3), torch.tensor([0, 1]), torch.ones(3, requires_grad=True)
    calls = {
        "nll_loss": lambda: F.nll_loss(x, t, w),
        "cross_entropy": lambda: F.cross_entropy(x, t, w),
        "too many targets": lambda: F.nll_loss(x, torch.tensor([0, 1, 2]), w),
        "weight": lambda: F.binary_cross_entropy_with_logits(x, x, w),
        "pos_weight": lambda: F.binary_cross_entropy_with_logits(x, x, pos_weight=w),
    }
    for name, call in calls.items():
        with see.error(name):
            call()
        if name != "too many targets":
            with torch.no_grad():
                see(f"{name}, not recorded", call())
    for size in (1, 2):
        with see.error(f"probabilities, {size} weights"):
            F.cross_entropy(x, x, torch.ones(size))
    with see.error("a weight for all"):
        F.cross_entropy(x, x, torch.tensor(2.0))
    for ignored in (-100, -1, 0):
        with see.error(f"probabilities, {ignored} ignored"):
            F.cross_entropy(x, x, ignore_index=ignored)
    for shape in ((3, 2, 3), (1, 1, 3), (1, 3), (1,)):
        for name in ("weight", "pos_weight"):
            with see.error(f"{name} {shape}"):
                F.binary_cross_entropy_with_logits(x, x, **{name: torch.ones(shape)})


@snippet
def single_precision(torch, see):
    F = torch.nn.functional
    x = scores(torch, "float32")
    yes = torch.sigmoid(x.detach() * 2)
    for name, loss in {
        "mse_loss": F.mse_loss(x, yes),
        "cross_entropy": F.cross_entropy(x, torch.tensor([0, 2, 1, 1])),
        "probabilities": F.cross_entropy(x, torch.softmax(yes, 1)),
        "yes or no": F.binary_cross_entropy_with_logits(x, yes),
    }.items():
        (gradient,) = torch.autograd.grad(loss, x)
        see(name, [loss.detach(), gradient.dtype, gradient.sum(0) * 1000 // 1])


@snippet
def extreme_scores(torch, see):
    F = torch.nn.functional
    x = torch.tensor([[1000.0, -1000.0, 0.0], [-1000.0, -1000.0, -1000.0]], requires_grad=True)
    loss = F.cross_entropy(x, torch.tensor([1, 2]), reduction="none")
    loss.sum().backward()
    see("classes", [loss, x.grad])
    x = torch.tensor([1000.0, -1000.0, 1000.0, 0.0], requires_grad=True)
    loss = F.binary_cross_entropy_with_logits(
        x, torch.tensor([0.0, 1.0, 1.0, 0.5]), reduction="none"
    )
    loss.sum().backward()
    see("yes or no", [loss, x.grad])


@snippet
def what_class_losses_refuse(torch, see):
    x = torch.ones(2, 3)
    targets = {
        "too high": torch.tensor([0, 3]),
        "negative": torch.tensor([0, -1]),
        "too many": torch.tensor([0, 1, 2]),
        "floats": torch.tensor([0.0, 1.0]),
        "int32": torch.tensor([0, 1], dtype=torch.int32),
        "2-d": torch.tensor([[0], [1]]),
        "whole probabilities": torch.ones(2, 3, dtype=torch.int64),
    }
    for name, target in targets.items():
        with see.error(f"cross_entropy {name}"):
            torch.nn.functional.cross_entropy(x, target)
        if name != "whole probabilities":
            with see.error(f"nll_loss {name}"):
                torch.nn.functional.nll_loss(x, target)
    good = torch.tensor([0, 1])
    with see.error("reduction"):
        torch.nn.functional.cross_entropy(x, good, reduction="avg")
    with see.error("weights"):
        torch.nn.functional.cross_entropy(x, good, weight=torch.ones(2))
    with see.error("weights of another dtype"):
        torch.nn.functional.cross_entropy(x, good, weight=torch.ones(3, dtype=torch.float64))
    with see.error("0-d scores"):
        torch.nn.functional.nll_loss(torch.tensor(1.0), torch.tensor(0))
    with see.error("0-d target"):
        torch.nn.functional.nll_loss(x, torch.tensor(0))
    with see.error("one example, two targets"):
        torch.nn.functional.nll_loss(x[0], good)
    with see.error("integer scores"):
        torch.nn.functional.cross_entropy(torch.ones(2, 3, dtype=torch.int64), good)


@snippet
def class_losses_at_the_edges(torch, see):
    loss = torch.nn.functional.cross_entropy
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    for name, target in {
        "one ignored": torch.tensor([-100, 1]),
        "all ignored": torch.tensor([-100, -100]),
        "uint8": torch.tensor([0, 1], dtype=torch.uint8),
    }.items():
        x.grad = None
        y = loss(x, target)
        y.backward()
        see(name, [y, x.grad])
    see("no examples", loss(torch.ones(0, 3), torch.ones(0, dtype=torch.int64)))
    empty = torch.ones(0, 3, requires_grad=True)
    loss(empty, torch.ones(0, dtype=torch.int64), reduction="sum").backward()
    see("no examples: gradient", empty.grad)
    criterion = torch.nn.CrossEntropyLoss(torch.tensor([1.0, 3.0]), reduction="sum")
    see("class", criterion(x, torch.tensor([0, 1])))
    see("class: state", list(criterion.state_dict()))
    hidden = torch.tensor([[-torch.inf, 0.0]] if hasattr(torch, "inf") else [[float("-inf"), 0.0]])
    see("an impossible class", torch.nn.functional.nll_loss(hidden, torch.tensor([1])))


@snippet
def yes_or_no(torch, see):
    x = scores(torch)
    t = torch.sigmoid(x.detach() * 2 - 1).requires_grad_()
    w = torch.tensor([1.0, 2.0, 0.5], dtype=torch.float64)
    for reduction in REDUCTIONS:
        for name, options in {
            "plain": {},
            "weights": {"weight": w},
            "pos_weight": {"pos_weight": w},
            "both": {"weight": w, "pos_weight": w * 3},
        }.items():
            loss = torch.nn.functional.binary_cross_entropy_with_logits(
                x, t, reduction=reduction, **options
            )
            show(torch, see, f"{name} {reduction}", loss, [x, t])


@snippet
def what_yes_or_no_refuses(torch, see):
    loss = torch.nn.functional.binary_cross_entropy_with_logits
    with see.error("shapes"):
        loss(torch.ones(2, 3), torch.ones(3))
    with see.error("weights"):
        loss(torch.ones(2), torch.ones(2), weight=torch.ones(3))
    with see.error("integer scores"):
        loss(torch.ones(2, dtype=torch.int64), torch.ones(2))
    see("float64 scores", loss(torch.ones(2, dtype=torch.float64), torch.ones(2)))
    see("float64 target", loss(torch.ones(2), torch.ones(2, dtype=torch.float64)))
    with see.error("integer target"):
        loss(torch.ones(2), torch.ones(2, dtype=torch.int64))
    with see.error("reduction"):
        loss(torch.ones(2), torch.ones(2), reduction="avg")


@snippet
def yes_or_no_of_probabilities(torch, see):
    p = torch.sigmoid(scores(torch).detach()).requires_grad_()
    t = torch.sigmoid(p.detach() * 4 - 2).requires_grad_()
    w = torch.tensor([1.0, 2.0, 0.5], dtype=torch.float64)
    for reduction in REDUCTIONS:
        for name, options in {"plain": {}, "weights": {"weight": w}}.items():
            loss = torch.nn.functional.binary_cross_entropy(p, t, reduction=reduction, **options)
            show(torch, see, f"{name} {reduction}", loss, [p, t])


@snippet
def probabilities_at_the_edges(torch, see):
    loss = torch.nn.functional.binary_cross_entropy
    p = torch.tensor([0.0, 1.0, 0.0, 1.0, 0.5], requires_grad=True)
    t = torch.tensor([1.0, 0.0, 0.0, 1.0, 0.5])
    y = loss(p, t, reduction="none")
    (first,) = torch.autograd.grad(y.sum(), p, create_graph=True)
    see("certain", [y, first])
    see("certain: second", torch.autograd.grad(first.sum(), p))
    see("0-d", loss(torch.tensor(0.5), torch.tensor(1.0)))
    see("empty", loss(torch.ones(0), torch.ones(0)))
    for name, call in {
        "above 1": lambda: loss(p * 2, t),
        "nan": lambda: loss(p / 0 * 0, t),
        "shapes": lambda: loss(p[:2], t),
        "integer target": lambda: loss(p, t.long()),
        "float64": lambda: loss(p.double(), t),
        "integers": lambda: loss(t.long(), t.long()),
        "reduction": lambda: loss(p, t, reduction="avg"),
        "tracked weight": lambda: loss(p, t, p),
    }.items():
        with see.error(name):
            call()


@snippet
def sizes_of_differences(torch, see):
    F = torch.nn.functional
    x = scores(torch)
    t = torch.arange(12, dtype=torch.float64).reshape(4, 3).requires_grad_()
    for reduction in REDUCTIONS:
        loss = F.l1_loss(x, t, reduction=reduction)
        see(reduction, (loss, graph_below(loss.grad_fn)))
        see(f"{reduction}: first", torch.autograd.grad(loss, (x, t), weights_like(torch, loss)))
    y = F.l1_loss(x, t[:, :1])
    see("broadcast", (y, graph_below(y.grad_fn)))
    with see.error("reduction"):
        F.l1_loss(x, t, reduction="avg")
    with see.error("integers"):
        F.l1_loss(torch.tensor([1]), torch.tensor([3]))
    with see.error("shapes"):
        F.l1_loss(x, torch.ones(4, dtype=torch.float64))


@snippet
def losses_as_modules(torch, see):
    nn = torch.nn
    x = torch.tensor([[0.25, 0.5], [0.75, 0.125]])
    t, kinds, w = torch.tensor([[1.0, 0.0], [0.5, 1.0]]), torch.tensor([1, 0]), torch.ones(2) * 3
    for name, loss, target in (
        ("L1Loss", nn.L1Loss(), t),
        ("L1Loss sum", nn.L1Loss(reduction="sum"), t),
        ("NLLLoss", nn.NLLLoss(), kinds),
        ("NLLLoss weights", nn.NLLLoss(w, ignore_index=0), kinds),
        ("BCELoss", nn.BCELoss(), t),
        ("BCELoss weights", nn.BCELoss(w, reduction="none"), t),
        ("BCEWithLogitsLoss", nn.BCEWithLogitsLoss(), t),
        ("BCEWithLogitsLoss pos_weight", nn.BCEWithLogitsLoss(pos_weight=w), t),
    ):
        see(name, [repr(loss), loss.reduction, list(loss.state_dict()), loss(x, target)])


@snippet
def sizes_averaged_or_not(torch, see):
    nn, F = torch.nn, torch.nn.functional
    x = torch.tensor([[0.25, 0.5], [0.75, 0.125]])
    t, kinds = torch.tensor([[1.0, 0.0], [0.5, 1.0]]), torch.tensor([1, 0])
    for name, asked in {
        "sum": {"size_average": False},
        "mean": {"size_average": True, "reduction": "none"},
        "none": {"reduce": False, "size_average": True},
        "both": {"reduce": True, "size_average": False},
    }.items():
        for module in (nn.MSELoss, nn.L1Loss, nn.BCELoss, nn.BCEWithLogitsLoss):
            loss = module(**asked)
            see(f"{module.__name__} {name}", [loss.reduction, loss(x, t)])
        for module in (nn.CrossEntropyLoss, nn.NLLLoss):
            see(f"{module.__name__} {name}", module(**asked)(x, kinds))
        for loss in (F.mse_loss, F.l1_loss, F.binary_cross_entropy):
            see(f"{loss.__name__} {name}", loss(x, t, **asked))
        see(f"cross_entropy {name}", F.cross_entropy(x, kinds, **asked))
        see(f"nll_loss {name}", F.nll_loss(x, kinds, **asked))
        see(f"logits {name}", F.binary_cross_entropy_with_logits(x, t, **asked))
    see("in their order", nn.MSELoss(False)(x, t))
    see("after the weights", nn.CrossEntropyLoss(torch.ones(2), False, 0)(x, kinds))
    see("reduction alone", nn.BCELoss(None, None, None, "sum")(x, t))
    see("of a function", F.nll_loss(x, kinds, None, None, 1, None, "sum"))
