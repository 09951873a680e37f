"""Random programs for the laws that every told pass obeys."""

import random

import minigrad as mg

UNARY = ("sin", "exp", "neg", "tanh")
BINARY = ("add", "mul", "sub")


def program(seed):
    """A root and its leaves; broadcasting, views, several results, hooks and reuse come by."""
    draw = random.Random(seed)
    shapes = [(), (3,), (2, 3), (1, 3)]
    leaves = []
    for number in range(draw.randint(1, 3)):
        entries = mg.full(draw.choice(shapes), 0.3 + 0.37 * number, dtype=draw_dtype(draw))
        leaves.append(entries.requires_grad_(number == 0 or draw.random() < 0.7))
        if leaves[-1].requires_grad and draw.random() < 0.3:
            leaves[-1].grad = mg.full_like(leaves[-1], 0.125)
    tensors = list(leaves)
    for _ in range(draw.randint(1, 14)):
        one, other = draw.choice(tensors), draw.choice(tensors)
        kind = draw.random()
        if kind < 0.5:
            made = getattr(mg, draw.choice(BINARY))(one, other)
        elif kind < 0.75:
            made = getattr(mg, draw.choice(UNARY))(one)
        elif kind < 0.85:
            made = one.sum() if draw.random() < 0.5 else one * draw.choice((2, -0.5, 3))
        elif kind < 0.95 and one.dim():
            made = draw.choice(one.unbind())
        else:
            made = one.reshape(-1)[:3] + other
        if made.requires_grad and not made.is_leaf:
            if draw.random() < 0.1:
                factor = draw.choice((2, -1))
                made.register_hook(lambda gradient, factor=factor: gradient * factor)
            if draw.random() < 0.1:
                made.retain_grad()
        tensors.append(made)
    root = sum((tensor.sum() for tensor in tensors[-3:]), tensors[0].sum())
    return root, leaves


def draw_dtype(draw):
    return mg.float32 if draw.random() < 0.7 else mg.float64
