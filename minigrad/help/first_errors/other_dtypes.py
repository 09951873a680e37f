"""Tensors of two dtypes where one is wanted: which is the odd one, and where it was made."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from ... import dtypes
from ...tensor import Tensor
from ..graph.expression_matches_node import operands
from ..graph.history import leaves_behind
from ..graph.out_of_place import written_to
from ..program.cuts import gives_positions
from ..program.failure import Failure, made_in
from ..program.makers import LIKE, Made, Place, maker
from ..program.picked import expected_position
from ..source import reader
from ..source.lookup import value_of
from ..source.parsed import tree_of_code
from ..source.syntax import as_owner, given_to, is_call, name_called, names_in, parents_in
from ..source.variables import parameters_of
from ..words.sentences import tell
from .layer_sizes import operands_below

GOT = re.compile(r"(?:got|dtype) (\w+) (?:and|but expected) (\w+)")
TAKE_A_DTYPE = {
    *LIKE, "tensor", "as_tensor", "arange", "zeros", "ones", "full", "empty", "eye", "randint",
    "rand", "randn", "linspace",
}  # fmt: skip
METHODS = {"float32": "float()", "float64": "double()", "float16": "half()"}


def other_dtypes(failure: Failure, _: re.Match) -> Iterator[str]:
    """The tensor of the failing line that is of another dtype than the net, or than usual."""
    call = failure.expression
    written = written_to(call if isinstance(call, ast.AugAssign) else ast.Expr(call))
    if written is not None:
        yield from of_what_is_written(written, failure)
        return
    both = operands_below(failure) if isinstance(call, ast.BinOp) else None
    things = [each.value if isinstance(each, ast.Subscript) else each for each in operands(call)]
    known = [*zip(things, both or map(failure.value, things))]  # an item is of the same dtype
    known = [(thing, value) for thing, value in known if isinstance(value, Tensor)]
    wanted = dtype_wanted(failure, [value for _, value in known])
    for thing, value in known:
        if value.dtype is not wanted:
            yield from told(thing, value.dtype, wanted, failure)
            return
    got, given = GOT.search(str(failure.error)), given_to(call)
    if [*parameters_of(net_of(failure))] and len(given) == 1 and got and is_call(given[0]):
        name = ast.unparse(given[0])
        yield f"{name} is {got[1]}, and the net's parameters are {got[2]}."
        yield f"Try: {name}.{METHODS[wanted.name]} for {name}."


def told(thing: ast.expr, odd: Any, wanted: Any, failure: Failure) -> Iterator[str]:
    """Which tensor is of another dtype, its line, and how it gets the other one."""
    is_odd = lambda each: isinstance(each, Tensor) and each.dtype is odd  # noqa: E731
    floats = odd.is_floating_point  # whole numbers can be classes
    start, frame, use = failure.first(thing, is_odd) if floats else (*failure.origin(thing), "")
    start = start if is_odd(value_of(start, frame, None)) else thing
    name, (line, made) = ast.unparse(start), made_in(start, frame)
    by_net = [*parameters_of(net_of(failure))]
    others = "the net's parameters are" if by_net else "what it meets is"
    source = " Data from NumPy are double." if odd is dtypes.float64 else ""
    yield f"{name} {spoken(odd)}, and {others} {wanted}.{source}"
    if line:
        yield f"It was made in {line}."
    beside = [
        (own, *made_in(ast.Name(own), frame))
        for own, each in frame.f_locals.items()
        if floats and own not in (name, "_") and is_odd(each)
    ]
    if is_call(made) and (floats or is_given_again(name, failure)):
        also = [
            f"{of_dtype(call, wanted)} for {own} ({at.partition(': `')[0]})"
            for own, at, call in beside  # not what was computed from a tensor, whose dtype it takes
            if is_call(call) and not any(map(is_odd, map(frame.f_locals.get, names_in(call))))
        ]
        yield f"Try: {'; and '.join([f'{of_dtype(made, wanted)} there', *also])}."
    else:
        here = use or reader.spoken_line(frame.f_code.co_filename, start.lineno)
        others = [each for each, at, _ in beside if line and at == line]
        also = "".join(f"; and so for {each}" for each in others)
        yield f"Try: {as_owner(start)}.{METHODS[wanted.name]} for {name} in {here}{also}."


def is_given_again(name: str, failure: Failure) -> bool:
    """Whether a call of the same function, in another line, is given what has this name."""
    call, parts = failure.expression, parents_in(tree_of_code(failure.frame.f_code))
    calls = [e for e in parts if is_call(e) and is_call(call)]
    same = [e for e in calls if ast.dump(e.func) == ast.dump(call.func)]
    return any(name in map(ast.unparse, e.args) for e in same if e.lineno != call.lineno)


def spoken(dtype: Any) -> str:
    """What a tensor of a dtype is, or holds."""
    if dtype.is_floating_point:
        return f"is {'double' if dtype is dtypes.float64 else dtype.name} ({dtype})"
    return f"holds {'True and False' if dtype is dtypes.bool else 'whole numbers'} ({dtype})"


def of_dtype(call: ast.Call, dtype: Any) -> str:
    """A call that makes a tensor, written so that it makes one of this dtype, and still a leaf."""
    if name_called(call.func) not in TAKE_A_DTYPE:
        whole, *asks = ast.unparse(call).partition(".requires_grad_(")
        return f"{whole}.{METHODS[dtype.name]}{''.join(asks)}"
    others = [each for each in call.keywords if each.arg != "dtype"]
    wanted = ast.keyword("dtype", ast.Name(str(dtype)))
    return ast.unparse(ast.Call(call.func, call.args, [wanted, *others]))


def of_what_is_written(whole: ast.expr, failure: Failure) -> Iterator[str]:
    """That a write in place keeps the dtype of a tensor, which holds no numbers in between."""
    value, name, made = failure.value(whole), ast.unparse(whole), maker(whole, failure)
    if isinstance(value, Tensor):
        line = reader.in_brackets(made and made.line)
        yield f"{name} {spoken(value.dtype)}{line}, and a write in place keeps its dtype."
        if made is not None and is_call(made.value):
            yield f"Try: {of_dtype(made.value, dtypes.float32)} there."
        else:
            yield f"Try: `{name} = {name}.float()` above the line that writes."


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
    if gives_positions(made.value):
        name = ast.unparse(owner)
        why += f" {name} holds positions, which move in jumps: no flag gives them a gradient."
        instead = expected_position(made.value)
        return why, tell("as-a-position", name=name, instead=instead) if instead else tell(
            "no-flag"
        )
    if made.like is not None:
        why += f" That takes the dtype of {ast.unparse(made.like)}."
    is_written = is_call(made.value, {"tensor"}) and not names_in(made.value.args[0])
    points = "write 1. instead of 1, or " * is_written
    new = of_dtype(made.value, dtypes.float32)
    return why, f"{points}{new} for {ast.unparse(made.value)}{there}."


def mean_of_whole_numbers(failure: Failure, found: re.Match) -> Iterator[str]:
    """That a mean is asked of True and False, or of whole numbers."""
    match failure.expression:
        case ast.Call(ast.Attribute(whole, "mean"), given, words):
            if isinstance(failure.value(whole), ModuleType) and given:
                whole, *given = given
            how = ", ".join(map(ast.unparse, [*given, *words]))
            name = ast.unparse(whole)
            yield f"{name} is {found[1]}, and a mean lies in between, so it needs a float dtype."
            yield f"Try: {as_owner(whole)}.float().mean({how})."


def net_of(failure: Failure) -> Any:
    """The module that the failing line calls; None where it calls none."""
    return failure.value(getattr(failure.expression, "func", None))


def dtype_wanted(failure: Failure, values: list[Tensor]) -> Any:
    """The dtype of what is learned: by the net that is called, or behind what is computed with."""
    by_net = [leaf for _, leaf in parameters_of(net_of(failure))]
    leaves = by_net or [leaf for each in values for leaf in leaves_behind(each)]
    known = {each.dtype for each in leaves if each.dtype.name in METHODS}
    return known.pop() if len(known) == 1 else dtypes.float32
