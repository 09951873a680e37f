"""Filling a tensor with random numbers; whatever was there before gets no gradient."""

from __future__ import annotations

import numpy as np

from .. import random
from .inplace import check_overlap, overwrite
from .pointwise import zeros_like
from .rule import Rule, publish

UNIFORM = Rule("uniform", "UniformBackward0", {"self": lambda g: zeros_like(g)}, symbol="random")
NORMAL = Rule("normal", "NormalBackward0", {"self": lambda g: zeros_like(g)}, symbol="random")


def uniform_(self, from_: float = 0.0, to: float = 1.0, *, generator=None):
    """Fill with uniform random numbers in [``from``, ``to``), the same as PyTorch for one seed.

    >>> import minigrad as mg
    >>> _ = mg.manual_seed(0)
    >>> mg.zeros(2).uniform_()
    tensor([0.4963, 0.7682])
    """
    return fill_with(self, UNIFORM, random.uniform, from_, to, generator)


def normal_(self, mean: float = 0.0, std: float = 1.0, *, generator=None):
    """Fill with normal random numbers of this mean and standard deviation.

    >>> import minigrad as mg
    >>> _ = mg.manual_seed(0)
    >>> mg.zeros(2).normal_()
    tensor([ 1.5410, -0.2934])
    """
    return fill_with(self, NORMAL, random.normal, mean, std, generator)


def fill_with(tensor, rule: Rule, draw, a: float, b: float, generator):
    """Draw the numbers and write them in the order of memory, as PyTorch does."""
    x = tensor._value
    order = np.argsort([-step for step in x.strides], kind="stable")
    check_overlap(tensor)
    how = {} if draw is random.uniform else {"contiguous": bool(x.flags.c_contiguous)}
    numbers = draw(a, b, tuple(x.shape[i] for i in order), x.dtype, generator, **how)
    return overwrite(tensor, numbers.transpose(np.argsort(order)), rule)


for _operation in (uniform_, normal_):
    publish(_operation, _operation.__name__)
