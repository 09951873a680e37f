"""Classes that ``argmax`` picks for a loss to compare: the loss of their scores, written out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ...dtypes import int64
from ...tensor import Tensor
from ..source import reader
from ..source.lists import trees_with
from ..source.syntax import is_call, names_in, own_parts, root, scope, statements_at

ROOMS = {"mg", "minigrad", "torch", "F", "functional", "nn"}
PICKS = {"argmax"}
PLAIN = {"float", "long", "int"}  #: the same numbers in another dtype
SCORES_NOT = {"SoftmaxBackward0", "LogSoftmaxBackward0", "SigmoidBackward0", "DivBackward0"}


def loss_of_scores(line: str) -> str:
    """The loss to write where a line picks classes that a loss compares; empty if unknown.

    >>> loss_of_scores("line 1 of no file: `k = z.argmax(1)`")
    ''
    """
    place, frame = reader.SPOKEN_LINE.match(line), reader.frame()
    trees = trees_with(place[2]) if place else {}
    if place is None or place[2] not in trees or frame is None:
        return ""
    around = scope(trees[place[2]], int(place[1]))
    if getattr(around, "name", "<module>") != frame.f_code.co_name:
        return ""
    for each in statements_at(trees[place[2]], int(place[1])):
        match each:
            case ast.Assign([ast.Name(picked)], value) if is_call(value := bare(value), PICKS):
                scores = scores_in(value)
                for target, labels, number in compared(around, picked):
                    if given := of_classes(scores, labels, picked):
                        new = f"`{target} = torch.nn.functional.cross_entropy({scores}, {given})`"
                        where = f"line {number} of {place[2]}"
                        return f"{new} in {where}; argmax may stay for the accuracy"
    return ""


def bare(value: ast.expr) -> ast.expr:
    """What was only given another dtype: ``k`` of ``k.float()``."""
    while is_call(value, PLAIN) and isinstance(value.func, ast.Attribute) and not value.args:
        value = value.func.value
    return value


def scores_in(call: Any) -> str:
    """The name of what a call picks from, also through a softmax; empty where it has none."""
    while is_call(call, PICKS | {"softmax"}):
        is_method = isinstance(call.func, ast.Attribute) and root(call.func) not in ROOMS
        call = call.func.value if is_method else next(iter(call.args), None)
    return call.id if isinstance(call, ast.Name) else ""


def compared(around: ast.AST, picked: str) -> Iterator[tuple[str, str, int]]:
    """Each loss that is computed of what was picked and of targets alone; those, and the line."""
    parts = [*own_parts(around)]
    asked = {ast.unparse(each.func) for each in parts if is_call(each, {"backward"})}
    for each in parts:
        match each:
            case ast.Assign([ast.Name(own)], value) if f"{own}.backward" in asked:
                pass
            case _:
                continue
        given = [*map(bare, value.args)] if is_call(value) else []
        names = {each.id for each in given if isinstance(each, ast.Name)}
        if len(given) != 2 or picked not in names:
            names = names_in(value) - ROOMS
        if picked in names and len(names) == 2:
            yield own, *(names - {picked}), each.lineno


def of_classes(scores: str, labels: str, picked: str) -> str:
    """The labels as cross_entropy takes them; empty where they are no classes of these scores."""
    z, y, k = (reader.variables().get(name) for name in (scores, labels, picked))
    if not all(isinstance(each, Tensor) for each in (z, y, k)) or z.ndim != 2 or y.requires_grad:
        return ""
    examples, classes = z.shape
    is_fit = tuple(y.shape) == tuple(k.shape) == (examples,) and examples != classes > 1
    if not is_fit or not z.requires_grad or z.grad_fn and z.grad_fn.name() in SCORES_NOT:
        return ""
    is_whole = all(each in range(classes) for each in y.tolist())
    return f"{labels}{'' if y.dtype == int64 else '.long()'}" if is_whole else ""
