"""Between what a graph shows its results to lie, whatever numbers went in.

A square is never negative, and a sum of exps never 0. Of a constant, which has no node, nothing is
known; one that is added to something that is never negative is taken for what keeps that off 0.
"""

from __future__ import annotations

import math
from typing import Any

from .nodes import clamped, kind_of, nodes_behind

ABOVE_0 = 1e-30
DEEPEST = 12
ANY = (-math.inf, math.inf)
NOT_NEGATIVE = (0.0, math.inf)
LARGEST = {"Max", "Amax"}
#: what holds of the results of an operation, whatever it was given
OF_RESULTS = {
    **dict.fromkeys(("Abs", "Relu", "Std", "Var", "Softplus"), NOT_NEGATIVE),
    **dict.fromkeys(("LinalgVectorNorm", "MseLoss", "L1Loss", "SmoothL1Loss"), NOT_NEGATIVE),
    **dict.fromkeys(("BinaryCrossEntropy", "BinaryCrossEntropyWithLogits"), NOT_NEGATIVE),
    **dict.fromkeys(("Sigmoid", "Softmax"), (0.0, 1.0)),
    **dict.fromkeys(("Tanh", "Sin", "Cos"), (-1.0, 1.0)),
    "Cosh": (1.0, math.inf),
    "Exp": (ABOVE_0, math.inf),
    "LogSoftmax": (-math.inf, 0.0),
}
PRODUCTS = {"Mul", "Mm", "Bmm", "Mv", "Dot", "Addmm"}
BEGIN_ANEW = {"Sigmoid", "Softmax", "Tanh", "Sin", "Cos", "Clamp"}
SQUARES = {"Pow", "MseLoss"}
#: its results are some of the values that it is given, or between them
KEEPS = LARGEST | {
    "Min", "Amin", "Mean", "T", "Transpose", "View", "Reshape", "Unsqueeze", "Squeeze", "Permute",
    "Expand", "Select", "Slice", "Index", "Gather", "Clone", "Cat", "Stack",
}  # fmt: skip


def largest_of(values: Any) -> float:
    """The size of the largest element of a tensor; 0 where there is none, or of whole numbers.

    >>> import minigrad as mg
    >>> largest_of(mg.tensor([1.0, -3.0])), largest_of(mg.zeros(0))
    (3.0, 0.0)
    """
    has_numbers = values.numel() and values.is_floating_point()
    return float(values.detach().abs().max()) if has_numbers else 0.0


def exponent_of(node: Any) -> float:
    """The number that a power was raised to; nan where that is not known, 1 for no power.

    Of a number raised to a tensor the base is known, so nothing is asked of it.
    """
    if len(node.next_functions) == 1 and node.name().endswith("1"):
        return 1
    try:
        exponent = getattr(node, "_saved_exponent", 1)
    except RuntimeError:  # a tensor, which a pass has freed
        return math.nan
    if isinstance(exponent, int | float):
        return exponent
    return float(exponent.detach()) if exponent.numel() == 1 else math.nan


def bounds(node: Any, depth: int = DEEPEST) -> tuple[float, float]:
    """The smallest and the largest that a result of a node can be."""
    kind = "" if node is None or not depth else kind_of(node)
    if kind in OF_RESULTS:
        return OF_RESULTS[kind]
    if kind == "Pow":
        return NOT_NEGATIVE if exponent_of(node) % 2 == 0 else ANY
    edges = [after for after, _ in node.next_functions] if kind else []
    given = [bounds(after, depth - 1) for after in edges]
    lows, highs = [low for low, _ in given], [high for _, high in given]
    if kind in KEEPS and given:
        return min(lows), max(highs)
    if kind == "Sqrt":
        return max(lows[0], 0.0) ** 0.5, max(highs[0], 0.0) ** 0.5
    if kind in ("Neg", "NllLoss"):
        return -highs[0], -lows[0]
    if kind == "Sum":
        return (lows[0] if lows[0] >= 0 else -math.inf), (highs[0] if highs[0] <= 0 else math.inf)
    if kind == "Add":
        known = [low for low, after in zip(lows, edges, strict=True) if after is not None]
        return (max(sum(known), ABOVE_0 * (len(known) < 2)) if min(known) >= 0 else -math.inf), (
            sum(highs)
        )
    if kind == "Sub":
        is_off_largest = kind_of(edges[1]) in LARGEST and edges[1].next_functions[0][0] is edges[0]
        return lows[0] - highs[1], 0.0 if is_off_largest else highs[0] - lows[1]
    if kind in ("Mul", "Div") and (min(lows) >= 0 or kind == "Mul" and is_square(node)):
        return NOT_NEGATIVE
    if kind == "Clamp" and (known := clamped(node)):
        return number(known[0], lows[0]), number(known[1], highs[0])
    return ANY


def is_cost(node: Any) -> bool:
    """Whether no result of a node can be negative, unless it was multiplied by a negative number.

    Where what came of it is not negative, that number was not.
    """
    nodes = {node: None}
    for each in (waiting := [node]):  # the list grows while it is walked
        if bounds(each)[0] >= 0:
            continue
        behind = [] if each is None else [after for after, _ in each.next_functions]
        known = [after for after in behind if after is not None]
        is_term = kind_of(each) in ("Mul", "Div") and len(known) == 1
        is_whole = kind_of(each) in ("Add", "Sum", "Mean") and len(known) == len(behind)
        if not is_term and not is_whole:
            return False
        waiting += [after for after in known if after not in nodes]
        nodes |= dict.fromkeys(known)
    return True


def factors(y: Any) -> int:
    """How many results or leaves multiply each other at most in ``y``: 3 in ``(w * x) * x``.

    One that keeps its results between two numbers begins anew, and a division takes as many away.
    """
    known = {None: 0}
    for node in sorted(nodes_behind(y), key=lambda each: each._sequence_nr()):
        kind, counts = kind_of(node), [known.get(after, 1) for after, _ in node.next_functions]
        count = sum(counts) if kind in PRODUCTS else max(counts, default=1)
        count = max(counts[0] * 2 - sum(counts), 0) if kind == "Div" else count
        known[node] = count * (kind not in BEGIN_ANEW) * (2 if kind in SQUARES else 1)
    return known.get(y.grad_fn, 0)


def is_square(product: Any) -> bool:
    """Whether both factors are one result."""
    one, other = product.next_functions
    return one == other and one[0] is not None


def number(bound: Any, otherwise: float) -> float:
    """A bound that is a plain number."""
    return float(bound) if isinstance(bound, int | float) else otherwise


def can_hold(bad: Any, node: Any, like: Any) -> bool:
    """Whether some values that a node's results can have are bad."""
    low, high = bounds(node)
    inside = [min(max(low, value), high) for value in (-1.0, 0.0, 1.0)]
    return bool(bad(like.detach().new_tensor([low, high, *inside])).any())
