"""Naming dimensions: counted from the end, several at once, all of them."""

from __future__ import annotations

import operator


def wrap_dim(dim: int, ndim: int) -> int:
    """A dim counted from 0, also for one counted from the end; a 0-d tensor counts as having one.

    Raises:
        IndexError: the dim is out of range.

    >>> wrap_dim(-1, 3)
    2
    """
    low, high = (-ndim, ndim - 1) if ndim else (-1, 0)
    if not low <= dim <= high:
        raise out_of_range("Dimension", dim, low, high)
    return dim + ndim if dim < 0 and ndim else dim % max(ndim, 1)


def out_of_range(what: str, value: int, low: int, high: int) -> IndexError:
    """The error of a dim, or of a place in it, that is not there."""
    expected = f"expected to be in range of [{low}, {high}], but got {value}"
    return IndexError(f"{what} out of range ({expected})")


def names_none(dim) -> bool:
    """Whether ``dim`` is an empty list of dims; None is none."""
    return isinstance(dim, tuple | list) and not dim


def dims_of(dim, ndim: int) -> tuple[int, ...]:
    """The dims an operation runs over, counted from 0; None and () mean all of them.

    Raises:
        TypeError: a dim is not an int.
        IndexError: a dim is out of range.
        RuntimeError: a dim is named twice.

    >>> dims_of(-1, 3), dims_of(None, 2)
    ((2,), (0, 1))
    """
    if dim.__class__ is int and ndim:
        return (wrap_dim(dim, ndim),)
    if dim is None or names_none(dim):
        return tuple(range(ndim))
    dims = dim if isinstance(dim, tuple | list) else (dim,)
    for d in dims:
        if isinstance(d, bool) or not hasattr(d, "__index__"):
            raise TypeError(f"argument 'dim' must be tuple of ints, not {type(d).__name__}")
    dims = [wrap_dim(operator.index(d), ndim) for d in dims]
    for i, d in enumerate(dims):
        if d in dims[:i]:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    return tuple(dims) if ndim else ()


def sizes(args: tuple, named=None) -> tuple[int, ...]:
    """A shape, or a list of dims, given as ``(2, 3)``, as ``2, 3``, or by name."""
    if named is not None:
        args = (named,)
    if len(args) == 1 and isinstance(args[0], tuple | list):
        args = args[0]
    return tuple([operator.index(n) for n in args])
