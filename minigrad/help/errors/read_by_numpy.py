"""What a line asked NumPy to compute with a tensor that requires grad, and how tensors do that."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FrameType
from typing import Any

import numpy as np

from ...tensor import Tensor
from ..program.numpy_to_tensors import (
    JOINS,
    MODULES,
    MOST_WRITTEN,
    SEVERAL,
    Whole,
    called,
    with_tensors,
)
from ..source import reader
from ..source.called import is_in_a_library
from ..source.lookup import value_of
from ..source.parsed import expression_at, tree_of_code
from ..source.syntax import copied, given_to, is_call, name_called, parents_in, root

MAKE_LEAVES = {"tensor", "Tensor", "as_tensor", "from_numpy"}
OPERATORS = ast.BinOp | ast.UnaryOp
FLAT = {"argmax", "argmin", "argsort", "round", "sign", "floor", "ceil", "isnan", "allclose"}


def own_frame() -> FrameType | None:
    """The innermost frame of the reader's, outside of the functions that NumPy has in Python."""
    found = reader.frame()
    while found is not None and is_in_a_library(found.f_code.co_filename):
        found = found.f_back
    return found


def read_by_numpy(frame: FrameType | None) -> tuple[str, str]:
    """What to write in the place of what, in the line that failed; empty where that is unknown."""
    expression = None if frame is None else expression_at((frame.f_code, frame.f_lasti))
    match expression:
        case ast.Call(ast.Attribute(ast.Name(module), name), [first, *_]) if module in MODULES:
            several = isinstance(given := value_of(first, frame, None), list | tuple)
            if isinstance(given, Tensor) and name in JOINS:
                return "", ""
            whole = parents_in(tree_of_code(frame.f_code)).get(expression)
            if isinstance(whole, ast.BinOp) and all(found := in_tensors(expression, frame)):
                return found
            if isinstance(first, SEVERAL) and not with_tensors(expression):
                return in_brief(expression, module, name)
            is_cut_again = is_call(whole, MAKE_LEAVES) and whole.args == [expression]
            old = ast.unparse(whole if is_cut_again else expression)
            return with_arrays(with_tensors(expression, several), frame), old
        case ast.Call(ast.Attribute(_, "numpy"), []):
            parents = parents_in(tree_of_code(frame.f_code))
            outer, part = None, expression
            while isinstance(part := parents.get(part), ast.expr):
                outer = part if is_of_numpy(part) else outer
            if outer is not None and (new := with_tensors(outer)):
                return with_arrays(new, frame), ast.unparse(outer)
        case ast.BinOp():
            return in_tensors(expression, frame)
    return "", ""


def in_brief(call: ast.Call, module: str, name: str) -> tuple[str, str]:
    """The same for a list that is too long to be written out."""
    brief = ast.Call(call.func, [ast.Name("[...]"), *call.args[1:]], call.keywords)
    new = "sum([...])" if name == "sum" and len(call.args) == 1 else with_tensors(brief, True)
    return (new, f"{module}.{name}([...])") if new else ("", "")


def is_of_numpy(part: Any) -> bool:
    """Whether this calls a function of NumPy, or of `math`."""
    return is_call(part) and root(part.func) in MODULES


def in_tensors(part: Any, frame: FrameType) -> tuple[str, str]:
    """The largest expression around one that has no NumPy left when it is written with tensors."""
    parents, new, old = parents_in(tree_of_code(frame.f_code)), "", ""
    while isinstance(part, OPERATORS) or is_of_numpy(part):
        tree, whole = Whole().visit(lists_joined(copied(part), frame)), parents.get(part)
        is_left = any(map(is_of_numpy, ast.walk(tree)))
        if not is_left and len(ast.unparse(tree)) <= MOST_WRITTEN:
            new = with_arrays(ast.unparse(tree), frame)
            old = ast.unparse(whole if is_call(whole, MAKE_LEAVES) else part)
        part = whole
    return (new, old) if new != old else ("", "")


def lists_joined(part: Any, frame: FrameType) -> Any:
    """An expression in which the lists that NumPy is given by their names are tensors."""
    for call in filter(is_of_numpy, ast.walk(part)):
        several = value_of(call.args[0], frame, None) if call.args else None
        if isinstance(several, list | tuple) and name_called(call.func) not in JOINS:
            how = "stack" if any(isinstance(each, Tensor) for each in several) else "tensor"
            call.args[0] = called(how, call.args[:1], [])
    return part


def with_arrays(text: str, frame: FrameType) -> str:
    """An expression of tensors, in which arrays are made tensors, of the dtype of the others."""
    tree = ast.parse(text)
    names = [each for each in ast.walk(tree) if isinstance(each, ast.Name)]
    known = [value_of(ast.Name(each.id), frame, None) for each in names]
    dtype = next((each.dtype for each in known if isinstance(each, Tensor)), None)
    for each, value in zip(names, known):
        if isinstance(value, np.ndarray):
            is_other = dtype and value.dtype.kind == "f" and value.dtype.name != dtype.name
            how = f"as_tensor({each.id}, dtype={dtype})" if is_other else f"from_numpy({each.id})"
            each.id = f"torch.{how}"
    return ast.unparse(tree)


def values_alone(frame: FrameType, tensor: Any) -> str:
    """What to write where only the values of a tensor are wanted; empty if it has no name."""
    names = reader.variables_of(frame)
    name = next((own for own, each in names.items() if each is tensor and own[0] != "_"), "")
    call = expression_at((frame.f_code, frame.f_lasti))
    is_asked = is_call(call, {"numpy"})
    value = "item()" if tensor.numel() == 1 and not is_asked else "detach().numpy()"
    if isinstance(made := call.func.value if is_asked else (given_to(call) or [0])[0], ast.Call):
        name = name or ast.unparse(made)
    instead = f"{name}.{value} for {name}{'.numpy()' * is_asked}"
    return instead if name else of_each(frame, tensor)


def of_each(frame: FrameType, tensor: Any) -> str:
    """The same of each in the list that holds a tensor, and that NumPy was given."""
    call = expression_at((frame.f_code, frame.f_lasti))
    value = "item()" if tensor.numel() == 1 else "detach().numpy()"
    for each in given_to(call)[:1]:
        whole = value_of(each, frame, None)
        if isinstance(whole, list) and any(part is tensor for part in whole):
            return f"[each.{value} for each in {ast.unparse(each)}] for {ast.unparse(each)}"
    return ""


def is_only_shown(frame: FrameType) -> bool:
    """Whether a line computes for no name: it is a call alone, as of ``append`` or ``print``.

    Or what NumPy computes has no slope to lose.
    """
    expression = expression_at((frame.f_code, frame.f_lasti))
    around = parents_in(tree_of_code(frame.f_code))
    while isinstance(expression, ast.expr) and not is_call(expression, MAKE_LEAVES):
        if is_call(expression, FLAT) and is_of_numpy(expression):
            return True
        expression = around.get(expression)
    return isinstance(expression, ast.Expr)


def beside_an_array(expression: ast.AST | None, frame: FrameType | None) -> Iterator[str]:
    """That an operator has an array on its left and a tensor on its right."""
    match expression:
        case ast.BinOp(left, _, right):
            tensor = value_of(right, frame, None)
            if isinstance(value_of(left, frame, None), np.ndarray) and isinstance(tensor, Tensor):
                array, name = ast.unparse(left), ast.unparse(right)
                yield f"{array} is a NumPy array, which cannot compute with {name}, a tensor."
                yield f"Try: torch.as_tensor({array}, dtype={name}.dtype) for {array}."
