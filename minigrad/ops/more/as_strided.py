"""Views whose geometry is said by hand."""

from __future__ import annotations

from .. import strided
from ..rule import operation
from ..strided import AS_STRIDED, reach, shared, steps


@operation(AS_STRIDED)
def as_strided(input, size, stride, storage_offset: int = 0):
    """The memory of ``input`` with this shape, strides and offset, counted in elements: a view.

    Raises:
        RuntimeError: it would read outside of that memory, or backwards.

    >>> import minigrad as mg
    >>> mg.arange(6.0).as_strided((2, 2), (3, 1), 1)
    tensor([[1., 2.],
            [4., 5.]])
    """
    x, size, stride = shared(input), tuple(size), tuple(stride)
    if min(stride, default=0) < 0:
        got = f"got strides: {list(stride)}"
        raise RuntimeError(f"as_strided: Negative strides are not supported at the moment, {got}")
    have = reach(x.shape, steps(x)) * x.itemsize
    needed = (storage_offset + reach(size, stride)) * x.itemsize
    if needed > have and 0 not in size:
        raise RuntimeError(
            f"setStorage: sizes {list(size)}, strides {list(stride)}, "
            f"storage offset {storage_offset}, and itemsize {x.itemsize} requiring a storage size "
            f"of {needed} are out of bounds for storage of size {have}"
        )
    return strided.as_strided(input, size, stride, storage_offset)
