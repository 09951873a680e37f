"""One interface to every engine, so that a workload is written once.

An engine makes leaves of numbers and arrays, runs a function on them backward, and brings the few
functions that workloads call. `backward` leaves nothing behind: each step starts afresh.
"""

import importlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import bare


class Engine:
    """An automatic differentiation library: `leaf`, `backward`, and functions of tensors."""

    name: str

    def leaf(self, value: Any) -> Any:
        """Return `value`, a float or an array, as a leaf that wants a gradient."""
        return value

    def constant(self, value: np.ndarray) -> Any:
        """Return an array that takes part and wants no gradient."""
        return value

    def backward(self, function: Callable, leaves: Sequence) -> list:
        """Return the gradient of `function(*leaves)`, a scalar, for every leaf."""
        function(*leaves).backward()
        gradients = [leaf.grad for leaf in leaves]
        for leaf in leaves:
            self.forget(leaf)
        return gradients

    def forget(self, leaf: Any) -> None:
        """Drop the gradient of a leaf, so that the next pass begins anew."""
        leaf.grad = None

    def gradients(self, function: Callable, leaves: Sequence) -> list:
        """Return the same gradients, recorded, so that they can be differentiated again."""
        raise NotImplementedError(f"{self.name} has no derivatives of derivatives")

    def descend(self, leaves: Sequence, gradients: Sequence, rate: float) -> None:
        """Take a step of plain gradient descent, in place."""
        for leaf, gradient in zip(leaves, gradients):
            leaf -= rate * gradient

    def array(self, value: Any) -> np.ndarray:
        """Return a result as NumPy sees it."""
        return np.asarray(value)


class Torchlike(Engine):
    """PyTorch, and minigrad, which is used through the same doors."""

    def __init__(self, name: str, package: str):
        self.name = name
        self.library = library = importlib.import_module(package)
        self.functional = importlib.import_module(f"{package}.nn.functional")
        self.exp, self.sin, self.tanh, self.relu = (
            library.exp,
            library.sin,
            library.tanh,
            library.relu,
        )
        self.sum, self.mean = library.sum, library.mean

    def leaf(self, value):
        return self.library.tensor(value, requires_grad=True)

    def constant(self, value):
        return self.library.tensor(value)

    def gradients(self, function, leaves):
        return self.library.autograd.grad(function(*leaves), leaves, create_graph=True)

    def cross_entropy(self, logits, labels):
        return self.functional.cross_entropy(logits, labels)

    def descend(self, leaves, gradients, rate):
        with self.library.no_grad():
            super().descend(leaves, gradients, rate)

    def array(self, value):
        return value.detach().numpy()


class HipsAutograd(Engine):
    """HIPS autograd: plain arrays in, a function that computes the gradient out."""

    name = "autograd"

    def __init__(self):
        self.library = importlib.import_module("autograd")
        self.numpy = importlib.import_module("autograd.numpy")
        self.exp, self.sin, self.tanh = self.numpy.exp, self.numpy.sin, self.numpy.tanh
        self.sum, self.mean = self.numpy.sum, self.numpy.mean

    def backward(self, function, leaves):
        return self.library.grad(function, tuple(range(len(leaves))))(*leaves)

    gradients = backward

    def relu(self, x):
        return self.numpy.maximum(x, 0)

    def cross_entropy(self, logits, labels):
        shifted = logits - self.numpy.max(logits, axis=1, keepdims=True)
        log_sums = self.numpy.log(self.numpy.sum(self.numpy.exp(shifted), axis=1))
        return self.numpy.mean(log_sums - shifted[np.arange(len(labels)), labels])


class MyGrad(Engine):
    """MyGrad, with its guard against writes to arrays in use switched off, as it advises."""

    name = "MyGrad"

    def __init__(self):
        self.library = library = importlib.import_module("mygrad")
        self.relu = importlib.import_module("mygrad.nnet.activations").relu
        losses = importlib.import_module("mygrad.nnet.losses")
        self.cross_entropy = losses.softmax_crossentropy
        self.exp, self.sin, self.tanh = library.exp, library.sin, library.tanh
        self.sum, self.mean = library.sum, library.mean
        library.turn_memory_guarding_off()

    def leaf(self, value):
        return self.library.tensor(value)

    def forget(self, leaf):
        leaf.null_grad()

    def descend(self, leaves, gradients, rate):
        super().descend([leaf.data for leaf in leaves], gradients, rate)


class Micrograd(Engine):
    """micrograd: scalars only, and the yardstick of its own demo."""

    name = "micrograd"

    def __init__(self):
        self.value = importlib.import_module("micrograd.engine").Value

    def leaf(self, value):
        return self.value(value)

    def relu(self, x):
        return x.relu()

    def forget(self, leaf):
        leaf.grad = 0

    def descend(self, leaves, gradients, rate):
        for leaf, gradient in zip(leaves, gradients):
            leaf.data -= rate * gradient


class Bare(Engine):
    """The least that an engine can be (see :mod:`.bare`): a yardstick, and no peer."""

    name = "bare"
    exp, sin, tanh, relu = map(staticmethod, (bare.exp, bare.sin, bare.tanh, bare.relu))
    sum, mean = staticmethod(bare.sum), staticmethod(bare.mean)
    cross_entropy = staticmethod(bare.cross_entropy)

    def leaf(self, value):
        return bare.Value(np.array(value, np.float32)[()], bare.Leaf())

    def constant(self, value):
        return bare.Value(value)

    def backward(self, function, leaves):
        bare.backward(function(*leaves))
        gradients = [leaf.node.gradient for leaf in leaves]
        for leaf in leaves:
            leaf.node.gradient = None
        return gradients

    def descend(self, leaves, gradients, rate):
        for leaf, gradient in zip(leaves, gradients):
            leaf.value -= rate * gradient


MAKERS = {
    "minigrad": lambda: Torchlike("minigrad", "minigrad"),
    "PyTorch": lambda: Torchlike("PyTorch", "torch"),
    "autograd": HipsAutograd,
    "MyGrad": MyGrad,
    "micrograd": Micrograd,
    "bare": Bare,
}
PURE_PYTHON = ("autograd", "MyGrad")


def load_engines() -> dict[str, Engine]:
    """Return every engine that is installed, by name."""
    engines = {}
    for name, make in MAKERS.items():
        try:
            engines[name] = make()
        except ModuleNotFoundError:
            if name == "minigrad":
                raise
    if "PyTorch" in engines:
        engines["PyTorch"].library.set_num_threads(1)
    return engines
