"""Making tensors of a shape: zeros, ones, rows of numbers, ``zeros_like``, ``x.new_zeros``."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .. import dtypes
from ..creation import finish, tensor
from ..dtypes import numpy_dtype, type_name
from ..ops.binding import as_declared, called
from ..ops.promotion import plain_number
from ..tensor import Tensor


def named(function: Callable, name: str, doc: str) -> Callable:
    """A function that was made by another one, under a name and with a text of its own."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


def shape_of(size: tuple, name: str = "zeros") -> tuple[int, ...]:
    """A shape given as ``(2, 3)`` or as ``2, 3``: ints that are not negative."""
    together = len(size) == 1 and isinstance(size[0], tuple | list)
    if together:
        size = tuple(size[0])
    for place, n in enumerate(size, 1):
        one = isinstance(n, Tensor) and n._value.size == 1
        if not (isinstance(n, int | np.integer) or one and not n.dtype.is_floating_point):
            kind = type(n).__name__
            but = f"but found element of type {kind} at pos 0" if together else f"not {kind}"
            raise TypeError(
                f"{name}(): argument 'size' (position 1) must be tuple of ints, {but}"
                if place == 1
                else f"{name}(): argument 'size' failed to unpack the object at pos {place} with "
                f'error "type must be tuple of ints,but got {kind}"'
            )
        if n < 0:
            raise RuntimeError(
                "zeros: Dimension size must be non-negative."
                if name == "zeros"
                else f"Trying to create tensor with negative dimension {n}: {list(size)}"
            )
    return tuple(int(n) for n in size)


def shape_together(size, name: str, place: str = "") -> tuple[int, ...]:
    """A shape given as one tuple or list."""
    if not isinstance(size, tuple | list):
        wanted = f"must be tuple of ints, not {type_name(size)}"
        raise TypeError(f"{name}(): argument 'size'{place} {wanted}")
    return shape_of((size,), name)


def sized(fill: Callable) -> Callable:
    """The factory whose sizes may stand apart, as in ``zeros(2, 3)``, together, or as ``size=``.

    ``fill(shape, dtype)`` makes the values; its name and its text are the factory's.
    """
    name = fill.__name__

    def factory(
        *sizes, size=None, dtype=None, device=None, requires_grad: bool = False, **options
    ) -> Tensor:
        as_declared(requires_grad, "bool", name, "requires_grad")
        if size is None and not sizes:
            raise TypeError(f'{name}() missing 1 required positional arguments: "size"')
        shape = shape_of(sizes, name) if size is None else shape_together(size, name)
        return finish(fill(shape, numpy_dtype(dtype), **options), requires_grad, device)

    return named(factory, name, fill.__doc__)


@sized
def zeros(shape: tuple, dtype: np.dtype) -> np.ndarray:
    """A tensor of zeros.

    >>> import minigrad as mg
    >>> mg.zeros(2, 2)
    tensor([[0., 0.],
            [0., 0.]])
    """
    return np.zeros(shape, dtype)


@sized
def ones(shape: tuple, dtype: np.dtype) -> np.ndarray:
    """A tensor of ones.

    >>> import minigrad as mg
    >>> mg.ones(3)
    tensor([1., 1., 1.])
    """
    return np.ones(shape, dtype)


@sized
def empty(shape: tuple, dtype: np.dtype) -> np.ndarray:
    """A tensor with arbitrary values."""
    return np.empty(shape, dtype)


@called
def full(size, fill_value, *, dtype=None, device=None, requires_grad: bool = False) -> Tensor:
    """A tensor filled with one value, which also chooses the dtype.

    >>> import minigrad as mg
    >>> mg.full((2,), 7)
    tensor([7, 7])
    """
    value = plain_number(fill_value, "full", "fill_value", 2)
    kind = numpy_dtype(dtype, dtypes.of_number(value))
    shape = shape_together(size, "full", " (position 1)")
    return finish(np.full(shape, dtypes.converted(value, kind), kind), requires_grad, device)


@called
def arange(
    start=None, end=None, step=1, *, dtype=None, device=None, requires_grad: bool = False
) -> Tensor:
    """Numbers from ``start`` (0) up to but not including ``end``.

    Where they are to be integers, start and step lose their fractions first.

    >>> import minigrad as mg
    >>> mg.arange(4.0), mg.arange(1, 3)
    (tensor([0., 1., 2., 3.]), tensor([1, 2]))
    """
    given = (0, start, step) if end is None else (0 if start is None else start, end, step)
    places = [("end", 1)] * 3 if end is None else [("start", 1), ("end", 2), ("step", 3)]
    numbers = [plain_number(n, "arange", *place) for n, place in zip(given, places)]
    start, end, step = numbers
    whole = all(isinstance(n, int) for n in numbers)
    kind = numpy_dtype(dtype, dtypes.int64.numpy if whole else None)
    if kind.kind == "b":
        raise NotImplementedError("\"arange_cpu\" not implemented for 'Bool'")
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    start, end, step = map(int if kind == np.int64 else float, numbers)
    if step == 0:
        raise ValueError("step must be nonzero")
    count = max(0, int(np.ceil((end - start) / step)))
    index = np.arange(count)
    if kind.kind != "f":
        return finish((int(start) + int(step) * index).astype(kind), requires_grad, device)
    # PyTorch computes 256 bits at once, each from the first of them; what is left, one by one.
    lanes = 32 // kind.itemsize
    after_first = index % lanes * (index < count // lanes * lanes)
    first = spaced(start, step, index - after_first, kind).astype(float)
    return finish(spaced(first, step, after_first, kind), requires_grad, device)


@called
def linspace(
    start, end, steps: int, *, dtype=None, device=None, requires_grad: bool = False
) -> Tensor:
    """``steps`` evenly spaced numbers from ``start`` to ``end``, both included.

    >>> import minigrad as mg
    >>> mg.linspace(0, 1, 3)
    tensor([0.0000, 0.5000, 1.0000])
    """
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    for name, number in (("start", start), ("end", end)):
        if isinstance(number, Tensor) and number.ndim:
            raise RuntimeError(
                "linspace only supports 0-dimensional start and end tensors, but got "
                f"{name} with {number.ndim} dimension(s)."
            )
    start, end = (n.item() if isinstance(n, Tensor) else n for n in (start, end))
    kind = numpy_dtype(dtype)
    rounded = kind.type if kind.kind == "f" else float
    start, end = (float(dtypes.converted(n, kind)) for n in (start, end))
    step = float(rounded(rounded(end - start) / max(steps - 1, 1)))
    count = np.arange(steps)
    in_first_half = count < max(steps // 2, 1)
    base = np.where(in_first_half, start, end)
    away = np.where(in_first_half, count, count - (steps - 1))
    if kind == np.float16:  # rounded twice
        return finish(base.astype(kind) + (step * away).astype(kind), requires_grad, device)
    return finish(spaced(base, step, away, kind), requires_grad, device)


def spaced(base, step: float, count: np.ndarray, kind: np.dtype) -> np.ndarray:
    """``base + step × count`` in this dtype, with one rounding, as processors compute it.

    So a place that should be 0 may hold what is left of a rounded step.
    """
    high = step * (2**27 + 1) - (step * (2**27 + 1) - step)  # so short that its products are exact
    return (base + high * count + (step - high) * count).astype(kind)


@called
def eye(
    n: int, m: int | None = None, *, dtype=None, device=None, requires_grad: bool = False
) -> Tensor:
    """The identity matrix.

    >>> import minigrad as mg
    >>> mg.eye(2)
    tensor([[1., 0.],
            [0., 1.]])
    """
    for size, letter in ((n, "n"), (m, "m")):
        if size is not None and size < 0:
            raise RuntimeError(f"{letter} must be greater or equal to 0, got {size}")
    return finish(np.eye(n, m, dtype=numpy_dtype(dtype)), requires_grad, device)


def order_in_memory(x: np.ndarray) -> list[int]:
    """The dims of an array from the largest step to the smallest; as they are if some are 0."""
    told = 0 not in x.strides
    return sorted(range(x.ndim), key=lambda dim: -x.strides[dim] if told else dim)


def like(factory: Callable, make: Callable | None = None) -> Callable:
    """The ``_like`` form of a factory: shape, dtype and order in memory of another tensor.

    ``make(shape, in_order, ...)`` calls the factory where that does not take the shape first;
    ``in_order`` says whether memory is in reading order.
    """

    def factory_like(input: Tensor, *args, dtype=None, **options) -> Tensor:
        as_declared(input, "Tensor", name, "input", 1)
        dtype = input.dtype if dtype is None else dtype
        order = order_in_memory(input._value) if input.ndim else []
        shape = tuple([input._value.shape[dim] for dim in order])
        if make is None:
            result = factory(shape, *args, dtype=dtype, **options)
        else:
            result = make(shape, order == sorted(order), *args, dtype=dtype, **options)
        if order != sorted(order):
            result._value = result._value.transpose(np.argsort(order))
        return result

    name = f"{factory.__name__}_like"
    return named(factory_like, name, f"``{factory.__name__}`` in the shape and dtype of ``input``.")


zeros_like, ones_like, full_like, empty_like = map(like, (zeros, ones, full, empty))


def new(factory: Callable) -> Callable:
    """The method that makes a tensor as a factory does, in the dtype of the tensor it is called on.

    >>> import minigrad as mg
    >>> mg.tensor([1.0], dtype=mg.float64).new_zeros(2)
    tensor([0., 0.], dtype=torch.float64)
    """

    def new_factory(self: Tensor, *args, dtype=None, **options) -> Tensor:
        return factory(*args, dtype=self.dtype if dtype is None else dtype, **options)

    name = factory.__name__
    return named(new_factory, f"new_{name}", f"``{name}`` in the dtype of this tensor.")


for _factory in (zeros, ones, empty, full, tensor):
    setattr(Tensor, f"new_{_factory.__name__}", new(_factory))
