"""nan and infinities, and numbers in their place."""

from __future__ import annotations

import numpy as np

from ...autograd.thread_state import state
from ..promotion import copied, plain_number, raw_tensor
from ..rule import operation
from .logic import isfinite


@operation(lambda g, self: g * isfinite(self))
def nan_to_num(input, nan=None, posinf=None, neginf=None):
    """``input`` with numbers in the place of nan and of infinities; those get the gradient 0.

    Args:
        nan: the number for nan; 0 unless given.
        posinf, neginf: those for infinity and minus infinity; the largest and the smallest of the
            dtype unless given.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.nan_to_num.html

    >>> import minigrad as mg
    >>> mg.nan_to_num(mg.tensor([mg.nan, mg.inf, 2.0]), posinf=1.0)
    tensor([0., 1., 2.])
    """
    x = raw_tensor(input, "nan_to_num")
    given = {"nan": 0.0 if nan is None else nan, "posinf": posinf, "neginf": neginf}
    numbers = {
        name: plain_number(value, "nan_to_num", name, position)
        for position, (name, value) in enumerate(given.items(), 2)
        if value is not None
    }
    if x.dtype.kind != "f":
        return nan_to_num.rule.record(copied(x), input)
    return nan_to_num.rule.record(state.here.quiet(np.nan_to_num, x, **numbers)[()], input)
