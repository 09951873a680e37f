"""Functions of NumPy that are given a list of tensors, as they are written with tensors."""

from __future__ import annotations

import ast

from ..source.lists import is_list, statements_of
from ..source.syntax import is_call
from .numpy_to_tensors import with_tensors


def of_a_list(called: str, line: str) -> str:
    """How a line calls a function of tensors that is given a list; empty where it is not.

    >>> of_a_list("np.mean", "line 1 of no file: `m = np.mean(outs)`")
    ''
    """
    for statement in statements_of(line):
        for call in ast.walk(statement):
            first = call.args[0] if is_call(call) and call.args else None
            is_meant = isinstance(first, ast.Name) and ast.unparse(call.func) == called
            if is_meant and is_list(first.id, line):
                return with_tensors(call, is_list=True)
    return ""
