"""Elements taken as true or false, and tests of each; nothing is recorded."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...autograd.around import Around
from ...tensor import Tensor, wrap
from ..comparisons import of_two
from ..elementwise import TWO_TENSORS
from ..promotion import raw
from ..rule import edge_of, operation


def truths(input, other, name: str) -> tuple:
    """Operands of any dtype, each for itself true or not."""
    return raw(input), raw(other)


def of_one(name: str, compute: Callable, says: str, differentiable: bool = False) -> Callable:
    """Declare a test of each element.

    ``differentiable`` says that PyTorch computes it with operations that have a derivative, which
    a view that may not be used any more refuses.
    """

    def test(input: Tensor):
        if differentiable:
            edge_of(input)
        value = compute(raw(input))
        return Around.cut(wrap(value), name, input) if isinstance(input, Tensor) else value

    test.__doc__ = f"Whether each element {says}: a bool tensor without history."
    return operation(name=name)(test)


logical_and = of_two("logical_and", np.logical_and, "Whether both are true", truths)
logical_or = of_two("logical_or", np.logical_or, "Whether one is true", truths)
logical_xor = of_two("logical_xor", np.logical_xor, "Whether exactly one is true", truths)
logical_not = of_one("logical_not", np.logical_not, "is 0 or False")

isnan = of_one("isnan", np.isnan, "is nan")
isinf = of_one("isinf", np.isinf, "is infinite")
isfinite = of_one("isfinite", np.isfinite, "is neither nan nor infinite", differentiable=True)

for _function in (logical_and, logical_or, logical_xor):
    _function.__annotations__ = TWO_TENSORS
