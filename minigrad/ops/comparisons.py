"""Comparisons: not differentiable, so nothing is recorded."""

from __future__ import annotations

import operator
from collections.abc import Callable

from ..autograd.around import Around
from ..tensor import Tensor, wrap
from .promotion import broadcast, meet
from .rule import operation


def of_two(name: str, compute: Callable, says: str, operands: Callable = meet) -> Callable:
    """Declare an operation of tensors and numbers whose result has no history."""

    def compared(input, other):
        value = broadcast(compute, *operands(input, other, name))
        if isinstance(input, Tensor) or isinstance(other, Tensor):
            return Around.cut(wrap(value), name, input, other)
        return value

    compared.__doc__ = f"{says}, elementwise with broadcasting; the result has no history."
    return operation(name=name)(compared)


eq = of_two("eq", operator.eq, "Whether ``input == other``")
ne = of_two("ne", operator.ne, "Whether ``input != other``")
lt = of_two("lt", operator.lt, "Whether ``input < other``")
le = of_two("le", operator.le, "Whether ``input <= other``")
gt = of_two("gt", operator.gt, "Whether ``input > other``")
ge = of_two("ge", operator.ge, "Whether ``input >= other``")
