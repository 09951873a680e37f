"""What the failing line computes with: the shape of each tensor, and the line that made it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from math import prod
from types import ModuleType
from typing import Any

from ... import dtypes
from ...tensor import Tensor
from ..program.failure import Failure
from ..program.makers import Made, Place, maker
from ..source import reader
from ..source.syntax import given_to, is_call, names_in
from ..words.sentences import tell
from .layer_sizes import WHERE_MADE, operands_below

ABOUT_SHAPES = re.compile(r".*(?:shape|\b[Ss]izes?\b|dimension|out of bounds|batch_size)")
MOST = 3  #: that are told of


def parts_of(expression: Any) -> list[ast.expr]:
    """The operands of an expression or a statement, as it is written."""
    match expression:
        case ast.BinOp(one, _, two) | ast.AugAssign(one, _, two):
            return [one, two]
        case ast.Compare(one, _, others):
            return [one, *others]
        case ast.Call(ast.Attribute(owner)):
            while is_call(owner) and ast.unparse(owner.func).endswith("_"):
                owner = owner.func.value  # which a write in place gives back
            given = [owner, *given_to(expression), *(each.value for each in expression.keywords)]
        case ast.Call():
            given = [*given_to(expression), *(each.value for each in expression.keywords)]
        case ast.Subscript(whole, ast.Tuple(several)):
            return [whole, *several]
        case ast.Subscript(whole, index):
            return [whole, index]
        case _:
            return []
    lists = [each.elts if isinstance(each, ast.List | ast.Tuple) else [each] for each in given]
    return [each for several in lists for each in several]


def operands(failure: Failure) -> Iterator[tuple[ast.expr, Any]]:
    """What the failing line computes with, and what that is; each once, and no plain numbers."""
    parts, expression, seen = parts_of(failure.expression), failure.expression, set()
    below = operands_below(failure) if isinstance(expression, ast.BinOp | ast.AugAssign) else None
    values = below or [value_in(part, failure) for part in parts]
    for part, value in zip(parts, values):
        known = [(part, value)]
        if isinstance(value, list | tuple):
            items = [ast.Subscript(part, ast.Constant(number)) for number in range(len(value))]
            known = [*zip((ast.copy_location(item, part) for item in items), value)]
            others = [each for each in known if shape_of(each[1]) != shape_of(value[0])]
            known = [*known[:1], *others]
        for thing, own in known:
            if ast.unparse(thing) not in seen and not isinstance(own, int | float | str | type):
                seen.add(ast.unparse(thing))
                yield thing, own


def shape_of(value: Any) -> Any:
    """The shape of a tensor."""
    return value.shape if isinstance(value, Tensor) else None


def value_in(part: ast.expr, failure: Failure) -> Any:
    """What an expression of the failing line gives, as far as that is known."""
    return failure.frame and Place.of(failure.frame).value(part)


def subjects(things: Iterable[tuple[ast.expr, Any]], failure: Failure) -> Iterator[tuple]:
    """The tensors, and those that larger expressions are computed from, with what made each."""
    seen = set()
    for thing, value in things:
        names = [ast.Name(each, ast.Load()) for each in sorted(names_in(thing))]
        for each in (
            [thing] if isinstance(thing, ast.Name | ast.Attribute | ast.Subscript) else names
        ):
            own = value if each is thing else value_in(each, failure)
            if isinstance(own, Tensor) and own.ndim and ast.unparse(each) not in seen:
                seen.add(ast.unparse(each))
                yield each, own, maker(each, failure)


def with_operands(failure: Failure, said: Iterable[str], is_known: bool) -> list[str]:
    """Sentences on an error about shapes, with the operands, and the line that made each.

    Of one that a rule knows it is told alone which of them is empty, or was made like another.
    """
    said = [*said]
    is_known = is_known and not said[-1].endswith(WHERE_MADE)
    if failure.expression is None or any("line " in each for each in said):
        return said
    whys = [each for each in said if not each.startswith("Try: ")]
    vague = [each for each in said if each.startswith("Try: ")]
    things = [(thing, value) for thing, value in operands(failure) if isinstance(value, Tensor)]
    if things and not is_known and not any("has shape" in each for each in whys):
        shapes = [f"{ast.unparse(thing)} has shape {tuple(value.shape)}" for thing, value in things]
        if isinstance(failure.expression, ast.Subscript):
            shapes = [size + range_of(value) for size, (_, value) in zip(shapes, things)]
        whys.append(f"{', and '.join(shapes[:MOST])}{' …' * (len(shapes) > MOST)}.")
    do: list[str] = []
    known = [(*each, told_of(*each, failure)) for each in subjects(things, failure)]
    whole = {ast.unparse(thing) for thing, _ in things}
    odd, rest = [], []
    for each in known:
        is_odd = not each[1].numel() or each[2] and each[2].like
        (odd if is_odd else rest).append(each)
    rest = [each for each in rest if not odd or ast.unparse(each[0]) in whole]
    for *_, told in [*odd, *([] if is_known else rest)][:MOST]:
        whys += told[:1]
        do += told[1:]
    return [*whys, *(do[:1] or vague)]


def range_of(value: Tensor) -> str:
    """From what to what the places in an index go."""
    if value.dtype.is_floating_point or value.dtype is dtypes.bool or not value.numel():
        return ""
    return f" and goes from {int(value.min())} to {int(value.max())}"


def another_view(failure: Failure, found: re.Match) -> Iterator[str]:
    """A shape that holds another count of elements: how many there are, and which size fits."""
    match failure.expression:
        case ast.Call(ast.Attribute(owner, "view" | "reshape" as how), [*given]):
            sizes = given[0].elts if isinstance(given[0], ast.Tuple | ast.List) else given
            shape, tensor = [value_in(each, failure) for each in sizes], failure.value(owner)
            if not isinstance(tensor, Tensor) or not all(isinstance(n, int) for n in shape):
                return
            yield tell("too-small-a-shape", shape=found[1], count=found[2])
            written, count, first = [*map(ast.unparse, sizes)], tensor.numel(), prod(shape[1:])
            if tensor.ndim and len(tensor) == shape[0] > 0 and count % prod(shape[:-1]) == 0:
                new, which = [*written[:-1], "-1"], "puts the rest into the last"
            elif first > 0 and count % first == 0:
                new, which = ["-1", *written[1:]], "makes as many rows as there are"
            elif shape[0] == -1 and count and first % (own := count // len(tensor)) == 0:
                yield tell("rows-of-a-batch", own=own, of=tuple(tensor.shape), rows=first // own)
                new = [f"{ast.unparse(owner)}.size(0)", "-1"]
                which = tell("row-of-each", own=own, first=first)
            else:
                return
            yield f"Try: {ast.unparse(owner)}.{how}({', '.join(new)}), which {which}."


def told_of(thing: ast.expr, value: Tensor, made: Made | None, failure: Failure) -> list[str]:
    """The line that made a tensor, what is odd about that, and perhaps what to write there."""
    if made is None:
        return []
    name, like = ast.unparse(thing), made.like
    if made.at.frame is failure.frame and made.value.lineno == made.at.line:
        return []
    said = f"{name} comes from {made.line}" + ", and is empty" * (not value.numel())
    if like is None:
        return [f"{said}."]
    if meant := made.forgotten:
        new = ast.unparse(made.value).replace(f"({ast.unparse(like)}", f"({meant}", 1)
        said += f", in the shape of {ast.unparse(like)}, whichever {meant} is."
        return [said, f"Try: {new} for {ast.unparse(made.value)} there, each in its own shape."]
    return [f"{said}, in the shape of {ast.unparse(like)}."]


def whatever_it_is(failure: Failure) -> Iterator[str]:
    """What an unknown error leaves to say: what its line computes with, and where that was made."""
    for thing, value in [*operands(failure)][: MOST + 1]:
        if isinstance(value, ModuleType) or value is None and not isinstance(thing, ast.Name):
            continue
        made = maker(thing, failure)
        name, line = ast.unparse(thing), reader.in_brackets(made and made.line)
        if isinstance(value, Tensor):
            yield f"{name} is a tensor of shape {tuple(value.shape)} and dtype {value.dtype}{line}."
        elif not callable(value):
            kind = "None" if value is None else f"a {type(value).__name__}"
            yield f"{name} is {kind}{line}."
