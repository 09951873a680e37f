"""From the table of operations to ``Tensor``: methods, operators and in-place forms."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from types import FunctionType

from ..dtypes import type_name
from ..tensor import Tensor
from . import arithmetic, indexing, inplace, piecewise
from .elementwise import special
from .rule import OPERATIONS
from .template import compiled, written_when_called

# Operations with an in-place form. Writes such as `copy_` and `fill_` are operations of their own.
IN_PLACE = """
    add sub mul div pow neg abs exp exp2 log log2 log10 log1p expm1 sqrt rsqrt square reciprocal
    sin cos tan asin acos atan sinh cosh tanh sigmoid relu sign floor ceil round trunc clamp lerp
    clip addcmul addcdiv remainder floor_divide cumsum cumprod
    logical_and logical_or logical_xor logical_not bitwise_and bitwise_or bitwise_xor bitwise_not
    tril triu masked_fill scatter scatter_add index_add index_put nan_to_num clamp_min clamp_max
""".split()  # noqa: SIM905  (as a list it takes a page)

FUNCTIONS_ONLY = """
    where einsum stack cat rsub meshgrid searchsorted bucketize
""".split()  # noqa: SIM905  (as a list it takes a page)
# Methods that are functions, too: `torch.exp_(x)`.
FUNCTIONS_TOO = """
    detach numel is_inference is_floating_point
    abs_ acos_ asin_ atan_ ceil_ clamp_ cos_ cosh_ detach_ exp2_ exp_ expm1_ fill_ floor_ index_put_
    log10_ log1p_ log2_ log_ neg_ reciprocal_ relu_ round_ rsqrt_ sigmoid_ sin_ sinh_ sqrt_ square_
    tan_ tanh_ trunc_ zero_ clip_ clamp_min_ clamp_max_ nan_to_num_
""".split()  # noqa: SIM905  (as a list it takes a page)
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


def bind() -> dict[str, Callable]:
    """Give :class:`Tensor` its methods and operators; return those that are functions, too."""
    for name in OPERATIONS:
        bind_operation(name)
    for sign, name in OPERATORS.items():
        setattr(Tensor, f"__{sign}__", special(OPERATIONS[name], takes_arrays=name == "eq"))
    for sign in ("add", "radd", "sub", "mul", "rmul", "truediv"):  # the commonest ones need no help
        setattr(Tensor, f"__{sign}__", getattr(arithmetic, OPERATORS[sign]).operator)
    for sign in REFLECTED:
        setattr(Tensor, f"__r{sign}__", special(reflected(OPERATIONS[OPERATORS[sign]])))
    Tensor.__rtruediv__ = special(lambda x, y: arithmetic.mul(arithmetic.reciprocal(x), y))
    for sign in AUGMENTED:
        name = OPERATORS[sign]
        plain = getattr(arithmetic, name, OPERATIONS[name])  # `add_` takes an alpha, `+=` does not
        setattr(Tensor, f"__i{sign}__", inplace.augmented(plain, f"{name}_"))
    Tensor.where = lambda self, condition, other: piecewise.where(condition, self, other)
    Tensor.__neg__ = arithmetic.neg
    Tensor.__pos__ = lambda self: self
    Tensor.__abs__ = piecewise.abs
    Tensor.__getitem__ = indexing.getitem
    Tensor.__setitem__ = inplace.setitem
    functions = {n for n in OPERATIONS if not n.endswith("_")} - METHODS_ONLY | set(FUNCTIONS_TOO)
    found = {**vars(Tensor), **OPERATIONS}
    return {n: m for n, m in found.items() if n in functions and isinstance(m, FunctionType)}


def bind_operation(name: str) -> None:
    """Give :class:`Tensor` the methods of one operation."""
    OPERATIONS[name] = operation = called(OPERATIONS[name])
    if name not in FUNCTIONS_ONLY:
        setattr(Tensor, name, operation)
    if name in IN_PLACE:
        setattr(Tensor, f"{name}_", inplace.in_place(operation, f"{name}_"))


# -- how programs call operations: what PyTorch reads of the arguments before it begins ------------


OTHER_NAMES = {"axis": "dim", "keepdims": "keepdim"}
KINDS = {"int": int, "bool": bool, "Tensor": Tensor}  # in annotations also as "int | None"
ABSENT = object()


def called(operation: Callable) -> Callable:
    """An operation as programs call it: it knows other names of its arguments and checks them.

    Which of them are to be ints, bools or tensors, its annotations say. For ``sum`` it reads::

        def sum(input, dim, keepdim, *, dtype, axis, keepdims):
            dim = dim if axis is ABSENT else axis
            keepdim = keepdim if keepdims is ABSENT else keepdims
            if keepdim.__class__ is not bool:
                keepdim = as_declared(keepdim, "bool", "sum", "keepdim", 3)
            return operation(input, dim, keepdim, dtype=dtype)
    """
    code, kinds, name = operation.__code__, operation.__annotations__, operation.__name__
    placed = code.co_varnames[: code.co_argcount]
    named = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    others = {other: of for other, of in OTHER_NAMES.items() if of in placed}
    places = {argument: place for place, argument in enumerate(placed, 1)}
    checked = [(a, kinds[a]) for a in (*placed, *named) if str(kinds.get(a)).split()[0] in KINDS]
    if not checked and not others:
        return operation

    def write() -> Callable:
        apart = ("*", *named, *others) if named or others else ()
        text = f"def {name}({', '.join((*placed, *apart))}):\n"
        for other, of in others.items():
            text += f"    {of} = {of} if {other} is ABSENT else {other}\n"
        for a, kind in checked:
            text += f"    if {a}.__class__ is not {kind.split()[0]}:\n"
            text += f"        {a} = as_declared({a}, {kind!r}, {name!r}, {a!r}, {places.get(a)})\n"
        passed = ", ".join((*placed, *[f"{a}={a}" for a in named]))
        text += f"    return operation({passed})\n"
        return compiled(text, f"<{name}>", {**globals(), "operation": operation})

    call = functools.wraps(operation)(written_when_called(stand_in, write))
    given = operation.__defaults__ or ()
    required = len(placed) - len(given) - 1 if others else 0  # they may come by other names
    call.__defaults__ = (ABSENT,) * required + given
    call.__kwdefaults__ = {**(operation.__kwdefaults__ or {}), **dict.fromkeys(others, ABSENT)}
    return call


def stand_in(*args, **named):
    """What stands in for an operation until it is first called."""
    return become()(*args, **named)  # noqa: F821


def as_declared(value, kind: str, operation: str, name: str, position: int | None = None):
    """An argument that is to be of one of the :data:`KINDS`.

    Raises:
        TypeError: it is something else.
    """
    if value is ABSENT:
        raise TypeError(f'{operation}() missing 1 required positional arguments: "{name}"')
    if value is None and kind.endswith("None"):
        return value
    wanted = KINDS[kind.split()[0]]
    is_index = hasattr(value, "__index__") and not isinstance(value, bool)
    if not (is_index if wanted is int else isinstance(value, wanted)):
        place = "" if position is None else f" (position {position})"
        expected = f"must be {wanted.__name__}, not {type_name(value)}"
        raise TypeError(f"{operation}(): argument '{name}'{place} {expected}")
    return operator.index(value) if wanted is int else value
