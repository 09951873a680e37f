"""Leaves that are only added on their way into a result: with which signs."""

from __future__ import annotations

from collections.abc import Container
from types import SimpleNamespace
from typing import Any

from .nodes import SAME_VALUES, is_end, kind_of, leading_to, next_of, reached
from .zero_slopes import JUMPS

#: what gives its operands on, times a constant: the sign of each operand, None where it is no term
SIGNS = {
    **dict.fromkeys(SAME_VALUES, (1,)),
    **{"Add": (1, 1), "Sub": (1, -1), "Neg": (-1,), "Mean": (1,), "Sum": (1,), "Addmm": (1,)},
}
UNITS = {*SAME_VALUES, "Add", "Sub", "Neg", "Addmm"}  #: by a constant that is 1 or -1
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
    """Whether all that comes to a leaf cancels, whatever the values are.

    That is so where it is a mere term on each way, and what came is 0; or where what it is added to
    with + and with - is a difference further on.
    """
    grad = x.grad
    is_0 = grad is not None and not bool(grad.detach().any())
    return is_0 and (signs(y, x) == {1, -1} or count(y, x) == 0)


def cancels_before(y: Any, way: list[Any]) -> bool:
    """Whether all that would come to the end of a ``way`` cancels at a result before it.

    That is so where every way leads through it, and where sums add it and take it away again; what
    jumps, such as a rounding, gives gradient 0 beside them.
    """
    for node in way:
        if count(y, SimpleNamespace(grad_fn=node), JUMPS) == 0:
            around = reached([y.grad_fn], lambda each, at=node: () if each is at else next_of(each))
            return node is way[-1] or way[-1] not in around
    return False


def count(y: Any, x: Any, flat: Container[str] = ()) -> int | None:
    """How often a leaf is added into ``y``, by signs; None where that is not all that is done.

    What is 0 stays that in whatever is computed from it, and ``flat`` operations add nothing.
    """
    leads = leading_to(y, x) if y.grad_fn is not None else ()
    known: dict[Any, int | None] = {}
    waiting = [y.grad_fn] if 0 < len(leads) < MOST else []
    while waiting:
        node = waiting[-1]
        after = [(at, n) for at, (n, _) in enumerate(node.next_functions) if n in leads]
        if missing := [n for _, n in after if n not in known and not is_end(node, x)]:
            waiting += missing
            continue
        waiting.pop()
        if is_end(node, x):
            known[node] = 1
            continue
        is_unit = kind_of(node) in UNITS and getattr(node, "_saved_alpha", 1) == 1
        own = SIGNS.get(kind_of(node), ()) if is_unit else ()
        counts = [(own[at] if at < len(own) else None, known[n]) for at, n in after]
        if kind_of(node) in flat or all(number == 0 for _, number in counts):
            known[node] = 0
        elif any(None in pair for pair in counts):
            known[node] = None
        else:
            known[node] = sum(sign * number for sign, number in counts)
    return known.get(y.grad_fn)
