"""What lies between the gradient that came in and the one that was sent: a product, a sum.

What is claimed is checked against what the engine really sent. Where the two do not agree, nothing
is claimed.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from .formulas import Rule, as_mathematics, evaluated, renamed
from .numbers import DETAILS, as_shown, constant, fits, in_code, same, short, show


class Product(NamedTuple):
    """A product as it is printed: its factors, ``=`` or ``≈``, and the answer."""

    factors: str
    sign: str
    answer: str

    def __str__(self) -> str:
        return f"{self.factors} {self.sign} {self.answer}"


class Factor(NamedTuple):
    """``incoming × number``, then what was done with it to fit the operand's shape."""

    incoming: np.ndarray
    number: np.ndarray
    product: np.ndarray
    change: str  #: ``""``, ``"sum"``, ``"spread"`` or ``"shape"``
    summed: int = 1  #: how many entries of the product make one of what was sent

    @property
    def single(self) -> np.ndarray | None:
        """The factor as one number, if it is the same for all entries."""
        return self.number.flat[0] if constant(self.number) else None

    def written(self) -> Product | None:
        """The product as printed, ``3 × 4 = 12``; None where it is too large to write.

        >>> str(factor_between(np.float64(3), np.float64(-4), np.float64(-12)).written())
        '3 × (−4) = −12'
        """
        sides = [self.incoming, self.number, self.product]
        if all(constant(side) for side in sides):
            sides = [np.asarray(side.flat[0]) for side in sides]
        elif not all(side.ndim == 0 or fits(side) for side in sides):
            return None
        left, right, answer = (show(side) for side in sides)
        right = f"({right})" if right.startswith("−") else right
        return Product(f"{left} × {right}", _sign(sides), answer)


def factor_between(
    incoming: np.ndarray | None, number: np.ndarray | None, sent: np.ndarray | None
) -> Factor | None:
    """How ``sent`` follows from what came in and the local slope; None if it does not.

    >>> factor_between(np.ones((3, 2)), np.float64(2), np.array([6.0, 6.0])).summed
    3
    """
    if incoming is None or number is None or sent is None:
        return None
    incoming, number, sent = np.asarray(incoming), np.asarray(number), np.asarray(sent)
    if not incoming.size or not number.size or not sent.size:
        return None
    with np.errstate(all="ignore"):
        try:
            product = np.asarray(incoming * number)
        except ValueError:  # shapes that do not go together: not an elementwise rule
            return None
        change = _change(product, sent)
    if change is None:
        return None
    summed = product.size // sent.size if change == "sum" else 1
    return Factor(incoming, number, product, change, summed)


def _change(product: np.ndarray, sent: np.ndarray) -> str | None:
    if same(product, sent):
        return ""
    if product.size == sent.size and same(product.ravel(), sent.ravel()):
        return "shape"
    axes = _summed_axes(product.shape, sent.shape)
    if axes and product.size > sent.size:
        total = product.sum(axis=axes)
        if total.size == sent.size and same(total.reshape(sent.shape), sent):
            return "sum"
    try:
        spread = np.broadcast_to(product, sent.shape)
    except ValueError:
        return None
    return "spread" if same(spread, sent) else None


def _summed_axes(wide: tuple[int, ...], narrow: tuple[int, ...]) -> tuple[int, ...]:
    """The axes along which a broadcast operand was repeated."""
    extra = len(wide) - len(narrow)
    if extra < 0:
        return ()
    stretched = (i + extra for i, size in enumerate(narrow) if size == 1 != wide[i + extra])
    return (*range(extra), *stretched)


def _sign(sides: list[np.ndarray]) -> str:
    """``=`` where the printed factors give the printed product, rounded as it is."""
    if any(np.iscomplexobj(side) for side in sides):
        return "≈"
    entries = np.broadcast_arrays(*sides)
    for left, right, answer in zip(*(side.ravel().tolist() for side in entries)):
        product = as_shown(left, DETAILS) * as_shown(right, DETAILS)
        if short(product, DETAILS) != short(answer, DETAILS):
            return "≈"
    return "="


def worked_out(found: Rule, incoming: np.ndarray | None, sent: np.ndarray | None) -> Product | None:
    """What came in and the rule, multiplied out; None unless that gives what was sent."""
    if found.gradient is None:
        factor = factor_between(incoming, found.number, sent)
        return None if factor is None else factor.written()
    expression, values = found.gradient
    if incoming is None or sent is None or "@" not in expression or not fits(sent):
        return None
    words = set(re.findall(r"\w+", expression))
    values = {**values, "g": incoming}
    factors = {name: np.asarray(value) for name, value in values.items() if name in words}
    if not all(fits(factor) for factor in factors.values()):
        return None
    computed = evaluated(expression, values)
    if computed is None or not same(computed, sent):
        return None
    printed = {name: in_code(factor) for name, factor in factors.items()}
    whole = all(np.array_equal(array, np.round(array)) for array in (*factors.values(), sent))
    written = as_mathematics(renamed(expression, printed))
    return Product(written, "=" if whole else "≈", show(sent))
