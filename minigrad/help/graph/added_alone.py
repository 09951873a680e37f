"""Leaves that are only added on their way into a result: with which signs."""

from __future__ import annotations

from typing import Any

from .nodes import SAME_VALUES, is_end, kind_of, leading_to

#: what gives its operands on, times a constant: the sign of each operand, None where it is no term
SIGNS = {
    **dict.fromkeys(SAME_VALUES, (1,)),
    **{"Add": (1, 1), "Sub": (1, -1), "Neg": (-1,), "Mean": (1,), "Sum": (1,), "Addmm": (1,)},
}
MOST = 1_000  #: ways that are followed


def signs(y: Any, x: Any) -> set[int] | None:
    """The signs with which a leaf is added into ``y``; None where it is more than a term.

    >>> import minigrad as mg
    >>> x, w = mg.ones(2, requires_grad=True), mg.ones(2, requires_grad=True)
    >>> y = (w * 3 + x).sum() - (w + x).mean()
    >>> sorted(signs(y, x)), signs(y, w)
    ([-1, 1], None)
    """
    leads = leading_to(y, x) if y.grad_fn is not None else ()
    waiting, found = [(y.grad_fn, 1)] if y.grad_fn in leads else [], set()
    for node, sign in waiting:  # the list grows while it is walked
        if is_end(node, x):
            found.add(sign)
            continue
        known = SIGNS.get(kind_of(node), ())
        for at, (after, _) in enumerate(node.next_functions):
            if after in leads and (at >= len(known) or len(waiting) > MOST):
                return None
            if after in leads:
                waiting.append((after, sign * known[at]))
    return found or None


def cancels(y: Any, x: Any) -> bool:
    """Whether all that comes to a leaf cancels, whatever the values are."""
    grad = x.grad
    is_0 = grad is not None and not bool(grad.detach().any())
    return is_0 and signs(y, x) == {1, -1}
