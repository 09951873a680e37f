"""Numbers and arrays as a reader wants to see them: without the noise of float32.

``plain`` gives numbers for comparing (``0.1``, ``[1.0, 0.2]``). The others give text: six
significant digits beside a picture (``show``), three in it (``brief`` in a box, ``above`` a block,
``on_arrow``, ``said`` in a sentence). What is said to be a value and is not, a number or a list,
begins with ``≈``; an arrow says no equality, and ranges and norms are rounded by their nature.
Minus is U+2212, and from 1e5 up and below 1e-4 a power of ten is written: ``2.3·10⁻⁵``. No
function here prints an array entry by entry unless it is small.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from minigrad.language import _

SMALL = 3  #: arrays of at most this many rows and columns are printed whole in the details
FEW = 4  #: entries that are listed in a picture or a sentence
WIDE = 24  #: characters that one number or list may take in a picture
PICTURE, DETAILS = 3, 6  #: significant digits


def raw(value: Any) -> np.ndarray:
    """A copy of a tensor's numbers, so that later in-place work cannot rewrite the record.

    What NumPy has no dtype for (bfloat16) comes as float32; any device and layout will do.
    """
    if hasattr(value, "detach"):
        value = value.detach()
        try:
            return np.array(value.numpy())
        except (TypeError, RuntimeError):  # a tensor of PyTorch that NumPy cannot look into
            return _converted(value)
    return np.array(value)


NUMPY_FLOATS = ("torch.float16", "torch.float32", "torch.float64")


def _converted(tensor: Any) -> np.ndarray:
    """The numbers of a tensor of PyTorch in the nearest form that NumPy knows."""
    tensor = tensor.cpu()
    if str(tensor.layout) != "torch.strided":
        tensor = tensor.to_dense()
    if tensor.is_quantized:
        tensor = tensor.dequantize()
    tensor = tensor.resolve_conj().resolve_neg()
    if tensor.is_floating_point() and str(tensor.dtype) not in NUMPY_FLOATS:
        tensor = tensor.float()
    return np.array(tensor.numpy())


def as_bfloat16(array: np.ndarray) -> np.ndarray:
    """float32 rounded to what bfloat16 can hold, ties to even.

    >>> as_bfloat16(np.float32([1.00390625, 1.01]))
    array([1.       , 1.0078125], dtype=float32)
    """
    bits = np.asarray(array, np.float32).view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + (bits >> 16 & 1)) & np.uint32(0xFFFF0000)
    return np.where(np.isnan(array), array, rounded.view(np.float32))


def clean(number: float, dtype: np.dtype | None = None) -> float:
    """The number with as many digits as its type can vouch for.

    >>> clean(float(np.float32(0.1)), np.dtype("float32"))
    0.1
    """
    digits = {np.float16: 3, np.float32: 7}.get(getattr(dtype, "type", None), 15)
    if not math.isfinite(number) or number == int(number):
        return number
    return float(f"{number:.{digits}g}")


def plain(array: np.ndarray) -> float | list[float]:
    """A single number, or the array flattened, as Python floats.

    >>> plain(np.float32([[1, 0.1], [1, 0.01]]))
    [1.0, 0.1, 1.0, 0.01]
    """
    array = np.asarray(array)
    flat = [
        number if isinstance(number, complex) else clean(float(number), array.dtype)
        for number in array.ravel().tolist()
    ]
    return flat if array.ndim else flat[0]


def in_code(numbers: Any) -> str:
    """A number or a small array as Python reads it.

    >>> in_code(np.float32([[1, -0.5]])), in_code(1 / 3)
    ('[[1, -0.5]]', '0.333333')
    """
    if isinstance(numbers, np.ndarray):
        return _nested(numbers.tolist(), in_code)
    if isinstance(numbers, (bool, np.bool_, complex, np.complexfloating)):
        return str(numbers)
    return f"{float(numbers):.{DETAILS}g}"


# -- one number -----------------------------------------------------------------------------


def short(number: Any, digits: int = DETAILS) -> str:
    """One number with at most ``digits`` significant digits and no needless zeros.

    >>> short(7.0), short(1 / 3), short(-0.5), short(2.34567e-5, 3), short(float("inf"))
    ('7', '0.333333', '−0.5', '2.35·10⁻⁵', 'inf')
    """
    if isinstance(number, (complex, np.complexfloating)):
        real, imaginary = short(number.real, digits), short(abs(number.imag), digits)
        negative = number.imag < 0
        return f"{real} {'−' if negative else '+'} {imaginary}i"
    if isinstance(number, (bool, np.bool_)):
        return str(bool(number))
    return _short(float(number), digits)


@lru_cache(maxsize=4096)
def _short(value: float, digits: int) -> str:
    if not math.isfinite(value):
        return str(value).replace("-", "−")
    return _printed(_rounded(value, digits))


def _rounded(value: float, digits: int) -> Decimal:
    """What is shown of a number, exactly; digits before the point are never rounded away."""
    if value == int(value) and abs(value) < 1e5:
        return Decimal(int(value))
    exponent = math.floor(math.log10(abs(value)))
    kept = max(digits - 1, exponent) if abs(value) < 1e5 else digits - 1
    return Decimal(f"{value:.{kept}e}")


def as_shown(number: float, digits: int) -> float:
    """The number that is shown of a number."""
    return float(_rounded(float(number), digits)) if math.isfinite(number) else float(number)


def _printed(value: Decimal) -> str:
    if not value:
        return "0"
    sign, magnitude = ("−" if value < 0 else ""), abs(value)
    exponent = magnitude.adjusted()
    if -4 <= exponent < 5:
        text = f"{magnitude:f}"
        return sign + (text.rstrip("0").rstrip(".") if "." in text else text)
    digits = f"{magnitude.scaleb(-exponent):f}"
    power = str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{sign}{digits.rstrip('0').rstrip('.') if '.' in digits else digits}·10{power}"


# -- arrays ---------------------------------------------------------------------------------


def shape_text(shape: Sequence[int]) -> str:
    """``8×1``; nothing for a single number.

    >>> shape_text((8, 1)), shape_text(())
    ('8×1', '')
    """
    return "×".join(map(str, shape))


def show(array: Any) -> str:
    """A number, a small array whole, or the shape and range of a large one: for the details.

    >>> show(np.float32(7)), show(np.ones((2, 2))), show(np.arange(8.0))
    ('7', '[[1, 1], [1, 1]]', '8 entries, 0 … 7')
    """
    array = np.asarray(array)
    if array.ndim == 0 or fits(array):
        return _listed(array, DETAILS) if array.ndim else short(array[()])
    return f"{_size(array)}, {extent(array, DETAILS)}"


def parted(array: Any) -> tuple[str, str]:
    """As `show`, equal entries said once, in two: what to stress and what follows it.

    >>> parted(np.full((2, 2), 2.0)), parted(np.arange(8.0).reshape(8, 1))
    (('all 2', ', 2×2'), ('8×1', ', 0 … 7'))
    """
    array = np.asarray(array)
    if array.ndim == 0:
        return short(array[()]), ""
    if array.size > 1 and constant(array):
        return extent(array, DETAILS), f", {_size(array)}"
    if fits(array):
        return show(array), ""
    return _size(array), f", {extent(array, DETAILS)}" if array.size else ""


def brief(array: Any) -> str:
    """The value in a box of a picture: a number, a few of them, or their range.

    >>> brief(np.full((2, 2), 0.25)), brief(np.float32([1, 2])), brief(np.arange(8.0))
    ('all 0.25', '[1, 2]', '0 … 7')
    >>> brief(np.float32(0.1)), brief(np.float32(1 / 3)), brief(np.array([0.5, 1 / 3]))
    ('0.1', '≈0.333', '≈[0.5, 0.333]')
    """
    array = np.asarray(array)
    if array.ndim == 0:
        return marked(short(array.item(), PICTURE), array)
    if array.size > 1 and constant(array):
        return _("all {number}").format(number=brief(array.flat[0]))
    return _few(array) or extent(array, PICTURE)


def _few(array: np.ndarray) -> str:
    """The entries of a small array, if they are not all the same and fit into a picture."""
    if not 0 < array.size <= FEW or (array.size > 1 and constant(array)):
        return ""
    text = _listed(array, PICTURE)
    return marked(text, array) if len(text) <= WIDE else ""


def marked(text: str, array: Any) -> str:
    """The text of a number or a list in a picture, with ``≈`` where it is not the value itself."""
    return text if is_shown(array) else f"≈{text}"


def is_shown(array: Any) -> bool:
    """Whether three digits show the entries of a small array as they are, but for last bits."""
    array = np.asarray(array)
    if np.iscomplexobj(array):
        return is_shown(array.real) and is_shown(array.imag)
    if array.size > 1 and constant(array):  # a large gradient often is
        array = array.flat[:1]
    noise = {np.float16: 1e-3, np.float32: 5e-7}.get(array.dtype.type, 1e-13)
    known = (float(number) for number in array.ravel().tolist() if math.isfinite(number))
    return all(math.isclose(as_shown(n, PICTURE), n, rel_tol=noise) for n in known)


def equals(name: str, text: str) -> str:
    """``x = 2``; ``x ≈ 0.333`` where the text of a value says so.

    >>> equals("x", "2"), equals("x", "≈0.333")
    ('x = 2', 'x ≈ 0.333')
    """
    return f"{name} ≈ {text[1:]}" if text.startswith("≈") else f"{name} = {text}"


def above(gradient: Any) -> str:
    """A gradient in a picture; of a large one its norm, because ranges do not fit there.

    >>> above(np.float32(3)), above(np.ones((2, 2))), above(np.arange(8.0)), above(1 / 3)
    ('3', 'all 1', '‖g‖ 11.8', '≈0.333')
    """
    if gradient is None:
        return _("nothing")
    gradient = np.asarray(gradient)
    if gradient.size < 2 or constant(gradient):
        return brief(gradient)
    return _few(gradient) or f"‖g‖ {short(_norm(gradient), PICTURE)}"


def on_arrow(gradient: Any) -> str:
    """The same beside an arrow, where ``→`` stands in place of ``=``, and room is scarce.

    >>> on_arrow(1 / 3)
    '0.333'
    """
    return above(gradient).replace("≈", "")


def _norm(gradient: np.ndarray) -> float:
    """The Euclidean norm; added up here, because a BLAS starts its threads for a few numbers."""
    sizes = np.abs(gradient.astype(_wide(gradient)))
    return np.sqrt(np.square(sizes, out=sizes).sum())


def said(gradient: Any, most: int = FEW) -> str:
    """A gradient in a sentence: a number, up to ``most``, or how many there are.

    >>> said(np.float32(2)), said(np.full((2, 2), 2.0)), said(np.arange(8.0).reshape(2, 4))
    ('2', 'all 2', '2×4 numbers')
    """
    if gradient is None:
        return _("nothing")
    gradient = np.asarray(gradient)
    if gradient.size and constant(gradient):
        return brief(gradient if gradient.size > 1 else gradient.flat[0])
    if 0 < gradient.size <= most:
        return marked(_listed(gradient, PICTURE), gradient)
    return _("{shape} numbers").format(shape=shape_text(gradient.shape))


def extent(array: np.ndarray, digits: int) -> str:
    """``−0.4 … 0.3``, or ``all 2``: what the entries of an array lie between."""
    if array.size == 0:
        return _("empty")
    if constant(array):
        only = short(array.flat[0], digits)
        return only if array.size == 1 else _("all {number}").format(number=only)
    if np.iscomplexobj(array):
        sizes = np.abs(array)
        return f"|z| {short(sizes.min(), digits)} … {short(sizes.max(), digits)}"
    low, high = array.min(), array.max()
    if low == low:
        return f"{short(low, digits)} … {short(high, digits)}"
    known = array[~np.isnan(array)]
    if not known.size:
        return _("all {number}").format(number="nan")
    return _("{range}, some nan").format(range=extent(known, digits))


def constant(array: np.ndarray) -> bool:
    """Whether all entries are one number."""
    if array.size < 2:
        return array.size == 1
    return bool((array == array.flat[0]).all())


def fits(array: np.ndarray) -> bool:
    """Whether an array is small enough to be printed whole."""
    rows_or_less = array.ndim <= 2 and 0 < array.size and max(array.shape, default=1) <= SMALL
    return rows_or_less or (array.ndim == 1 and 0 < array.size <= FEW)


def _size(array: np.ndarray) -> str:
    if array.ndim == 1:
        return _("{count} entries").format(count=array.size)
    return shape_text(array.shape)


def _wide(array: np.ndarray) -> type:
    return np.complex128 if np.iscomplexobj(array) else np.float64


def _nested(item: Any, printed: Callable[[Any], str]) -> str:
    """Numbers in nested lists, each printed by a function."""
    if isinstance(item, list):
        return "[" + ", ".join(_nested(part, printed) for part in item) + "]"
    return printed(item)


def _listed(array: Any, digits: int) -> str:
    return _nested(np.asarray(array).tolist(), partial(short, digits=digits))


def same(left: np.ndarray, right: np.ndarray) -> bool:
    """Whether two results are one number in two roundings."""
    left, right = np.asarray(left), np.asarray(right)
    if left.shape != right.shape:
        return False
    close = 1e-3 if np.float16 in (left.dtype, right.dtype) else 1e-5
    if left.size == 1:
        one, other = left.item(), right.item()
        if one == other:
            return True
        if not (np.isfinite(one) and np.isfinite(other)):
            return one != one and other != other
        return abs(one - other) <= 1e-12 + close * abs(other)
    return bool(np.allclose(left, right, rtol=close, atol=1e-12, equal_nan=True))


# -- sums -----------------------------------------------------------------------------------


class Sum(NamedTuple):
    """A sum as it is printed: its terms, ``=`` or ``≈``, and the total."""

    terms: tuple[str, ...]
    sign: str
    total: str

    def __str__(self) -> str:
        return f"{' + '.join(self.terms)} {self.sign} {self.total}"


def sum_text(parts: Sequence[np.ndarray], total: np.ndarray, digits: int) -> Sum | None:
    """A sum written out, or None where that would not be true or not fit.

    ``=`` is written where the terms *as printed* add up to the total as printed; where rounding
    comes between, or a picture rounds one of them, ``≈``. Arrays of equal entries are written as
    one number, small ones whole; of large ones no sum is written, least of all one of norms.

    >>> str(sum_text([np.float64(3), np.float64(-4)], np.float64(-1), 3))
    '3 + (−4) = −1'
    >>> third = np.float64(1 / 3)
    >>> str(sum_text([third, third], 2 * third, 3))
    '0.333 + 0.333 ≈ 0.667'

    What is left where the terms cancel each other is said to be no more than that:

    >>> str(sum_text([-np.float32(0.3), np.float32(0.3) + 2**-24], np.float32(2**-24), 3))
    '−0.3 + 0.3 ≈ 5.96·10⁻⁸ (rounding)'
    """
    arrays = [np.asarray(array) for array in (*parts, total)]
    if len({array.shape for array in arrays}) > 1 or not arrays[-1].size:
        return None
    with np.errstate(all="ignore"):
        if not same(sum(arrays[:-1]), arrays[-1]):
            return None
    if all(constant(array) for array in arrays):
        arrays = [array.flat[0] for array in arrays]
    elif not all(fits(a) if digits == DETAILS else a.size <= FEW for a in arrays):
        return None
    texts = [_listed(array, digits) for array in arrays]
    biggest, total = (max(np.abs(one).max() for one in some) for some in (arrays, arrays[-1:]))
    eps = np.finfo(arrays[-1].dtype).eps if arrays[-1].dtype.kind in "fc" else 0
    if 0 < total <= 4 * eps * biggest < np.inf:
        texts[-1] = _("{total} (rounding)").format(total=texts[-1])
    terms = [texts[0], *(f"({text})" if text[0] == "−" else text for text in texts[1:-1])]
    whole = digits == DETAILS or all(map(is_shown, arrays))
    return Sum(tuple(terms), "=" if whole and _adds_up(arrays, digits) else "≈", texts[-1])


def _adds_up(arrays: list, digits: int) -> bool:
    """Whether the last array is the sum of the others after all have been rounded."""
    for numbers in zip(*(np.ravel(array).tolist() for array in arrays)):
        sides = [numbers]
        if any(isinstance(number, complex) for number in numbers):
            sides = [[number.real for number in numbers], [number.imag for number in numbers]]
        elif not all(map(math.isfinite, numbers)):
            continue  # inf + 1 = inf was checked before
        for side in sides:
            *shown, answer = [_rounded(float(number), digits) for number in side]
            if sum(shown) != answer:
                return False
    return True


def subscript(number: int) -> str:
    """Digits below the line: ``₁₂``."""
    return str(number).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))
