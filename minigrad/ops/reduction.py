"""Sums, means and counts: many elements into one, and how their gradients spread out again."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

import numpy as np

from .. import dtypes
from ..autograd.grad_mode import state
from ..autograd.part import Spread
from ..tensor import Tensor, wrap
from .arithmetic import over_number
from .dims import dims_of, names_none
from .operands import raw, raw_tensor
from .rule import Rule, publish
from .shape import expand, reshape

# -- which dims ------------------------------------------------------------------------------------


def as_tuple(dim):
    """Dims as a node shows them: a tuple, or None for all."""
    if dim is None:
        return None
    return tuple(map(operator.index, dim if isinstance(dim, tuple | list) else (dim,)))


def reduced(compute: Callable, *args, **how):
    """A raw result without floating-point warnings, laid out in reading order as in PyTorch."""
    value = state.here.quiet(lambda: compute(*args, **how))
    if value.__class__ is not np.ndarray:
        return value
    value = np.ascontiguousarray(value)
    return value.ravel().reshape(value.shape) if 1 in value.shape else value


def reduced_count(shape, dim) -> int:
    """How many elements one result of a reduction over ``dim`` is made of."""
    return math.prod([shape[d] for d in dims_of(dim, len(shape))])


def along(rule: Rule, compute: Callable, input, dim, keepdim: bool, **named):
    """``compute(x, axis=…, keepdims=…)`` of a floating tensor, recorded with this rule."""
    x = raw(input)
    value = reduced(compute, x, axis=dims_of(dim, x.ndim), keepdims=keepdim)
    return rule.record(value, input, self=input, dim=as_tuple(dim), keepdim=keepdim, **named)


# -- back to the shape that was reduced ------------------------------------------------------------


def with_dims(reduced, shape, dim, keepdim):
    """A reduced value with its lost dims back, in size 1: it broadcasts against ``shape``."""
    if keepdim or dim is None or not shape:
        return reduced
    dims = dims_of(dim, len(shape))
    return reshape(reduced, tuple(1 if i in dims else n for i, n in enumerate(shape)))


def put_back(g, shape, dim, keepdim):
    """A reduced gradient over the shape that was reduced."""
    return expand(with_dims(g, shape, dim, keepdim), shape)


def shared_out(g, shape, dim, keepdim, count: int):
    """A reduced gradient over the shape that was reduced, each place getting its share.

    A plain pass divides what is still small; a recorded one shows PyTorch's order.
    """
    if isinstance(g, Tensor):
        return over_number(put_back(g, shape, dim, keepdim), count)
    return put_back(Spread.of(g / count), shape, dim, keepdim)


# -- sums and means --------------------------------------------------------------------------------


def accumulation_dtype(x, dtype) -> np.dtype:
    """Integers and bools are summed as int64."""
    return dtypes.numpy_dtype(dtype, x.dtype if x.dtype.kind == "f" else dtypes.int64.numpy)


# fmt: off
EACH_ONCE = {"self": ("1", "every element counts once")}
SUM_ALL = Rule("sum", "SumBackward0", {
    "self": lambda g, self_sym_sizes: expand(g, self_sym_sizes),
}, arguments=("self_sym_sizes",), symbol="Σ", locals=EACH_ONCE)
SUM_DIMS = Rule("sum", "SumBackward1", {
    "self": lambda g, self_sym_sizes, dim, keepdim: put_back(g, self_sym_sizes, dim, keepdim),
}, arguments=("dim", "keepdim", "self_sym_sizes"), symbol="Σ", locals=EACH_ONCE)
MEAN_ALL = Rule("mean", "MeanBackward0", {
    "self": lambda g, self_sym_sizes, self_sym_numel: shared_out(
        g, self_sym_sizes, None, False, self_sym_numel),
}, arguments=("self_sym_numel", "self_sym_sizes"), symbol="mean",
    locals={"self": ("1 / self_sym_numel", "one over the number of elements")})
MEAN_DIMS = Rule("mean", "MeanBackward1", {
    "self": lambda g, self_sym_sizes, dim, keepdim: shared_out(
        g, self_sym_sizes, dim, keepdim, reduced_count(self_sym_sizes, dim)),
}, arguments=("dim", "keepdim", "self_sym_numel", "self_sym_sizes"), symbol="mean",
    locals={"self": ("1 / reduced_count(self_sym_sizes, dim)",
                     "one over the number of elements averaged")})
# fmt: on


def sum(input, dim=None, keepdim: bool = False, *, dtype=None):
    """The sum of all elements, or over ``dim``.

    Args:
        dim: a dim or several; None for all.
        keepdim: keep the reduced dims with size 1.
        dtype: add up in this dtype (default: int64 for integers and bools).

    >>> import minigrad as mg
    >>> mg.sum(mg.tensor([[1.0, 2.0], [3.0, 4.0]]), 0)
    tensor([4., 6.])
    """
    x = raw_tensor(input, "sum")
    dtype = accumulation_dtype(x, dtype)
    if dim is None:
        value = state.here.quiet(lambda: x.sum(dtype=dtype, keepdims=keepdim))
        if not keepdim:
            return SUM_ALL.record(value, input, self_sym_sizes=x.shape)
    else:
        dims = dims_of(dim, x.ndim)
        value = reduced(x.sum, axis=dims, dtype=dtype, keepdims=keepdim)
    return SUM_DIMS.record(value, input, self_sym_sizes=x.shape, dim=as_tuple(dim), keepdim=keepdim)


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


publish(sum, "sum", SUM_ALL)
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
