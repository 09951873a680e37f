"""Tensors as text, character for character as PyTorch prints them.

Everything here is a pure function of NumPy arrays and plain values; the one piece of state is
`options`. A text is made in three steps:

1. `NumberFormat` looks at all the numbers that will be shown and settles one style and one width
   for them, so that columns line up;
2. `_brackets` walks the dimensions, drops the middle of long ones and breaks lines;
3. `_with_suffixes` adds `dtype=`, `size=`, `grad_fn=` where the numbers alone do not tell.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from types import SimpleNamespace

import numpy as np

#: what `minigrad.set_printoptions` changes; PyTorch's names and values
options = SimpleNamespace(
    precision=4,  # digits after the point
    threshold=1000,  # elements above which the middle is left out
    edgeitems=3,  # what is left at both ends then
    linewidth=80,
    sci_mode=None,  # True or False where the program settled it; else the numbers do
)


def format_tensor(
    array: np.ndarray | np.generic,
    *,
    grad_fn_name: str | None = None,
    requires_grad: bool = False,
    default_dtype: np.typing.DTypeLike = np.float32,
    prefix: str = "tensor(",
) -> str:
    """The repr of a tensor that holds `array`, as PyTorch writes it (`torch/_tensor_str.py`).

    Args:
        array: the values, of any shape and strides; bool, integer or floating point.
        grad_fn_name: the name of the node that made the tensor, for `grad_fn=<…>`.
        requires_grad: whether a tensor without `grad_fn` asks for gradients.
        default_dtype: the floating point dtype that goes without saying.
        prefix: what comes before the values; a subclass writes its own name.

    >>> print(format_tensor(np.float32([[1, 2.5], [-3, 4]]), grad_fn_name="MulBackward0"))
    tensor([[ 1.0000,  2.5000],
            [-3.0000,  4.0000]], grad_fn=<MulBackward0>)
    >>> print(format_tensor(np.zeros((0, 3)), requires_grad=True))
    tensor([], size=(0, 3), dtype=torch.float64, requires_grad=True)
    """
    array, indent = np.asarray(array), len(prefix)
    summarize = array.size > options.threshold
    number = NumberFormat(_corners(array) if summarize else array)
    values = _brackets(array, indent, summarize, number) if array.size else "[]"
    suffixes = _describe(array, np.dtype(default_dtype))
    if grad_fn_name is not None:
        suffixes.append(f"grad_fn=<{grad_fn_name}>")
    elif requires_grad:
        suffixes.append("requires_grad=True")
    return _with_suffixes(prefix + values, suffixes, indent)


class NumberFormat:
    """One style and one width for all the numbers of a tensor.

    Floating point numbers are written in one of three styles: whole (`3.`), fixed (`2.5000`) or
    scientific (`2.5000e-07`). Only nonzero finite numbers have a say in the style and the width,
    so a `-0.` or `nan` may stick out, in PyTorch as here.

    >>> NumberFormat(np.float32([1, -20]))(3.0)
    '  3.'
    """

    def __init__(self, array: np.ndarray) -> None:
        numbers = array.ravel().tolist()
        self.write: Callable[[float], str] = str
        if array.dtype.kind == "f":
            numbers = [x for x in numbers if x != 0 and math.isfinite(x)]
            self.write = _float_style(numbers)
        self.width = max((len(self.write(x)) for x in numbers), default=1)

    def __call__(self, x: float) -> str:
        """One number, as wide as the widest."""
        return self.write(x).rjust(self.width)


def _float_style(numbers: Sequence[float]) -> Callable[[float], str]:
    digits = options.precision
    if numbers and (_far_apart(numbers) if options.sci_mode is None else options.sci_mode):
        return lambda x: f"{x:.{digits}e}"
    if all(x.is_integer() for x in numbers):
        # The bare point says "a float"; nan and inf say it themselves.
        return lambda x: f"{x:.0f}." if math.isfinite(x) else f"{x:.0f}"
    return lambda x: f"{x:.{digits}f}"


def _far_apart(numbers: Sequence[float]) -> bool:
    """Whether four digits after the point would flood the line or lose the small numbers."""
    sizes = [abs(x) for x in numbers]
    smallest, largest = min(sizes), max(sizes)
    return largest / smallest > 1000.0 or largest > 1.0e8 or smallest < 1.0e-4


def _corners(array: np.ndarray) -> np.ndarray:
    """The elements that a summary shows: both ends of every long dimension."""
    edge = options.edgeitems
    for axis, length in enumerate(array.shape):
        if length > 2 * edge:
            array = np.delete(array, np.s_[edge : length - edge], axis)
    return array


def _brackets(array: np.ndarray, indent: int, summarize: bool, number: NumberFormat) -> str:
    if array.ndim == 0:
        return number(array.item())

    edge = options.edgeitems
    too_long = summarize and len(array) > 2 * edge
    shown = [*array[:edge], *array[len(array) - edge :]] if too_long else array
    parts = [_brackets(row, indent + 1, summarize, number) for row in shown]
    if too_long:
        parts.insert(edge, " ..." if array.ndim == 1 and edge > 0 else "...")

    margin = " " * (indent + 1)
    if array.ndim > 1:
        # Matrices stand one line apart, stacks of matrices two, and so on.
        return "[" + ("," + "\n" * (array.ndim - 1) + margin).join(parts) + "]"
    per_line = max(1, math.floor((options.linewidth - indent) / (number.width + 2)))
    lines = [", ".join(parts[i : i + per_line]) for i in range(0, len(parts), per_line)]
    return "[" + f",\n{margin}".join(lines) + "]"


def _describe(array: np.ndarray, default_dtype: np.dtype) -> list[str]:
    """`size=` and `dtype=`, each only where the printed numbers do not tell."""
    shape_is_seen = array.shape == (0,) if array.size == 0 else options.edgeitems > 0
    suffixes = [] if shape_is_seen else [f"size={array.shape}"]
    # Digits without a point are int64, words are bool; with no element nothing can be seen.
    told_by_values = (np.int64, np.bool_) if array.size else ()
    if array.dtype not in (default_dtype, *told_by_values):
        suffixes.append(f"dtype=torch.{array.dtype.name}")
    return suffixes


def _with_suffixes(text: str, suffixes: Sequence[str], indent: int) -> str:
    """Append the suffixes, each on a new line if the current one would grow too long."""
    # The two extra characters are PyTorch's, and decide where some lines break.
    line_length = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        line_length += len(suffix) + 2
        if line_length > options.linewidth:
            text += ",\n" + " " * indent + suffix
            line_length = indent + len(suffix)
        else:
            text += ", " + suffix
    return text + ")"
