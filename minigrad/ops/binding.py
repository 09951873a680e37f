"""From the table of operations to ``Tensor``: methods, operators and in-place forms."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable

from ..dtypes import type_name
from ..tensor import Tensor
from . import arithmetic, indexing, inplace, piecewise
from .elementwise import special
from .rule import OPERATIONS

# Operations with an in-place form. Writes such as `copy_` and `fill_` are operations of their own.
IN_PLACE = """
    add sub mul div pow neg abs exp exp2 log log2 log10 log1p expm1 sqrt rsqrt square reciprocal
    sin cos tan asin acos atan sinh cosh tanh sigmoid relu sign floor ceil round trunc clamp lerp
    addcmul addcdiv remainder floor_divide cumsum cumprod
    logical_and logical_or logical_xor logical_not bitwise_and bitwise_or bitwise_xor bitwise_not
    tril triu masked_fill scatter scatter_add index_add index_put
"""

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
OPERATORS = {  # operators by the operation they stand for; `2 - x` is the reflected form of `-`
    "add": "add", "radd": "add", "sub": "sub", "rsub": "rsub", "mul": "mul", "rmul": "mul",
    "truediv": "div", "floordiv": "floor_divide", "mod": "remainder", "pow": "pow",
    "matmul": "matmul", "and": "bitwise_and", "rand": "bitwise_and",
    "or": "bitwise_or", "ror": "bitwise_or", "xor": "bitwise_xor", "rxor": "bitwise_xor",
    "eq": "eq", "ne": "ne", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge",
}
# fmt: on
REFLECTED = ("floordiv", "mod", "pow")  # their second operand comes first
AUGMENTED = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor")


def reflected(operation: Callable) -> Callable:
    """The operation with its operands exchanged."""
    return lambda self, other: operation(other, self)


def bind() -> None:
    """Give :class:`Tensor` its methods and operators."""
    for name, operation in OPERATIONS.items():
        OPERATIONS[name] = operation = called(operation)
        if name not in FUNCTIONS_ONLY:
            setattr(Tensor, name, operation)
    for name in IN_PLACE.split():
        setattr(Tensor, f"{name}_", inplace.in_place(OPERATIONS[name], f"{name}_"))
    for sign, name in OPERATORS.items():
        setattr(Tensor, f"__{sign}__", special(OPERATIONS[name], takes_arrays=name == "eq"))
    for sign in ("add", "radd", "sub", "mul", "rmul", "truediv"):  # the commonest ones need no help
        setattr(Tensor, f"__{sign}__", getattr(arithmetic, OPERATORS[sign]).operator)
    for sign in REFLECTED:
        setattr(Tensor, f"__r{sign}__", special(reflected(OPERATIONS[OPERATORS[sign]])))
    Tensor.__rtruediv__ = special(
        lambda self, other: arithmetic.mul(arithmetic.reciprocal(self), other)
    )
    for sign in AUGMENTED:
        setattr(Tensor, f"__i{sign}__", special(getattr(Tensor, f"{OPERATORS[sign]}_")))
    Tensor.where = lambda self, condition, other: piecewise.where(condition, self, other)
    Tensor.__neg__ = arithmetic.neg
    Tensor.__pos__ = lambda self: self
    Tensor.__abs__ = piecewise.abs
    Tensor.__getitem__ = indexing.getitem
    Tensor.__setitem__ = inplace.setitem


# -- how programs call operations: what PyTorch reads of the arguments before it begins ------------


OTHER_NAMES = {"axis": "dim", "keepdims": "keepdim", "split_size": "split_size_or_sections"}
KINDS = {
    "int": int,
    "int | None": int,
    "bool": bool,
    "bool | None": bool,
    "Tensor": Tensor,
}


def called(operation: Callable) -> Callable:
    """An operation as programs call it: it knows other names of its arguments and checks them.

    Which of them are to be ints, bools or tensors, its annotations say.
    """
    code, kinds, called_as = operation.__code__, operation.__annotations__, operation.__name__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    # What stands behind `*sizes` has no place: it is given by name alone.
    places = (*range(code.co_argcount), *[math.inf] * code.co_kwonlyargcount)
    checked = [(i, name, kinds[name]) for i, name in zip(places, names) if kinds.get(name) in KINDS]
    if not checked and "dim" not in names:
        return operation

    @functools.wraps(operation)
    def call(*args, **named):
        if named and not OTHER_NAMES.keys().isdisjoint(named):
            named = {OTHER_NAMES.get(name, name): value for name, value in named.items()}
        for i, name, kind in checked:
            if i < len(args):
                if args[i].__class__.__name__ != kind:
                    value = as_declared(args[i], kind, called_as, name, f" (position {i + 1})")
                    args = (*args[:i], value, *args[i + 1 :])
            elif name in named and named[name].__class__.__name__ != kind:
                named[name] = as_declared(named[name], kind, called_as, name)
        return operation(*args, **named)

    return call


def as_declared(value, kind: str, operation: str, name: str, place: str = ""):
    """An argument that is to be of one of the :data:`KINDS`.

    Raises:
        TypeError: it is something else.
    """
    if value is None and kind.endswith("None"):
        return value
    wanted = KINDS[kind]
    is_index = hasattr(value, "__index__") and not isinstance(value, bool)
    if not (is_index if wanted is int else isinstance(value, wanted)):
        expected = f"must be {wanted.__name__}, not {type_name(value)}"
        raise TypeError(f"{operation}(): argument '{name}'{place} {expected}")
    return operator.index(value) if wanted is int else value


def check_together(sizes, operation: str, argument: str, place: str = "") -> None:
    """Refuse sizes or dims that are not in one tuple or list."""
    if not isinstance(sizes, tuple | list):
        wanted = f"must be tuple of ints, not {type_name(sizes)}"
        raise TypeError(f"{operation}(): argument '{argument}'{place} {wanted}")
