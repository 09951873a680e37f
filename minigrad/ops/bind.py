"""From the table of operations to ``Tensor``: methods, operators and in-place forms."""

from __future__ import annotations

from ..tensor import Tensor
from . import indexing, inplace, linalg, logic, pointwise
from .rule import OPERATIONS, UnsupportedOperand

# Operations with an in-place form. Writes such as `copy_` and `fill_` are operations of their own.
IN_PLACE = """
    add sub mul div pow neg abs exp exp2 log log2 log10 log1p expm1 sqrt rsqrt square reciprocal
    sin cos tan asin acos atan sinh cosh tanh sigmoid relu sign floor ceil round trunc clamp lerp
    addcmul addcdiv remainder floor_divide cumsum cumprod eq ne lt le gt ge
    logical_and logical_or logical_xor logical_not bitwise_and bitwise_or bitwise_xor bitwise_not
    tril triu masked_fill scatter scatter_add index_add index_put
"""

FUNCTIONS_ONLY = {"where_", "einsum", "stack", "cat"}
METHODS_ONLY = {"view", "view_as", "expand", "expand_as", "contiguous", "repeat"}

OPERATORS = {
    "add": pointwise.add_plain,
    "sub": pointwise.sub_plain,
    "mul": pointwise.mul,
    "truediv": pointwise.div,
    "pow": pointwise.pow,
    "matmul": linalg.matmul,
    "mod": pointwise.remainder,
    "floordiv": pointwise.floor_divide,
    "eq": logic.eq,
    "ne": logic.ne,
    "lt": logic.lt,
    "le": logic.le,
    "gt": logic.gt,
    "ge": logic.ge,
    "and": logic.bitwise_and,
    "or": logic.bitwise_or,
    "xor": logic.bitwise_xor,
}


def operator_of(operation):
    """A special method: answers ``NotImplemented`` for operands the operation does not take."""

    def special(self, other):
        try:
            return operation(self, other)
        except UnsupportedOperand:
            return NotImplemented

    return special


def reflected(operation):
    """The special method for ``number <op> tensor``."""

    def special(self, other):
        try:
            return operation(other, self)
        except UnsupportedOperand:
            return NotImplemented

    return special


def divide_number(self, other):
    """``number / tensor`` is the reciprocal times the number, as in PyTorch."""
    try:
        return pointwise.mul(pointwise.reciprocal(self), other)
    except UnsupportedOperand:
        return NotImplemented


def augmented(operation_):
    """The special method for ``tensor <op>= other``."""

    def special(self, other):
        try:
            return operation_(self, other)
        except UnsupportedOperand:
            return NotImplemented

    return special


def bind() -> None:
    """Give :class:`Tensor` its methods and operators."""
    for name, operation in OPERATIONS.items():
        if name not in FUNCTIONS_ONLY:
            setattr(Tensor, name, operation)
    for name in IN_PLACE.split():
        if name in OPERATIONS:
            setattr(Tensor, f"{name}_", inplace.in_place(OPERATIONS[name], f"{name}_"))
    for name, operation in OPERATORS.items():
        setattr(Tensor, f"__{name}__", operator_of(operation))
    for name in ("add", "mul", "and", "or", "xor"):
        setattr(Tensor, f"__r{name}__", operator_of(OPERATORS[name]))
    Tensor.__rsub__ = operator_of(pointwise.rsub)
    Tensor.__rtruediv__ = divide_number
    Tensor.__rpow__ = reflected(pointwise.pow)
    Tensor.__rmod__ = reflected(pointwise.remainder)
    Tensor.__rfloordiv__ = reflected(pointwise.floor_divide)
    for name, form in {
        "add": "add_",
        "sub": "sub_",
        "mul": "mul_",
        "truediv": "div_",
        "pow": "pow_",
    }.items():
        setattr(Tensor, f"__i{name}__", augmented(getattr(Tensor, form)))
    Tensor.__neg__ = pointwise.neg
    Tensor.__pos__ = lambda self: self
    Tensor.__invert__ = logic.bitwise_not
    Tensor.__abs__ = pointwise.abs
    Tensor.__getitem__ = indexing.getitem
    Tensor.__setitem__ = inplace.setitem
