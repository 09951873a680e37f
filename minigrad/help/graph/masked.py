"""-inf that a mask has put among scores, of which softmax makes 0: nothing is wrong with those."""

from __future__ import annotations

from typing import Any

from .nodes import dimension, kind_of, next_of, reached, saved
from .overflow import near

PUTS = {"Where", "MaskedFill", "CopySlices", "IndexPut"}


def masked_by(y: Any) -> Any:
    """The node that may have put the -inf into ``y``, where it holds nothing worse; else None."""
    if y.grad_fn is None or not y.is_floating_point():
        return None
    values = y.detach()
    is_so = bool((values == -float("inf")).any()) and not bool(
        (values.isnan() | (values > 3e38)).any()
    )
    nodes = near(y.grad_fn) if is_so else []
    if any(kind_of(node) == "Log" for node in nodes):
        return None
    return next(filter(puts, nodes), None)


def puts(node: Any) -> bool:
    """Whether an operation can put values of another tensor in: by a mask, or by adding one."""
    kind = kind_of(node)
    is_sum = kind == "Add" and any(after is None for after, _ in node.next_functions)
    return kind in PUTS or is_sum


def is_all_masked(softmax: Any, given: Any) -> bool:
    """Whether all that a softmax runs over is -inf somewhere."""
    dim = dim_of(softmax)
    if dim is None or not given.dim():
        return False
    return bool((given.detach() == -float("inf")).all(dim).any())


def begins_nan_in_rows(softmax: Any) -> bool:
    """Whether a softmax gives rows of nan, and none behind it does, whose rows it may pass on."""
    if not gives_nan_in_rows(softmax):
        return False
    behind = [each for each in reached(next_of(softmax)) if "Softmax" in kind_of(each)]
    return not any(map(gives_nan_in_rows, behind))


def gives_nan_in_rows(softmax: Any) -> bool:
    """Whether all that a softmax gives is nan in some rows, and numbers in others."""
    given, dim = saved(softmax, "result"), dim_of(softmax)
    if dim is None or given is None or not given.dim():
        return False
    bad = given.detach().isnan()
    return bool(bad.all(dim).any()) and not bool(bad.all())


def dim_of(softmax: Any) -> int | None:
    """The dimension that a softmax runs over."""
    dim = getattr(softmax, "_saved_dim", None)
    return None if dim is None else dimension(dim)
