"""Sizes that do not fit a matrix product: which layer it is, what it got, and which size fits."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from math import prod
from types import FrameType
from typing import Any

from ...nn.layers import Linear
from ...nn.module import Module
from ...tensor import Tensor
from ..program.failure import Failure, made_in
from ..program.makers import Place
from ..source import reader
from ..source.lookup import value_of
from ..source.syntax import as_owner, given_to, is_call
from ..source.texts import all_calls, texts
from ..words.sentences import tell

WHERE_MADE = "where they are made."
SAME_SIZE = f"Try: the same size in both, {WHERE_MADE}"
SIZES = ("in_features", "out_features", "num_embeddings", "embedding_dim")


def sizes_apart(failure: Failure, _: re.Match) -> Iterator[str]:
    """What does not fit: the input of a layer, or two operands of ``@``."""
    called = [each.f_locals for each in failure.below if each.f_code is Linear.forward.__code__]
    if called and isinstance(called[-1]["input"], Tensor):
        yield from input_of_a_layer(called[-1]["self"], called[-1]["input"], failure)
    else:
        yield from operands_of_a_product(failure)


def path_of(layer: Any, failure: Failure) -> tuple[str, ast.expr | None]:
    """How the reader gets at a layer, as in ``net[2]``, and the expression of what is called."""
    called = getattr(failure.expression, "func", None)
    whole = failure.value(called) if called is not None else None
    if not isinstance(whole, Module):
        return "", None
    for path, module in whole.named_modules():
        if module is layer:
            name = ast.unparse(called)
            return (reader.at(name, path) if path else name), called
    return "", None


def making_of(layer: Any, failure: Failure) -> tuple[str, str]:
    """The line that makes a layer, and how that is written there; empty where it is unknown."""
    path, called = path_of(layer, failure)
    return (path and making_by_path(path, called, layer, failure)) or written_alone(layer, failure)


def making_by_path(path: str, called: ast.expr, layer: Any, failure: Failure) -> tuple[str, str]:
    """The same, where the reader's lines lead to it by its name."""
    line, made = made_in(*failure.origin(called))
    frame = failure.origin(called)[1]
    keys = re.findall(r"\[(\d+)\]", path.removeprefix(ast.unparse(called)))
    for key in keys:
        parts = made.args if is_call(made, {"Sequential"}) else []
        if any(isinstance(each, ast.Starred) for each in parts) or int(key) >= len(parts):
            return ()
        made = parts[int(key)]
        line = line_of_part(made, line, frame) or line
    if not is_call(made) or not line:
        return ()
    return (line, ast.unparse(made)) if value_of(made.func, frame, None) is type(layer) else ()


def last_layer(
    given: list[ast.expr], outputs: int, failure: Failure
) -> tuple[Linear, str, str] | None:
    """The layer that a net ends with, its class as it is written there, and its line.

    That is the net whose output is given, if it was called in that expression or a line before.
    """
    for thing in given:
        made = thing if is_call(thing) else made_in(*failure.origin(thing))[1]
        net = failure.value(made.func) if is_call(made) else None
        layers = [*net.modules()] if isinstance(net, Module) else []
        if layers and isinstance(layers[-1], Linear) and layers[-1].out_features == outputs:
            line, written = written_alone(layers[-1], failure)
            return (layers[-1], written.partition("(")[0], line) if line else None
    return None


def written_alone(layer: Any, failure: Failure) -> tuple[str, str]:
    """The same, where one call alone makes a layer of this kind and these sizes."""
    kind, sizes = type(layer).__name__, [getattr(layer, name, None) for name in SIZES]
    wanted = [size for size in sizes if size is not None]
    found = {
        source.spoken(node.lineno): ast.unparse(node)
        for source, node in all_calls(failure.frame, {kind})
        if [getattr(each, "value", None) for each in node.args[:2]] == wanted
    }
    return next(iter(found.items())) if len(found) == 1 else ("", "")


def line_of_part(part: ast.expr, line: str, frame: FrameType) -> str:
    """The line of a part of a call that stands on a line of its own."""
    found = reader.SPOKEN_LINE.match(line)
    sources = (source for source, _ in texts(frame) if found and source.name == found[2])
    return next((source.spoken(part.lineno) for source in sources), "")


def input_of_a_layer(layer: Linear, given: Tensor, failure: Failure) -> Iterator[str]:
    """That a layer takes another count of numbers than it got."""
    wanted, got = layer.in_features, given.shape[-1] if given.ndim else 0
    path, _ = path_of(layer, failure)
    line, written = making_of(layer, failure)
    own = path or "The layer"
    shape = tuple(given.shape)
    known = {"wanted": f"{wanted} number{'s' * (wanted != 1)}", "got": got, "shape": shape}
    made, at_view = "", []
    fits = f"{written.partition('(')[0] or 'nn.Linear'}({got}, {layer.out_features})"
    thing = next(iter(given_to(failure.expression)), None)
    is_own = thing is not None and failure.value(thing) is given
    name = ast.unparse(thing) if is_own else ""
    if given.numel() % wanted == 0 and (view := view_behind(thing, given, failure)):
        call, before, at = view
        whole = ast.unparse(call.func.value)
        rows = given.numel() // wanted
        at_view = [tell("other-rows", line=at, of=rows * wanted, rows=rows, wanted=wanted)]
        is_each = getattr(before, "ndim", 0) > 1 and len(before) == rows
        do = f"{whole}.{'flatten(1)' if is_each else f'reshape(-1, {wanted})'} there."
    elif joined := joined_instead(thing, given, wanted, failure):
        do = f"{joined}, which puts their numbers into one row."
    elif given.ndim > 2 and prod(shape[1:]) == wanted:
        flat = f"{name}.flatten(1) for {name}" if name else "nn.Flatten() before it"
        do = f"{flat}, which puts the {wanted} numbers of each example in a row."
    elif given.ndim == 1 and wanted == 1 and name:
        do = f"{name}.unsqueeze(1) for {name}, a column: one number for each example."
    elif given.ndim == 2 and got > shape[0] == wanted and is_own and given.grad_fn is None:
        do = f"{name}.T for {name}, so that each row is an example."
    else:
        made, do = reader.in_brackets(line), f"{fits} {'there' if line else f'for {own}'}."
    yield tell("input-of-a-layer", own=own, made=made, **known)
    yield from (*at_view, f"Try: {do}")


def joined_instead(thing: Any, given: Tensor, wanted: int, failure: Failure) -> str:
    """``cat`` for a ``stack``, where what it puts beside each other fits in one row."""
    made = made_in(*failure.origin(thing))[1] if isinstance(thing, ast.Name) else thing
    match made:
        case ast.Call(ast.Attribute(_, "stack") as how, [ast.List(parts) | ast.Tuple(parts), *_]):
            if len(parts) * given.shape[-1] == wanted:
                room, dim = ast.unparse(how.value), "" if given.ndim == 2 else ", dim=-1"
                return f"{room}.cat({ast.unparse(made.args[0])}{dim}) for {ast.unparse(made)}"
    return ""


def view_behind(
    thing: ast.expr | None, given: Tensor, failure: Failure
) -> tuple[ast.Call, Any, str] | None:
    """The view or reshape that made other rows on the way to an input, of what; its line."""
    made, line = thing, ""
    if isinstance(thing, ast.Name):
        line, made = made_in(*failure.origin(thing))
    if is_call(made, {"view", "reshape"}) and isinstance(made.func, ast.Attribute):
        line = line or reader.spoken_line(failure.frame.f_code.co_filename, made.lineno)
        before = failure.value(made.func.value)
        is_known = before is not given and getattr(before, "ndim", 0) > 1  # not renamed by a view
        keeps_rows = len(before) == len(given) if is_known else ast.unparse(made.args[-1]) == "-1"
        return None if keeps_rows else (made, before, line)
    return None


def operands_of_a_product(failure: Failure) -> Iterator[str]:
    """The shapes of two operands, and how they fit."""
    match failure.expression:
        case (
            ast.BinOp(left, ast.MatMult(), right)
            | ast.Call(ast.Attribute(_, "matmul" | "mm" | "mv" | "dot"), [left, right])
            | ast.Call(ast.Attribute(left, "matmul" | "mm" | "mv" | "dot"), [right])
        ):
            given = Place.of(failure.frame).value
            a, b = operands_below(failure) or (given(left), given(right))
        case _:
            return
    if not isinstance(a, Tensor) or not isinstance(b, Tensor):
        return
    one, two = as_owner(left), as_owner(right)
    yield tell("operands-apart", one=one, a=tuple(a.shape), two=two, b=tuple(b.shape))
    if fits := [*ways(one, a, two, b)]:
        yield f"Try: {'; or '.join(fits)}."
    else:
        rows = f"such as {tuple(a.shape)[-1]} rows in {two}"
        yield f"Try: a size that both share, {rows}, {WHERE_MADE}"


def operands_below(failure: Failure) -> tuple[Any, Any] | None:
    """Both operands, as the method of a tensor that was called has them."""
    for frame in failure.below:
        known = frame.f_locals
        if isinstance(known.get("self"), Tensor) and "other" in known:
            return known["self"], known["other"]
    return None


def shapes_of_operands(failure: Failure) -> Iterator[str]:
    """The shapes of two operands of an elementwise operation, and what fits."""
    match failure.expression:
        case ast.BinOp(left, operation, right):
            a, b = operands_below(failure) or (failure.value(left), failure.value(right))
            if not isinstance(a, Tensor) or not isinstance(b, Tensor):
                return
            one, two = as_owner(left), as_owner(right)
            x, y = tuple(a.shape), tuple(b.shape)
            yield tell("shapes-of-operands", one=one, a=x, two=two, b=y)
            # of a loss: a row of outputs is not to come near one number
            is_loss = isinstance(operation, ast.Sub) and a.requires_grad != b.requires_grad
            if {len(x), len(y)} == {1, 2} and x[0] == y[0] and not is_loss:
                flat = two if len(y) == 1 else one
                yield f"Try: {flat}.unsqueeze(1) for {flat}, one number for each row."
            elif len(x) == 2 and x == y[::-1]:
                yield f"Try: {turned(two)} for {two}."
            elif len(x) == len(y) == 2 and (net := last_layer([left], x[1], failure)):
                yield f"Try: {net[1]}({net[0].in_features}, {y[1]}) in {net[2]}."
            else:
                yield SAME_SIZE


def ways(one: str, a: Tensor, two: str, b: Tensor) -> Iterator[str]:
    """The products of two tensors that have fitting sizes."""
    x, y = tuple(a.shape), tuple(b.shape)
    if len(y) == 2 and x[-1] == y[1]:
        yield f"{one} @ {turned(two)}"
    if len(x) == 2 and x[0] == y[0]:
        yield f"{turned(one)} @ {two}"


def turned(name: str) -> str:
    """A matrix, rows for columns."""
    return name.removesuffix(".T") if name.endswith(".T") else f"{name}.T"
