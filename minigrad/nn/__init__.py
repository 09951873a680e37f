"""Layers, losses and the classes they are built from: just enough to train a small network.

Source: https://docs.pytorch.org/docs/2.13/nn.html
"""

from . import functional, utils
from .containers import ModuleDict, ModuleList, ParameterList
from .layers import CrossEntropyLoss, Flatten, Linear, MSELoss, ReLU, Sequential, Sigmoid, Tanh
from .lookup import Embedding
from .module import Module
from .parameter import Parameter

__all__ = [
    "CrossEntropyLoss",
    "Embedding",
    "Flatten",
    "Linear",
    "MSELoss",
    "Module",
    "ModuleDict",
    "ModuleList",
    "Parameter",
    "ParameterList",
    "ReLU",
    "Sequential",
    "Sigmoid",
    "Tanh",
    "functional",
    "utils",
]
