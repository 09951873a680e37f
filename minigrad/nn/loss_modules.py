"""Losses as modules: each keeps its settings, and calls a function of :mod:`.functional`."""

from __future__ import annotations

from ..tensor import Tensor
from . import functional
from .legacy import takes_size_average
from .module import Module


class Loss(Module):
    """What all losses keep: whether to take the mean, the sum, or all of them."""

    @takes_size_average("size_average", "reduce", "reduction")
    def __init__(self, *, reduction: str = "mean"):
        super().__init__()
        self.reduction = reduction


class WeightedLoss(Loss):
    """A loss in which elements or classes count differently: the weights are a buffer."""

    @takes_size_average("size_average", "reduce", "reduction")
    def __init__(self, weight: Tensor | None = None, *, reduction: str = "mean"):
        super().__init__(reduction=reduction)
        self.register_buffer("weight", weight)


class MSELoss(Loss):
    """The mean of the squared differences; see :func:`minigrad.nn.functional.mse_loss`.

    >>> import minigrad as mg
    >>> mg.nn.MSELoss()(mg.tensor([1.0, 4.0]), mg.tensor([1.0, 2.0]))
    tensor(2.)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return functional.mse_loss(input, target, reduction=self.reduction)


class L1Loss(Loss):
    """The mean size of the differences; see :func:`minigrad.nn.functional.l1_loss`.

    >>> import minigrad as mg
    >>> mg.nn.L1Loss()(mg.tensor([1.0, 4.0]), mg.tensor([1.0, 2.0]))
    tensor(1.)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return functional.l1_loss(input, target, reduction=self.reduction)


class NLLLoss(WeightedLoss):
    """Minus the log-probability of the right class; see :func:`.functional.nll_loss`.

    >>> import minigrad as mg
    >>> mg.nn.NLLLoss()(mg.tensor([[-1.0, -2.0]]), mg.tensor([1]))
    tensor(2.)
    """

    @takes_size_average("size_average", "ignore_index", "reduce", "reduction")
    def __init__(
        self, weight: Tensor | None = None, *, ignore_index: int = -100, reduction: str = "mean"
    ):
        super().__init__(weight, reduction=reduction)
        self.ignore_index = ignore_index

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return functional.nll_loss(
            input, target, self.weight, ignore_index=self.ignore_index, reduction=self.reduction
        )


class CrossEntropyLoss(WeightedLoss):
    """How improbable scores make the right class; see :func:`.functional.cross_entropy`.

    >>> import minigrad as mg
    >>> mg.nn.CrossEntropyLoss()(mg.tensor([[0.0, 0.0]]), mg.tensor([1]))
    tensor(0.6931)
    """

    @takes_size_average("size_average", "ignore_index", "reduce", "reduction", "label_smoothing")
    def __init__(
        self,
        weight: Tensor | None = None,
        *,
        ignore_index: int = -100,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
    ):
        super().__init__(weight, reduction=reduction)
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return functional.cross_entropy(
            input,
            target,
            self.weight,
            ignore_index=self.ignore_index,
            reduction=self.reduction,
            label_smoothing=self.label_smoothing,
        )


class BCELoss(WeightedLoss):
    """Of a probability of yes; see :func:`.functional.binary_cross_entropy`.

    >>> import minigrad as mg
    >>> mg.nn.BCELoss()(mg.tensor([0.5]), mg.tensor([1.0]))
    tensor(0.6931)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return functional.binary_cross_entropy(input, target, self.weight, reduction=self.reduction)


class BCEWithLogitsLoss(WeightedLoss):
    """Of a score; see :func:`.functional.binary_cross_entropy_with_logits`.

    >>> import minigrad as mg
    >>> mg.nn.BCEWithLogitsLoss()(mg.tensor([0.0]), mg.tensor([1.0]))
    tensor(0.6931)
    """

    @takes_size_average("size_average", "reduce", "reduction", "pos_weight")
    def __init__(
        self,
        weight: Tensor | None = None,
        *,
        reduction: str = "mean",
        pos_weight: Tensor | None = None,
    ):
        super().__init__(weight, reduction=reduction)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return functional.binary_cross_entropy_with_logits(
            input, target, self.weight, reduction=self.reduction, pos_weight=self.pos_weight
        )
