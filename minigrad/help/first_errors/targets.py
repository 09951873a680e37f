"""Outputs and targets that a loss refuses: columns, one-hot rows, classes that are no classes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ...tensor import Tensor
from ..graph.nodes import kind_of, next_of
from ..program.failure import Failure, made_in
from ..source import reader
from ..source.syntax import as_owner, given_to, is_call, names_in
from ..source.texts import all_calls
from ..training.outputs import is_softmax
from ..words.sentences import tell
from .layer_sizes import last_layer, shapes_of_operands, view_behind

ROLES = {"input": "the output", "target": "the target"}


class Side(NamedTuple):
    """The output or the target of a loss: the tensor, how it is written, and its line."""

    value: Any
    name: str
    line: str = ""
    thing: Any = None  # the expression of it

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.value.shape)

    @property
    def numbers(self) -> np.ndarray:
        return np.asarray(self.value.detach().numpy())

    @property
    def where(self) -> str:
        return reader.in_brackets(self.line)

    def __str__(self) -> str:
        return self.name


def sides(failure: Failure) -> tuple[Side, ...] | None:
    """The output and the target of the loss that failed; None where that was no loss."""
    call = failure.expression
    for frame in failure.below if is_call(call) else ():
        known = frame.f_locals
        if all(isinstance(known.get(role), Tensor) for role in ROLES):
            words = {each.arg: each.value for each in call.keywords}
            given = dict(zip(ROLES, call.args)) | words
            return tuple(side(known[role], given.get(role), role, failure) for role in ROLES)
    return None


def side(value: Tensor, thing: ast.expr | None, role: str, failure: Failure) -> Side:
    """What is known of one side of a loss."""
    if thing is None:
        return Side(value, ROLES[role])
    return Side(value, as_owner(thing), made_in(*failure.origin(thing))[0], thing)


# -- classes ---------------------------------------------------------------------------------------


def targets_of_classes(failure: Failure, _: re.Match) -> Iterator[str]:
    """What stands in the place of one number of a class for each example."""
    if (known := sides(failure)) is None:
        return
    (scores, target), text = known, str(failure.error)
    values = target.numbers
    are_rows = values.ndim == 2 or values.ndim == 1 and "one_hot" in f"{target} {target.line}"
    if not scores.value.dtype.is_floating_point and target.value.dtype.is_floating_point:
        yield tell("target-first", target=scores, output=target)
        yield f"Try: {target}, {scores} for {scores}, {target} there."
    elif "batch_size" in text:
        yield from of_another_count(scores, target, failure)
    elif text.startswith("Target "):
        yield from beyond_the_classes(scores, target, failure)
    elif are_rows and values.shape[-1] > 1 and is_one_hot(values):
        yield tell("one-hot", target=target)
        yield f"Try: {target}.argmax(dim={values.ndim - 1}) for {target}."
    elif has_one_score(scores, values):
        yield from one_score_each(scores, target)
    elif values.ndim == 2 and values.shape[1] == 1:
        yield tell("column-of-classes", target=target, rows=values.shape[:1])
        is_whole = values.dtype.kind in "iu"
        yield f"Try: {target}.squeeze(1){'' if is_whole else '.long()'} for {target}."
    elif scores.value.ndim == values.ndim == 1 and values.dtype.kind in "iu":
        yield tell("scores-of-one", scores=scores, target=target)
        if len(values) == 1:
            yield f"Try: {scores}.unsqueeze(0) for {scores}, one row for one example."
    elif values.ndim < 2 and values.dtype.kind == "f" and "dtype" in text:
        yield tell("classes-in-between", target=target)
        if np.array_equal(values, np.round(values)):
            yield f"Try: {target.name.removesuffix('.float()')}.long() for {target}."
        else:
            yield "Try: torch.nn.MSELoss(), as these are numbers rather than classes."


def is_one_hot(values: np.ndarray) -> bool:
    """Whether each row has one 1, and else 0."""
    return bool(((values == 0) | (values == 1)).all() and (values.sum(axis=-1) == 1).all())


def has_one_score(scores: Side, values: np.ndarray) -> bool:
    """Whether there is one score for each of several examples."""
    is_flat = values.ndim == 1 and scores.shape == values.shape and len(values) > 1
    is_column = values.ndim in (1, 2) and scores.shape[1:] == (1,)
    return bool((values % 1 == 0).all()) and (is_flat or is_column)


def one_score_each(scores: Side, target: Side) -> Iterator[str]:
    """That there is one score for each example, and not one for each class."""
    count = int(target.numbers.max()) + 1
    yield tell("one-score-each", scores=scores, count=scores.shape[0])
    if count > 2:
        yield tell("outputs-for-classes", count=count)
        return
    own = in_shape(target, scores) if scores.shape != target.shape else target.name
    loss = "torch.nn.functional.binary_cross_entropy"
    loss += "_with_logits" * (kind_of(scores.value.grad_fn) != "Sigmoid")
    yield f"Try: {loss}({scores}, {own.removesuffix('.float()')}.float()), for two classes."


def of_another_count(scores: Side, target: Side, failure: Failure) -> Iterator[str]:
    """That there are more outputs than targets, or fewer."""
    n, m = scores.shape[0], target.shape[0] if target.shape else 0
    yield tell("another-count", scores=scores, target=target, n=n, m=m)
    if target.value.numel() == n:
        yield f"Try: {target}.reshape(-1) for {target}, a class for each of the {n} rows."
        return
    scored = given_to(failure.expression)[0]
    line, made = ("", scored) if is_call(scored) else made_in(*failure.origin(scored))
    for thing in (scored, *given_to(made)[:1]):  # or the input of what gave them
        value = failure.value(thing)
        value = value if isinstance(value, Tensor) else scores.value
        view, before, at = view_behind(thing, value, failure) or (None, None, "")
        is_renamed = before is value  # the name of what was viewed means the view now
        whole = before._base if is_renamed else before
        if not isinstance(whole, Tensor) or whole.ndim < 2 or not m or n % m:
            continue
        each, own = whole[0].numel(), whole[0].numel() * m // n
        if (value.numel() == each * m) if is_renamed else len(whole) == m:
            at = line if line and is_call(thing) else at
            yield tell("rows-of-each", line=at, parts=n // m, each=each, own=own)
            if thing is scored and whole.ndim == 3:
                name = ast.unparse(view.func.value)
                yield f"Try: {name}.mean(dim=1) for {scores}, one row for each example."
            elif thing is not scored and whole.shape[-1] != own:  # else each can have a score
                size = ast.unparse(view.args[-1])
                yield f"Try: {each} for {size} there, and as many inputs of the layer for them."
            return


def beyond_the_classes(scores: Side, target: Side, failure: Failure) -> Iterator[str]:
    """That a class has no score: they begin at 1, or are more than the outputs."""
    classes, low, high = scores.shape[-1], int(target.numbers.min()), int(target.numbers.max())
    yield tell(
        "beyond-the-classes", target=target, low=low, high=high, count=classes, last=classes - 1
    )
    if (low, high) == (1, classes):  # others may be a part of more classes
        yield f"Try: {from_0(target, failure)}: classes start at 0."
    elif {*target.numbers.ravel().tolist()} == {-1, 1}:
        yield f"Try: ({target} + 1) // 2 for {target}, which makes classes 0 and 1 of -1 and 1."
    elif low < 0:
        yield f"Try: classes from 0 on; ignore_index={low} leaves out those of {low}."
    elif layer := last_layer(failure.expression.args[:1], classes, failure):
        yield f"Try: {layer[1]}({layer[0].in_features}, {high + 1}) in {layer[2]}."
    else:
        yield tell("outputs-for-classes", count=high + 1)


def from_0(target: Side, failure: Failure) -> str:
    """What makes classes that begin at 1 begin at 0: for all that uses them, as an accuracy does.

    Where the number of outputs is that of the largest class, for the loss alone.
    """
    thing = target.thing
    thing, frame = failure.origin(thing.value if isinstance(thing, ast.Subscript) else thing)
    line, name = made_in(thing, frame)[0], ast.unparse(thing or [])
    largest = all_calls(frame, {"max", "amax"})
    if not line or any(name in names_in(each) for _, each in largest):
        return f"{target} - 1 for {target}"
    return f"`{name} = {name} - 1` below {line.partition(': `')[0]}"


# -- numbers ---------------------------------------------------------------------------------------


def shapes_of_a_loss(failure: Failure, _: re.Match) -> Iterator[str]:
    """That output and target of a loss differ in shape, and how they get the same."""
    if (known := sides(failure)) is None:
        yield from shapes_of_operands(failure)
        return
    output, target = known
    a, b = output.shape, target.shape
    yield tell("shapes-of-a-loss", output=output, target=target)
    if output.value.numel() == target.value.numel():
        yield f"Try: {in_shape(target, output)} for {target}."
    elif len(a) == 2 and a[0] == b[0] and after_softmax(output.value):  # of one column it gives 1
        is_one_of_two = a[1] == 2 and len(b) == 1 and set(target.numbers.tolist()) <= {0, 1}
        if is_one_of_two and output.name not in ROLES.values():
            yield f"Try: {output}[:, 1] for {output}, the probability of class 1."
    elif len(a) == 2 and a[0] == b[0] and ".max(" not in target.line:  # else of one of the actions
        wanted = b[1] if len(b) > 1 else 1
        same = "" if len(b) > 1 else f"; and {target}.reshape(-1, 1) for {target}"
        yield f"Try: a last layer of {wanted} output{'s' * (wanted != 1)}, not {a[1]}{same}."


def after_softmax(output: Tensor) -> bool:
    """Whether a softmax has made these outputs, and no layer since."""
    node = output.grad_fn
    while node is not None and kind_of(node) not in ("Addmm", "Mm"):
        if kind_of(node) in ("Softmax", "LogSoftmax") or is_softmax(node):
            return True
        node = next(iter(next_of(node)), None)
    return False


def in_shape(target: Side, output: Side) -> str:
    """The target in the shape of the output, as it is written."""
    if target.shape == output.shape[::-1] and 1 not in output.shape:
        return f"{target}.T"
    shape = ["-1", *map(str, output.shape[1:])]  # the last batch can be a smaller one
    return f"{target}.reshape({', '.join(shape) if output.shape else '()'})"
