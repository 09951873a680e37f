"""Whether an expression is written like an operation of a graph, by what it is given and gives.

An expression fits a node where it is written like the operation, is given what the node's gradient
goes to, and is used as the node is.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from ..source.syntax import ROOMS, is_call, name_called, names_in, operands, root
from .bounds import exponent_of
from .nodes import kind_of

OPERATORS = {
    "Add": ast.Add, "Sub": ast.Sub, "Rsub": ast.Sub, "Div": ast.Div, "Reciprocal": ast.Div,
    "Pow": ast.Pow, "Mul": (ast.Mult, ast.Div), "Neg": ast.USub,
    "Mm": ast.MatMult, "Mv": ast.MatMult, "Dot": ast.MatMult, "Bmm": ast.MatMult,
}  # fmt: skip
CALLS = {
    "Acos": {"acos", "arccos"},
    "Asin": {"asin", "arcsin"},
    "Clamp": {"clamp", "clip", "clamp_", "clip_"},
    "Div": {"div", "divide", "true_divide", "div_"},
    "LinalgVectorNorm": {"norm", "vector_norm"},
    "LogSoftmax": {"log_softmax", "cross_entropy"},
    "MaskedFill": {"masked_fill", "masked_fill_"},
    "Minimum": {"min", "minimum"},
    "Std": {"std", "std_mean"},
    "Var": {"var", "var_mean"},
}
#: methods that make one node of this name, for which nothing else stands
METHODS = {
    "abs", "acos", "asin", "ceil", "clamp", "cos", "cosh", "exp", "floor", "log", "log_softmax",
    "max", "mean", "min", "neg", "pow", "prod", "relu", "round", "rsqrt", "sigmoid", "sign", "sin",
    "sinh", "softmax", "sqrt", "std", "sum", "tan", "tanh", "trunc", "unsqueeze", "var",
}  # fmt: skip
LISTS = {ast.List, ast.Tuple, ast.ListComp}
TAKES_TENSORS = {"Pow", "Div", "Mul", "Add", "Sub", "Clamp", "Where", "MaskedFill", "Std", "Var"}
WITHOUT_HISTORY = {"detach", "item", "tolist", "numpy"}
BESIDES = ("ToCopy", "Copy", "Alias", "Expand")  #: made by the way


def fits(expression: ast.AST, node: Any, around: dict, graph: Any) -> bool:
    """Whether what an expression is given, and what it is used for, is as it is in the graph."""
    given = operands(expression)
    for after, _number in node.next_functions:
        if after is not None and given and not any(can_make(each, after) for each in given):
            return False
    behind = [after for after, _number in node.next_functions if after is not None]
    if isinstance(expression, ast.BinOp | ast.AugAssign):  # a number has no history
        able = [each for each in given if any(can_make(each, after) for after in behind)]
        if len(able) < len(behind):
            return False
    user = user_of(expression, around)
    users = graph.users.get(node)
    if kind_of(node) == "LogSoftmax" and not is_call(expression, {"log_softmax"}):
        return True  # cross_entropy goes on from it
    if user is None or not users or node in graph.results:
        return True
    return any(can_make(user, each) for each in users)


def user_of(expression: ast.AST, around: dict) -> ast.AST | None:
    """The operation that the result of an expression goes into, in the same expression."""
    user = around.get(expression)
    if isinstance(user, ast.Attribute):
        user = around.get(user)
        return user if isinstance(user, ast.Call) else None
    if is_call(user, METHODS) and expression in user.args[:1]:
        return user if root(user.func) in ROOMS else None
    return user if isinstance(user, ast.BinOp | ast.UnaryOp) else None


def can_make(expression: ast.AST, node: Any) -> bool:
    """Whether the value of an expression can come from a node; True where that is not known."""
    kind = kind_of(node)
    if kind.startswith(BESIDES):
        return True
    match expression:
        case ast.Compare() | ast.Constant() | ast.JoinedStr() | ast.UnaryOp(_, ast.Constant()):
            return False
        case ast.Attribute(ast.Name("math"), _) | ast.Call(ast.Attribute(ast.Name("math"), _)):
            return False
        case ast.BinOp(_, operator):
            if isinstance(operator, ast.MatMult | ast.Mod | ast.FloorDiv):
                return True
            return isinstance(operator, OPERATORS.get(kind, ()))
        case ast.UnaryOp(ast.USub(), ast.Name() | ast.Call() | ast.BinOp()):
            return kind == "Neg"
        case ast.Call(ast.Attribute(_, name)) if name in WITHOUT_HISTORY:
            return False
        case ast.Call(ast.Attribute()) if names_in(expression) <= ROOMS:  # of constants alone
            return kind == "AccumulateGrad"
        case ast.Call(ast.Attribute(_, name)) if name in METHODS and is_of_a_tensor(expression):
            return name in CALLS.get(kind, {snake(kind)})
    return True


def is_of_a_tensor(call: ast.Call) -> bool:
    """Whether a call is an operation, as ``x.mean(0)`` is, and no method: ``net.mean(x)``."""
    if not isinstance(call.func, ast.Attribute):
        return name_called(call.func) != "cross_entropy"  # which may be the reader's own
    owner = call.func.value
    if name_called(owner) in ROOMS:
        return True
    is_other = isinstance(owner, ast.Name) and owner.id in ("self", "math", "np", "numpy")
    return not is_other and all(is_plain(each) for each in call.args)


def is_plain(argument: ast.expr) -> bool:
    """Whether an argument is a number, or several, as operations take besides their tensor."""
    match argument:
        case ast.UnaryOp(_, operand):
            return is_plain(operand)
        case ast.Constant(value):
            return not isinstance(value, str)
        case ast.Tuple(several) | ast.List(several):
            return all(map(is_plain, several))
    return False


def snake(kind: str) -> str:
    """``log_softmax`` of ``LogSoftmax``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind).lower()


def is_run_by(expression: ast.AST, kind: str, node: Any) -> bool:
    """Whether an expression is written like the operation that a node belongs to."""
    match expression:
        case ast.BinOp(left, ast.Add(), right) if {type(left), type(right)} & LISTS:
            return False
        case ast.BinOp(left) if is_call(left, {"list"}):
            return False
        case ast.BinOp(ast.Constant(), ast.Sub()) if kind == "Sub":  # which makes a Rsub
            return False
        case ast.Call(ast.Name("sum")):  # of Python, which adds one after the other
            return kind == "Add"
        case ast.BinOp(_, operator, right) | ast.AugAssign(_, operator, right):
            is_kind = isinstance(operator, OPERATORS.get(kind, ()))
            if kind == "Mul" and isinstance(operator, ast.Div):
                return False
            return is_kind and (kind != "Pow" or is_exponent(right, node))
        case ast.UnaryOp(ast.USub()):
            return kind == "Neg"
        case ast.Call(function, arguments):
            is_kind = name_called(function) in CALLS.get(kind, {snake(kind)})
            if is_kind and kind not in TAKES_TENSORS and not is_of_a_tensor(expression):
                return False
            last = arguments[-1] if arguments else None
            return is_kind and (kind != "Pow" or is_exponent(last, node))
    return False


def is_exponent(written: ast.AST | None, node: Any) -> bool:
    """Whether an exponent can be that of a node; a number that is written down has to be equal."""
    is_number = isinstance(written, ast.Constant) and isinstance(written.value, int | float)
    return not is_number or node is None or written.value == exponent_of(node)
