"""Tensors of two dtypes where one is wanted: which is the odd one, and where it was made."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from types import FrameType, ModuleType
from typing import Any

from ... import dtypes
from ...nn.module import Module
from ...tensor import Tensor
from ..program.failure import Failure, made_in
from ..program.makers import LIKE, Made, Place, maker
from ..source.lookup import value_of
from ..source.syntax import given_to, is_call, name_called
from ..words.sentences import tell

GOT = re.compile(r"(?:got|dtype) (\w+) (?:and|but expected) (\w+)")
TAKE_A_DTYPE = {
    *LIKE, "tensor", "as_tensor", "arange", "zeros", "ones", "full", "empty", "eye", "randint",
}  # fmt: skip
METHODS = {"float32": "float()", "float64": "double()", "float16": "half()"}


def other_dtypes(failure: Failure, _: re.Match) -> Iterator[str]:
    """The tensor of the failing line that is of another dtype than the net, or than usual."""
    wanted = dtype_wanted(failure)
    for thing in operands(failure.expression):
        value = failure.value(thing)
        if isinstance(value, Tensor) and value.dtype is not wanted and wanted.name in METHODS:
            odd = value.dtype
            is_odd = lambda each, odd=odd: isinstance(each, Tensor) and each.dtype is odd  # noqa: E731
            start, frame = failure.first(thing, is_odd)
            start = start if is_odd(value_of(start, frame, None)) else thing
            if odd.is_floating_point or not GOT.search(str(failure.error)):
                yield from told(start, frame, odd, wanted, isinstance(net_of(failure), Module))
                return
            name, words = ast.unparse(start), GOT.search(str(failure.error))
            yield tell(
                "whole-numbers", name=name, words=" and ".join(words.groups() if words else ())
            )
            yield f"Try: {name}.{METHODS[wanted.name]} on the data, for {name}."
            return
    given = given_to(failure.expression)
    if isinstance(net_of(failure), Module) and len(given) == 1 and wanted.name in METHODS:
        if (got := GOT.search(str(failure.error))) and is_call(given[0]):
            name = ast.unparse(given[0])
            yield f"{name} is {got[1]}, and the net's parameters are {got[2]}."
            yield f"Try: {name}.{METHODS[wanted.name]} for {name}."


def told(thing: ast.expr, frame: FrameType, odd: Any, wanted: Any, by_net: bool) -> Iterator[str]:
    """Which tensor it is, its line, and how it gets the other dtype."""
    name, method = ast.unparse(thing), METHODS[wanted.name]
    line, made = made_in(thing, frame)
    others = "the net's parameters are" if by_net else "what it meets is"
    source = " Data from NumPy are double." if odd is dtypes.float64 else ""
    kind = "double" if odd is dtypes.float64 else odd.name
    told = f"{name} is {kind} ({odd}), and {others} {wanted}.{source}"
    yield f"{told} It was made in {line}." if line else told
    if is_call(made):
        yield f"Try: {ast.unparse(made)}.{method} there."
    else:
        yield f"Try: {name}.{method} for {name}."


def whole_numbers(failure: Failure, dtype: Any) -> tuple[str, str]:
    """Why a tensor cannot be asked for gradients, which line made it so, and what to write."""
    why = f"The dtype is {dtype.name}; a derivative needs values that can change by a little."
    match failure.expression:
        case ast.Call(ast.Attribute(owner, "requires_grad_")) | ast.Attribute(owner):
            made = maker(owner, failure)
        case call:
            owner, made = call, failure.frame and Made(call, Place.of(failure.frame))
    if made is None or not is_call(made.value):
        name = ast.unparse(owner) if isinstance(owner, ast.Name | ast.Attribute) else "x"
        return why, f"write 1. instead of 1, or convert first: {name}.float().requires_grad_()."
    there = "" if made.at.frame is failure.frame and made.value.lineno == made.at.line else " there"
    if there:
        why += f" It was made in {made.line}."
    if made.like is not None:
        why += f" That takes the dtype of {ast.unparse(made.like)}."
    old = ast.unparse(made.value)
    others = [each for each in made.value.keywords if each.arg != "dtype"]
    wanted = ast.keyword("dtype", ast.Name("torch.float32"))
    new = ast.Call(made.value.func, made.value.args, [wanted, *others])
    points = "write 1. instead of 1, or " if isinstance(literal(made.value), list | int) else ""
    makes = name_called(made.value.func) in TAKE_A_DTYPE
    return why, f"{points}{ast.unparse(new) if makes else f'{old}.float()'} for {old}{there}."


def literal(call: ast.Call) -> Any:
    """The numbers that ``tensor`` is given, where they are written out."""
    try:
        return ast.literal_eval(call.args[0]) if is_call(call, {"tensor"}) and call.args else None
    except ValueError:
        return None


def mean_of_whole_numbers(failure: Failure, found: re.Match) -> Iterator[str]:
    """That a mean is asked of True and False, or of whole numbers."""
    match failure.expression:
        case ast.Call(ast.Attribute(whole, "mean" as method), given):
            whole = given[0] if isinstance(failure.value(whole), ModuleType) and given else whole
            name = ast.unparse(whole)
            yield f"{name} is {found[1]}, and a mean lies in between, so it needs a float dtype."
            own = f"({name})" if isinstance(whole, ast.Compare | ast.BinOp) else name
            yield f"Try: {own}.float().{method}()."


def net_of(failure: Failure) -> Any:
    """The module that the failing line calls; None where it calls none."""
    return failure.value(getattr(failure.expression, "func", None))


def dtype_wanted(failure: Failure) -> Any:
    """The dtype of the parameters of the net that is called, or else the usual one."""
    net = net_of(failure)
    known = [each.dtype for each in net.parameters()] if isinstance(net, Module) else []
    return known[0] if known else dtypes.float32


def operands(expression: Any) -> Iterator[ast.expr]:
    """What the failing line computes with."""
    if isinstance(expression, ast.BinOp):
        yield from (expression.left, expression.right)
    elif is_call(expression):
        yield from given_to(expression)
        if isinstance(expression.func, ast.Attribute):
            yield expression.func.value
