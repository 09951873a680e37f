"""Further ways of making tensors: rows of numbers, ``zeros_like`` and its kin, ``x.new_zeros``."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .. import dtypes
from ..creation import empty, finish, full, named, ones, tensor, zeros
from ..dtypes import numpy_dtype
from ..ops.binding import called
from ..ops.memory_order import order_in_memory
from ..ops.promotion import plain_number
from ..tensor import Tensor


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


def like(factory: Callable, make: Callable | None = None) -> Callable:
    """The ``_like`` form of a factory: shape, dtype and order in memory of another tensor.

    ``make(shape, in_order, ...)`` calls the factory where that does not take the shape first;
    ``in_order`` says whether memory is in reading order.
    """

    def factory_like(input: Tensor, *args, dtype=None, **options) -> Tensor:
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

    name = factory.__name__
    words = f"``{name}`` in the shape and dtype of ``input``."
    return called(named(factory_like, f"{name}_like", words))


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
