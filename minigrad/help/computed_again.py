"""Values that a pass has let go of, computed again from tensors nobody has written to since."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .operations import kind_of, named

DEEPEST = 12  #: operations in a row
MOST_ELEMENTS = 100_000


def with_alpha(compute: Callable) -> Callable:
    """A sum or difference; unknown where the second operand has a factor of its own."""
    return lambda node, a, b: compute(a, b) if getattr(node, "_saved_alpha", 1) == 1 else None


def powered(node: Any, base: Any) -> Any:
    """A power by a plain number."""
    exponent = getattr(node, "_saved_exponent", None)
    return base**exponent if isinstance(exponent, int | float) else None


def summed(node: Any, value: Any) -> Any:
    """A sum over all, or over some dimensions."""
    dim = getattr(node, "_saved_dim", None)
    return value.sum() if dim is None else value.sum(dim, node._saved_keepdim)


AGAIN: dict[str, tuple[int, Callable]] = {  # of so many operands
    "Add": (2, with_alpha(lambda a, b: a + b)),
    "Sub": (2, with_alpha(lambda a, b: a - b)),
    "Mul": (2, lambda node, a, b: a * b),
    "Neg": (1, lambda node, a: -a),
    "Abs": (1, lambda node, a: a.abs()),
    "Exp": (1, lambda node, a: a.exp()),
    "Pow": (1, powered),
    "Sum": (1, summed),
    "Unsqueeze": (1, lambda node, a: a.unsqueeze(node._saved_dim)),
}


def value_made_by(node: Any, variables: Mapping[str, Any], deepest: int = DEEPEST) -> Any:
    """What a node had made, without history; None where it cannot be told."""
    if node is None or not deepest:
        return None
    known = getattr(node, "variable", None)
    if known is None and (name := next(named(node, variables), None)) is not None:
        known = variables[name]
    if known is not None:
        is_same = known._version == 0 and known.numel() <= MOST_ELEMENTS
        return known.detach() if is_same else None
    count, compute = AGAIN.get(kind_of(node), (0, None))
    if not count or len(node.next_functions) < count:
        return None
    given = [value_made_by(n, variables, deepest - 1) for n, _ in node.next_functions[:count]]
    return None if any(each is None for each in given) else compute(node, *given)
