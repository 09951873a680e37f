"""micrograd's demo: a 2-16-16-1 network of single numbers that tells two moons apart."""

from itertools import pairwise

import numpy as np

from .workload import Workload

SIZES = (2, 16, 16, 1)
POINTS = 100
RATE = 1e-3


def demo(engine):
    points, sides = moons()
    leaves = [engine.leaf(float(value)) for value in weights()]

    def loss(*leaves):
        net = iter(leaves)
        layers = [
            [([next(net) for _ in range(wide)], next(net)) for _ in range(narrow)]
            for wide, narrow in pairwise(SIZES)
        ]
        losses = [engine.relu(1 + -side * score(layers, point)) for point, side in
                  zip(points, sides)]  # fmt: skip
        return sum(losses) * (1 / POINTS) + 1e-4 * sum(w * w for w in leaves)

    def score(layers, values):
        for depth, layer in enumerate(layers):
            values = [sum((w * x for w, x in zip(ws, values)), b) for ws, b in layer]
            if depth < len(layers) - 1:
                values = [engine.relu(value) for value in values]
        return values[0]

    def step():
        gradients = engine.backward(loss, leaves)
        engine.descend(leaves, gradients, RATE)
        return gradients

    return step


def moons() -> tuple[list, list]:
    """Return points on two half circles, slightly blurred, and the side of each: 1 or -1."""
    random = np.random.default_rng(1337)
    angles = np.linspace(0, np.pi, POINTS // 2)
    upper = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    lower = np.stack([1 - np.cos(angles), 0.5 - np.sin(angles)], axis=1)
    blurred = np.concatenate([upper, lower]) + 0.1 * random.standard_normal((POINTS, 2))
    return blurred.tolist(), [1.0] * (POINTS // 2) + [-1.0] * (POINTS // 2)


def weights() -> np.ndarray:
    """Return one number for every weight and bias of the network."""
    count = sum((wide + 1) * narrow for wide, narrow in pairwise(SIZES))
    return np.random.default_rng(1338).uniform(-1, 1, count)


DEMO = Workload("micrograd's demo net, scalar graph", demo, tolerance=1e-3)
WORKLOADS = [DEMO]
