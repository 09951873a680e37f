"""From the table of operations to ``Tensor``: methods, operators and in-place forms."""

from __future__ import annotations

from numpy import ndarray

from ..tensor import Tensor, protect, wrap
from . import arithmetic, functions, indexing, inplace, kinks, linalg, logic
from .calling import called
from .operands import UnsupportedOperand
from .rule import OPERATIONS

# Operations with an in-place form. Writes such as `copy_` and `fill_` are operations of their own.
IN_PLACE = """
    add sub mul div pow neg abs exp exp2 log log2 log10 log1p expm1 sqrt rsqrt square reciprocal
    sin cos tan asin acos atan sinh cosh tanh sigmoid relu sign floor ceil round trunc clamp lerp
    addcmul addcdiv remainder floor_divide cumsum cumprod
    logical_and logical_or logical_xor logical_not bitwise_and bitwise_or bitwise_xor bitwise_not
    tril triu masked_fill scatter scatter_add index_add index_put
"""

COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
FUNCTIONS_ONLY = {"where", "einsum", "stack", "cat", "rsub"}
# Methods that are functions, too: `torch.exp_(x)`.
FUNCTIONS_TOO = """
    detach numel is_inference is_floating_point
    abs_ acos_ asin_ atan_ ceil_ clamp_ cos_ cosh_ detach_ exp2_ exp_ expm1_ fill_ floor_ index_put_
    log10_ log1p_ log2_ log_ neg_ reciprocal_ relu_ round_ rsqrt_ sigmoid_ sin_ sinh_ sqrt_ square_
    tan_ tanh_ trunc_ zero_
"""
METHODS_ONLY = {"view", "view_as", "expand", "expand_as", "contiguous", "repeat"}

# fmt: off
OPERATORS = {  # `2 - x` calls the reflected form of `-`, with x as the first operand
    "add": arithmetic.add_plain, "radd": arithmetic.add_plain,
    "sub": arithmetic.sub_plain, "rsub": arithmetic.rsub,
    "mul": arithmetic.mul, "rmul": arithmetic.mul,
    "truediv": arithmetic.div_plain,
    "rtruediv": lambda self, other: arithmetic.mul(arithmetic.reciprocal(self), other),
    "floordiv": arithmetic.floor_divide,
    "rfloordiv": lambda self, other: arithmetic.floor_divide(other, self),
    "mod": arithmetic.remainder,
    "rmod": lambda self, other: arithmetic.remainder(other, self),
    "pow": functions.pow, "rpow": lambda self, other: functions.pow(other, self),
    "and": logic.bitwise_and, "rand": logic.bitwise_and,
    "or": logic.bitwise_or, "ror": logic.bitwise_or,
    "xor": logic.bitwise_xor, "rxor": logic.bitwise_xor,
    "matmul": linalg.matmul,
    "eq": logic.eq, "ne": logic.ne, "lt": logic.lt, "le": logic.le, "gt": logic.gt, "ge": logic.ge,
}
# fmt: on
AUGMENTED = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor")


def special(operation):
    """A special method: answers ``NotImplemented`` for operands the operation does not take.

    An array is such an operand, which leaves the computing to NumPy; but ``==`` takes it.
    """

    def method(self, other):
        if other.__class__ is ndarray:
            if operation is not logic.eq:  # NumPy computes it, or refuses
                return NotImplemented
            other = wrap(other)
        try:
            return operation(self, other)
        except UnsupportedOperand:
            return NotImplemented

    return method


def bind() -> None:
    """Give :class:`Tensor` its methods and operators."""
    for name, operation in OPERATIONS.items():
        OPERATIONS[name] = operation = called(operation)
        if name not in FUNCTIONS_ONLY:
            setattr(Tensor, name, operation)
    written = {name: OPERATIONS[name] for name in IN_PLACE.split()}
    written |= {name: inplace.compared(OPERATIONS[name]) for name in COMPARISONS}
    for name, operation in written.items():
        setattr(Tensor, f"{name}_", inplace.in_place(operation, f"{name}_"))
    for name, operation in OPERATORS.items():
        setattr(Tensor, f"__{name}__", special(operation))
    for name in AUGMENTED:
        in_place_form = getattr(Tensor, f"{OPERATORS[name].__name__}_")
        setattr(Tensor, f"__i{name}__", special(in_place_form))
    Tensor.where = lambda self, condition, other: kinks.where(condition, self, other)
    Tensor.__neg__ = arithmetic.neg
    Tensor.__pos__ = lambda self: self
    Tensor.__invert__ = logic.inverted
    Tensor.__abs__ = kinks.abs
    Tensor.__getitem__ = indexing.getitem
    Tensor.__setitem__ = inplace.setitem
    protect()
