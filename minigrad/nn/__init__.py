"""Layers, losses and the classes they are built from: just enough to train a small network.

Source: https://docs.pytorch.org/docs/2.13/nn.html
"""

from . import functional, init, utils
from .activations import LeakyReLU, LogSoftmax, ReLU, Sigmoid, Softmax, Softplus, Tanh
from .containers import ModuleDict, ModuleList, ParameterList
from .layers import Flatten, Identity, Linear, Sequential
from .lookup import Embedding
from .loss_modules import BCELoss, BCEWithLogitsLoss, CrossEntropyLoss, L1Loss, MSELoss, NLLLoss
from .module import Module
from .parameter import Parameter

__all__ = [
    "BCELoss",
    "BCEWithLogitsLoss",
    "CrossEntropyLoss",
    "Embedding",
    "Flatten",
    "Identity",
    "L1Loss",
    "LeakyReLU",
    "Linear",
    "LogSoftmax",
    "MSELoss",
    "Module",
    "ModuleDict",
    "ModuleList",
    "NLLLoss",
    "Parameter",
    "ParameterList",
    "ReLU",
    "Sequential",
    "Sigmoid",
    "Softmax",
    "Softplus",
    "Tanh",
    "functional",
    "init",
    "utils",
]
