"""Steps: the sign, and numbers made whole. They are flat wherever they have a derivative."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from ..elementwise import unary
from ..piecewise import raw_sign, zeros_like
from ..promotion import raw, refuse
from ..rule import Rule, operation


def step(name: str, compute: Callable) -> Callable:
    """Declare an operation whose derivative is 0."""
    no_bools = None if name == "sign" else partial(refuse, "b", f"{name}_vml_cpu")
    return unary(name, compute, lambda g: zeros_like(g), integers=True, refuse=no_bools)


sign = step("sign", raw_sign)
floor, ceil, trunc = step("floor", np.floor), step("ceil", np.ceil), step("trunc", np.trunc)
round_plain = step("round", np.round)
ROUND_DECIMALS = Rule("round", lambda g, decimals: zeros_like(g), node="RoundBackward1")


@operation(round_plain.rule)
def round(input, *, decimals: int = 0):
    """``input`` rounded to ``decimals`` places; halves go to the even neighbor.

    >>> import minigrad as mg
    >>> mg.round(mg.tensor([0.5, 1.5, 2.4]))
    tensor([0., 2., 2.])
    """
    if decimals == 0:
        return round_plain(input)
    refuse("biu", "round_cpu", raw(input))
    return ROUND_DECIMALS.record(np.round(raw(input), decimals), input, decimals)
