"""From the table of operations to ``Tensor``: methods, operators and in-place forms."""

from __future__ import annotations

from ..tensor import Tensor
from . import arithmetic, functions, indexing, inplace, kinks, linalg, logic
from .operands import UnsupportedOperand
from .rule import OPERATIONS

# Operations with an in-place form. Writes such as `copy_` and `fill_` are operations of their own.
IN_PLACE = """
    add sub mul div pow neg abs exp exp2 log log2 log10 log1p expm1 sqrt rsqrt square reciprocal
    sin cos tan asin acos atan sinh cosh tanh sigmoid relu sign floor ceil round trunc clamp lerp
    addcmul addcdiv remainder floor_divide cumsum cumprod eq ne lt le gt ge
    logical_and logical_or logical_xor logical_not bitwise_and bitwise_or bitwise_xor bitwise_not
    tril triu masked_fill scatter scatter_add index_add index_put
"""

FUNCTIONS_ONLY = {"where", "einsum", "stack", "cat", "rsub"}
METHODS_ONLY = {"view", "view_as", "expand", "expand_as", "contiguous", "repeat"}

OPERATORS = {
    "add": arithmetic.add_plain,
    "sub": arithmetic.sub_plain,
    "mul": arithmetic.mul,
    "truediv": arithmetic.div,
    "pow": functions.pow,
    "matmul": linalg.matmul,
    "mod": arithmetic.remainder,
    "floordiv": arithmetic.floor_divide,
    "and": logic.bitwise_and,
    "or": logic.bitwise_or,
    "xor": logic.bitwise_xor,
    **{name: getattr(logic, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")},
    "radd": arithmetic.add_plain,
    "rsub": arithmetic.rsub,
    "rmul": arithmetic.mul,
    "rtruediv": lambda self, other: arithmetic.mul(arithmetic.reciprocal(self), other),
    "rpow": lambda self, other: functions.pow(other, self),
    "rmod": lambda self, other: arithmetic.remainder(other, self),
    "rfloordiv": lambda self, other: arithmetic.floor_divide(other, self),
    "rand": logic.bitwise_and,
    "ror": logic.bitwise_or,
    "rxor": logic.bitwise_xor,
}
AUGMENTED = {"add": "add_", "sub": "sub_", "mul": "mul_", "truediv": "div_", "pow": "pow_"}
AUGMENTED |= {"mod": "remainder_", "floordiv": "floor_divide_"}
AUGMENTED |= {"and": "bitwise_and_", "or": "bitwise_or_", "xor": "bitwise_xor_"}


def special(operation):
    """A special method: answers ``NotImplemented`` for operands the operation does not take."""

    def method(self, other):
        try:
            return operation(self, other)
        except UnsupportedOperand:
            return NotImplemented

    return method


def bind() -> None:
    """Give :class:`Tensor` its methods and operators."""
    for name, operation in OPERATIONS.items():
        if name not in FUNCTIONS_ONLY:
            setattr(Tensor, name, operation)
    for name in IN_PLACE.split():
        setattr(Tensor, f"{name}_", inplace.in_place(OPERATIONS[name], f"{name}_"))
    for name, operation in OPERATORS.items():
        setattr(Tensor, f"__{name}__", special(operation))
    for name, form in AUGMENTED.items():
        setattr(Tensor, f"__i{name}__", special(getattr(Tensor, form)))
    Tensor.where = lambda self, condition, other: kinks.where(condition, self, other)
    Tensor.__neg__ = arithmetic.neg
    Tensor.__pos__ = lambda self: self
    Tensor.__invert__ = logic.bitwise_not
    Tensor.__abs__ = kinks.abs
    Tensor.__getitem__ = indexing.getitem
    Tensor.__setitem__ = inplace.setitem
