"""Loops and assignments that take something apart into another count of names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ...tensor import Tensor
from ..program.failure import Failure
from ..program.program import Program
from ..program.statements import WRITES
from ..source.parsed import around_in, text_of_code
from ..source.syntax import given_to
from ..words.sentences import tell


def taken_apart(failure: Failure, _: re.Match) -> Iterator[str]:
    """Why a loop over ``X, Y`` gives no pairs, or what there is for so many names."""
    names = failure.expression
    if not isinstance(names, ast.Tuple):
        return
    match around_in(text_of_code(failure.frame.f_code)).get(names):
        case ast.For(_, ast.Tuple(parts) as over):
            things = [*map(failure.value, parts)]
            sizes = {len(each) for each in things if isinstance(each, Tensor | list) and len(each)}
            if len(things) == len(names.elts) and len(sizes) == 1:
                target, together = (", ".join(map(ast.unparse, e.elts)) for e in (names, over))
                yield tell("pairs-of-two", target=target, over=together)
                yield f"Try: `for {target} in zip({together})`."
        case ast.For(_, over):
            value, name = failure.value(over), ast.unparse(over)
            if isinstance(value, Tensor) and value.ndim > 1:
                yield tell("rows-for-names", name=name, size=value.shape[1], count=len(names.elts))
        case ast.Assign(_, value):
            found, name = failure.value(value), ast.unparse(value)
            if isinstance(found, tuple | list) or isinstance(found, Tensor) and found.ndim:
                kind = f"{type(found).__name__.lower()} of {len(found)}"
                yield f"{name} is a {kind}, and there are {len(names.elts)} names for that."


def loop_over_a_number(failure: Failure, _: re.Match) -> Iterator[str]:
    """That a loop, or a function that loops, goes through a tensor of one number."""
    over = getattr(failure.expression, "iter", failure.expression)
    for thing in given_to(over) or [over]:
        value, name = failure.value(thing), ast.unparse(thing)
        if isinstance(value, Tensor) and not value.ndim:
            yield f"{name} is one number, of shape (), so there is nothing in it to go through."
            if thing is over:
                yield f"Try: {name} itself, without the loop."
            elif len(given_to(over)) == 1:
                yield f"Try: {name} for {ast.unparse(over)}."
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
