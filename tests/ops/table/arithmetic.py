"""The operators + - * / ** % // and the comparisons, in all their spellings."""

import operator

from tests.ops.samples import bools, exactly, floats, ints, two_operands
from tests.ops.table.case import NAN, add, function, in_place


def operated(operation, *number):
    """The operator on the inputs, with a number on the right if one is given."""
    return lambda torch, *inputs: operation(*inputs, *number)


def reflected(operation, number):
    """The operator with a number on the left."""
    return lambda torch, x: operation(number, x)


def repeated(operation):
    """The operator with the same tensor on both sides."""
    return lambda torch, x: operation(x, x)


NUMBERS = {
    "vector": [floats(3, low=0.4, high=2.5)],
    "0-d": [floats(low=0.4, high=2.5)],
    "float32": [floats(3, low=0.4, high=2.5).single()],
    "int": [ints([1, 2, 3])],
    "bool": [bools([True, False])],
    "empty": [floats(0)],
}
REPEATED = {"vector": [floats(3, low=0.4, high=2.5)], "0-d": [floats(low=0.4, high=2.5)]}

ARITHMETIC = {
    "add": ("+", operator.add),
    "sub": ("-", operator.sub),
    "mul": ("*", operator.mul),
    "div": ("/", operator.truediv),
    "pow": ("**", operator.pow),
}


def arithmetic(name, symbol, operation):
    """An operator in all its spellings: tensors, numbers on either side, repeated, in place."""
    samples = two_operands(0.4, 2.5)
    add(name, "arithmetic", function(name), samples)
    add(name, "arithmetic", function(name), {"int, int": [ints([1, 2, 3]), ints([3, 1, 2])]})
    operands = {key: samples[key] for key in ("vectors", "matrix, row")}
    add(name, "arithmetic", operated(operation), operands, symbol)
    add(name, "arithmetic", repeated(operation), REPEATED, f"x {symbol} x")
    add(name, "arithmetic", operated(operation, 2), NUMBERS, f"x {symbol} 2")
    add(name, "arithmetic", operated(operation, 1.5), NUMBERS, f"x {symbol} 1.5")
    add(name, "arithmetic", reflected(operation, 2), NUMBERS, f"2 {symbol} x")
    add(name, "arithmetic", reflected(operation, 1.5), NUMBERS, f"1.5 {symbol} x")
    fitting = ("vectors", "matrix, row", "0-d, 0-d", "strided", "float32, float64", "float, int")
    add(name, "arithmetic", in_place(name), {key: samples[key] for key in fitting}, "in place")
    refused = {
        "row, matrix": [floats(3, low=0.4, high=2.5), floats(2, 3, low=0.4, high=2.5)],
        "int, float": [ints([1, 2]), floats(2, low=0.4, high=2.5)],
    }
    add(name, "arithmetic", in_place(name), refused, "in place, refused")


for name, (symbol, operation) in ARITHMETIC.items():
    arithmetic(name, symbol, operation)

MISFITS = {"shapes 2 and 3": [floats(2), floats(3)], "matrices": [floats(2, 3), floats(3, 2)]}
for name in ARITHMETIC:
    call = function(name)
    add(name, "arithmetic", call, MISFITS, "refused")

PAIRS = {"vectors": [floats(3, seed=1), floats(3, seed=2)]}
add("add", "arithmetic", lambda torch, a, b: torch.add(a, b, alpha=3), PAIRS, "alpha=3")
add("sub", "arithmetic", lambda torch, a, b: torch.sub(a, b, alpha=0.5), PAIRS, "alpha=0.5")
add("add", "arithmetic", lambda torch, a, b: a.clone().add_(b, alpha=3), PAIRS, "in place alpha=3")
add("sub", "arithmetic", lambda torch, a, b: a.clone().sub_(b, alpha=3), PAIRS, "in place alpha=3")
add(
    "rsub",
    "arithmetic",
    lambda torch, a: torch.rsub(a, 2, alpha=3),
    {"vector": [floats(3)]},
    "alpha",
)
add("rsub", "arithmetic", lambda torch, a, b: torch.rsub(a, b, alpha=3), PAIRS, "two, alpha=3")
ROW = {"matrix, row": [floats(2, 3), floats(3)]}
add("rsub", "arithmetic", lambda torch, a, b: torch.rsub(a, b), ROW)


def seen_by_alias(operation, *number):
    """An augmented assignment, by what another name of the same tensor shows."""

    def call(torch, x, *others):
        alias = x.clone()
        operation(alias, *others, *number)
        return alias

    return call


for name, operation in {"remainder": operator.imod, "floor_divide": operator.ifloordiv}.items():
    inputs = {"vector": [exactly([5.3, -5.3]).constant()], "int": [ints([5, -5])]}
    add(name, "arithmetic", seen_by_alias(operation, 2), inputs, "augmented", smooth=False)
for name, operation in {"and": operator.iand, "or": operator.ior, "xor": operator.ixor}.items():
    inputs = {
        "bools": [bools([True, True, False]), bools([True, False, False])],
        "ints": [ints([1, 2, 3]), ints([3, 2, 5])],
        "floats": [floats(2), floats(2, seed=1).constant()],
    }
    add(f"bitwise_{name}", "arithmetic", seen_by_alias(operation), inputs, "augmented")

CORNERS = {
    "zero to the zero": [exactly([0.0, 0.0, 2.0]), exactly([0.0, 2.0, 0.0])],
    "negative base": [exactly([-2.0, -2.0]), exactly([2.0, 3.0])],
    "base of bytes": [exactly([2, 3], "uint8"), exactly([2.0, 3.0], "float32")],
}
add("pow", "arithmetic", lambda torch, a, b: a**b, CORNERS, "corners", smooth=False)
BASES = {"corners": [exactly([0.0, -2.0, 3.0])]}
for exponent in (0, 1, 2, 3, -1, 0.5, 2.5):
    call = operated(operator.pow, exponent)
    add("pow", "arithmetic", call, BASES, f"x ** {exponent}", smooth=False)
add("pow", "arithmetic", lambda torch, a: 0**a, {"corners": [exactly([0.0, 2.0])]}, "0 ** x", False)

ROUNDED = {
    "vectors": [exactly([5.3, -5.3, 2.0]), exactly([2.0, 2.0, -3.0])],
    "ints": [ints([5, -5, 2]), ints([2, 2, -3])],
}
add("remainder", "arithmetic", lambda torch, a, b: a % b, ROUNDED, "%", smooth=False)
add("floor_divide", "arithmetic", lambda torch, a, b: a // b, ROUNDED, "//", smooth=False)
for mode in ("floor", "trunc", "nearest"):
    call = function("div", rounding_mode=mode)
    add("div", "arithmetic", call, ROUNDED, f"rounded, {mode}", smooth=False)
    call = in_place("div", rounding_mode=mode)
    add("div", "arithmetic", call, ROUNDED, f"rounded in place, {mode}", smooth=False)
add("remainder", "arithmetic", lambda torch, a: a % 2, {"vector": [exactly([5.3, -5.3])]}, "% 2")
add(
    "floor_divide",
    "arithmetic",
    lambda torch, a: a // 2,
    {"vector": [exactly([5.3, -5.3])]},
    "// 2",
    smooth=False,
)

COMPARED = {
    "vectors": [exactly([1.0, 2.0, NAN]), exactly([2.0, 2.0, NAN])],
    "matrix, row": [floats(2, 3, seed=1), floats(3, seed=2)],
    "int, float": [ints([1, 2, 3]), exactly([1.0, 2.5, 3.0])],
}
COMPARISONS = {
    "eq": ("==", operator.eq),
    "ne": ("!=", operator.ne),
    "lt": ("<", operator.lt),
    "le": ("<=", operator.le),
    "gt": (">", operator.gt),
    "ge": (">=", operator.ge),
}
for name, (symbol, operation) in COMPARISONS.items():
    compared = operated(operation)
    add(name, "comparison", compared, COMPARED, symbol)
    with_number = operated(operation, 2)
    add(name, "comparison", with_number, {"vector": [exactly([1.0, 2.0, 3.0])]}, f"x {symbol} 2")
    floating = {sample: COMPARED[sample] for sample in ("vectors", "matrix, row")}
    add(name, "comparison", in_place(name), floating, "in place", smooth=False)
    number = {"vector": [exactly([1.0, 2.0, 3.0])]}
    add(name, "comparison", in_place(name, 2), number, "in place, 2", smooth=False)
