"""-inf that a mask has put among scores, of which softmax makes 0: nothing is wrong with those."""

from __future__ import annotations

from typing import Any

from .nodes import dim_of, kind_of, next_of, reached, saved
from .overflow import near, operand, puts


def masked_by(y: Any) -> Any:
    """The node that may have put the -inf into ``y``, where it holds nothing worse; else None."""
    if y.grad_fn is None or not y.is_floating_point():
        return None
    values = y.detach()
    is_worse = bool((values.isnan() | (values > 3e38)).any())
    is_so = bool((values == -float("inf")).any()) and not is_worse
    inner = operand(y.grad_fn) if kind_of(y.grad_fn) == "LogSoftmax" else None
    nodes = [*near(y.grad_fn), *(near(inner) if inner is not None else ())] if is_so else []
    if any(kind_of(node) == "Log" for node in nodes):
        return None
    return next(filter(puts, nodes), None)


def is_all_masked(softmax: Any, given: Any) -> bool:
    """Whether all that a softmax runs over is -inf somewhere."""
    rows = rows_of(softmax, given.detach() == -float("inf"))
    return rows is not None and bool(rows.any())


def begins_nan_in_rows(softmax: Any) -> bool:
    """Whether a softmax gives rows of nan, and none behind it does, whose rows it may pass on."""
    if not gives_nan_in_rows(softmax):
        return False
    behind = [each for each in reached(next_of(softmax)) if "Softmax" in kind_of(each)]
    return not any(map(gives_nan_in_rows, behind))


def gives_nan_in_rows(softmax: Any) -> bool:
    """Whether all that a softmax gives is nan in some rows, and numbers in others."""
    given = saved(softmax, "result")
    rows = None if given is None else rows_of(softmax, given.detach().isnan())
    return rows is not None and bool(rows.any()) and not bool(rows.all())


def rows_of(softmax: Any, bad: Any) -> Any:
    """The rows of a softmax in which all is bad; None where they are not known."""
    dim = dim_of(softmax)
    return bad.all(dim) if dim is not None and max(dim, -1 - dim) < bad.dim() else None
