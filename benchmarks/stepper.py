"""What a stepper costs: the time until its HTML is there, and how large that is."""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import process_time
from typing import Any

import minigrad as mg
from minigrad.viz import engine
from minigrad.widgets import stepper

ROUNDS = 3


@dataclass(frozen=True)
class Pass:
    """A backward pass to step through, and what its stepper may cost."""

    title: str
    make: Callable[[], Any]
    seconds: float
    kilobytes: float


@dataclass(frozen=True)
class Cost:
    """CPU seconds, and bytes of HTML without the player's code, which is stored once a notebook."""

    seconds: float
    size: int


def large() -> Any:
    """Three operations on a large tensor."""
    x = mg.ones(1000, 1000, requires_grad=True)
    return (x * x + 1).mean()


def chain(length: int) -> Any:
    """Operations in a row, each second one on a leaf that is used again and again."""
    y = x = mg.tensor(1.0, requires_grad=True)
    for number in range(length):
        y = y * 1.0001 if number % 2 else y + x
    return y


def classifier() -> Any:
    """A network 784-128-10 on a batch of 64."""
    net = mg.nn.Sequential(mg.nn.Linear(784, 128), mg.nn.ReLU(), mg.nn.Linear(128, 10))
    labels = mg.zeros(64, dtype=mg.int64)
    return mg.nn.functional.cross_entropy(net(mg.randn(64, 784)), labels)


def transformer() -> Any:
    """Twelve Transformer layers of PyTorch, each module a box."""
    import torch

    layer = torch.nn.TransformerEncoderLayer(64, 4, 128, batch_first=True)
    model = torch.nn.TransformerEncoder(layer, 12)
    with mg.watch(model):
        return model(torch.ones(2, 8, 64)).sum()


PASSES = [
    Pass("1000×1000, 3 operations", large, 1, 200),
    Pass("100 operations", lambda: chain(100), 0.3, 400),
    Pass("500 operations", lambda: chain(500), 1.5, 700),
    Pass("2,000 operations", lambda: chain(2000), 4, 1000),
    Pass("784-128-10, batch 64", classifier, 1.5, 400),
    Pass("12 Transformer layers, PyTorch", transformer, 5, 700),
]


def costs() -> dict[str, Cost] | None:
    """Measure each pass; None where no Graphviz is installed, so that nothing would be drawn."""
    if engine() is None:
        return None
    once(classifier())  # what a first stepper imports and compiles is no cost of the next
    return {one.title: cost(one) for one in PASSES}


def cost(one: Pass) -> Cost:
    """The median of a few rounds; the graph itself is made before the clock runs."""
    rounds = [once(one.make()) for _ in range(ROUNDS)]
    return Cost(median(seconds for seconds, _ in rounds), rounds[0][1])


def once(y: Any) -> tuple[float, int]:
    """Make a stepper and its HTML."""
    began = process_time()
    html = stepper(y)._html()
    return process_time() - began, len(html.encode())
