"""Layers, and what runs them one after another."""

from __future__ import annotations

import math
import warnings
from collections import OrderedDict

from ..extras.factories import empty
from ..tensor import Tensor
from . import functional, init
from .containers import Numbered
from .module import Module
from .parameter import Parameter


class Linear(Module):
    """``x @ weight.T + bias``.

    The weight, then the bias, start with uniform random numbers between ±1/√in_features; with one
    seed they are the same numbers as PyTorch's.

    Args:
        in_features: the size of the last dim of the input.
        out_features: the size of the last dim of the output.
        bias: whether there is a bias.
        dtype: the dtype of the parameters.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.nn.Linear.html

    >>> import minigrad as mg
    >>> _ = mg.manual_seed(0)
    >>> mg.nn.Linear(2, 1).weight
    Parameter containing:
    tensor([[-0.0053,  0.3793]], requires_grad=True)
    """

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, device=None, dtype=None
    ):
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = Parameter(empty((out_features, in_features), dtype=dtype))
        if bias:
            self.bias = Parameter(empty((out_features,), dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new random numbers for the weight and the bias."""
        inputs, _ = init.fans(self.weight)
        if not self.weight.numel():
            warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=2)
        bound = 1 / math.sqrt(inputs) if inputs else 0
        for parameter in (self.weight, self.bias):
            if parameter is not None:
                init.uniform_(parameter, -bound, bound)

    def forward(self, input: Tensor) -> Tensor:
        return functional.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}"
        )


class Identity(Module):
    """The input, unchanged, whatever it was made with: it stands where a layer is left out.

    >>> import minigrad as mg
    >>> mg.nn.Identity()(mg.tensor([1.0]))
    tensor([1.])
    """

    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        return input


class Flatten(Module):
    """Make one dim of several, by default of all but the first.

    >>> import minigrad as mg
    >>> mg.nn.Flatten()(mg.ones(2, 3, 4)).shape
    torch.Size([2, 12])
    """

    def __init__(self, start_dim: int = 1, end_dim: int = -1):
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input: Tensor) -> Tensor:
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Sequential(Numbered):
    """Modules one after another: each gets what the one before returned.

    Takes modules, or an ``OrderedDict`` of modules with their names. Reading an index gives a
    module, reading a slice a shorter ``Sequential``.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.nn.Sequential.html

    >>> import minigrad as mg
    >>> mg.nn.Sequential(mg.nn.Linear(2, 8), mg.nn.Tanh())
    Sequential(
      (0): Linear(in_features=2, out_features=8, bias=True)
      (1): Tanh()
    )
    """

    def __init__(self, *args: Module | OrderedDict[str, Module]):
        super().__init__()
        named = len(args) == 1 and isinstance(args[0], OrderedDict)
        for name, module in args[0].items() if named else enumerate(args):
            self.add_module(name if named else str(name), module)

    def forward(self, input):
        for module in self:
            input = module(input)
        return input

    def __getitem__(self, index: int | slice) -> Module:
        if isinstance(index, slice):
            return type(self)(OrderedDict(list(self._modules.items())[index]))
        return self._modules[self._name_at(index)]
