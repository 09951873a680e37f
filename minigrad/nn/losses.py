"""Losses: how far predictions are from targets, as one number or one per example.

Each is computed in the form that neither overflows nor loses digits: classification losses take
scores (logits), of which they never form the probabilities.
"""

from __future__ import annotations

import functools
import math
import operator
import warnings

import numpy as np

from ..autograd.around import notes
from ..autograd.thread_state import OFF, state
from ..ops.arithmetic import over_number
from ..ops.broadcasting import expand
from ..ops.more.softmax import log_softmax
from ..ops.piecewise import zeros_like
from ..ops.promotion import broadcast, cast, dtype_name, raw, result_dtype
from ..ops.rule import Rule
from ..tensor import Tensor, wrap
from .legacy import takes_size_average

NONE, MEAN, SUM = range(3)
REDUCTIONS = {"none": NONE, "mean": MEAN, "sum": SUM}


def reduction_number(reduction: str) -> int:
    """The number that nodes keep for the name of a reduction.

    Raises:
        ValueError: there is no such reduction.
    """
    if reduction not in REDUCTIONS:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return REDUCTIONS[reduction]


def reduced(losses, reduction: int):
    """Raw losses, or their mean or sum."""
    if reduction == NONE:
        return losses
    total = losses.sum(dtype=losses.dtype)
    return total / losses.dtype.type(losses.size) if reduction == MEAN else total


def check_constant(value: Tensor | None, argument: str, function: str) -> None:
    """Refuse to ask for the gradient of what a loss has no derivative for."""
    if value is not None and value.requires_grad and state.here.mode is not OFF:
        raise RuntimeError(
            f"The function '{function}' is not differentiable with respect to argument "
            f"'{argument}'. This input cannot have requires_grad True."
        )


def shared_out(g, losses, reduction: int):
    """The gradient that each single loss gets; ``losses`` has as many elements as there are."""
    return g / losses.size if reduction == MEAN else g


# -- differences -----------------------------------------------------------------------------------

MSE_LOSS = Rule(
    "mse_loss",
    arguments=("reduction",),
    self=lambda g, self, target, reduction: (
        shared_out(g, raw(self), reduction) * (2 * (self - target))
    ),
    target=lambda g, self, target, reduction: (
        shared_out(g, raw(self), reduction) * (2 * (target - self))
    ),
)


@takes_size_average("size_average", "reduce", "reduction")
def mse_loss(input: Tensor, target: Tensor, *, reduction: str = "mean") -> Tensor:
    """The squares of the differences: their mean, their sum, or all of them.

    Args:
        input: floating point numbers.
        target: numbers of the same shape; another shape is broadcast, with a warning.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.

    Raises:
        ValueError: there is no such reduction.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.mse_loss.html

    >>> import minigrad as mg
    >>> mg.nn.functional.mse_loss(mg.tensor([1.0, 4.0]), mg.tensor([1.0, 2.0]))
    tensor(2.)
    """
    number = reduction_number(reduction)
    input, target = same_shape(input, target)
    dtype = result_dtype(raw(input), raw(target))
    if dtype.kind != "f":
        raise NotImplementedError(f"\"mse_cpu\" not implemented for '{dtype_name(raw(input))}'")
    x, y = cast(raw(input), dtype), cast(raw(target), dtype)
    value = state.here.quiet(lambda: reduced((x - y) ** 2, number))
    return MSE_LOSS.record(value, input, target, reduction=number)


@takes_size_average("size_average", "reduce", "reduction")
def l1_loss(input: Tensor, target: Tensor, *, reduction: str = "mean") -> Tensor:
    """The sizes of the differences: their mean, their sum, or all of them.

    Args:
        input: numbers of any size.
        target: numbers of the same shape; another shape is broadcast, with a warning.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.

    Raises:
        ValueError: there is no such reduction.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.l1_loss.html

    >>> import minigrad as mg
    >>> mg.nn.functional.l1_loss(mg.tensor([1.0, 4.0]), mg.tensor([1.0, 2.0]))
    tensor(1.)
    """
    number = reduction_number(reduction)
    input, target = same_shape(input, target)
    sizes = (input - target).abs()
    return sizes if number == NONE else sizes.mean() if number == MEAN else sizes.sum()


def same_shape(input: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """Both as they are, or broadcast with a warning at the caller of the loss."""
    if input.shape == target.shape:
        return input, target
    warnings.warn(
        f"Using a target size ({target.shape}) that is different to the input size "
        f"({input.shape}). This will likely lead to incorrect results due to broadcasting. "
        "Please ensure they have the same size.",
        UserWarning,
        stacklevel=4,
    )
    shape = broadcast(operator.add, raw(input), raw(target)).shape
    return tuple([x if x.shape == shape else expand(x, shape) for x in (input, target)])


# -- one class out of several ----------------------------------------------------------------------

NLL_LOSS = Rule(
    "nll_loss",
    keeps_dtype=True,
    arguments=("reduction", "ignore_index"),
    self=lambda g, self, target, weight, total_weight, reduction, ignore_index: nll_gradient(
        g, self, target, weight, total_weight, reduction, ignore_index
    ),
)
# The gradient does not depend on the values of `self`, and has a path to it all the same.
NLL_GRADIENT = Rule(
    "nll_loss_backward",
    arguments=("reduction", "ignore_index"),
    grad_output=lambda g, target, weight, reduction, ignore_index: negative_log_likelihood(
        g, target, weight, reduction, ignore_index
    ),
    self=lambda g: zeros_like(g),
)


@takes_size_average("size_average", "ignore_index", "reduce", "reduction")
def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    *,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> Tensor:
    """Minus the log-probability of the right class of each example.

    Args:
        input: log-probabilities, shape (examples, classes) or (classes,).
        target: the number of the right class, shape (examples,) or (); int64 or uint8.
        weight: how much each class counts, shape (classes,).
        ignore_index: a target that does not count.
        reduction: ``"mean"`` (weighted), ``"sum"`` or ``"none"``.

    Raises:
        IndexError: there is no class of that number.
        RuntimeError: shapes or dtypes do not fit together.
        ValueError: there are more targets than examples or fewer; there is no such reduction.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.nll_loss.html

    >>> import minigrad as mg
    >>> mg.nn.functional.nll_loss(mg.tensor([[-1.0, -2.0]]), mg.tensor([1]))
    tensor(2.)
    """
    return of_classes(input, target, weight, reduction_number(reduction), ignore_index)


def of_classes(input: Tensor, target: Tensor, weight, reduction: int, ignore_index: int) -> Tensor:
    """:func:`nll_loss`, given the number of its reduction."""
    some_ignored = check_classes(raw(input), raw(target), weight, ignore_index)
    return negative_log_likelihood(input, target, weight, reduction, ignore_index, some_ignored)


def negative_log_likelihood(
    input, target, weight, reduction: int, ignore_index: int, some_ignored: bool = True
):
    """:func:`nll_loss` of checked operands, raw or Tensors."""
    x = raw(input)
    index, counts, ignored = right_classes(raw(target), x, weight, ignore_index, some_ignored)
    value = -x[index] if counts is None else state.here.quiet(np.multiply, -counts, x[index])
    value = value if ignored is None else np.where(ignored, x.dtype.type(0), value)[()]
    total = x.dtype.type(value.size) if counts is None else counts.sum()
    if reduction != NONE:
        value = np.add.reduce(value, None)
    if reduction == MEAN:
        value = state.here.quiet(operator.truediv, value, total)
    return NLL_LOSS.record(
        value,
        input,
        target=target,
        weight=weight,
        total_weight=wrap(total),
        reduction=reduction,
        ignore_index=ignore_index,
    )


def nll_gradient(g, self, target, weight, total_weight, reduction: int, ignore_index: int):
    """Minus the weight at the right class of each example, 0 elsewhere; times ``g``."""
    x, classes, share = raw(self), raw(target), raw(g)
    total = raw(total_weight)
    all_count = weight is None and total == classes.size  # each once
    index, counts, ignored = right_classes(classes, x, weight, ignore_index, not all_count)
    share = share / total if reduction == MEAN else share
    less = -share if counts is None else -counts * share
    value = np.zeros(x.shape, x.dtype)
    value[index] = less if ignored is None else np.where(ignored, 0, less)
    return NLL_GRADIENT.record(
        value,
        g,
        self,
        target=target,
        weight=weight,
        reduction=reduction,
        ignore_index=ignore_index,
    )


def right_classes(target, x, weight, ignore_index: int, some_ignored: bool = True) -> tuple:
    """Where in ``x`` the right classes stand, what each counts, and a mask of ignored examples.

    What each counts is None where that is 1 for all, the mask where none is ignored; it need not be
    made where the caller knows that.

    >>> index, counts, ignored = right_classes(np.array([1, -100]), np.ones((2, 2)), None, -100)
    >>> index, counts
    ((array([0, 1]), array([1, 0])), array([1., 0.]))
    """
    ignored = target == ignore_index if some_ignored else None
    if ignored is not None and np.count_nonzero(ignored):
        target = np.where(ignored, 0, target)  # any class will do, since it counts nothing
    else:
        ignored = None
    counts = None if weight is None else raw(weight)[target]
    if ignored is not None:
        zero, one = x.dtype.type(0), x.dtype.type(1)
        counts = np.where(ignored, zero, one if counts is None else counts)
    index = (first(len(target)), target) if x.ndim == 2 else (target,)
    return index, counts, ignored


@functools.lru_cache(maxsize=8)
def first(count: int) -> np.ndarray:
    """The first ``count`` whole numbers; nobody writes into them."""
    return np.arange(count)


CLASS_DTYPES = np.dtype(np.int64), np.dtype(np.uint8)
UNSIGNED = {8: np.dtype(np.uint64), 1: np.dtype(np.uint8)}  # by itemsize


def check_classes(x, target, weight: Tensor | None, ignore_index: int) -> bool:
    """Refuse scores, classes and weights that do not fit together.

    Returns:
        whether some examples may be ignored, because their class is the one that does not count.
    """
    if x.ndim > 2:
        raise NotImplementedError("nll_loss(): more than one target per example is not supported")
    if x.ndim == 0:
        raise ValueError("Expected 1 or more dimensions (got 0)")
    targets = len(target) if target.ndim else 0
    if x.ndim == 2 and targets != len(x):
        raise ValueError(
            f"Expected input batch_size ({len(x)}) to match target batch_size ({targets})."
        )
    if x.ndim == 1 and target.ndim == 1:
        if targets != 1:
            raise ValueError(
                f"For 1D input, 1D target must have size 1, but got target size: {targets}"
            )
        raise RuntimeError(f"size mismatch (got input: {list(x.shape)}, target: [1])")
    if weight is not None:
        check_constant(weight, "weight", "nll_loss_forward")
    if target.ndim > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if target.dtype not in CLASS_DTYPES:
        told = f"expected target dtype to be Long or Byte, but got {dtype_name(target)}"
        raise notes.known(RuntimeError(told))
    if x.dtype.kind != "f":
        raise NotImplementedError(f"\"nll_loss_out_frame\" not implemented for '{dtype_name(x)}'")
    classes = x.shape[-1]
    if weight is not None:
        check_weights(weight, classes)
        if raw(weight).dtype is not x.dtype:
            raise RuntimeError(
                f"expected scalar type {dtype_name(x)} but found {dtype_name(raw(weight))}"
            )
    outside = target.view(UNSIGNED[target.itemsize]) >= classes  # what is below 0 is large then
    if np.count_nonzero(outside):
        strange = target[outside & (target != ignore_index)]
        if strange.size:
            raise notes.known(IndexError(f"Target {strange.flat[0]} is out of bounds."))
        return True
    return 0 <= ignore_index < classes


def check_weights(weight: Tensor | None, classes: int, prefix: str = "") -> None:
    """Refuse weights that are not one for each class."""
    if weight is not None and weight.shape != (classes,):
        raise RuntimeError(
            f"{prefix}weight tensor should be defined either for all {classes} classes or no "
            f"classes but got weight tensor of shape: {list(weight.shape)}"
        )


@takes_size_average("size_average", "ignore_index", "reduce", "reduction", "label_smoothing")
def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    *,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """:func:`nll_loss` of the :func:`log_softmax <minigrad.log_softmax>` of scores.

    Args:
        input: scores of any size, shape (examples, classes) or (classes,).
        target: the number of the right class, shape (examples,) or (), or a probability for each
            class, in the shape of ``input``.
        weight: how much each class counts, shape (classes,).
        ignore_index: a target that does not count.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.
        label_smoothing: not supported, must be 0.

    Raises:
        IndexError, RuntimeError, ValueError: as :func:`nll_loss`.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.cross_entropy.html

    >>> import minigrad as mg
    >>> mg.nn.functional.cross_entropy(mg.tensor([[1000.0, -1000.0]]), mg.tensor([1]))
    tensor(2000.)
    """
    number = reduction_number(reduction)
    if label_smoothing != 0:
        raise NotImplementedError("cross_entropy(): label_smoothing is not supported")
    shape = raw(input).shape
    if len(shape) > 2:
        raise NotImplementedError(
            "cross_entropy(): more than one target per example is not supported"
        )
    dim = 0 if len(shape) == 1 else 1
    if raw(target).shape != shape:
        return of_classes(log_softmax(input, dim), target, weight, number, ignore_index)
    if not target.dtype.is_floating_point:
        raise RuntimeError(
            "Expected floating point type for target with class probabilities, "
            f"got {dtype_name(raw(target))}"
        )
    if ignore_index >= 0:
        raise RuntimeError("ignore_index is not supported for floating point target")
    check_weights(weight, input.shape[dim], "cross_entropy: ")
    products = log_softmax(input, dim) * target
    if weight is not None:
        products = products * (weight.view(1, -1) if dim else weight)
    if number == NONE:
        return -products.sum(dim)
    if number == SUM or not input.numel():
        total = products.sum()
        return -(total if number == SUM else total.fill_(math.nan))
    return over_number(-products.sum(), input.numel() // input.shape[dim])
