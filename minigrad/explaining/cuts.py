"""What takes the history away from a value, as it stands in a program."""

from __future__ import annotations

import ast

INTEGERS = {"int8", "int16", "int32", "int64", "uint8", "short", "int", "long", "bool", "byte"}
POSITIONS = {"argmax", "argmin", "argsort", "nonzero", "count_nonzero", "searchsorted"}
QUESTIONS = {
    "eq", "ne", "lt", "le", "gt", "ge", "isnan", "isinf", "isfinite", "isclose", "allclose",
    "equal", "any", "all", "logical_and", "logical_or", "logical_not", "is_tensor",
}  # fmt: skip
SIZES = {"shape", "size", "dim", "ndim", "numel", "dtype", "len", "stride", "is_leaf", "grad_fn"}
OFF = {"no_grad", "inference_mode"}

MEANING = {
    "detach": "detach() gives the same value without history",
    "detach_": "detach_() takes the history away",
    "data": ".data gives the same value without history",
    "item": "item() gives a plain Python number",
    "tolist": "tolist() gives plain Python numbers",
    "numpy": "numpy() gives a NumPy array, which records nothing",
    "grad": ".grad has a history only after backward(create_graph=True)",
    "tensor": "tensor(...) makes a new leaf from the values alone",
    "from_numpy": "from_numpy(...) makes a new leaf from the values alone",
    "float": "float(...) gives a plain Python number",
    "int": "int(...) gives a plain Python number",
}


def switches_off(context: ast.expr) -> str | None:
    """What a ``with`` item or a decorator says, if it turns grad mode off."""
    name = name_called(context.func if isinstance(context, ast.Call) else context)
    match context:
        case _ if name in OFF:
            return f"{name} was on, so nothing was recorded"
        case ast.Call(_, [ast.Constant(False), *_]) if name == "set_grad_enabled":
            return "set_grad_enabled(False) was on, so nothing was recorded"
    return None


def cut_by(node: ast.AST, child: ast.AST) -> str | None:
    """What ``node`` does to the history of its part ``child``; None if it keeps it.

    >>> tree = ast.parse("a.detach() * b", mode="eval").body
    >>> cut_by(tree.left.func, tree.left.func.value)
    'detach() gives the same value without history'
    >>> cut_by(tree, tree.left)
    """
    match node:
        case ast.Compare():
            return "a comparison gives True or False, which have no gradient"
        case ast.IfExp() if child is node.test:
            return "it only decides between two values"
        case ast.Subscript() if child is node.slice:
            return "it is used as an index, a position"
        case ast.Attribute(_, "float" | "tensor"):
            return None
        case ast.Attribute(_, name) if name in INTEGERS:
            return f"{name}() gives integers, which have no gradient"
        case ast.Attribute(_, name):
            return of_name(name)
        case ast.Call():
            return cut_by_call(node, child)
    return None


def cut_by_call(call: ast.Call, child: ast.AST) -> str | None:
    """The same for a call, of which ``child`` is the function or an argument."""
    name = name_called(call.func)
    if child is call.func:
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        to_integers = any(name_called(argument) in INTEGERS for argument in given)
        if name in ("to", "type", "astype") and to_integers:
            return f"{name}(...) to integers loses the gradient"
        return None
    if name == "grad":
        recorded = any(keyword.arg == "create_graph" for keyword in call.keywords)
        return None if recorded else "grad(...) gives a history only with create_graph=True"
    module = call.func.value if isinstance(call.func, ast.Attribute) else None
    if isinstance(module, ast.Name) and module.id in ("math", "np", "numpy"):
        return f"{module.id}.{name}(...) computes with plain numbers"
    if name in ("Tensor", "FloatTensor", "DoubleTensor"):
        return f"{name}(...) makes a new leaf from the values alone"
    return of_name(name)


def of_name(name: str | None) -> str | None:
    """What an attribute or a function of this name does, where it is known to cut."""
    if name in POSITIONS:
        return f"{name} gives positions, which are integers and have no gradient"
    if name in QUESTIONS:
        return f"{name} gives True or False, which have no gradient"
    if name in SIZES:
        return f"{name} asks for the form, not for the values"
    return MEANING.get(name)


def name_called(function: ast.expr) -> str | None:
    """``f`` of ``f`` and of ``torch.f``."""
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else None
