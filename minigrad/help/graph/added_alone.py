"""Leaves that are only added on their way into a result: with which signs."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from .nodes import SAME_VALUES, dimension, is_end, kind_of, leading_to, next_of

#: what gives its operands on, times a constant: the sign of each operand, None where it is no term
SIGNS = {
    **dict.fromkeys(SAME_VALUES, (1,)),
    **{"Add": (1, 1), "Sub": (1, -1), "Neg": (-1,), "Mean": (1,), "Sum": (1,), "Addmm": (1,)},
}
UNITS = {"Add", "Sub", "Neg", "Addmm"}  #: by 1 or -1, each element to its own place
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
    if grad is None or bool(grad.detach().any()):
        return False
    found = taken_away(y, x)
    return signs(y, x) == {1, -1} or found is not None and is_end(found[1], x)


def is_row_of(node: Any) -> bool:
    """Whether a layer's outputs are given a dimension more in front of their last: a bias stays."""
    is_of_layer = kind_of(node) == "Unsqueeze" and kind_of(next_of(node)[0]) == "Addmm"
    return is_of_layer and dimension(node._saved_dim) in (0, 1, -2, -3)


def taken_away(y: Any, x: Any, flat: Container[str] = ()) -> tuple[Any, Any] | None:
    """The sum in which all that depends on a leaf is added and taken away, and what made that.

    None where something is left. What is 0 stays that in whatever is computed from it, and ``flat``
    operations, such as a rounding, add nothing.
    """
    leads = leading_to(y, x) if y.grad_fn is not None else ()
    known: dict[Any, dict[Any, int]] = {}  # how often each result before is added into a sum
    found = None
    waiting = [y.grad_fn] if 0 < len(leads) < MOST else []
    while waiting:
        node = waiting[-1]
        after = [(at, edge) for at, edge in enumerate(node.next_functions) if edge[0] in leads]
        if missing := [n for _, (n, _) in after if n not in known and not is_end(n, x)]:
            waiting += missing
            continue
        waiting.pop()
        own = SIGNS.get(kind_of(node), ()) if kind_of(node) in UNITS else (1,) * is_row_of(node)
        is_sum = all(at < len(own) for at, _ in after) and getattr(node, "_saved_alpha", 1) == 1
        terms: dict[Any, int] = {}
        for at, (n, number) in after:
            for term, times in known.get(n, {(n, None): 1}).items():
                term = (n, number) if term == (n, None) else term
                terms[term] = terms.get(term, 0) + (own[at] * times if is_sum else 1)
        gone = [term for term, times in terms.items() if not times]
        known[node] = {term: times for term, times in terms.items() if times}
        if kind_of(node) in flat:
            known[node] = {}
        elif gone and not known[node]:
            found = found or (node, gone[0][0])
        elif not is_sum and terms:
            known[node] = {(node, None): 1}
    return found if known.get(y.grad_fn) == {} else None
