"""Indices that cannot be looked up: no whole numbers, beyond the last row, or in another form."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import numpy as np

from ...nn.lookup import Embedding
from ...tensor import Tensor
from ..program.failure import Failure, made_in
from ..source import reader
from ..source.syntax import given_to, is_call, root
from ..words.sentences import tell
from .layer_sizes import layer_called, making_of


def rows_of_a_table(failure: Failure, _: re.Match) -> Iterator[str]:
    """Which index has no row, of how many, or that indices are no whole numbers."""
    layer, _input = layer_called(failure, Embedding)
    known = [each.f_locals for each in failure.below if each.f_code.co_name == "embedding"]
    table, indices = (known[-1].get(name) for name in ("weight", "input")) if known else (None,) * 2
    if not isinstance(indices, Tensor) or not isinstance(table, Tensor):
        return
    thing = next((each for each in given_to(failure.expression)), None)
    name, line = ("the input", "")
    if thing is not None and failure.value(thing) is not None:
        start, frame = failure.origin(thing)
        name, line = ast.unparse(start), made_in(start, frame)[0]
    if indices.dtype.is_floating_point:
        where, dtype = reader.in_brackets(line), indices.dtype
        yield tell("indices-in-between", name=name, dtype=dtype, where=where)
        own = "it" if name == "the input" else name
        yield f"Try: {own}.long() for {own}."
        return
    values, rows = np.asarray(indices.detach().numpy()), table.shape[0]
    if not values.size:
        return
    wrong = int(values.max()) if values.max() >= rows else int(values.min())
    made, written = making_of(layer, failure)
    facts = {"wrong": wrong, "rows": rows, "last": rows - 1, "made": reader.in_brackets(made)}
    yield tell("index-without-row", name=name, where=reader.in_brackets(line), **facts)
    if wrong < 0:
        yield "Try: indices from 0 on; padding_idx=0 keeps row 0 for what is filled up."
    else:
        own = written.partition("(")[0] or "nn.Embedding"
        there = " there" if made else ""
        yield f"Try: {own}({wrong + 1}, {table.shape[1]}){there}; or smaller indices."


def places_of_gather(failure: Failure, _: re.Match) -> Iterator[str]:
    """That gather was given a row of places, where it takes a column."""
    call = failure.expression
    if not is_call(call, {"gather"}) or not isinstance(call.func, ast.Attribute):
        return
    whole, dim, places = [call.func.value, *given_to(call)][-3:]
    values, index = failure.value(whole), failure.value(places)
    is_known = isinstance(index, Tensor) and isinstance(dim, ast.Constant)
    if not is_known or index.dim() != 1 or not isinstance(dim.value, int):
        return
    shape = tuple(values.shape) if isinstance(values, Tensor) else "more dimensions"
    start, frame = failure.origin(places)
    where = reader.in_brackets(made_in(start, frame)[0]) if root(start) else ""
    facts = {"own": tuple(index.shape), "whole": ast.unparse(whole), "shape": shape}
    yield tell("row-of-places", name=ast.unparse(start), where=where, **facts)
    yield f"Try: {ast.unparse(places)}.unsqueeze({dim.value}) for {ast.unparse(places)}."
