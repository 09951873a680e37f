"""Lists of tensors: where one is computed with, has no such item yet, or cannot be joined."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ...tensor import Tensor
from ..program.failure import Failure
from ..program.makers import Place
from ..source.parsed import around_in, text_of_code
from ..source.syntax import is_call
from .no_tensor import of_several


def item_of_a_shorter_list(failure: Failure, _: re.Match) -> Iterator[str]:
    """That a line gives a value to an item which a list does not have yet."""
    item = failure.expression
    if not isinstance(item, ast.Subscript):
        return
    name, whole = ast.unparse(item.value), failure.value(item.value)
    match around_in(text_of_code(failure.frame.f_code)).get(item):
        case ast.Assign([target], value) if target is item and isinstance(whole, list):
            holds = f"has {len(whole)} items" if whole else "is an empty list"
            place, new = Place.of(failure.frame).value(item.slice), ast.unparse(value)
            yield f"{name} {holds}, and an assignment replaces only an item that is there."
            if place == len(whole):
                yield f"Try: `{name}.append({new})`."
            else:
                at = ast.unparse(item.slice)
                yield f"Try: `{name}.append({new})`, where {at} is meant to be {len(whole)}."
                yield f"Try: a dict for {name}, which takes any {at}."


def numbers_joined(failure: Failure, found: re.Match) -> Iterator[str]:
    """That ``cat`` was given tensors of one number, which have no dimension to be joined along."""
    call = failure.expression
    if not is_call(call) or not call.args:
        return
    given, place = call.args[0], int(found[1])
    things = failure.value(given)
    if isinstance(given, ast.List | ast.Tuple):
        things = [failure.value(each) for each in given.elts]
        name = ast.unparse(given.elts[place]) if place < len(things) else "it"
    else:
        name = f"{ast.unparse(given)}[{place}]"
    several = isinstance(things, list | tuple)
    if several and all(isinstance(each, Tensor) and each.ndim == 0 for each in things):
        yield f"Each of {ast.unparse(given)} is one number, of shape (), so cat has no dimension."
        stack = re.sub(r"\w+$", "stack", ast.unparse(call.func))
        yield f"Try: {stack}({ast.unparse(given)}), which makes a dimension for them."
    else:
        yield f"{name} is one number, of shape (): cat joins along a dimension that it lacks."
        yield f"Try: {name}.reshape(1) for {name} there."


def list_in_arithmetic(failure: Failure, _: re.Match) -> Iterator[str]:
    """That a tuple or a list of tensors is multiplied, or taken away."""
    for each in ast.walk(failure.expression):
        value = failure.value(each) if isinstance(each, ast.Name) else None
        if isinstance(value, tuple | list):
            kind, so = type(value).__name__, "so it is no tensor to compute with"
            yield from of_several(each, kind, so, failure.frame)
            return
