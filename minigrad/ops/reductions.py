"""Sums, means and counts: many elements into one, and how their gradients spread out again."""

from __future__ import annotations

import math
from collections.abc import Callable

from .. import dtypes
from ..messages import message
from ..tensor import Tensor
from .arithmetic import over_number
from .broadcasting import as_tuple, put_back, reduced
from .dims import dims_of
from .promotion import raw, raw_tensor
from .rule import Rule, operation

# -- which dims ------------------------------------------------------------------------------------


def reduced_count(shape, dim) -> int:
    """How many elements one result of a reduction over ``dim`` is made of."""
    return math.prod([shape[d] for d in dims_of(dim, len(shape))])


def along(rule: Rule, compute: Callable, input, dim, keepdim: bool, **named):
    """``compute(x, axis=…, keepdims=…)`` of a floating tensor, recorded with this rule."""
    x = raw(input)
    value = reduced(compute, x, axis=dims_of(dim, x.ndim), keepdims=keepdim)
    return rule.record(value, input, dim=as_tuple(dim), keepdim=keepdim, **named)


# -- back to the shape that was reduced ------------------------------------------------------------


def shared_out(g, shape, dim, keepdim, count: int):
    """A reduced gradient over the shape that was reduced, each place getting its share.

    A plain pass divides what is still small, then copies it to each place, which a hook may write
    to; a recorded one shows PyTorch's order.
    """
    if isinstance(g, Tensor):
        return over_number(put_back(g, shape, dim, keepdim), count)
    return put_back(g / count, shape, dim, keepdim).copy()


# -- sums and means --------------------------------------------------------------------------------


# fmt: off
MEAN_ALL = Rule("mean", symbol="mean",
    self=lambda g, self_sym_sizes, self_sym_numel: shared_out(
        g, self_sym_sizes, None, False, self_sym_numel))
MEAN_DIMS = Rule("mean", node="MeanBackward1", symbol="mean",
    arguments=("dim", "keepdim", "self_sym_numel", "self_sym_sizes"),
    self=lambda g, self_sym_sizes, dim, keepdim: shared_out(
        g, self_sym_sizes, dim, keepdim, reduced_count(self_sym_sizes, dim)))
# fmt: on


@operation(MEAN_ALL)
def mean(input, dim=None, keepdim: bool = False, *, dtype=None):
    """The mean of all elements, or over ``dim``; the arguments are those of :func:`sum`.

    The elements are floating, or ``dtype`` makes them so. Nothing has the mean nan.

    Raises:
        RuntimeError: the elements are integers or bools.

    >>> import minigrad as mg
    >>> mg.mean(mg.tensor([1.0, 2.0, 6.0]))
    tensor(3.)
    """
    x = raw_tensor(input, "mean")
    given, dtype = "Input" if dtype is None else "Optional", dtypes.numpy_dtype(dtype, x.dtype)
    if dtype.kind != "f":
        raise RuntimeError(message("mean-of-integers", given=given, dtype=dtypes.name_of(dtype)))
    dims, count = dims_of(dim, x.ndim), dtype.type(reduced_count(x.shape, dim))
    value = reduced(lambda: x.sum(axis=dims, dtype=dtype, keepdims=keepdim) / count)
    if dim is None and not keepdim:
        return MEAN_ALL.record(value, input, self_sym_sizes=x.shape, self_sym_numel=x.size)
    named = {"dim": as_tuple(dim), "keepdim": keepdim, "self_sym_numel": x.size}
    return MEAN_DIMS.record(value, input, self_sym_sizes=x.shape, **named)
