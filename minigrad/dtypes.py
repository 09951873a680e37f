"""Dtypes and sizes, and the rules by which mixed dtypes meet.

A :class:`dtype` is a name and the NumPy dtype behind it. PyTorch sorts operands into three
categories, and a higher category never yields to a lower one unless it is of a lower *kind* (bool <
integer < floating point):

    Python number  <  0-d tensor  <  tensor with dimensions

which is why ``float32_tensor * 2.5`` stays float32 and ``int64_tensor * 2.5`` becomes the default
dtype. Source: https://docs.pytorch.org/docs/2.13/tensor_attributes.html
"""

from __future__ import annotations

import math

import numpy as np

from .messages import message

__all__ = [
    "Size", "bool", "double", "dtype", "float", "float16", "float32", "float64", "half", "int",
    "int8", "int16", "int32", "int64", "long", "short", "uint8",
]  # fmt: skip


class dtype:
    """The type of the elements of a tensor, such as ``minigrad.float32``.

    >>> import minigrad as mg
    >>> mg.tensor([1.0]).dtype
    torch.float32
    >>> mg.float32.is_floating_point, mg.int64.itemsize
    (True, 8)
    """

    __slots__ = ("name", "numpy", "legacy_name", "cpp_name")

    def __init__(self, name: str, legacy_name: str, cpp_name: str):
        self.name = name
        self.numpy = np.dtype(name)
        self.legacy_name = legacy_name  # as in `torch.FloatTensor`, which error messages still use
        self.cpp_name = cpp_name  # which a few of PyTorch's messages use

    @property
    def is_floating_point(self) -> bool:
        return self.numpy.kind == "f"

    @property
    def is_complex(self) -> bool:
        return False

    @property
    def is_signed(self) -> bool:
        return self.numpy.kind in "fi"

    @property
    def itemsize(self) -> int:
        return self.numpy.itemsize

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> str:
        return self.name


float16 = half = dtype("float16", "HalfTensor", "c10::Half")
float32 = float = dtype("float32", "FloatTensor", "float")
float64 = double = dtype("float64", "DoubleTensor", "double")
uint8 = dtype("uint8", "ByteTensor", "unsigned char")
int8 = dtype("int8", "CharTensor", "signed char")
int16 = short = dtype("int16", "ShortTensor", "short int")
int32 = int = dtype("int32", "IntTensor", "int")
int64 = long = dtype("int64", "LongTensor", "long int")
bool = dtype("bool", "BoolTensor", "bool")

ALL = (float16, float32, float64, uint8, int8, int16, int32, int64, bool)
# `int` and its kin name dtypes in this module, as they do in torch.
_python_int, _python_float, _python_bool = type(0), type(0.0), type(True)
_of_numpy = {d.numpy: d for d in ALL}
KIND_RANK = {"b": 0, "u": 1, "i": 1, "f": 2}


def of_numpy(numpy_dtype: np.dtype) -> dtype:
    """The minigrad dtype of a NumPy dtype; ``TypeError`` where PyTorch has none."""
    try:
        return _of_numpy[numpy_dtype]
    except KeyError:
        raise TypeError(message("no-such-dtype", type=numpy_dtype.type.__name__)) from None


PYTHON_TYPES = {_python_float: float64, _python_int: int64, _python_bool: bool}


def numpy_dtype(given: dtype | type | None, default: np.dtype | None = None) -> np.dtype:
    """The NumPy dtype behind a ``dtype=`` argument, which may be a type of Python's numbers."""
    if given is None:
        return default_float() if default is None else default
    if isinstance(given, dtype):
        return given.numpy
    if given not in PYTHON_TYPES:
        raise TypeError(f"argument 'dtype' must be torch.dtype, not {type_name(given)}")
    return PYTHON_TYPES[given].numpy


def check_bool(value, argument: str) -> None:
    """Refuse what is neither True nor False."""
    if value is not True and value is not False:
        raise TypeError(f"{argument} must be bool, not {type_name(value)}")


def check_long(*numbers) -> None:
    """Refuse whole numbers that do not fit 64 bits; others pass."""
    if any(isinstance(n, _python_int) and not -(2**63) <= n < 2**63 for n in numbers):
        raise ValueError("Overflow when unpacking long long")


def converted(number, to: np.dtype, name: str | None = None) -> np.generic:
    """A plain number as an element of this dtype; negative whole numbers wrap around once.

    Raises:
        RuntimeError: it is too large.
    """
    if to.kind == "f":
        fits = not math.isfinite(number) or abs(number) <= _python_float(np.finfo(to).max)
    elif to.kind in "iu":
        limits = np.iinfo(to)
        wraps = to.kind == "u" and not isinstance(number, _python_float)
        fits = -limits.max * wraps + limits.min <= number <= limits.max
    else:
        fits = True
    if not fits:
        kind = name or (f"{to.name}_t" if to.kind in "iu" and to != np.int32 else cpp_name(to))
        raise RuntimeError(f"value cannot be converted to type {kind} without overflow")
    return np.asarray(number).astype(to)[()]


def cpp_name(numpy_dtype: np.dtype) -> str:
    """``double`` for float64: how a few of PyTorch's messages call a dtype."""
    return of_numpy(numpy_dtype).cpp_name


def type_name(value) -> str:
    """The type of a value as PyTorch's messages name it: by its module too if written in C.

    >>> type_name(1), type_name(np.ones(2)), type_name(np.ma.masked)
    ('int', 'numpy.ndarray', 'MaskedConstant')
    """
    kind = type(value)
    in_c = kind.__module__ == "numpy" and not kind.__flags__ & HEAP_TYPE
    return f"numpy.{kind.__name__}" if in_c else kind.__name__


HEAP_TYPE = 1 << 9  # the flag of a class that a `class` statement made


def name_of(numpy_dtype: np.dtype) -> str:
    """``Float`` for float32: how most of PyTorch's messages call a dtype."""
    return of_numpy(numpy_dtype).legacy_name.removesuffix("Tensor")


class Default:
    """The dtype that a Python float becomes; ``minigrad.set_default_dtype`` changes it."""

    numpy = float32.numpy


def default_float() -> np.dtype:
    """The NumPy dtype behind the default dtype."""
    return Default.numpy


def of_number(number: object) -> np.dtype:
    """The NumPy dtype that a Python number has when it meets a tensor of a lower kind."""
    if isinstance(number, np.generic):
        number = number.item()
    if number is True or number is False:
        return bool.numpy
    return int64.numpy if isinstance(number, _python_int) else Default.numpy


def promote(a: np.dtype, b: np.dtype) -> np.dtype:
    """The common dtype of two operands of one category (``torch.promote_types``)."""
    if a is b:
        return a
    rank_a, rank_b = KIND_RANK[a.kind], KIND_RANK[b.kind]
    if rank_a != rank_b:
        return a if rank_a > rank_b else b
    return np.promote_types(a, b)


def combine(higher: np.dtype | None, lower: np.dtype | None) -> np.dtype | None:
    """The dtype of a higher category once a lower one has joined in."""
    if higher is None or lower is None:
        return lower if higher is None else higher
    return promote(higher, lower) if KIND_RANK[lower.kind] > KIND_RANK[higher.kind] else higher


class Size(tuple):
    """The shape of a tensor: a tuple that prints as ``torch.Size([2, 3])``.

    >>> import minigrad as mg
    >>> mg.ones(2, 3).shape, mg.ones(2, 3).shape.numel()
    (torch.Size([2, 3]), 6)
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"torch.Size([{', '.join(map(str, self))}])"

    __str__ = __repr__

    def numel(self):
        """How many elements a tensor of this shape has."""
        return math.prod(self)

    def __getitem__(self, index):
        item = tuple.__getitem__(self, index)
        return Size(item) if isinstance(index, slice) else item

    def __add__(self, other):
        return Size(tuple.__add__(self, other))

    def __radd__(self, other):
        return Size((*other, *self)) if isinstance(other, tuple) else NotImplemented

    def __mul__(self, times):
        return Size(tuple.__mul__(self, times))

    __rmul__ = __mul__


def check_device(given: object) -> None:
    """Refuse a device that is not the CPU."""
    if str(given) != "cpu":
        told = f"device {given!r}: minigrad computes on the CPU only (docs/differences.md)"
        raise NotImplementedError(told)
