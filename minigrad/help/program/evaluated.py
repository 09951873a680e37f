"""What a written expression gives, computed again from values under names; no code of others runs.

Only arithmetic and operations that write nothing are computed. A name counts where it means what it
meant when the line ran.
"""

from __future__ import annotations

import ast
import math
import operator
import warnings
from collections.abc import Callable
from typing import Any

from ..source.syntax import ROOMS, names_in, root
from ..source.variables import thing_at
from .program import Program

MOST_ELEMENTS = 100_000
CONSTANTS = {*ROOMS, "math", "np", "numpy"}
BINARY = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Pow: operator.pow,
    ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv, ast.MatMult: operator.matmul,
    ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
}  # fmt: skip
UNARY = {ast.USub: operator.neg, ast.Invert: operator.invert}
COMPARED = {
    ast.Gt: operator.gt, ast.Lt: operator.lt, ast.GtE: operator.ge, ast.LtE: operator.le,
    ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip
#: operations that write nothing and run no code of the reader's
PURE = {
    "abs", "add", "amax", "amin", "clamp", "clip", "cos", "div", "double", "exp", "float",
    "isfinite", "isinf", "isnan", "log", "log10", "log1p", "log2", "log_softmax", "logsumexp",
    "long", "masked_fill", "matmul", "max", "mean", "min", "mm", "mul", "nan_to_num", "nanmean",
    "nansum", "neg", "norm", "numel", "ones_like", "pow", "prod", "relu", "reshape", "round",
    "rsqrt", "sigmoid", "sin", "softmax", "sqrt", "square", "squeeze", "std", "sub", "sum", "t",
    "tanh", "transpose", "unsqueeze", "var", "view", "where", "zeros_like",
}  # fmt: skip


def value_of(expression: ast.AST | None, known: Callable[[ast.expr], Any]) -> Any:
    """The value of an expression, a number or a tensor without history; None where unknown.

    ``known`` tells what a name, or a part of what it stands for, means.

    >>> value_of(ast.parse("2 * a + 1", mode="eval").body, lambda name: 3.0)
    7.0
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return computed(expression, known)
    except Exception:  # such as operands that do not fit: what the line raised, it raised
        return None


def computed(expression: Any, known: Callable[[ast.expr], Any]) -> Any:
    """The value, or None; may raise what the operation raises."""

    def of(part: ast.AST) -> Any:
        value = computed(part, known)
        if value is None:
            raise LookupError(ast.unparse(part))
        return value

    match expression:
        case ast.Constant(int() | float() as value):
            return value
        case ast.Name():
            return known(expression)
        case ast.Attribute(ast.Name(room), "inf" | "nan" | "pi" as name) if room in CONSTANTS:
            return getattr(math, name)
        case ast.Attribute(whole, "T" | "mT" as name):
            return getattr(of(whole), name)
        case ast.BinOp(left, how, right) if type(how) in BINARY:
            return BINARY[type(how)](of(left), of(right))
        case ast.UnaryOp(how, operand) if type(how) in UNARY:
            return UNARY[type(how)](of(operand))
        case ast.Compare(left, [how], [right]) if type(how) in COMPARED:
            return COMPARED[type(how)](of(left), of(right))
        case ast.Subscript(whole, index):
            return of(whole)[of(index)]
        case ast.Tuple(several):
            return tuple(map(of, several))
        case ast.Slice(lower, upper, step):
            return slice(*(each and of(each) for each in (lower, upper, step)))
        case ast.Call(ast.Name("float"), [ast.Constant(str(text))]):
            return float(text)
        case ast.Call(ast.Name("float"), [each]):
            return float(of(each))
        case ast.Call(ast.Name("len"), [each]):
            return len(of(each))
        case ast.Call(ast.Attribute(owner, name), arguments, keywords) if name in PURE:
            given = [of(each) for each in arguments]
            more = {each.arg: of(each.value) for each in keywords if each.arg}
            if root(owner) in ROOMS:
                first, *given = given
                if name == "where":
                    return given[0].where(first, *given[1:])
                return getattr(first, name)(*given, **more)
            if root(owner) == "math":
                return getattr(math, name)(*given)
            return getattr(of(owner), name)(*given, **more)
    return known(expression) if isinstance(expression, ast.Attribute) else None


def plain(thing: Any) -> Any:
    """A number, or a tensor of a moderate size without its history; None for others."""
    if isinstance(thing, int | float):
        return thing
    is_tensor = hasattr(type(thing), "grad_fn") and thing.numel() <= MOST_ELEMENTS
    return thing.detach() if is_tensor else None


def meant_at(at: int, program: Program, tracked: bool = True) -> Callable[[ast.expr], Any]:
    """What names meant at a step, as far as they mean the same now; of ``tracked`` tensors, too."""

    def known(expression: ast.expr) -> Any:
        thing, names = thing_at(expression, program.variables), names_in(expression)
        if not names or not all(is_as_then(each, at, program) for each in names):
            return None
        asks = getattr(thing, "requires_grad", False)
        return None if asks and (thing._version or not tracked) else plain(thing)

    return known


def is_as_then(name: str, at: int, program: Program) -> bool:
    """Whether no later step has bound a name, or has written to what it means."""
    return name not in program.owners and program.last(name, at) == program.last(name)
