"""Losses of questions with two answers, yes or no: of scores, and of probabilities."""

from __future__ import annotations

import numpy as np

from ..autograd.around import notes
from ..autograd.thread_state import state
from ..ops.broadcasting import expand
from ..ops.elementary import log, sigmoid
from ..ops.inplace import shape_refusal
from ..ops.more.softplus import softplus
from ..ops.promotion import broadcast, dtype_name, raw
from ..ops.rule import Rule
from ..tensor import Tensor
from .legacy import takes_size_average
from .losses import check_constant, reduced, reduction_number, shared_out

# -- of scores -------------------------------------------------------------------------------------

BCE_WITH_LOGITS = Rule(
    "binary_cross_entropy_with_logits",
    symbol="BCE logits",
    arguments=("reduction",),
    self=lambda g, self, target, weight, pos_weight, reduction: (
        (sigmoid(self) - target if pos_weight is None else slope(self, target, pos_weight))
        * weighted(shared_out(g, raw(self), reduction), weight)
    ),
    target=lambda g, self, weight, pos_weight, reduction: (
        (-self if pos_weight is None else (pos_weight - 1) * softplus(-self) - self)
        * weighted(shared_out(g, raw(self), reduction), weight)
    ),
)


def slope(x, target, pos_weight):
    """The derivative of a yes-or-no loss by its score, where yes counts ``pos_weight`` times."""
    yes = pos_weight * target
    return (yes + 1 - target) * sigmoid(x) - yes


def weighted(values, weight):
    """Values times their weights; None counts everything once."""
    return values if weight is None else values * weight


def raw_yes_or_no(x, y, weight, pos_weight):
    """One yes-or-no loss per score."""
    of_yes = np.maximum(-x, 0) + np.log1p(np.exp(-np.abs(x)))  # softplus(-x), without overflow
    yes = of_yes if pos_weight is None else (1 + (pos_weight - 1) * y) * of_yes
    return weighted((1 - y) * x + yes, weight).astype(y.dtype, copy=False)


@takes_size_average("size_average", "reduce", "reduction", "pos_weight")
def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    *,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """Minus the log-probability of the right answer, yes or no, whose score is ``input``.

    Args:
        input: scores of any size; the probability of yes is their sigmoid.
        target: the probability that yes is right, in the same shape.
        weight: how much each element counts.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.
        pos_weight: how much yes counts compared to no.

    Raises:
        ValueError: the shapes differ; there is no such reduction.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.binary_cross_entropy_with_logits.html

    >>> import minigrad as mg
    >>> scores, answers = mg.tensor([1000.0, 0.0]), mg.tensor([0.0, 1.0])
    >>> mg.nn.functional.binary_cross_entropy_with_logits(scores, answers, reduction="none")
    tensor([1.0000e+03, 6.9315e-01])
    """
    number = reduction_number(reduction)
    if input.shape != target.shape:
        told = f"Target size ({target.shape}) must be the same as input size ({input.shape})"
        raise notes.known(ValueError(told))
    check_constant(weight, "weight", "binary_cross_entropy_with_logits")
    check_constant(pos_weight, "pos_weight", "binary_cross_entropy_with_logits")
    x, y = raw(input), raw(target)
    if x.dtype.kind != "f":
        raise NotImplementedError(f"\"log_sigmoid_cpu\" not implemented for '{dtype_name(x)}'")
    if y.dtype.kind != "f":
        told = f"result type Float can't be cast to the desired output type {dtype_name(y)}"
        raise notes.known(RuntimeError(told))
    losses = broadcast(raw_yes_or_no, x, y, raw(weight), raw(pos_weight))
    if losses.shape != x.shape:
        raise shape_refusal(input, losses.shape)
    return BCE_WITH_LOGITS.record(
        state.here.quiet(reduced, losses, number),
        input,
        target,
        weight=weight,
        pos_weight=pos_weight,
        reduction=number,
    )


# -- of probabilities ------------------------------------------------------------------------------

LEAST = 1e-12  # what a divisor is at least
LEAST_LOG = -100.0  # what a logarithm is at least, so that no loss is infinite

BCE = Rule(
    "binary_cross_entropy",
    symbol="BCE",
    arguments=("reduction",),
    self=lambda g, self, target, weight, reduction: of_probability(
        g, self, target, weight, reduction
    ),
    target=lambda g, self, target, weight, reduction: weighted(
        shared_out(-log(self / (1 - self)) * g, raw(target), reduction), weight
    ),
)
# fmt: off
BCE_GRADIENT = Rule("binary_cross_entropy_backward",
    arguments=("reduction",),
    grad_output=lambda g, self, target, weight, reduction: of_probability(
        g, self, target, weight, reduction),
    self=lambda g, grad_output, self, target, weight, reduction: weighted(shared_out(
        (self * self - 2 * self * target + target)
        / ((self + LEAST) ** 2 * (1 - self + LEAST) ** 2) * (g * grad_output),
        raw(self), reduction), weight),
    target=lambda g, grad_output, self, weight, reduction: weighted(shared_out(
        -g * grad_output / ((1 - self) * self), raw(self), reduction), weight))
# fmt: on


def of_probability(g, self, target, weight, reduction: int):
    """The gradient of a probability from that of its loss, as one operation."""
    p, y = raw(self), raw(target)
    slope = raw(g) * (p - y) / np.maximum((1 - p) * p, p.dtype.type(LEAST))
    value = shared_out(weighted(slope, raw(weight)), p, reduction)
    return BCE_GRADIENT.record(value, g, self, target, weight=weight, reduction=reduction)


def raw_of_probability(p, y, weight):
    """One loss per probability."""
    no, yes = np.maximum(np.log1p(-p), LEAST_LOG), np.maximum(np.log(p), LEAST_LOG)
    return weighted((y - 1) * no - y * yes, weight)


@takes_size_average("size_average", "reduce", "reduction")
def binary_cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, *, reduction: str = "mean"
) -> Tensor:
    """Minus the log-probability of the right answer, where ``input`` is the probability of yes.

    Where the probability comes from a score by ``sigmoid``, that rounds to 0 or 1 and loses the
    gradient; :func:`binary_cross_entropy_with_logits` takes the score itself.

    Args:
        input: the probability of yes, of any size.
        target: the probability that yes is right, in the same shape.
        weight: how much each element counts; it is broadcast.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.

    Raises:
        RuntimeError: a number of ``input`` is not between 0 and 1; the dtypes differ.
        ValueError: the shapes differ; there is no such reduction.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.binary_cross_entropy.html

    >>> import minigrad as mg
    >>> likely, answers = mg.tensor([1.0, 0.5]), mg.tensor([0.0, 1.0])
    >>> mg.nn.functional.binary_cross_entropy(likely, answers, reduction="none")
    tensor([100.0000,   0.6931])
    """
    number = reduction_number(reduction)
    if input.shape != target.shape:
        told = f"Using a target size ({target.shape}) that is different to the input size "
        told += f"({input.shape}) is deprecated. Please ensure they have the same size."
        raise notes.known(ValueError(told))
    check_constant(weight, "weight", "binary_cross_entropy")
    if weight is not None:
        weight = expand(weight, broadcast(np.broadcast, raw(target), raw(weight)).shape)
    p, y = raw(input), raw(target)
    if p.dtype is not y.dtype:
        told = f"Found dtype {dtype_name(y)} but expected {dtype_name(p)}"
        raise notes.known(RuntimeError(told))
    if p.dtype.kind != "f":
        raise NotImplementedError(f"\"binary_cross_entropy\" not implemented for '{dtype_name(p)}'")
    if not ((p >= 0) & (p <= 1)).all():  # nan is not, either
        raise notes.known(RuntimeError("all elements of input should be between 0 and 1"))
    losses = broadcast(raw_of_probability, p, y, raw(weight))
    value = state.here.quiet(reduced, losses, number)
    return BCE.record(value, input, target, weight=weight, reduction=number)
