"""What a line that gives up NumPy needs besides: tensors for arrays, and a tensor's methods."""

from __future__ import annotations

import ast

from ..source.syntax import is_call
from .updates import parsed

MOST = 3  #: arrays that are named
#: methods of an array that a tensor has under another name
METHODS = {
    "clip": "clamp", "copy": "clone", "ravel": "flatten", "swapaxes": "transpose", "astype": "to",
}  # fmt: skip


def besides(line: str) -> list[str]:
    """What else to write in a line when `numpy()` is left out of it.

    >>> besides("line 3: `error = (y.detach().numpy() - goal).copy()`")
    ['with clone(...) for copy(...)', 'with torch.from_numpy(goal) for goal, if that is an array']
    """
    _, tree = parsed(line.partition(": `")[2].rpartition("`")[0])
    methods: dict[str, None] = {}
    arrays: dict[str, None] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Attribute(owner, name)) if name in METHODS and is_array(owner):
                methods[f"with {METHODS[name]}(...) for {name}(...)"] = None
            case ast.BinOp(left, _, right) if is_array(left) != is_array(right):
                arrays |= dict.fromkeys(names_in(right if is_array(left) else left))
    found = [*arrays][:MOST]
    turned = " and ".join(f"torch.from_numpy({each})" for each in found)
    each = "each that is" if len(found) > 1 else "if that is"
    wrapped = [f"with {turned} for {' and '.join(found)}, {each} an array"] if found else []
    return [*methods, *wrapped]


def is_array(expression: ast.expr) -> bool:
    """Whether an expression is computed from `numpy()`."""
    return any(is_call(each, {"numpy"}) for each in ast.walk(expression))


def names_in(operand: ast.expr) -> list[str]:
    """The names and attributes that an operand is computed from."""
    match operand:
        case ast.Attribute(ast.Name("math" | "np" | "numpy")):
            return []
        case ast.Name() | ast.Attribute(ast.Name()):
            return [ast.unparse(operand)]
        case ast.BinOp(left, _, right):
            return [*names_in(left), *names_in(right)]
        case ast.UnaryOp(_, inner) | ast.Subscript(inner):
            return names_in(inner)
    return []
