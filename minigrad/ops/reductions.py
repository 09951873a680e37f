"""Sums, means and counts: many elements into one, and how their gradients spread out again."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .. import dtypes
from ..autograd.indexed_gradient import Spread
from ..tensor import Tensor, wrap
from .arithmetic import over_number
from .broadcasting import as_tuple, put_back, reduced
from .dims import dims_of, names_none
from .promotion import raw, raw_tensor
from .rule import Rule, publish

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

    A plain pass divides what is still small; a recorded one shows PyTorch's order.
    """
    if isinstance(g, Tensor):
        return over_number(put_back(g, shape, dim, keepdim), count)
    return put_back(Spread.of(g / count), shape, dim, keepdim)


# -- sums and means --------------------------------------------------------------------------------


# fmt: off
MEAN_ALL = Rule("mean", "MeanBackward0", {
    "self": lambda g, self_sym_sizes, self_sym_numel: shared_out(
        g, self_sym_sizes, None, False, self_sym_numel),
}, arguments=("self_sym_numel", "self_sym_sizes"), symbol="mean")
MEAN_DIMS = Rule("mean", "MeanBackward1", {
    "self": lambda g, self_sym_sizes, dim, keepdim: shared_out(
        g, self_sym_sizes, dim, keepdim, reduced_count(self_sym_sizes, dim)),
}, arguments=("dim", "keepdim", "self_sym_numel", "self_sym_sizes"), symbol="mean")
# fmt: on


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
        raise RuntimeError(
            f"mean(): could not infer output dtype. {given} dtype must be either a floating point "
            f"or complex dtype. Got: {dtypes.name_of(dtype)}"
        )
    dims, count = dims_of(dim, x.ndim), dtype.type(reduced_count(x.shape, dim))
    value = reduced(lambda: x.sum(axis=dims, dtype=dtype, keepdims=keepdim) / count)
    if dim is None and not keepdim:
        return MEAN_ALL.record(value, input, self_sym_sizes=x.shape, self_sym_numel=x.size)
    named = {"dim": as_tuple(dim), "keepdim": keepdim, "self_sym_numel": x.size}
    return MEAN_DIMS.record(value, input, self_sym_sizes=x.shape, **named)


publish(mean, "mean", MEAN_ALL)

# -- counts and truths: nothing is recorded --------------------------------------------------------


def count_nonzero(input, dim=None):
    """How many elements are not 0: of all, or over ``dim`` (a dim or several); an int64 tensor.

    >>> import minigrad as mg
    >>> mg.count_nonzero(mg.tensor([[0.0, 2.0], [3.0, 4.0]]), 0)
    tensor([1, 2])
    """
    x = raw_tensor(input, "count_nonzero")
    return wrap(reduced(np.not_equal(x, 0).sum, axis=dims_of(dim, x.ndim), dtype=np.int64))


def all(input, dim=None, keepdim: bool = False):
    """Whether all elements are true (not 0), or all over ``dim``: a bool tensor; uint8 stays uint8.

    >>> import minigrad as mg
    >>> mg.all(mg.tensor([[True, False], [True, True]]), 0)
    tensor([ True, False])
    """
    return truth(np.logical_and, input, dim, keepdim, "all")


def any(input, dim=None, keepdim: bool = False):
    """Whether some element is true (not 0), or some over ``dim``: a bool tensor; uint8 stays uint8.

    >>> import minigrad as mg
    >>> mg.any(mg.tensor([0.0, 2.0]))
    tensor(True)
    """
    return truth(np.logical_or, input, dim, keepdim, "any")


def truth(connective: np.ufunc, input, dim, keepdim: bool, name: str) -> Tensor:
    """The elements as truth values, connected over ``dim``; over no dim at all if it is ()."""
    x = raw_tensor(input, name)
    dims = () if names_none(dim) else dims_of(dim, x.ndim)
    value = reduced(connective.reduce, x.astype(np.bool_), axis=dims, keepdims=keepdim)
    return wrap(value.astype(x.dtype if x.dtype == np.uint8 else np.bool_))


for _operation in (count_nonzero, all, any):
    publish(_operation, _operation.__name__)
