"""Numbers and arrays as a reader wants to see them: without the noise of float32.

``plain`` gives numbers for comparing (``0.1``, ``[1.0, 0.2]``), ``show`` gives text for reading
(``0.1``, ``[[1, 2], [3, 4]]``, ``shape [20, 3], 0.1 … 9.4``).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

SMALL = 3  #: arrays of at most this many rows and columns are printed whole


def raw(value: Any) -> np.ndarray:
    """A copy of a tensor's numbers, so that later in-place work cannot rewrite the record."""
    if hasattr(value, "detach"):
        value = value.detach().numpy()
    return np.array(value)


def clean(number: float, dtype: np.dtype | None = None) -> float:
    """The number with as many digits as its type can vouch for.

    >>> clean(float(np.float32(0.1)), np.dtype("float32"))
    0.1
    """
    digits = {"float16": 3, "float32": 7, "float64": 15}.get(str(dtype), 15)
    if not math.isfinite(number) or number == int(number):
        return number
    return float(f"{number:.{digits}g}")


def plain(array: np.ndarray) -> float | list[float]:
    """A single number, or the array flattened, as Python floats.

    >>> plain(np.float32([[1, 0.1], [1, 0.01]]))
    [1.0, 0.1, 1.0, 0.01]
    """
    array = np.asarray(array)
    flat = [clean(float(number), array.dtype) for number in array.ravel()]
    return flat if array.ndim else flat[0]


def short(number: float) -> str:
    """One number, at most six digits, with no needless ``.0``.

    >>> short(7.0), short(1 / 3), short(float("inf")), short(-0.5)
    ('7', '0.333333', 'inf', '-0.5')
    """
    if isinstance(number, (bool, np.bool_)):
        return str(bool(number))
    number = float(number)
    return str(int(number)) if number.is_integer() and abs(number) < 1e9 else f"{number:.6g}"


def show(array: np.ndarray) -> str:
    """A number or a small array printed whole; of a larger one the shape and the range.

    >>> show(np.float32(7)), show(np.ones((2, 2))), show(np.arange(8.0))
    ('7', '[[1, 1], [1, 1]]', 'shape [8], 0 … 7')
    """
    array = np.asarray(array)
    if array.ndim == 0:
        return short(array[()])
    if fits(array):
        return _nested(array.tolist())
    if array.size == 0:
        return f"shape {list(array.shape)}, empty"
    low, high = short(array.min()), short(array.max())
    return f"shape {list(array.shape)}, {f'all {low}' if low == high else f'{low} … {high}'}"


def brief(array: np.ndarray) -> str:
    """As `show`, but equal elements are said once: for the labels of a picture.

    >>> brief(np.full((2, 2), 0.25)), brief(np.float32([1, 2]))
    ('all 0.25', '[1, 2]')
    """
    array = np.asarray(array)
    if array.size > 1 and (array == array.flat[0]).all():
        return f"all {short(array.flat[0])}"
    return show(array)


def fits(array: np.ndarray) -> bool:
    """Whether an array is small enough to be printed whole."""
    rows_or_less = array.ndim <= 2 and 0 < array.size and max(array.shape, default=1) <= SMALL
    return rows_or_less or (array.ndim == 1 and 0 < array.size <= 4)


def _nested(item: Any) -> str:
    if isinstance(item, list):
        return "[" + ", ".join(_nested(part) for part in item) + "]"
    return short(item)


def written_out(parts: list[tuple[np.ndarray, str]], total: np.ndarray) -> str:
    """A sum with its terms: ``3 (by b) + 4 (by a) = 7``."""
    if len(parts) == 1:
        return f"{show(parts[0][0])} (by {parts[0][1]})"
    terms = " + ".join(f"{show(array)} (by {giver})" for array, giver in parts)
    return f"{terms} = {show(total)}"


def same(left: np.ndarray, right: np.ndarray) -> bool:
    """Whether two results are one number in two roundings."""
    left, right = np.asarray(left), np.asarray(right)
    if left.shape != right.shape:
        return False
    close = 1e-3 if "float16" in (str(left.dtype), str(right.dtype)) else 1e-5
    return bool(np.allclose(left, right, rtol=close, atol=1e-12, equal_nan=True))


def in_words(count: int) -> str:
    """Small counts as words: ``two``."""
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return words[count] if count < len(words) else str(count)


def ordinal(place: int) -> str:
    """The place of an operand, counted from 0: ``first``."""
    words = ("first", "second", "third", "fourth")
    return words[place] if place < len(words) else f"{place + 1}th"


def subscript(number: int) -> str:
    """Digits below the line: ``₁₂``."""
    return str(number).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))
