"""Lists of tensors: where one is computed with, has no such item yet, or cannot be joined."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ...tensor import Tensor
from ..program.failure import Failure
from ..program.makers import Place
from ..program.program import Program
from ..program.statements import WRITES
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
            at = "" if place == len(whole) else f", which becomes {name}[{len(whole)}]"
            yield f"Try: `{name}.append({new})`{at}."


def fewer_dimensions_joined(failure: Failure, _: re.Match) -> Iterator[str]:
    """That ``cat`` was given a tensor of fewer dimensions than others, or numbers, of none."""
    call = failure.expression
    given = call.args[0] if is_call(call) and call.args else ast.List([])
    whole = failure.value(given)
    parts = getattr(given, "elts", None) or [
        ast.Subscript(given, ast.Constant(number)) for number in range(len(whole or ()))
    ]
    things = [failure.value(each) for each in parts]
    if not things or not all(isinstance(each, Tensor) for each in things):
        return
    most, name = max(each.ndim for each in things), ast.unparse(given)
    if not most:
        yield f"Each of {name} is one number, of shape (), so cat has no dimension."
        stack = re.sub(r"\w+$", "stack", ast.unparse(call.func))
        yield f"Try: {stack}({name}), which makes a dimension for them."
        return
    for part, each in zip(map(ast.unparse, parts), things):
        if each.ndim < most:
            yield f"{part} has shape {tuple(each.shape)}, and others have {most} dimensions."
            yield f"Try: {part}.{'unsqueeze(0)' if most > 1 else 'reshape(1)'}, where it is made."
            return


def list_in_arithmetic(failure: Failure, _: re.Match) -> Iterator[str]:
    """That a tuple or a list of tensors is multiplied, or taken away."""
    picks = isinstance(failure.expression, ast.Subscript)  # an item, by what is no number
    for each in () if picks else ast.walk(failure.expression):
        value = failure.value(each) if isinstance(each, ast.Name) else None
        if isinstance(value, tuple | list):
            kind, so = type(value).__name__, "so it is no tensor to compute with"
            yield from of_several(each, kind, so, failure.frame)
            return


def numbers_in_a_list(failure: Failure, found: re.Match) -> Iterator[str]:
    """That ``stack`` or ``cat`` was given numbers, which have no history."""
    thing = next(iter(getattr(failure.expression, "args", ())), None)
    if not isinstance(thing, ast.Name) or found[2] not in ("float", "int", "bool"):
        return
    step = Program.of(failure.frame).step(thing.id, kinds=(WRITES,))
    line = f" ({step.line})" if step is not None else ""
    yield f"{thing.id} holds plain numbers ({found[2]}){line}, which have no history."
    loses = "item()" in line and "leave item() out there, where gradients are wanted"
    yield f"Try: {loses or f'torch.tensor({thing.id})'}."
