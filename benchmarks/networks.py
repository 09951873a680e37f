"""Training steps of fully connected networks: forward, backward, and a step downhill."""

from itertools import pairwise

import numpy as np

from .arrays import NO_ARRAYS
from .workload import Workload

RATE = 1e-3


def training(sizes: tuple[int, ...], batch: int):
    """Return the start of a training step: relu layers, cross entropy, gradient descent."""

    def start(engine):
        inputs, labels, weights = network(sizes, batch)
        inputs = engine.constant(inputs)
        if engine.name in ("minigrad", "PyTorch"):
            labels = engine.constant(labels)
        leaves = [engine.leaf(weight) for weight in weights]

        def loss(*leaves):
            y = inputs
            for w, b in zip(leaves[:-2:2], leaves[1:-2:2]):
                y = engine.relu(y @ w + b)
            return engine.cross_entropy(y @ leaves[-2] + leaves[-1], labels)

        def step():
            gradients = engine.backward(loss, leaves)
            engine.descend(leaves, gradients, RATE)
            return gradients

        return step

    return start


def training_by_hand(sizes: tuple[int, ...], batch: int):
    """Return the start of the same step, with every derivative written out."""

    def start():
        inputs, labels, weights = network(sizes, batch)
        rows = np.arange(batch)

        def step():
            layers = [inputs]
            for w, b in zip(weights[:-2:2], weights[1:-2:2]):
                y = layers[-1] @ w
                y += b
                layers.append(np.maximum(y, 0, out=y))
            logits = layers[-1] @ weights[-2]
            logits += weights[-1]
            logits -= logits.max(axis=1, keepdims=True)
            d = np.exp(logits)
            sums = d.sum(axis=1, keepdims=True)
            loss = (np.log(sums[:, 0]) - logits[rows, labels]).mean()
            d /= sums
            d[rows, labels] -= 1
            d /= batch
            gradients = []
            for n in reversed(range(len(layers))):
                gradients += [d.sum(axis=0), layers[n].T @ d]
                if n:
                    d = d @ weights[2 * n].T
                    d *= layers[n] > 0
            gradients.reverse()
            for weight, gradient in zip(weights, gradients):
                weight -= RATE * gradient
            return [*gradients, loss]

        return step

    return start


def network(sizes: tuple[int, ...], batch: int) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """Return seeded inputs, labels, and weights and biases by turns, in single precision."""
    random = np.random.default_rng(7)
    inputs = random.standard_normal((batch, sizes[0])).astype(np.float32)
    labels = random.integers(sizes[-1], size=batch)
    weights = []
    for wide, narrow in pairwise(sizes):
        scale = np.sqrt(2 / wide)
        weights.append((scale * random.standard_normal((wide, narrow))).astype(np.float32))
        weights.append(np.zeros(narrow, dtype=np.float32))
    return inputs, labels, weights


SMALL = (64, 32, 10), 64
LARGE = (784, 512, 512, 10), 256
SMALL_MLP = Workload(
    "MLP 64-32-10, batch 64, training step", training(*SMALL), training_by_hand(*SMALL), NO_ARRAYS
)
LARGE_MLP = Workload(
    "MLP 784-512-512-10, batch 256, training step",
    training(*LARGE),
    training_by_hand(*LARGE),
    NO_ARRAYS,
)
WORKLOADS = [SMALL_MLP, LARGE_MLP]
