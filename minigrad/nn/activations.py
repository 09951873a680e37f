"""Activations as modules; each is a function of :mod:`.functional`."""

from __future__ import annotations

from ..tensor import Tensor
from . import functional
from .module import Module


class ReLU(Module):
    """The input where it is positive, else 0.

    >>> import minigrad as mg
    >>> mg.nn.ReLU()(mg.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """

    def __init__(self, inplace: bool = False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return functional.relu(input, self.inplace)

    def extra_repr(self) -> str:
        return "inplace=True" if self.inplace else ""


class Tanh(Module):
    """The hyperbolic tangent.

    >>> import minigrad as mg
    >>> mg.nn.Tanh()(mg.tensor([0.0, 100.0]))
    tensor([0., 1.])
    """

    def forward(self, input: Tensor) -> Tensor:
        return functional.tanh(input)


class Sigmoid(Module):
    """1 / (1 + exp(−x)).

    >>> import minigrad as mg
    >>> mg.nn.Sigmoid()(mg.tensor([0.0, 100.0]))
    tensor([0.5000, 1.0000])
    """

    def forward(self, input: Tensor) -> Tensor:
        return functional.sigmoid(input)


class LeakyReLU(Module):
    """The input where it is positive, else ``negative_slope`` times it: no gradient is 0.

    >>> import minigrad as mg
    >>> mg.nn.LeakyReLU(0.1)(mg.tensor([-1.0, 2.0]))
    tensor([-0.1000,  2.0000])
    """

    def __init__(self, negative_slope: float = 0.01, inplace: bool = False):
        super().__init__()
        self.negative_slope = negative_slope
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return functional.leaky_relu(input, self.negative_slope, self.inplace)

    def extra_repr(self) -> str:
        return f"negative_slope={self.negative_slope}{', inplace=True' * self.inplace}"


class Softplus(Module):
    """``log(1 + exp(beta × x)) / beta``: a smooth relu, linear above ``threshold``.

    >>> import minigrad as mg
    >>> mg.nn.Softplus()(mg.tensor([0.0, 30.0]))
    tensor([ 0.6931, 30.0000])
    """

    def __init__(self, beta: float = 1.0, threshold: float = 20.0):
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def forward(self, input: Tensor) -> Tensor:
        return functional.softplus(input, self.beta, self.threshold)

    def extra_repr(self) -> str:
        return f"beta={self.beta}, threshold={self.threshold}"


class Softmax(Module):
    """exp(x) divided by the sum of exp(x) over ``dim``: positive numbers that add up to 1.

    >>> import minigrad as mg
    >>> mg.nn.Softmax(dim=1)(mg.tensor([[0.0, 0.0]]))
    tensor([[0.5000, 0.5000]])
    """

    def __init__(self, dim: int | None = None):
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        return functional.softmax(input, self.dim, _stacklevel=5)

    def extra_repr(self) -> str:
        return f"dim={self.dim}"


class LogSoftmax(Module):
    """The logarithm of :class:`Softmax`, exact also where that would round to 0.

    >>> import minigrad as mg
    >>> mg.nn.LogSoftmax(dim=1)(mg.tensor([[0.0, 1000.0]]))
    tensor([[-1000.,     0.]])
    """

    def __init__(self, dim: int | None = None):
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        return functional.log_softmax(input, self.dim, _stacklevel=5)

    def extra_repr(self) -> str:
        return f"dim={self.dim}"
