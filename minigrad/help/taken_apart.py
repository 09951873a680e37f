"""Loops and assignments that take something apart into another count of names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from ..tensor import Tensor
from .failure import Failure
from .sentences import tell
from .written import around_in, text_of_code


def taken_apart(failure: Failure, _: re.Match) -> Iterator[str]:
    """Why a loop over ``X, Y`` gives no pairs, or what there is for so many names."""
    names = failure.expression
    if not isinstance(names, ast.Tuple):
        return
    match around_in(text_of_code(failure.frame.f_code)).get(names):
        case ast.For(_, ast.Tuple(parts) as over) if len(parts) == len(names.elts):
            target, together = (", ".join(map(ast.unparse, e.elts)) for e in (names, over))
            yield tell("pairs-of-two", target=target, over=together)
            yield f"Try: `for {target} in zip({together})`."
        case ast.Assign(_, value):
            yield from of_things(failure.value(value), ast.unparse(value), len(names.elts))


def of_things(found: Any, name: str, count: int) -> Iterator[str]:
    """That a tensor, a tuple or a list has another length than there are names."""
    if isinstance(found, Tensor) and found.ndim:
        yield f"{name} is a tensor of {len(found)} rows, and there are {count} names for them."
    elif isinstance(found, tuple | list):
        yield f"{name} is a {type(found).__name__} of {len(found)}, for {count} names."
