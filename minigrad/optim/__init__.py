"""Optimizers: how parameters follow their gradients downhill.

Source: https://docs.pytorch.org/docs/2.13/optim.html
"""

from .adam import Adam
from .optimizer import Optimizer
from .sgd import SGD

__all__ = ["Adam", "Optimizer", "SGD"]
