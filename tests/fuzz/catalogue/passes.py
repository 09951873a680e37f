"""Backward passes, higher derivatives, and looking at what they left."""

from tests.fuzz.catalogue.kind import each, kind
from tests.fuzz.writer import NothingFits, floating, inner, leaf, tame, tracked


def root(w):
    """A tensor to differentiate: mostly one that has a graph."""
    if w.chance(0.04):
        return w.pick()
    return w.prefer(inner, floating, tracked)


def seeded(w, x):
    """What starts a pass from ``x``: nothing for a scalar, now and then something wrong."""
    value = w.value(x)
    if w.chance(0.04):
        return ""
    if value.numel() == 1 and w.chance(0.85):
        return ""
    if w.chance(0.1):
        others = [n for n, t in w.tensors.items() if t.shape == value.shape and floating(t)]
        if others:
            # A copy: PyTorch may keep the very tensor, or a view of it, as the .grad of a leaf.
            w.note("a variable as gradient")
            return f"{w.rng.choice(others)}.detach().clone()"
    return w.weights(value.shape if not w.chance(0.02) else (5,))


def options(w, create=0.15):
    """``retain_graph`` and ``create_graph``."""
    if w.chance(create):
        w.note("create_graph")
        return ", create_graph=True"
    if w.chance(0.5):
        w.note("retain_graph")
        return ", retain_graph=True"
    return ""


def arguments(*parts):
    return ", ".join(part.removeprefix(", ") for part in parts if part)


@kind("passes", "backward", 3)
def backward(w):
    x = root(w)
    inputs = ""
    if w.chance(0.12):
        w.note("inputs=")
        inputs = f", inputs={a_list(w, x)}"
    return f"{x}.backward({arguments(seeded(w, x), options(w), inputs)})"


@kind("passes", "sum().backward()", 1.5)
def backward_of_sum(w):
    return f"{root(w)}.sum().backward({arguments(options(w))})"


@kind("passes", "backward of several", 0.3)
def backward_of_several(w):
    x, y = root(w), root(w)
    seeds = f", [{w.weights(w.value(x).shape)}, {w.weights(w.value(y).shape)}]"
    return f"torch.autograd.backward([{x}, {y}]{seeds}{options(w)})"


def inputs_of(w, x):
    """Tensors that ``x`` was computed from, mostly."""
    tensors = w.tensors
    above = [n for n in sorted(w.ancestors(x)) if n in tensors and tracked(tensors[n])]
    if w.chance(0.12) or not above:
        return [w.pick(tracked)]
    return w.rng.sample(above, min(len(above), w.rng.randint(1, 3)))


def a_list(w, x):
    return "[" + ", ".join(inputs_of(w, x)) + "]"


@kind("passes", "grad", 1.5)
def grad(w):
    x = root(w)
    targets = inputs_of(w, x)
    results = ", ".join(w.new() for _ in targets) + ("," if len(targets) == 1 else "")
    more = w.one("", ", allow_unused=True", ", allow_unused=True", ", materialize_grads=True")
    seed = seeded(w, x)
    call = arguments(x, "[" + ", ".join(targets) + "]", seed, options(w, create=0.5), more)
    return f"{results} = torch.autograd.grad({call})"


@kind("passes", "second derivative", 0.7)
def second(w):
    x = root(w)
    try:
        target = w.pick(leaf, tame)
    except NothingFits:
        target = w.pick(tracked)
    g, h = w.new(), w.new()
    return (
        f"({g},) = torch.autograd.grad({x}.sum(), {target}, create_graph=True)\n"
        f"({h},) = torch.autograd.grad({g}.sum(), {target}, retain_graph=True, allow_unused=True)"
    )


@kind("passes", ".grad", 0.5)
def read_grad(w):
    return f"see('grad', {w.prefer(leaf)}.grad)"


@kind("passes", "name of .grad", 0.3)
def name_grad(w):
    x = w.prefer(leaf, lambda t: t.is_leaf and t.grad is not None)
    return f"{w.new()} = {x}.grad"


@kind("passes", "grad = None", 0.4)
def reset_grad(w):
    return f"{w.prefer(leaf)}.grad = None"


@kind("passes", "grad.zero_()", 0.4)
def zero_grad(w):
    return f"{w.pick(lambda t: t.is_leaf and t.grad is not None)}.grad.zero_()"


@kind("passes", "grad = tensor", 0.15)
def set_grad(w):
    x = w.pick(leaf)
    value = w.value(x)
    y = w.prefer(lambda o: o.shape == value.shape and o.dtype == value.dtype, w.computed)
    return f"{x}.grad = {y}"


@kind("passes", "write .grad", 0.2)
def write_grad(w):
    x = w.pick(lambda t: t.is_leaf and t.grad is not None)
    return f"{x}.grad{w.one('.mul_(2)', '.add_(1)', '[...] = 1', '.data.mul_(3)')}"


@kind("passes", "gradient step", 0.4)
def gradient_step(w):
    x = w.pick(lambda t: leaf(t) and t.grad is not None)
    return f"with torch.no_grad():\n    {x} -= 0.25 * {x}.grad"


@kind("passes", "retain_grad", 0.9)
def retain_grad(w):
    x = w.prefer(inner)
    return f"{x}.grad_fn\n{x}.retain_grad()"


@each("passes", ["_version", "is_leaf", "requires_grad", "output_nr", "_is_view()"], 0.08)
def read(w, name):
    names = set(w.tensors) - w.player.gradients
    if not names:
        raise NothingFits
    return f"see('{name}', {w.rng.choice(sorted(names))}.{name})"


@kind("passes", "same .grad again", 0.4)
def same_grad(w):
    """Whether a second pass writes into the ``.grad`` that is there, and how often."""
    x = w.pick(lambda t: t.is_leaf and t.requires_grad and t.grad is not None)
    more = w.one("", "", "create_graph=True")
    return (
        f"grad, version = {x}.grad, {x}.grad._version\n"
        f"({x} * 2).sum().backward({more})\n"
        f"see('same', {x}.grad is grad)\nsee('writes', grad._version - version)\ndel grad"
    )


@kind("passes", "_saved_…", 0.5)
def saved(w):
    """Read a tensor that a node has saved, by the name that PyTorch gives it."""
    x = w.pick(inner, w.computed)
    node = w.value(x).grad_fn
    names = []
    for name in dir(node):
        if name.startswith("_saved_"):
            try:
                if isinstance(getattr(node, name), w.torch.Tensor):
                    names.append(name)
            except RuntimeError:
                names.append(name)
    if not names:
        raise NothingFits
    return f"see('saved', {x}.grad_fn.{w.rng.choice(sorted(names))})"


@kind("passes", "anomaly mode", 0.1)
def anomaly(w):
    x = w.pick(tracked, floating)
    return f"with torch.autograd.detect_anomaly(False):\n    ({x} * 2).sum().backward()"


@kind("passes", "saved_tensors_hooks", 0.15)
def saved_hooks(w):
    x, t = w.operand(tracked, lambda t: t.grad_fn is not None or not t._is_view()), w.new()
    return (
        "with torch.autograd.graph.saved_tensors_hooks(\n"
        "    lambda x: (see('pack', x), x.clone())[1], lambda x: x\n"
        f"):\n    {t} = {x} * {x} + {x}.sin()"
    )
