"""Elements in order: all, the k largest, the middle one, each different one, those not 0.

nan counts as larger than every number. Equal elements keep their order.
"""

from __future__ import annotations

import numpy as np

from ...tensor import wrap
from ..dims import wrap_dim
from ..promotion import raw_tensor
from ..rule import Rule, operation
from .minmax import check_sizes, needs_dim, share_evenly
from .values_and_indices import select_along, selecting


def order(x, dim: int, descending: bool = False):
    """The indices that sort a raw array along ``dim``, equal elements in their order."""
    if not x.ndim:
        return np.int64(0)
    if not descending:
        return np.argsort(x, axis=dim, kind="stable")
    last = x.shape[dim] - 1
    return last - np.flip(np.argsort(np.flip(x, dim), axis=dim, kind="stable"), dim)


SORT = selecting("sort", "SortBackward0")
SORT_STABLE = selecting("sort", "SortBackward1")
TOPK = selecting("topk", "TopkBackward0")


@operation(SORT)
def sort(input, dim: int = -1, descending: bool = False, *, stable: bool | None = None):
    """The elements in order along ``dim``, as a pair (values, indices).

    Equal elements keep their order whether or not ``stable`` asks for it.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.sort.html

    >>> import minigrad as mg
    >>> mg.sort(mg.tensor([3.0, 1.0, 2.0]))
    torch.return_types.sort(
    values=tensor([1., 2., 3.]),
    indices=tensor([1, 2, 0]))
    """
    x = raw_tensor(input, "sort")
    axis = wrap_dim(dim, x.ndim)
    rule = SORT if stable is None else SORT_STABLE
    return select_along(rule, input, order(x, axis, descending), dim)


@operation()
def argsort(input, dim: int = -1, descending: bool = False, stable: bool = False):
    """The indices that :func:`sort` returns: an int64 tensor.

    >>> import minigrad as mg
    >>> mg.argsort(mg.tensor([3.0, 1.0, 2.0]))
    tensor([1, 2, 0])
    """
    return sort(input, dim, descending)[1]


@operation(TOPK)
def topk(input, k: int, dim: int = -1, largest: bool = True, sorted: bool = True):
    """The ``k`` largest (or smallest) along ``dim``, in order: a pair (values, indices).

    Raises:
        RuntimeError: there are fewer than ``k`` elements, or ``k`` is negative.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.topk.html

    >>> import minigrad as mg
    >>> mg.topk(mg.tensor([3.0, 1.0, 2.0]), 2).indices
    tensor([0, 2])
    """
    x = raw_tensor(input, "topk")
    axis = wrap_dim(dim, x.ndim)
    if not 0 <= k <= (x.shape[axis] if x.ndim else 1):
        raise RuntimeError("selected index k out of range")
    if x.dtype.kind == "b":
        raise RuntimeError("topk does not support bool dtypes on CPU")
    indices = order(x, axis, descending=largest)
    indices = np.take(indices, np.arange(k), axis) if x.ndim else indices
    return select_along(TOPK, input, indices, dim)


MEDIAN_ALONG = selecting("median", "MedianBackward1", keepdim=True)


@operation(lambda g, self, result: share_evenly(g, self, result))
def median(input, dim: int | None = None, keepdim: bool = False):
    """The middle element, the lower one of two; or along ``dim``, a pair (values, indices).

    nan where there is one. The gradient goes in equal parts to all elements equal to the median;
    along ``dim``, to the one whose index is returned.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.median.html

    >>> import minigrad as mg
    >>> mg.median(mg.tensor([4.0, 1.0, 3.0, 2.0]))
    tensor(2.)
    """
    x = raw_tensor(input, "median")
    if x.dtype.kind == "b":
        raise NotImplementedError("\"median_cpu\" not implemented for 'Bool'")
    needs_dim("median", dim, keepdim)
    if dim is None:
        return median.rule.record(middle(x), input)
    axis = wrap_dim(dim, x.ndim)
    check_sizes(x, (axis,), "median")
    return select_along(MEDIAN_ALONG, input, middle_index(x, axis), dim, keepdim)


def middle(x):
    """The lower middle of all elements; nan of nothing."""
    if not x.size:
        return x.dtype.type(np.nan)
    flat = x.reshape(-1)
    return flat[middle_index(flat, 0)[0]]


def middle_index(x, dim: int):
    """Where the lower middle stands along a dim, which is kept; a nan if there is one."""
    if not x.ndim:
        return np.int64(0)
    indices = np.take(order(x, dim), [(x.shape[dim] - 1) // 2], dim)
    if x.dtype.kind != "f":
        return indices
    nan = np.isnan(x)
    return np.where(nan.any(dim, keepdims=True), nan.argmax(dim, keepdims=True), indices)


UNIQUE_ALONG = Rule("unique", lambda g: refuse("unique_dim"), node="UniqueDimBackward0")


def refuse(name: str):
    """PyTorch records such an operation, and refuses when its derivative is asked for."""
    raise NotImplementedError(f"the derivative for '{name}' is not implemented.")


@operation(lambda g: refuse("_unique2"), node="Unique2Backward0")
def unique(
    input,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
):
    """Each different element once, in rising order; with ``dim``, each different slice.

    Args:
        sorted: accepted as in PyTorch; the result is sorted in any case.
        return_inverse: also return where in the result each element went.
        return_counts: also return how often each occurs.
        dim: compare the slices along this dim.

    The result records a node, but has no derivative: backward raises ``NotImplementedError``.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.unique.html

    >>> import minigrad as mg
    >>> mg.unique(mg.tensor([3, 1, 3]), return_counts=True)
    (tensor([1, 3]), tensor([1, 2]))
    """
    x = raw_tensor(input, "unique")
    axis = None if dim is None else wrap_dim(dim, x.ndim)
    if dim is not None and not x.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    values, inverse, counts = np.unique(
        x, return_inverse=True, return_counts=True, axis=axis, equal_nan=False
    )
    inverse = inverse.reshape(x.shape if dim is None else -1)
    answers = [(unique.rule if dim is None else UNIQUE_ALONG).record(values, input)]
    answers += [wrap(inverse)] * return_inverse + [wrap(counts)] * return_counts
    return tuple(answers) if len(answers) > 1 else answers[0]


@operation()
def nonzero(input, *, as_tuple: bool = False):
    """The indices of the elements that are not 0: one row each; or one tensor for each dim.

    >>> import minigrad as mg
    >>> mg.nonzero(mg.tensor([[0, 5], [6, 0]]))
    tensor([[0, 1],
            [1, 0]])
    >>> mg.nonzero(mg.tensor([0, 5, 6]), as_tuple=True)
    (tensor([1, 2]),)
    """
    x = raw_tensor(input, "nonzero")
    if as_tuple:
        return wrap(np.argwhere(np.atleast_1d(x))).unbind(1)
    return wrap(np.argwhere(x))
