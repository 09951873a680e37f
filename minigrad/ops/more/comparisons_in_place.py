"""``x.lt_(y)`` and its like: zeros and ones written into a tensor, with derivative 0."""

from __future__ import annotations

from ...tensor import Tensor
from .. import comparisons
from ..inplace import in_place
from ..piecewise import zeros_like
from ..rule import Rule


def compared(comparison):
    """What the in-place form of a comparison writes: zeros and ones, recorded with derivative 0."""
    name = comparison.__name__
    node = f"{name.capitalize()}Backward"
    zero = zeros_like
    of_number = Rule(name, zero, node=f"{node}0")
    of_tensor = Rule(name, zero, other=zero, node=f"{node}1", broadcasts=True)

    def operation(input, other):
        value = comparison(input, other)._value.astype(input._value.dtype)
        if isinstance(other, Tensor):
            return of_tensor.record(value, input, other)
        return of_number.record(value, input)

    operation.__name__ = name
    return operation


for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    _written = compared(getattr(comparisons, _name))
    setattr(Tensor, f"{_name}_", in_place(_written, f"{_name}_"))
