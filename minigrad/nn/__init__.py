"""Layers, losses and the classes they are built from: just enough to train a small network.

Source: https://docs.pytorch.org/docs/2.13/nn.html
"""

from . import functional
from .layers import CrossEntropyLoss, Flatten, Linear, MSELoss, ReLU, Sequential, Sigmoid, Tanh
from .module import Module
from .parameter import Parameter

__all__ = [
    "CrossEntropyLoss",
    "Flatten",
    "Linear",
    "MSELoss",
    "Module",
    "Parameter",
    "ReLU",
    "Sequential",
    "Sigmoid",
    "Tanh",
    "functional",
]
