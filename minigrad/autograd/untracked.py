"""Why a tensor has no history: what its dtype, its memory and the grad mode still tell.

An operation that is not recorded leaves nothing behind, so that it costs nothing. What can be known
afterwards is said; the rest is said to be unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..tensor import Tensor
from .grad_mode import state


def why_untracked(tensor: Any, variables: Mapping[str, Any]) -> str:
    """One sentence on why ``tensor`` does not require grad; ``variables`` are the reader's.

    >>> import minigrad as mg
    >>> why_untracked(mg.tensor([1, 2]), {})
    'Its dtype is int64, and only floating point numbers have gradients.'
    """
    if not tensor.dtype.is_floating_point:
        return f"Its dtype is {tensor.dtype.name}, and only floating point numbers have gradients."
    if tensor.is_inference():
        return "It was made in inference mode, where nothing is recorded."
    view = tensor._meta.view if tensor._meta is not None else None
    if view is not None and view.made == "no_grad":
        return "It is a view that was made while grad mode was off (no_grad)."
    if (cut := cut_off_from(tensor, variables)) is not None:
        name, way = cut
        return f"It shares the memory of {name}, which is tracked, so it came from {name} by {way}."
    if not state.here.enabled:
        return "Grad mode is off at this line (no_grad), so results are not recorded."
    return (
        "It is a leaf that nobody asked to track: made from plain values, or computed where "
        "nothing was recorded (from operands without requires_grad, under no_grad, through "
        "numbers). Which of these is unknown, because such operations leave no trace."
    )


def cut_off_from(tensor: Any, variables: Mapping[str, Any]) -> tuple[str, str] | None:
    """A tracked tensor of the reader's that shares memory with this one, and what parted them.

    ``detach()`` shares the version counter too; ``.data`` and ``numpy()`` have one of their own.
    """
    for name, other in variables.items():
        if name.startswith("_") or other is tensor or not isinstance(other, Tensor):
            continue
        if other.requires_grad and shares_memory(tensor, other):
            shared = tensor._counter is not None and tensor._counter is other._counter
            return name, "detach()" if shared else ".data or numpy()"
    return None


def shares_memory(one: Any, other: Any) -> bool:
    """Whether two tensors look at the same memory; a 0-d value without memory shares none."""
    x, y = one._value, other._value
    both = isinstance(x, np.ndarray) and isinstance(y, np.ndarray)
    return both and np.may_share_memory(x, y)
