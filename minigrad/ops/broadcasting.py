"""Repeating elements and adding them up: expand and sum are each other's derivative.

:func:`sum_to` undoes a broadcast: it sums over the dims that were repeated.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable

import numpy as np
from numpy import ndarray

from .. import dtypes
from ..autograd.around import Around
from ..autograd.node import Node
from ..autograd.thread_state import state
from ..messages import message
from ..tensor import Tensor, wrap
from . import promotion
from .dims import dims_of, sizes
from .promotion import copied, raw, raw_tensor
from .rule import Rule, operation
from .shape import reshape
from .strided import restrided, shared, view_of

# -- repeating without copying ---------------------------------------------------------------------


@operation(lambda g, self_sym_sizes: sum_to(g, self_sym_sizes))
def expand(input, *shape, size=None):
    """``input`` repeated along dims of size 1 without copying; -1 keeps a size. A view.

    Raises:
        RuntimeError: a dim that is not of size 1 would change.

    >>> import minigrad as mg
    >>> mg.tensor([[1.0], [2.0]]).expand(2, 3)
    tensor([[1., 1., 1.],
            [2., 2., 2.]])
    """
    x, want = shared(input), sizes(shape, size)
    if len(want) < x.ndim:
        kind = input.type() if isinstance(input, Tensor) else "torch.Tensor"
        kind = "CPUBoolType" if kind == "torch.BoolTensor" else kind  # so says PyTorch
        given = {"have": list(x.shape), "want": list(want), "ndim": x.ndim, "count": len(want)}
        raise RuntimeError(message("expand-to-fewer", kind=kind, **given))
    return view_of(expand.rule, restrided(x, *expanded(x.shape, x.strides, want)), input, x.shape)


@functools.lru_cache
def expanded(have: tuple, steps: tuple, want: tuple) -> tuple[tuple, tuple]:
    """The shape in which -1 stands for the size there is, and its strides, if it can be had.

    >>> expanded((2, 1), (8, 8), (3, -1, 4))
    ((3, 2, 4), (0, 8, 0))
    """
    new = len(want) - len(have)
    shape = [old if size == -1 else size for size, old in zip(want, (None,) * new + have)]
    for dim, (size, old) in reversed(list(enumerate(zip(want, (None,) * new + have)))):
        if dim < new and size < 0:
            raise RuntimeError(message("expand-new-dim", size=size, dim=dim))
        if dim >= new and size not in (-1, old) and old != 1:
            given = {"size": size, "old": old, "dim": dim, "want": list(want), "have": list(have)}
            raise RuntimeError(message("expand-size", **given))
    old = zip(have, steps, shape[new:])
    return tuple(shape), (0,) * new + tuple([step if n == size else 0 for n, step, size in old])


# -- sums ------------------------------------------------------------------------------------------


def as_tuple(dim):
    """Dims as a node shows them: a tuple, or None for all."""
    if dim is None:
        return None
    return tuple(map(operator.index, dim if isinstance(dim, tuple | list) else (dim,)))


def reduced(compute: Callable, *args, **how):
    """A raw result without floating-point warnings, laid out in reading order as in PyTorch."""
    value = state.here.quiet(compute, *args, **how)
    if value.__class__ is not np.ndarray:
        return value
    value = np.ascontiguousarray(value)
    return value.ravel().reshape(value.shape) if 1 in value.shape else value


def with_dims(reduced, shape, dim, keepdim):
    """A reduced value with its lost dims back, in size 1: it broadcasts against ``shape``."""
    if keepdim or dim is None or not shape:
        return reduced
    dims = dims_of(dim, len(shape))
    return reshape(reduced, tuple(1 if i in dims else n for i, n in enumerate(shape)))


def put_back(g, shape, dim, keepdim):
    """A reduced gradient over the shape that was reduced."""
    return expand(with_dims(g, shape, dim, keepdim), shape)


def accumulation_dtype(x, dtype) -> np.dtype:
    """Integers and bools are summed as int64."""
    return dtypes.numpy_dtype(dtype, x.dtype if x.dtype.kind == "f" else dtypes.int64.numpy)


# fmt: off
SUM_ALL = Rule("sum", symbol="Σ", self=lambda g, self_sym_sizes: expand(g, self_sym_sizes))
SUM_DIMS = Rule("sum", node="SumBackward1", symbol="Σ",
    self=lambda g, self_sym_sizes, dim, keepdim: put_back(g, self_sym_sizes, dim, keepdim))
# fmt: on


@operation(SUM_ALL)
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
    dtype = x.dtype if dtype is None and x.dtype.kind == "f" else accumulation_dtype(x, dtype)
    if dim is None:
        value = state.here.quiet(np.add.reduce, x, None, dtype, None, keepdim)
        if not keepdim:
            return SUM_ALL.record(value, input, self_sym_sizes=x.shape)
    else:
        dims = dims_of(dim, x.ndim)
        value = reduced(x.sum, axis=dims, dtype=dtype, keepdims=keepdim)
    return SUM_DIMS.record(value, input, self_sym_sizes=x.shape, dim=as_tuple(dim), keepdim=keepdim)


def add_up(x, dims: tuple, keepdims: bool = False):
    """The sums of a raw array over some dims.

    Those of a matrix are its product with ones: BLAS takes less than half of the time of NumPy's
    own sums, and the error is no larger.

    >>> add_up(np.array([[1.0, 2.0], [3.0, 4.0]]), (0,))
    array([4., 6.])
    """
    ones = ONES.get(x.dtype.char)
    if ones is None or x.ndim != 2 or len(dims) != 1 or not x.flags.forc:
        return np.add.reduce(x, dims, keepdims=keepdims)
    (dim,) = dims
    count = x.shape[dim]
    ones = ones[:count] if count <= len(ones) else np.ones(count, x.dtype)
    total = x.dot(ones) if dim % 2 else ones.dot(x)  # dim: 1 or -1, 0 or -2
    return total if not keepdims else total[:, np.newaxis] if dim % 2 else total[np.newaxis]


# So many that few sums need more; nobody writes into them.
ONES = {kind: np.ones(1024, kind) for kind in "fd"}

# -- undoing a broadcast ---------------------------------------------------------------------------


def sum_to(g, shape: tuple):
    """Sum ``g`` over the dimensions in which ``shape`` was broadcast.

    >>> sum_to(np.ones((4, 3)), (3,))
    array([4., 4., 4.])
    >>> sum_to(np.ones((4, 3)), (4, 1)).shape
    (4, 1)
    """
    dims, leading = broadcast_dims(g.shape, shape)
    if dims and g.__class__ is ndarray:
        total = add_up(g, dims)
        return total if total.shape == shape else total.reshape(shape)
    if not shape and (leading or isinstance(g, Tensor)):  # as PyTorch: one of its own
        return sum(g)
    if dims:
        g = sum(g, dims, True)
    return reshape(g, shape) if leading else g


@functools.lru_cache
def broadcast_dims(have: tuple, shape: tuple) -> tuple[tuple, int]:
    """The dims in which ``shape`` was broadcast to ``have``, and how many of them are new.

    >>> broadcast_dims((5, 4, 3), (1, 3))
    ((0, 1), 1)
    """
    leading = len(have) - len(shape)
    dims = [i for i, n in enumerate(have) if i < leading or n != 1 and shape[i - leading] == 1]
    return tuple(dims), leading


def sums_to(shape: tuple, small: tuple) -> bool:
    """Whether :func:`sum_to` can bring ``shape`` to ``small``: ``small`` broadcasts to it.

    >>> sums_to((4, 3), (1, 3)), sums_to((4, 3), (4,))
    (True, False)
    """
    if len(small) > len(shape):
        return False
    trailing = shape[len(shape) - len(small) :]
    return all(n in (1, m) for n, m in zip(small, trailing))


# -- changing dtype, and how a gradient is brought to fit its operand ------------------------------


TO_COPY = Rule("to", node="ToCopyBackward0", symbol="dtype", self=lambda g: g)


def cast(input, dtype: np.dtype):
    """``input``, raw or a Tensor, in this NumPy dtype; the derivative casts the gradient back.

    Integers and bools have no history, so they can also be had of a view that may not be used.
    """
    x = raw(input)
    value = promotion.cast(x, dtype)
    value = copied(x) if value is x else value
    if dtype.kind != "f" and isinstance(input, Tensor):
        return Around.cut(wrap(value), "to", input)
    return TO_COPY.record(value, input)


def like_operands(node: Node, pairs: Iterable[tuple]) -> Iterable[tuple]:
    """Gradients in the shape and dtype of their operands: broadcasting and promotion undone."""
    if node.specs is None:
        return pairs
    answers = []
    for (edge, g), spec in zip(pairs, node.specs):
        if spec is not None and g is not None and edge is not None:
            g = to_shape_and_dtype(g, *spec)
        answers.append((edge, g))
    return answers


def to_shape_and_dtype(g, shape: tuple | None, dtype: np.dtype):
    """Sum ``g``, raw or a Tensor, over the dims that broadcasting added, and cast it."""
    if shape is not None and g.shape != shape:
        g = sum_to(g, shape)
    value = g._value if isinstance(g, Tensor) else g
    return g if value.dtype is dtype else cast(g, dtype)
